#!/usr/bin/python3
"""Writes the same trace in other ways; the report must stay the same.

    mutation_test.py GPULEDGER SIMULATOR

Compression, order, spelling and dirt that real recorders and users produce
change neither verdict nor ledger. A trace that is cut anywhere is reported or
refused, never a crash, and its accounts still sum to their windows.
"""

import gzip
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile

REPO = pathlib.Path(__file__).resolve().parent.parent
SEED = REPO / "fuzz" / "corpus" / "new_dialect.json"
SCENARIO = REPO / "examples" / "slow_transformer.txt"
CUTS = 40
GPU_ROWS = {"kernel", "gpu_memcpy", "gpu_memset"}
DIRTY_ROW = ('{"ph": "X", "cat": "cpu_op", "name": "%s", "pid": 991, '
             '"tid": 991, "ts": %s, "dur": 0.001, "args": {}}')


def text_of(header, events, **layout):
    return json.dumps({**header, "traceEvents": events}, **layout).encode()


def compact(header, events):
    return text_of(header, events, separators=(",", ":"))


def pretty(header, events):
    return text_of(header, events, indent=2)


def header_last(header, events):
    return json.dumps({"traceEvents": events, **header}).encode()


def keys_reversed(header, events):
    return text_of(header, [dict(reversed(e.items())) for e in events])


def rows_shuffled(header, events):
    return text_of(header, random.Random(1).sample(events, len(events)))


def times_as_strings(header, events):
    return text_of(header, [
        {k: str(v) if k in ("ts", "dur") else v for k, v in e.items()}
        for e in events])


def ids_as_strings(header, events):
    return text_of(header, [
        {k: str(v) if k in ("pid", "tid") else v for k, v in e.items()}
        for e in events])


def gpu_rows_twice(header, events):
    return text_of(header, [e for e in events for _ in range(
        2 if e.get("cat") in GPU_ROWS else 1)])


def rows_to_ignore(header, events):
    extra = [{}, {"ph": "C", "name": "counter", "pid": "GPU 0 Counters",
                  "ts": events[0]["ts"], "args": {"x": 1}},
             {"ph": "?", "name": "unknown"}]
    return text_of(header, extra + events + [{}])


def bare_words(header, events):
    return re.sub(rb'"args": \{', b'"args": {"a": N/A, "b": NaN, "c": '
                  b"-Infinity, ", text_of(header, events)).replace(
                      b"-Infinity, }", b"-Infinity}")


def with_rows(header, events, rows):
    """The bytes of extra rows, one to a line, in the middle of the others."""
    lines = [json.dumps(e).encode() for e in events]
    middle = len(lines) // 2
    inside = b",\n".join(lines[:middle] + rows + lines[middle:])
    return (json.dumps(header)[:-1].encode() + b', "traceEvents": [\n'
            + inside + b"\n]}")


def strange_bytes(header, events):
    start = next(e["ts"] for e in events if e.get("ph") == "X")
    return with_rows(header, events, [
        (DIRTY_ROW % (name, start)).encode("latin-1")
        for name in ["\x01\x02", "\xff\xfe", "C:\\Users", 'say "hi" there']])


def line_of_a_log(header, events):
    return with_rows(header, events, []).replace(
        b",\n", b",\nINFO:2026-01-01 the profiler says something\n", 1)


SPELLINGS = [compact, pretty, header_last, keys_reversed, rows_shuffled,
             times_as_strings, ids_as_strings, gpu_rows_twice, rows_to_ignore,
             bare_words, strange_bytes, line_of_a_log]


def zstd(data):
    return subprocess.run(["zstd", "-q", "-c"], input=data, check=True,
                          capture_output=True).stdout


def packings(data):
    middle = len(data) // 2
    return {
        "byte order mark": b"\xef\xbb\xbf" + data,
        "gzip": gzip.compress(data),
        "gzip in two members": (gzip.compress(data[:middle])
                                + gzip.compress(data[middle:])),
        "gzip and zeros": gzip.compress(data) + bytes(512),
        "gzip and garbage": gzip.compress(data) + b"garbage",
        "zstd": zstd(data),
        "zstd in two frames": zstd(data[:middle]) + zstd(data[middle:]),
    }


class Program:
    def __init__(self, program, folder):
        self.program = program
        self.path = pathlib.Path(folder, "trace.json")

    def report(self, data):
        """Exit code and the report, where there is one."""
        self.path.write_bytes(data)
        run = subprocess.run(
            [self.program, "analyze", self.path, "--format", "json"],
            capture_output=True, check=False)
        report = json.loads(run.stdout) if run.returncode == 0 else None
        return run.returncode, report


def essence(report):
    """What may not depend on how a trace is written.

    The events that prove a finding may: of two frames that begin and end
    together, the order of the rows says which one holds the other.
    """
    if report is None:
        return None
    kept = {key: report[key] for key in ["verdict", "devices", "steps"]}
    kept["findings"] = [[finding[key] for key in
                         ["id", "certainty", "lost_ns_per_step", "gain"]]
                        for finding in report["findings"]]
    return kept


def check_spellings(program, data):
    document = json.loads(data)
    events = document.pop("traceEvents")
    _, expected = program.report(data)
    if not expected or not expected["devices"]:
        return ["the original has no ledger to compare with"]
    variants = {f.__name__: f(document, events) for f in SPELLINGS}
    variants.update(packings(data))
    problems = []
    for name, variant in variants.items():
        code, found = program.report(variant)
        if code != 0:
            problems.append(f"{name}: exit code {code}")
        elif essence(found) != essence(expected):
            problems.append(f"{name}: " + first_difference(
                essence(found), essence(expected)))
    return problems


def first_difference(found, expected, where="report"):
    if isinstance(found, dict) and isinstance(expected, dict):
        for key in sorted(found.keys() | expected.keys()):
            if found.get(key) != expected.get(key):
                return first_difference(found.get(key), expected.get(key),
                                        f"{where}.{key}")
    if isinstance(found, list) and isinstance(expected, list):
        for index, pair in enumerate(zip(found, expected)):
            if pair[0] != pair[1]:
                return first_difference(*pair, f"{where}[{index}]")
    return f"{where} is {found!r:.200}, expected {expected!r:.200}"


def check_cuts(program, data):
    problems = []
    for cut in range(CUTS):
        size = len(data) * cut // CUTS
        code, report = program.report(data[:size])
        if code not in (0, 3):
            problems.append(f"cut at byte {size}: exit code {code}")
        for device in (report or {}).get("devices", []):
            total = sum(device["accounts"].values())
            if total != device["window_ns"]:
                problems.append(f"cut at byte {size}: accounts sum to {total},"
                                f" window {device['window_ns']}")
    return problems


def main():
    gpuledger, simulator = sys.argv[1:]
    problems = []
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([simulator, SCENARIO, "-o", folder], check=True,
                       stdout=subprocess.DEVNULL)
        simulated = pathlib.Path(folder, "trace.json").read_bytes()
        program = Program(gpuledger, folder)
        for name, data in [(SEED.name, SEED.read_bytes()),
                           (SCENARIO.name, simulated)]:
            found = check_spellings(program, data)
            found += check_cuts(program, data)
            found += check_cuts(program, gzip.compress(data))
            problems += [f"{name}: {problem}" for problem in found]
    print("\n".join(problems) or "no problem found")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
