#!/usr/bin/python3
"""Compares gpuledger with the reference on every real trace there is.

    compare_test.py GPULEDGER [FILE...]

Without files: all of $GPULEDGER_DATA/pytorch and multirank; skipped (exit 77)
where that is not set. Each file is analysed with its own window and with
--window device; accounts must sum to their window exactly and equal the
reference to the nanosecond.
"""

import json
import os
import pathlib
import subprocess
import sys

import ledger_reference as reference

SKIPPED = 77
REFUSED = 3
# Files of other kinds that lie among the traces.
OTHER_KINDS = ["*_et.json.gz", "memory_timeline.*", "rocprof/*", "*.tar.gz"]
WINDOWS = {"own window": [], "device window": ["--window", "device"]}


class Differences:
    def __init__(self):
        self.lines = []
        self.compared = 0

    def equal(self, where, what, found, expected):
        self.compared += 1
        if found != expected:
            self.lines.append(
                f"{where}: {what}: found {found}, expected {expected}")

    def close(self, where, what, found, expected):
        """Ratios are printed with six digits."""
        near = abs(found - expected) < 1e-6
        self.equal(where, what, found, found if near else expected)


def within(accounts, parent):
    return sum(ns for name, ns in accounts.items()
               if name == parent or name.startswith(parent + "."))


def top_level(accounts):
    idle = within(accounts, "idle") + within(accounts, "unattributed")
    return {**{name: within(accounts, name) for name in reference.CLASSES},
            "idle": idle, "busy": sum(accounts.values()) - idle}


def compare_steps(differences, where, device):
    """Steps sum to their windows and, where they made it, tile the window."""
    window, steps = device["window"], device["steps"]
    for step in steps:
        differences.equal(where, f"step {step['label']}: sum of accounts",
                          sum(step["accounts"].values()), step["window_ns"])
    if window["source"] != "steps":
        return
    edge, total = window["start_ns"], {}
    for step in steps:
        differences.equal(where, f"step {step['label']}: start",
                          step["start_ns"], edge)
        edge += step["window_ns"]
        for name, ns in step["accounts"].items():
            total[name] = total.get(name, 0) + ns
    differences.equal(where, "end of the last step", edge, window["end_ns"])
    for name in sorted(total.keys() | device["accounts"].keys()):
        differences.equal(where, f"sum of {name} over the steps",
                          total.get(name, 0), device["accounts"].get(name, 0))


def compare_device(differences, where, device, origin_ns, trace):
    window, found = device["window"], device["accounts"]
    differences.equal(where, "window_ns", device["window_ns"],
                      window["end_ns"] - window["start_ns"])
    differences.equal(where, "sum of accounts", sum(found.values()),
                      device["window_ns"])
    compare_steps(differences, where, device)
    absolute = (origin_ns + window["start_ns"], origin_ns + window["end_ns"])
    number = int(device["id"].rpartition(":")[2])
    expected = reference.ledger(trace, absolute)[number]
    if window["source"] == "device":
        differences.equal(where, "window", absolute,
                          reference.device_window(trace))
    for name, value in top_level(found).items():
        differences.equal(where, name, value, expected[name])
    if device["window_ns"]:
        kernels = expected["compute"] + expected["communication"]
        for ratio, ns in [("compute_ratio", expected["compute"]),
                          ("reported_ratio", kernels)]:
            differences.close(where, ratio, device[ratio],
                              ns / expected["window"])


def analyze(program, path, options):
    return subprocess.run(
        [program, "analyze", path, "--format", "json", *options],
        capture_output=True, check=False)


def compare_refusal(differences, program, path, where):
    run = analyze(program, path, [])
    differences.equal(where, "exit code", run.returncode, REFUSED)
    differences.equal(where, "stdout", run.stdout, b"")
    differences.equal(where, "stderr is empty", not run.stderr.strip(), False)


def compare_trace(differences, program, path, where):
    trace = reference.read(path)
    rank = trace.rank if trace.rank is not None else 0
    devices = sorted({f"{rank}:{a.device}" for a in trace.activities})
    for window, options in WINDOWS.items():
        place = f"{where} ({window})"
        run = analyze(program, path, options)
        differences.equal(place, "exit code", run.returncode, 0)
        if run.returncode != 0:
            differences.lines.append(run.stderr.decode("utf-8", "replace"))
            continue
        report = json.loads(run.stdout)
        differences.equal(place, "devices",
                          sorted(d["id"] for d in report["devices"]), devices)
        for device in report["devices"]:
            if device["id"] in devices:
                compare_device(differences, f"{place} {device['id']}", device,
                               int(report["origin_ns"]), trace)


def compare_file(differences, program, path, where):
    if any(path.match(pattern) for pattern in OTHER_KINDS):
        compare_refusal(differences, program, path, where)
    else:
        compare_trace(differences, program, path, where)


def real_files(data):
    return sorted(path for folder in ["pytorch", "multirank"]
                  for path in (data / folder).rglob("*") if path.is_file())


def main():
    program, *names = sys.argv[1:]
    files, data = [pathlib.Path(name) for name in names], pathlib.Path()
    if not files:
        folder = os.environ.get("GPULEDGER_DATA")
        if not folder or not pathlib.Path(folder).is_dir():
            print("skipped: GPULEDGER_DATA names no folder of real traces")
            return SKIPPED
        data = pathlib.Path(folder)
        files = real_files(data)
    differences = Differences()
    for path in files:
        where = path.relative_to(data) if names == [] else path
        compare_file(differences, program, path, str(where))
    print("\n".join(differences.lines))
    print(f"{len(files)} files, {differences.compared} values compared, "
          f"{len(differences.lines)} differences")
    return 1 if differences.lines or not files else 0


if __name__ == "__main__":
    sys.exit(main())
