#!/usr/bin/python3
"""Pins what the program says of every real trace, one line a file.

usage: golden_test.py PROGRAM [--update]

Looks at the files of $GPULEDGER_DATA/pytorch and multirank; skipped without.
The line holds the exit code, verdict, steps, the share of compute time that no
pattern names, and the findings. A change is judged by hand before --update.
"""

import json
import os
import pathlib
import subprocess
import sys

GOLDEN = pathlib.Path(__file__).with_name("golden.txt")
SKIPPED = 77


def other_percent(report):
    other = sum(d["accounts"].get("compute.other", 0)
                for d in report["devices"])
    compute = sum(ns for d in report["devices"]
                  for name, ns in d["accounts"].items()
                  if name.startswith("compute."))
    return 100 * other / compute if compute else 0.0


def check_invariant(path, report):
    for device in report["devices"]:
        parts = [(device["accounts"], device["window_ns"])]
        parts += [(s["accounts"], s["window_ns"]) for s in device["steps"]]
        for accounts, window_ns in parts:
            assert sum(accounts.values()) == window_ns, (path, device["id"])
        if device["steps"]:
            total = sum(s["window_ns"] for s in device["steps"])
            assert total == device["window_ns"], (path, device["id"])


def describe(program, path):
    done = subprocess.run([program, "analyze", "--format", "json", str(path)],
                          capture_output=True, text=True, check=False)
    if done.returncode != 0:
        kind = done.stderr.strip().split(": ", 3)[-1].split(";")[0]
        return f"exit {done.returncode}: {kind}"
    report = json.loads(done.stdout)
    check_invariant(path, report)
    reasons = ",".join(r["id"] for r in report["verdict"]["reasons"])
    verdict = report["verdict"]["status"] + (f"({reasons})" if reasons else "")
    steps = f"{report['steps']['source']}*{report['steps']['count']}"
    if "cycle" in report:
        steps += f" cycle*{report['cycle']['count']}"
    findings = " ".join(f"{f['cause']}:{f['certainty']}"
                        for f in report["findings"]) or "-"
    return (f"{verdict} | {steps} | other {other_percent(report):.1f} % | "
            f"{findings}")


def main():
    program, *flags = sys.argv[1:]
    data = os.environ.get("GPULEDGER_DATA")
    if not data or not pathlib.Path(data).is_dir():
        print("skipped: GPULEDGER_DATA names no folder of real traces")
        return SKIPPED
    data = pathlib.Path(data)
    files = sorted(path for folder in ("pytorch", "multirank")
                   for path in (data / folder).rglob("*") if path.is_file())
    lines = [f"{path.relative_to(data)} | {describe(program, path)}\n"
             for path in files]
    if "--update" in flags:
        GOLDEN.write_text("".join(lines))
        return 0
    expected = GOLDEN.read_text().splitlines(keepends=True)
    for line in sorted(set(expected) - set(lines)):
        print("-", line, end="")
    for line in sorted(set(lines) - set(expected)):
        print("+", line, end="")
    return 0 if lines == expected else 1


if __name__ == "__main__":
    sys.exit(main())
