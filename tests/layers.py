#!/usr/bin/python3
"""Checks who includes whom: the folders of src/ are a pipeline.

A folder may include itself and the columns to its left, never a sibling of
its own column. The simulator must stay independent of what it tests.

    layers.py [ROOT]
"""

import pathlib
import re
import sys

COLUMNS = [
    ["base"],
    ["model"],
    ["read", "analyze", "render"],
    ["detect"],
    ["diagnose"],
    ["cli"],
]
SIMULATOR_MAY_INCLUDE = {"base", "model"}

INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"')
SUFFIXES = {".cc", ".h"}


def allowed_by_folder():
    """Which folders each folder of src/ may include."""
    allowed, left = {}, set()
    for column in COLUMNS:
        for folder in column:
            allowed[folder] = left | {folder}
        left |= set(column)
    allowed["main.cc"] = left
    return allowed


def includes(path):
    lines = path.read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines, 1):
        match = INCLUDE.match(line)
        if match:
            yield number, match.group(1)


def sources(folder):
    return sorted(p for p in folder.rglob("*") if p.suffix in SUFFIXES)


def check_src(root):
    allowed = allowed_by_folder()
    problems = []
    for path in sources(root / "src"):
        name = path.relative_to(root)
        folder = name.parts[1]
        if folder not in allowed:
            problems.append(f"{name}: src/{folder} is in no column")
            continue
        for number, target in includes(path):
            where = f"{name}:{number}"
            first = target.split("/")[0]
            if not (root / "src" / target).is_file():
                problems.append(f'{where}: "{target}" is no file of src/')
            elif first not in allowed[folder]:
                problems.append(f'{where}: {folder} may not include "{target}"')
    return problems


def check_simulator(root):
    folders = set(allowed_by_folder())
    problems = []
    for path in sources(root / "tests" / "sim"):
        for number, target in includes(path):
            first = target.split("/")[0]
            if first in folders - SIMULATOR_MAY_INCLUDE:
                problems.append(f"{path.relative_to(root)}:{number}: the "
                                f'simulator may not include "{target}"')
    return problems


def check(root):
    return check_src(root) + check_simulator(root)


def main():
    default = pathlib.Path(__file__).resolve().parent.parent
    root = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else default
    problems = check(root)
    print("\n".join(problems) or f"{len(sources(root / 'src'))} files obey")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
