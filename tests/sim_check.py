#!/usr/bin/python3
"""Compares the program's report with the simulator's truth.

usage: sim_check.py SIMULATOR PROGRAM SCENARIO... [--seeds N]

Each scenario runs in several variants (dialect, resolution, seed). The ledger
must equal the truth: to the nanosecond, or within a microsecond per event edge
where the file holds whole microseconds. The first finding must be the largest
injected cause, and nothing may be found that was not injected.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

VARIANTS = [
    ("new", "ns"),
    ("new", "us"),
    ("old", "us"),
]


# Told by Python frames alone, which the dialect of 2021 does not carry.
FRAMES_ONLY = ("idle.checkpoint", "idle.gc", "idle.compile")


def second_level(account):
    """idle.sync.wait -> idle.sync; other accounts are compared as leaves."""
    parts = account.split(".")
    return ".".join(parts[:2]) if parts[0] == "idle" else account


def folded(accounts, frames):
    totals = {}
    for account, ns in accounts.items():
        name = second_level(account)
        if not frames and name in FRAMES_ONLY:
            name = "idle.host"
        totals[name] = totals.get(name, 0) + ns
    return {name: ns for name, ns in totals.items() if ns}


def ledger_errors(what, truth, report, tolerance_ns, frames):
    errors = []
    expected, found = folded(truth, frames), folded(report, frames)
    for name in sorted(set(expected) | set(found)):
        off = found.get(name, 0) - expected.get(name, 0)
        if abs(off) > tolerance_ns:
            errors.append(f"{what}: {name} is off by {off} ns "
                          f"(truth {expected.get(name, 0)})")
    return errors


def device_errors(truth, report, truth_origin, report_origin, edge_ns,
                  activities, frames):
    errors = []
    what = truth["id"]
    # Each activity has two edges, each rounded by less than a microsecond.
    tolerance = edge_ns * 2 * activities
    start = truth["window_start_ns"] + truth_origin
    found_start = report["window"]["start_ns"] + report_origin
    if abs(start - found_start) > edge_ns:
        errors.append(f"{what}: window starts {found_start - start} ns late")
    if abs(truth["window_ns"] - report["window_ns"]) > 2 * edge_ns:
        errors.append(f"{what}: window {report['window_ns']} ns, "
                      f"truth {truth['window_ns']}")
    errors += ledger_errors(what, truth["accounts"], report["accounts"],
                            tolerance, frames)
    steps = truth.get("steps", [])
    if len(steps) != len(report["steps"]):
        errors.append(f"{what}: {len(report['steps'])} steps, "
                      f"truth {len(steps)}")
        return errors
    for expected, found in zip(steps, report["steps"]):
        errors += ledger_errors(f"{what} {expected['label']}",
                                expected["accounts"], found["accounts"],
                                tolerance, frames)
    return errors


def check(truth, report, frames):
    errors = []
    status = report["verdict"]["status"]
    if status != truth["verdict"]:
        errors.append(f"verdict {status}, truth {truth['verdict']}: "
                      f"{report['verdict']['reasons']}")
    elif status != "ok":
        for finding in report["findings"]:
            errors.append(f"finding {finding['id']} on a refused verdict")
        return errors
    edge_ns = 0 if truth["resolution_ns"] == 1 else truth["resolution_ns"]
    by_id = {device["id"]: device for device in report["devices"]}
    for device in truth["devices"]:
        if device["id"] not in by_id:
            errors.append(f"{device['id']}: no such device")
            continue
        activities = sum(kernel["count"] for kernel in report["kernels"]
                         if kernel["device"] == device["id"])
        errors += device_errors(device, by_id[device["id"]],
                                int(truth["origin_ns"]),
                                int(report["origin_ns"]), edge_ns, activities,
                                frames)
    found = [finding["id"] for finding in report["findings"]]
    causes = [cause["id"] for cause in truth["causes"]]
    if causes and found[:1] != causes[:1]:
        errors.append(f"first finding {found[:1]}, truth {causes}")
    for cause in causes:
        if cause not in found:
            errors.append(f"{cause} was not found")
    for finding in found:
        if finding not in causes:
            errors.append(f"{finding} fired, but was not injected")
    where = {f["id"]: f.get("where", []) for f in report["findings"]}
    for cause in truth["causes"]:
        line = cause.get("where")
        if not line or not frames or cause["id"] not in where:
            continue
        sites = [(w.get("file"), w.get("line")) for w in where[cause["id"]]]
        if (line["file"], line["line"]) not in sites:
            errors.append(f"{cause['id']} names {sites}, truth {line}")
    return errors


def run_variant(args, scenario, dialect, times, seed, folder):
    subprocess.run([args.simulator, scenario, "-o", folder, "--seed",
                    str(seed), "--dialect", dialect, "--times", times],
                   check=True)
    done = subprocess.run([args.program, "analyze", "--format", "json",
                           f"{folder}/trace.json"],
                          capture_output=True, text=True, check=False)
    if done.returncode != 0:
        return [f"exit {done.returncode}: {done.stderr.strip()}"]
    truth = json.loads(pathlib.Path(folder, "truth.json").read_text())
    return check(truth, json.loads(done.stdout), dialect == "new")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("simulator")
    parser.add_argument("program")
    parser.add_argument("scenarios", nargs="+")
    parser.add_argument("--seeds", type=int, default=1)
    args = parser.parse_args()
    failed = runs = 0
    for scenario in args.scenarios:
        for seed in range(1, args.seeds + 1):
            for dialect, times in VARIANTS:
                with tempfile.TemporaryDirectory() as folder:
                    errors = run_variant(args, scenario, dialect, times, seed,
                                         folder)
                runs += 1
                if not errors:
                    continue
                failed += 1
                name = pathlib.Path(scenario).name
                print(f"{name} {dialect} {times} seed {seed}:")
                for error in errors[:12]:
                    print(f"  {error}")
    print(f"{runs - failed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
