#!/usr/bin/python3
"""Checks the limits of the code convention that a program can check.

Sizes of files, lines and functions; names of files; first lines of scripts;
words that mark unfinished work; layout by clang-format 14 where it is there.

    style.py [ROOT]
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys

FILE_LINES = 500
FUNCTION_LINES = 70
COLUMNS = 80
CODE_SUFFIXES = {".cc", ".h", ".py", ".sh"}
CPP_SUFFIXES = {".cc", ".h"}
SHEBANGS = {"#!/usr/bin/python3", "#!/usr/bin/env bash"}
SKIPPED_FOLDERS = {"build", "__pycache__"}
# Names that tools or readers expect; all others are snake_case, and files of
# data may have hyphens.
FIXED_NAMES = {"CMakeLists.txt", "CMakePresets.json", "LICENSE", "README.md",
               "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"}
SNAKE_CASE = re.compile(r"[a-z0-9_]+(\.[a-z0-9_]+)*")
DATA_SUFFIXES = {".txt", ".json"}
FINDING_PAGE = re.compile(r"docs/findings/[A-Z]{2}-[0-9]{2}\.md")
UNFINISHED = re.compile(r"\b(TO" r"DO|FIX" r"ME|XX" r"X)\b")
NOT_A_FUNCTION = re.compile(r"(//|#|[{}]|namespace\b|struct\b|class\b|enum\b"
                            r"|union\b|public:|private:|protected:)")

# "path: problem" lines that are tolerated, each with its reason. The list may
# only shrink: an entry that no longer occurs is itself a problem.
EXCEPTIONS = {}


def files_of(root):
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(f for f in folders if f not in SKIPPED_FOLDERS
                            and (not f.startswith(".") or f == ".ci"))
        for name in sorted(names):
            path = pathlib.Path(folder, name)
            if not path.is_symlink():
                yield path


def long_functions(lines):
    """Start and length of each function that is too long.

    The layout makes this simple: outside of classes, a function starts at the
    first column and its body ends with the next "}" there.
    """
    start = None
    for number, line in enumerate(lines, 1):
        if line == "}" and start is not None:
            if number - start + 1 > FUNCTION_LINES:
                yield start, number - start + 1
            start = None
        elif line and not line[0].isspace():
            if not NOT_A_FUNCTION.match(line):
                start = number
            elif not line.startswith(("#", "//")):
                start = None


def check_code(name, lines):
    if len(lines) > FILE_LINES:
        yield f"{name}: {len(lines)} lines, at most {FILE_LINES}"
    for number, line in enumerate(lines, 1):
        if len(line) > COLUMNS:
            yield f"{name}:{number}: {len(line)} columns, at most {COLUMNS}"
        if "\t" in line or line != line.rstrip():
            yield f"{name}:{number}: a tab, or spaces at the end"
    if name.suffix in CPP_SUFFIXES:
        for start, length in long_functions(lines):
            yield (f"{name}:{start}: a function of {length} lines, at most "
                   f"{FUNCTION_LINES}")


def check_name(name):
    fixed = name.name in FIXED_NAMES or name.name.startswith(".")
    page = FINDING_PAGE.fullmatch(name.as_posix())
    text = name.name
    if name.suffix in DATA_SUFFIXES:
        text = text.replace("-", "_")
    if not fixed and not page and not SNAKE_CASE.fullmatch(text):
        yield f"{name}: the name is not snake_case"


def check_file(root, path):
    name = path.relative_to(root)
    yield from check_name(name)
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        if name.suffix in CODE_SUFFIXES:
            yield f"{name}: not UTF-8"
        return
    lines = text.splitlines()
    is_script = bool(lines) and lines[0].startswith("#!")
    if os.access(path, os.X_OK) and not is_script:
        yield f"{name}: executable, but its first line names no interpreter"
    if is_script and lines[0] not in SHEBANGS:
        yield f"{name}: first line {lines[0]}, not one of {sorted(SHEBANGS)}"
    if is_script or name.suffix in CODE_SUFFIXES:
        yield from check_code(name, lines)
    for number, line in enumerate(lines, 1):
        if UNFINISHED.search(line):
            yield f"{name}:{number}: marks unfinished work"


def formatter():
    """clang-format 14, or nothing; other versions lay out otherwise."""
    program = shutil.which("clang-format")
    if not program:
        return None
    run = subprocess.run([program, "--version"], capture_output=True,
                         text=True, check=True)
    return program if " 14." in run.stdout else None


def check_layout(root, names):
    program = formatter()
    if not program or not names:
        return
    run = subprocess.run([program, "--dry-run", "--ferror-limit=1", *names],
                         cwd=root, capture_output=True, text=True, check=True)
    for line in run.stderr.splitlines():
        if "-Wclang-format-violations" in line:
            yield line.split(":")[0] + ": not as clang-format lays it out"


def check(root, exceptions=None):
    exceptions = EXCEPTIONS if exceptions is None else exceptions
    problems = []
    paths = list(files_of(root))
    for path in paths:
        problems += check_file(root, path)
    problems += check_layout(root, [p.relative_to(root) for p in paths
                                    if p.suffix in CPP_SUFFIXES])
    unused = [f"style.py: no longer needed: {e}"
              for e in exceptions if e not in problems]
    return [p for p in problems if p not in exceptions] + unused


def main():
    default = pathlib.Path(__file__).resolve().parent.parent
    root = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else default
    problems = check(root)
    print("\n".join(problems) or "no problem found")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
