#!/usr/bin/python3
"""Proves that the checks of the tree find what they are there to find."""

import pathlib
import tempfile
import unittest

import docs_check
import layers
import style


class TreeTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)

    def write(self, name, text, mode=0o644):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        path.chmod(mode)

    def expect(self, problems, *parts):
        """Exactly one problem, which holds all the parts."""
        self.assertEqual(len(problems), 1, problems)
        for part in parts:
            self.assertIn(part, problems[0])


class LayersTest(TreeTest):
    def setUp(self):
        super().setUp()
        for name in ["base/a.h", "model/a.h", "read/a.h", "analyze/a.h",
                     "detect/a.h", "cli/a.h"]:
            self.write("src/" + name, "#pragma once\n")

    def test_left_and_own_folder_are_fine(self):
        self.write("src/detect/b.cc", '#include "detect/a.h"\n'
                   '#include "read/a.h"\n#include <vector>\n')
        self.write("src/main.cc", '#include "cli/a.h"\n')
        self.write("tests/sim/a.cc", '#include "model/a.h"\n')
        self.assertEqual(layers.check(self.root), [])

    def test_right_is_refused(self):
        self.write("src/model/b.cc", '#include "base/a.h"\n'
                   '#include "detect/a.h"\n')
        self.expect(layers.check(self.root), "src/model/b.cc:2", "detect/a.h")

    def test_sibling_is_refused(self):
        self.write("src/read/kineto/b.h", '#  include "analyze/a.h"\n')
        self.expect(layers.check(self.root), "src/read/kineto/b.h:1")

    def test_base_must_not_know_the_model(self):
        self.write("src/base/b_test.cc", '#include "model/a.h"\n')
        self.expect(layers.check(self.root), "base may not include")

    def test_unknown_folder_is_refused(self):
        self.write("src/util/b.h", "\n")
        self.expect(layers.check(self.root), "src/util", "no column")

    def test_include_must_name_its_folder(self):
        self.write("src/read/b.cc", '#include "a.h"\n')
        self.expect(layers.check(self.root), "no file of src/")

    def test_simulator_stays_independent(self):
        self.write("tests/sim/a.cc", '#include "analyze/a.h"\n')
        self.expect(layers.check(self.root), "tests/sim/a.cc:1", "simulator")


class StyleTest(TreeTest):
    def check(self, exceptions=None):
        return style.check(self.root, exceptions or {})

    def test_good_files(self):
        self.write("src/base/a.cc", "int f() { return 0; }\n")
        self.write("tools/a.sh", "#!/usr/bin/env bash\n", 0o755)
        self.write("docs/findings/DL-01.md", "x" * 200 + "\n")
        self.assertEqual(self.check(), [])

    def test_long_file(self):
        self.write("src/a.cc", "int a;\n" * 501)
        self.expect(self.check(), "src/a.cc: 501 lines")

    def test_long_line_counts_characters(self):
        self.write("tools/a.py", "# " + "é" * 78 + "\n")
        self.assertEqual(self.check(), [])
        self.write("tools/a.py", "# " + "é" * 79 + "\n")
        self.expect(self.check(), "tools/a.py:1: 81 columns")

    def function(self, lines):
        body = "  g();\n" * (lines - 3)
        return f"namespace n {{\n\nint f(\n    int a) {{\n{body}}}\n"

    def test_long_function(self):
        lines = self.function(70).splitlines()
        self.assertEqual(list(style.long_functions(lines)), [])
        lines = self.function(71).splitlines()
        self.assertEqual(list(style.long_functions(lines)), [(3, 71)])

    def test_long_table_is_no_function(self):
        lines = ["struct T {", *["  int a;"] * 90, "};", "",
                 "const int kTable[] = {", *["    1,"] * 90, "};", "",
                 "void f() {", "}"]
        self.assertEqual(list(style.long_functions(lines)), [])

    def test_interpreter(self):
        self.write("tools/a.py", "#!/usr/bin/env python3\n", 0o755)
        self.expect(self.check(), "tools/a.py: first line")
        self.write("tools/a.py", "pass\n", 0o755)
        self.expect(self.check(), "tools/a.py: executable")

    def test_file_name(self):
        self.write("src/base/FileName.h", "\n")
        self.expect(self.check(), "not snake_case")
        (self.root / "src/base/FileName.h").unlink()
        self.write("tests/sim/scenarios/file-name.txt", "\n")
        self.assertEqual(self.check(), [])
        self.write("src/base/file-name.h", "\n")
        self.expect(self.check(), "not snake_case")

    def test_unfinished_work(self):
        self.write("docs/a.md", "a\n<!-- TO" "DO -->\n")
        self.expect(self.check(), "docs/a.md:2")

    def test_layout(self):
        self.write(".clang-format", "BasedOnStyle: Google\n")
        self.write("src/a.cc", "int  a;\n")
        if style.formatter() is None:
            self.skipTest("clang-format 14 is not installed")
        self.expect(self.check(), "src/a.cc", "clang-format")

    def test_exceptions_may_only_shrink(self):
        self.write("src/Name.h", "\n")
        tolerated = {"src/Name.h: the name is not snake_case": "why"}
        self.assertEqual(self.check(tolerated), [])
        (self.root / "src/Name.h").unlink()
        self.expect(self.check(tolerated), "no longer needed")


class DocsTest(TreeTest):
    def setUp(self):
        super().setUp()
        for name in docs_check.LINE_LIMITS:
            self.write(name, "# Title\n")

    def test_good_documents(self):
        self.write("src/detect/a.cc", 'f("DL-01");\n')
        self.write("docs/findings/DL-01.md", "[up](../ledger.md#top)\n")
        self.write("docs/ledger.md", "`src/detect/*.cc` [x](https://a.b)\n")
        self.write("README.md", "Run `./start`, see `docs/`.\n")
        self.write("start", "\n")
        self.assertEqual(docs_check.check(self.root), [])

    def test_named_path_must_exist(self):
        self.write("README.md", "See `src/gone.h`.\n")
        self.expect(docs_check.check(self.root), "src/gone.h")

    def test_command_must_exist(self):
        self.write("README.md", "Run `./start`.\n")
        self.expect(docs_check.check(self.root), "start does not exist")

    def test_link_must_lead_somewhere(self):
        self.write("docs/a.md", "[b](b.md)\n")
        self.expect(docs_check.check(self.root), "b.md leads nowhere")

    def test_overview_stays_short(self):
        self.write("CONTRIBUTING.md", "a\n" * 61)
        self.expect(docs_check.check(self.root), "61 lines, at most 60")

    def test_overview_must_exist(self):
        (self.root / "ARCHITECTURE.md").unlink()
        self.expect(docs_check.check(self.root), "ARCHITECTURE.md is missing")

    def test_cause_without_page(self):
        self.write("src/detect/a.cc", 'f("DL-01");\n')
        self.write("src/detect/a_test.cc", 'f("ZZ-99");\n')
        self.expect(docs_check.check(self.root), "DL-01", "missing")

    def test_page_without_detector(self):
        self.write("docs/findings/DL-02.md", "\n")
        self.expect(docs_check.check(self.root), "DL-02", "no detector")


if __name__ == "__main__":
    unittest.main()
