#!/usr/bin/python3
"""Runs golden cases: plain text files of commands and what they print.

usage: run_cases.py --program GPULEDGER [--update] FILE.case...

A file holds one or more cases:

    === what this case shows
    --- file trace.json
    {"traceEvents": []}
    $ gpuledger analyze trace.json
    --- stdout
    exact text
    --- stderr
    gpuledger: trace.json: {{.*}}
    --- exit 3

Sections that are not there mean: no output, exit code 0. `{{REGEX}}` within a
line stands for text that may differ. `--- requires NAME` skips the case while
the environment variable NAME is not set or names nothing. Lines before the
first case are comments; no other line may begin with `--- `, `$ ` or `=== `.
The commands are run by bash in a new folder that holds the case's files, with a
fixed environment; gpuledger is found by PATH. --update rewrites the expected
sections with what was printed; lines with {{REGEX}} that still match stay.
"""
import argparse
import difflib
import os
import re
import subprocess
import sys
import tempfile

TIMEOUT_S = 120
EXPECTED = ("--- stdout", "--- stderr", "--- exit")
SKIPPED = 77  # what ctest takes for "skipped"


class Case:
    """One case: its sections as they stand in the file, and their meaning."""

    def __init__(self, title):
        self.title = title
        self.sections = []  # (header line, lines below it)
        self.files = {}
        self.requires = []
        self.command = []
        self.expected = {"stdout": [], "stderr": []}
        self.exit_code = 0

    def interpret(self, path):
        for header, body in self.sections:
            while body and not body[-1]:
                body.pop()
            words = header.split()
            if header.startswith("$ "):
                self.command.append(header[2:])
            elif words[1:] in (["stdout"], ["stderr"]):
                self.expected[words[1]] = body
            elif len(words) == 3 and words[1] == "file":
                self.files[words[2]] = body
            elif len(words) == 3 and words[1] == "requires":
                self.requires.append(words[2])
            elif len(words) == 3 and words[1] == "exit":
                self.exit_code = int(words[2])
            else:
                sys.exit(f"{path}: '{header}' is no section")
            if body and words[1] not in ("stdout", "stderr", "file"):
                sys.exit(f"{path}: stray text below '{header}'")
        if not self.command:
            sys.exit(f"{path}: '{self.title}' has no command")

    def inputs(self):
        """The lines of the sections that --update leaves alone."""
        lines = []
        for header, body in self.sections:
            if not header.startswith(EXPECTED):
                lines += [header, *body]
        return lines


def parse(path):
    """The lines before the first case, and the cases."""
    preamble, cases = [], []
    with open(path, encoding="utf-8") as file:
        for line in file.read().split("\n"):
            if line.startswith("=== "):
                cases.append(Case(line[4:]))
            elif not cases:
                preamble.append(line)
            elif line.startswith(("--- ", "$ ")):
                cases[-1].sections.append((line, []))
            elif cases[-1].sections:
                cases[-1].sections[-1][1].append(line)
            elif line:
                sys.exit(f"{path}: '{line}' belongs to no section")
    for case in cases:
        case.interpret(path)
    return preamble, cases


def run(case, program):
    """What the command printed, as lines, and its exit code."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in case.files.items():
            path = os.path.join(folder, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as file:
                file.write("".join(line + "\n" for line in text))
        environment = {
            "PATH": os.path.dirname(program) + os.pathsep + os.defpath,
            "LC_ALL": "C.UTF-8",
            "HOME": folder,
        }
        for name in case.requires:
            environment[name] = os.environ[name]
        done = subprocess.run(
            ["bash", "-c", "\n".join(case.command)], cwd=folder,
            env=environment, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            timeout=TIMEOUT_S, check=False)
    return done.returncode, {
        "stdout": lines_of(done.stdout), "stderr": lines_of(done.stderr)}


def lines_of(data):
    text = data.decode("utf-8", errors="backslashreplace")
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    else:
        lines[-1] += "{no newline at the end}"
    return lines


def matches(expected, actual):
    if "{{" not in expected:
        return expected == actual
    parts = re.split(r"\{\{(.*?)\}\}", expected)
    pattern = "".join(part if i % 2 else re.escape(part)
                      for i, part in enumerate(parts))
    return re.fullmatch(pattern, actual) is not None


def same(expected, actual):
    return len(expected) == len(actual) and all(
        matches(e, a) for e, a in zip(expected, actual))


def difference(case, exit_code, printed):
    """What is not as expected, as lines."""
    out = []
    for name, actual in printed.items():
        expected = case.expected[name]
        if not same(expected, actual):
            # Lines that match by a pattern are shown as equal.
            shown = [
                a if matches(e, a) else e
                for e, a in zip(expected, actual)
            ] + list(expected[len(actual):])
            out += difflib.unified_diff(shown, actual, f"expected {name}",
                                        f"printed {name}", lineterm="")
    if exit_code != case.exit_code:
        out.append(f"exit code {exit_code}, expected {case.exit_code}")
    return out


def updated(case, exit_code, printed):
    """The case's lines with what was printed."""
    lines = ["=== " + case.title, *case.inputs()]
    for name, actual in printed.items():
        if not actual:
            continue
        old = case.expected[name]
        lines.append("--- " + name)
        lines += [
            old[i] if i < len(old) and matches(old[i], line) else line
            for i, line in enumerate(actual)
        ]
    if exit_code != 0:
        lines.append(f"--- exit {exit_code}")
    return lines + [""]


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("--update", action="store_true")
    parser.add_argument("files", nargs="+")
    arguments = parser.parse_args()
    program = os.path.abspath(arguments.program)
    counts = {"passed": 0, "failed": 0, "skipped": 0}
    for path in arguments.files:
        preamble, cases = parse(path)
        lines = preamble
        for case in cases:
            missing = [
                name for name in case.requires
                if not os.path.exists(os.environ.get(name, ""))
            ]
            if missing:
                print(f"SKIPPED {path}: {case.title}: needs {missing[0]}")
                counts["skipped"] += 1
                lines += updated(case, case.exit_code, case.expected)
                continue
            exit_code, printed = run(case, program)
            wrong = difference(case, exit_code, printed)
            lines += updated(case, exit_code, printed)
            counts["failed" if wrong else "passed"] += 1
            if wrong and not arguments.update:
                print(f"FAILED {path}: {case.title}", *wrong, sep="\n")
        if arguments.update:
            with open(path, "w", encoding="utf-8") as file:
                file.write("\n".join(lines))
    print(", ".join(f"{count} {name}" for name, count in counts.items()))
    if counts["failed"] and not arguments.update:
        sys.exit(1)
    if counts["skipped"] and not counts["passed"]:
        sys.exit(SKIPPED)


if __name__ == "__main__":
    main()
