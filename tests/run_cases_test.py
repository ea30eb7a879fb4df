#!/usr/bin/python3
"""The case runner fails where it must, skips, and updates what is expected."""
import os
import subprocess
import sys
import tempfile
import unittest

RUNNER = os.path.join(os.path.dirname(os.path.abspath(__file__)),
                      "run_cases.py")


def run(text, *options, environment=None):
    """Exit code, output and the case file after a run."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "a.case")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        done = subprocess.run(
            [sys.executable, RUNNER, "--program", "/bin/true", *options, path],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            env=environment, check=False)
        with open(path, encoding="utf-8") as file:
            return done.returncode, done.stdout, file.read()


GOOD = """A comment.

=== prints its file
--- file in/a.txt
one
two
$ cat in/a.txt
--- stdout
one
{{t.o}}
"""


class RunCases(unittest.TestCase):
    def test_what_is_as_expected_passes(self):
        self.assertEqual(run(GOOD)[:2], (0, "1 passed, 0 failed, 0 skipped\n"))

    def test_differences_fail(self):
        for bad in (
                GOOD.replace("one\n{{", "won\n{{"),
                GOOD.replace("{{t.o}}", "{{t.}}"),
                GOOD.replace("{{t.o}}\n", ""),
                GOOD + "three\n",
                GOOD + "--- exit 1\n",
                GOOD + "--- stderr\ntrouble\n",
                GOOD.replace("$ cat", "$ printf x; cat"),
                "=== silent\n$ printf x\n--- stdout\nx\n",
        ):
            self.assertEqual(run(bad)[0], 1, bad)

    def test_files_that_make_no_sense_fail(self):
        for bad in ("=== a\n", "=== a\ntext\n", "=== a\n$ true\ntext\n",
                    "=== a\n$ true\n--- output\n"):
            self.assertNotIn(run(bad)[0], (0, 77), bad)

    def test_update_rewrites_and_keeps_patterns_that_match(self):
        code, _, text = run(GOOD.replace("one\n{{", "won\n{{"), "--update")
        self.assertEqual((code, text.rstrip("\n")), (0, GOOD.rstrip("\n")))
        code, _, text = run("=== a\n$ echo x; exit 3\n", "--update")
        self.assertEqual(
            text, "=== a\n$ echo x; exit 3\n--- stdout\nx\n--- exit 3\n")

    def test_a_case_that_lacks_its_data_is_skipped(self):
        case = "=== a\n--- requires THE_DATA\n$ false\n"
        self.assertEqual(run(case, environment={})[0], 77)
        self.assertEqual(run(case, environment={"THE_DATA": "/"})[0], 1)


if __name__ == "__main__":
    unittest.main()
