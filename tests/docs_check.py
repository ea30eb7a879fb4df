#!/usr/bin/python3
"""Checks that the documents speak of what is there.

Each path that a document names exists, the overview pages are there and stay
short, and every cause that a detector can report has a page, no other one.

    docs_check.py [ROOT]
"""

import pathlib
import re
import sys

LINE_LIMITS = {"README.md": 200, "ARCHITECTURE.md": 150,
               "CONTRIBUTING.md": 60}
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
CODE = re.compile(r"`([^`\n]+)`")
FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
# Folders whose files are named in full, from the root of the project.
ROOTED = re.compile(r"(\./)?((src|tests|tools|docs|fuzz|bench|examples|\.ci)"
                    r"/[\w./*-]*|start|test)")
CAUSE = re.compile(r'"([A-Z]{2}-[0-9]{2})"')
PAGE = re.compile(r"[A-Z]{2}-[0-9]{2}")


def documents(root):
    found = sorted(root.glob("*.md"))
    for folder in ["docs", "examples", "tests", "fuzz", "bench"]:
        found += sorted((root / folder).rglob("*.md"))
    return found


def exists(base, target):
    if "*" in target:
        return any(base.glob(target))
    return (base / target).exists()


def check_paths(root, path):
    text = path.read_text(encoding="utf-8")
    name = path.relative_to(root)
    for target in LINK.findall(FENCE.sub("", text)):
        target = target.split("#")[0]
        if target and not re.match(r"[a-z]+:", target):
            if not exists(path.parent, target):
                yield f"{name}: the link {target} leads nowhere"
    for code in CODE.findall(text):
        for word in code.split():
            match = ROOTED.fullmatch(word.rstrip(".,:;"))
            if match and not exists(root, match.group(2)):
                yield f"{name}: {word} does not exist"


def check_lengths(root):
    for name, limit in LINE_LIMITS.items():
        path = root / name
        if not path.exists():
            yield f"{name} is missing"
            continue
        count = len(path.read_text(encoding="utf-8").splitlines())
        if count > limit:
            yield f"{name}: {count} lines, at most {limit}"


def check_pages(root):
    causes = set()
    for path in (root / "src" / "detect").rglob("*.cc"):
        if not path.name.endswith("_test.cc"):
            causes |= set(CAUSE.findall(path.read_text(encoding="utf-8")))
    pages = {p.stem for p in (root / "docs" / "findings").glob("*.md")
             if PAGE.fullmatch(p.stem)}
    for cause in sorted(causes - pages):
        yield f"docs/findings/{cause}.md is missing: src/detect reports it"
    for cause in sorted(pages - causes):
        yield f"docs/findings/{cause}.md: no detector reports it"


def check(root):
    problems = []
    for path in documents(root):
        problems += check_paths(root, path)
    problems += check_lengths(root)
    problems += check_pages(root)
    return problems


def main():
    default = pathlib.Path(__file__).resolve().parent.parent
    root = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else default
    problems = check(root)
    print("\n".join(problems)
          or f"{len(documents(root))} documents: no problem found")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
