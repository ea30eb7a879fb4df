#!/usr/bin/python3
"""A second, slow and simple ledger to compare gpuledger with.

Written from the rules of the ledger alone and sharing no code with the
program: the whole trace in memory, one sweep over sorted endpoints. It knows
the top level only: compute, exposed communication, exposed copy and idle.

    ledger_reference.py TRACE [START_NS END_NS]

prints, in integer nanoseconds, the accounts of each device of the trace. The
window is given in absolute time, else it is that of all device activity.
"""

import argparse
import collections
import decimal
import gzip
import json
import re
import sys

GPU_ROWS = {"kernel": "kernel", "gpu_memcpy": "copy", "memcpy": "copy",
            "gpu_memset": "copy", "memset": "copy"}
API_ROWS = {"cuda_runtime", "cuda_driver", "runtime", "driver", "hip_runtime"}
OPERATOR_ROWS = {"cpu_op", "operator"}
CLASSES = ["compute", "communication", "copy"]  # the first that runs wins

COMMUNICATION_KERNEL = re.compile(
    r"nccl|rccl|msccl|nvshmem|rocshmem|deep_?ep::"
    r"|multimem_|cross_device_reduce|quick_?reduce"
    r"|(one|two)_?shot_(\w+_)?(all_?reduce|reduce_?scatter|all_?gather)"
    r"|all_?reduce_?(fusion|kernel)|userbuffers", re.IGNORECASE)
COMMUNICATION_OPERATOR = re.compile(
    r"c10d::|record_param_comms|nccl:|symm_mem::")
COPY_KERNEL = re.compile(r"__amd_rocclr_\w*Buffer|MEMORY_COPY_")

Activity = collections.namedtuple(
    "Activity", "device stream start end name correlation klass")
Trace = collections.namedtuple("Trace", "rank activities")


def to_ns(microseconds):
    """Exact, from the digits of the trace; less than a nanosecond is cut."""
    return int(decimal.Decimal(str(microseconds)).scaleb(3).to_integral_value(
        rounding=decimal.ROUND_FLOOR))


def load(path):
    with open(path, "rb") as file:
        data = file.read()
    if data.startswith(b"\x1f\x8b"):
        data = gzip.decompress(data)
    return json.loads(data.decode("utf-8", "replace"), strict=False,
                      parse_float=str)


def span(row, base_ns):
    start = base_ns + to_ns(row["ts"])
    return start, start + max(0, to_ns(row.get("dur", 0)))


def innermost_operators(operators, calls):
    """For each call the name of the operator it was made in, or None.

    Both are lists of (start, end, key) of one thread.
    """
    found, open_rows, index = {}, [], 0
    operators = sorted(operators, key=lambda row: (row[0], -row[1]))
    for start, _, key in sorted(calls):
        while index < len(operators) and operators[index][0] <= start:
            open_rows.append(operators[index])
            index += 1
        while open_rows and open_rows[-1][1] <= start:
            open_rows.pop()
        found[key] = open_rows[-1][2] if open_rows else None
    return found


def launching_operators(rows, base_ns):
    """correlation -> innermost operator around the outermost API call."""
    operators = collections.defaultdict(list)
    outermost = {}
    for row in rows:
        category = str(row.get("cat", "")).lower()
        thread = (row.get("pid"), row.get("tid"))
        if category in OPERATOR_ROWS:
            operators[thread].append((*span(row, base_ns), row["name"]))
        elif category in API_ROWS:
            correlation = row.get("args", {}).get("correlation")
            start, end = span(row, base_ns)
            known = outermost.get(correlation)
            if correlation and (known is None
                                or (start, -end) < (known[0], -known[1])):
                outermost[correlation] = (start, end, thread)
    calls = collections.defaultdict(list)
    for correlation, (start, end, thread) in outermost.items():
        calls[thread].append((start, end, correlation))
    found = {}
    for thread, of_thread in calls.items():
        found.update(innermost_operators(operators[thread], of_thread))
    return found


def classify(kind, name, operator):
    if kind == "copy" or COPY_KERNEL.search(name):
        return "copy"
    if COMMUNICATION_KERNEL.search(name):
        return "communication"
    if operator and COMMUNICATION_OPERATOR.match(operator):
        return "communication"
    return "compute"


def read(path):
    document = load(path)
    header = document if isinstance(document, dict) else {}
    events = header.get("traceEvents", document)
    base_ns = int(header.get("baseTimeNanoseconds", 0))
    rows = [e for e in events if isinstance(e, dict) and e.get("ph") == "X"
            and "ts" in e and isinstance(e.get("name"), str)]
    operators = launching_operators(rows, base_ns)
    activities = {}  # as keys: exact duplicates count once, in file order
    for row in rows:
        kind = GPU_ROWS.get(str(row.get("cat", "")).lower())
        if kind is None:
            continue
        args = row.get("args", {})
        correlation = args.get("correlation")
        klass = classify(kind, row["name"], operators.get(correlation))
        activities[Activity(int(args.get("device", row["pid"])),
                            args.get("stream", row.get("tid")),
                            *span(row, base_ns), row["name"], correlation,
                            klass)] = None
    rank = header.get("distributedInfo", {}).get("rank")
    return Trace(rank, list(activities))


def device_window(trace):
    """From the first activity of the process to the end of the last one."""
    return (min(a.start for a in trace.activities),
            max(a.end for a in trace.activities))


def accounts(activities, window):
    """Nanoseconds of the window per class; what nothing covers is idle."""
    points = []
    for activity in activities:
        start, end = max(activity.start, window[0]), min(activity.end,
                                                         window[1])
        if start < end:
            klass = CLASSES.index(activity.klass)
            points += [(start, 1, klass), (end, -1, klass)]
    totals = dict.fromkeys(CLASSES + ["idle"], 0)
    running, previous = [0] * len(CLASSES), window[0]
    for time, change, klass in sorted(points):
        winner = next((name for name, count in zip(CLASSES, running) if count),
                      "idle")
        totals[winner] += time - previous
        running[klass] += change
        previous = time
    totals["idle"] += window[1] - previous
    totals["window"] = window[1] - window[0]
    totals["busy"] = totals["window"] - totals["idle"]
    return totals


def ledger(trace, window=None):
    """Device id -> accounts; devices without activity have none."""
    if not trace.activities:
        return {}
    by_device = collections.defaultdict(list)
    for activity in trace.activities:
        by_device[activity.device].append(activity)
    window = window or device_window(trace)
    return {device: accounts(rows, window)
            for device, rows in sorted(by_device.items())}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("trace")
    parser.add_argument("window_ns", nargs="*", type=int,
                        help="start and end, in absolute nanoseconds")
    arguments = parser.parse_args()
    if len(arguments.window_ns) not in (0, 2):
        parser.error("a window has a start and an end")
    trace = read(arguments.trace)
    json.dump(ledger(trace, tuple(arguments.window_ns) or None), sys.stdout,
              indent=2)
    print()


if __name__ == "__main__":
    main()
