#!/usr/bin/python3
"""Cuts and dirties real traces; the report must stay true.

    mutations.py GPULEDGER

Traces come from the folder that GPULEDGER_DATA names: two small ones of each
folder in it, or all of any size with GPULEDGER_FULL=1.

A cut that loses a GPU row gives a partial report without idle time and without
a finding that rests on it. Dirt that can be repaired, other layouts and other
packings give the ledger, the steps, the kernels and the findings of the clean
file, and an import note where there is dirt.
"""

import collections
import gzip
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import zlib

SKIPPED = 77  # what ctest takes for "skipped"
CUTS = 20
SMALL_TEXT_BYTES = 1_000_000
TRACES_PER_FOLDER = 2
TIMEOUT_S = 300
GPU_ROW = re.compile(rb'"cat"\s*:\s*"(?:kernel|gpu_memcpy|gpu_memset|Kernel'
                     rb'|Memcpy|Memset)"')
FLAT_ARGS = re.compile(rb'("args"\s*:\s*\{)([^{}\[\]\\]*)(\})')
EVENT_BREAK = re.compile(rb'\}(\s*),(\s*)\{(\s*)"(ph|name|cat)"')
TIME = re.compile(rb'"(ts|dur)"(\s*):(\s*)(-?[0-9][-+.0-9eE]*)')
FIRST_TIME = re.compile(rb'"ph"\s*:\s*"X"[^{}]*"ts"\s*:\s*"?([-.0-9]+)')
# Causes that are told from idle time.
IDLE_CAUSES = ("DL-", "LK-", "HD-03")


class Program:
    def __init__(self, path, folder):
        self.path = path
        self.folder = folder
        self.lossy_cuts = 0  # cuts that lost a GPU row

    def report(self, data, name="trace.json"):
        """Exit code, the report where there is one, and what stderr says."""
        path = pathlib.Path(self.folder, name)
        path.write_bytes(data)
        run = subprocess.run([self.path, "analyze", path, "--format", "json"],
                             capture_output=True, timeout=TIMEOUT_S,
                             check=False)
        path.unlink()
        report = json.loads(run.stdout) if run.stdout else None
        return run.returncode, report, run.stderr.decode(errors="replace")


def essence(report):
    kept = {key: report[key]
            for key in ("origin_ns", "verdict", "devices", "steps", "kernels")}
    # The events that prove a finding may change: of two frames that begin and
    # end together, the order of the rows says which one holds the other.
    kept["findings"] = [{key: finding.get(key) for key in
                         ("id", "certainty", "lost_ns_per_step", "lost_ratio",
                          "gain")}
                        for finding in report["findings"]]
    return kept


def difference(found, expected, where="report"):
    """The first place where two reports differ, or nothing."""
    if found == expected:
        return None
    if isinstance(found, dict) and isinstance(expected, dict):
        for key in sorted(found.keys() | expected.keys()):
            if found.get(key) != expected.get(key):
                return difference(found.get(key), expected.get(key),
                                  f"{where}.{key}")
    if isinstance(found, list) and isinstance(expected, list):
        for index, (one, other) in enumerate(zip(found, expected)):
            if one != other:
                return difference(one, other, f"{where}[{index}]")
    return f"{where} is {found!r:.150}, expected {expected!r:.150}"


# --- cuts

def idle_claims(report):
    """What a report says about idle time."""
    for device in report["devices"]:
        rows = [device] + device.get("steps", [])
        for account in sorted({a for row in rows for a, ns in
                               row["accounts"].items() if ns}):
            if account.startswith("idle"):
                yield f"{device['id']} has {account}"
    for finding in report["findings"]:
        if finding["cause"].startswith(IDLE_CAUSES):
            yield f"finding {finding['id']}"


def cut_problems(program, data, text_bytes, last_gpu_row):
    """`data` holds the first `text_bytes` bytes of a text, packed or not."""
    code, report, errors = program.report(data)
    if not data and code == 3:
        return  # an empty file
    if code != 0:
        yield f"exit code {code}: {errors.strip()}"
        return
    for device in report["devices"]:
        if sum(device["accounts"].values()) != device["window_ns"]:
            yield f"the accounts of {device['id']} do not sum to the window"
    if text_bytes <= last_gpu_row:
        program.lossy_cuts += 1
        if report["verdict"]["status"] != "partial":
            yield f"verdict {report['verdict']['status']}"
        yield from idle_claims(report)


def decoded_bytes(packed):
    """How many bytes of text the front of a gzip file holds."""
    total = 0
    while packed:
        stream = zlib.decompressobj(wbits=31)
        try:
            total += len(stream.decompress(packed))
        except zlib.error:
            break
        packed = stream.unused_data
    return total


def check_cuts(program, data, text):
    matches = [m.end() for m in GPU_ROW.finditer(text)]
    last_gpu_row = matches[-1] if matches else -1
    for cut in range(CUTS):
        size = len(text) * cut // CUTS
        for problem in cut_problems(program, text[:size], size, last_gpu_row):
            yield f"text cut at byte {size}: {problem}"
        if data is text:
            continue
        size = len(data) * cut // CUTS
        for problem in cut_problems(program, data[:size],
                                    decoded_bytes(data[:size]), last_gpu_row):
            yield f"gzip cut at byte {size}: {problem}"


# --- dirt inside events

def every(pattern, text, nth, change):
    """Changes every n-th match."""
    count = -1

    def replace(match):
        nonlocal count
        count += 1
        return change(match) if count % nth == 0 else match.group(0)
    return pattern.sub(replace, text)


def in_args(text, addition, nth=7):
    def change(match):
        comma = b", " if match.group(2).strip() else b""
        return match.group(1) + addition + comma + match.group(2) + b"}"
    return every(FLAT_ARGS, text, nth, change)


def comma_in_args(text):
    def change(match):
        comma = b"," if match.group(2).strip() else b""
        return match.group(1) + match.group(2) + comma + b"}"
    return every(FLAT_ARGS, text, 7, change)


def doubled_commas(text):
    return every(EVENT_BREAK, text, 11, lambda m: m.group(0).replace(
        b",", b",,", 1))


def times_as_strings(text):
    return TIME.sub(rb'"\1"\2:\3"\4"', text)


def with_rows(text, name):
    """Rows of a thread of their own, under a name, between other rows."""
    time = FIRST_TIME.search(text).group(1)
    row = (b'{"ph": "X", "cat": "cpu_op", "name": "' + name + b'", '
           b'"pid": 990099, "tid": 990099, "ts": ' + time +
           b', "dur": 0.001, "args": {}}')
    breaks = [m.end(1) for m in EVENT_BREAK.finditer(text)]
    at = breaks[len(breaks) // 2]
    return text[:at] + b",\n" + row + text[at:]


NAMES = {"control bytes": b"odd\x01\x1f\x00name", "bad UTF-8": b"odd\xff\xc3(",
         "backslash U": b"C:\\Users\\Uma", "stray quote": b'say "hi there',
         "stray quotes": b'operator"" of "x"'}
# An operator's arguments are not looked at: what is no JSON in them is no
# damage, unless it hides where they end.
SEEN_IN_ARGS = ("control bytes", "bad UTF-8", "stray quote", "stray quotes")


def dirty_variants(text):
    """Name, bytes and the import note that they must leave, if any."""
    for what, name in NAMES.items():
        yield f"{what} in a name", with_rows(text, name), "event-repaired"
        if what == "stray quote" and b"\n" not in text:
            continue  # of the last event on a line it may hide the list's end
        yield (f"{what} in args", in_args(text, b'"note": "' + name + b'"'),
               "event-repaired" if what in SEEN_IN_ARGS else None)
    yield "comma in args", comma_in_args(text), None
    for word in (b"N/A", b"NaN", b"Infinity", b"-Infinity"):
        yield (f"bare {word.decode()}", in_args(text, b'"a note": ' + word),
               "value-missing")


# --- other layouts

class Layouts:
    """One document written in several ways, numbers as they stood."""

    MARK = "\x02number:"
    NUMBER = re.compile(r'"\\u0002number:([^"]*)"')

    def __init__(self, text):
        def number(token):
            return self.MARK + token
        document = json.loads(text.decode("utf-8-sig", "surrogateescape"),
                              parse_float=number, parse_int=number,
                              parse_constant=number, strict=False)
        if isinstance(document, list):
            document = {"traceEvents": document}
        self.events = document.pop("traceEvents")
        self.header = document

    def write(self, document, **layout):
        return self.NUMBER.sub(r"\1", json.dumps(document, **layout)).encode(
            "utf-8", "surrogateescape")

    def all(self):
        first = {**self.header, "traceEvents": self.events}
        last = {"traceEvents": self.events, **self.header}
        return {
            "compact": self.write(first, separators=(",", ":")),
            "pretty": self.write(first, indent=2),
            "header behind the events": self.write(last),
            "header before the events": self.write(first),
            "not ASCII": self.write(first, ensure_ascii=False),
        }


def packings(text):
    half = len(text) // 2
    zstd = subprocess.run(["zstd", "-q", "-c"], input=text, check=True,
                          capture_output=True).stdout
    members = gzip.compress(text[:half], 1) + gzip.compress(text[half:], 1)
    return {
        "gzip": gzip.compress(text, 1),
        "gzip members": members,
        "gzip and zeros": gzip.compress(text, 1) + bytes(1000),
        "zeros behind": text + bytes(1000),
        "zstd": zstd,
        "byte order mark": b"\xef\xbb\xbf" + text,
        "CRLF": text.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n"),
    }


def variants_of(text):
    if FLAT_ARGS.search(text):
        yield from dirty_variants(text)
    yield "doubled commas", doubled_commas(text), None
    yield "times as strings", times_as_strings(text), None
    yield from ((name, data, None) for name, data in packings(text).items())
    try:
        layouts = Layouts(text).all()
    except ValueError:
        return  # the original is no JSON
    yield from ((name, data, None) for name, data in layouts.items())


def counts(report):
    return {note["id"]: note["count"] for note in report["imports"]}


def check_variants(program, text, clean):
    for name, data, note in variants_of(text):
        code, report, errors = program.report(data, "renamed.bin")
        if code != 0:
            yield f"{name}: exit code {code}: {errors.strip()}"
            continue
        found = difference(essence(report), essence(clean))
        if found:
            yield f"{name}: {found}"
        before, behind = counts(clean), counts(report)
        if note and behind.get(note, 0) <= before.get(note, 0):
            yield f"{name}: not counted as {note}"
        if behind.get("event-dropped", 0) > before.get("event-dropped", 0):
            yield f"{name}: events were dropped"


def real_traces(folder):
    """Path, bytes and text of each file that may be a trace."""
    full = os.environ.get("GPULEDGER_FULL") == "1"
    seen, in_folder = set(), collections.Counter()
    for path in sorted(p for part in ("pytorch", "multirank")
                       for p in (folder / part).rglob("*") if p.is_file()):
        if not full and path.stat().st_size > SMALL_TEXT_BYTES:
            continue
        data = path.read_bytes()
        text = gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data
        small = (len(text) <= SMALL_TEXT_BYTES and
                 in_folder[path.parent] < TRACES_PER_FOLDER)
        if text not in seen and (full or small):
            seen.add(text)
            in_folder[path.parent] += 1
            yield path, data, text


def main():
    folder = os.environ.get("GPULEDGER_DATA", "")
    if not os.path.isdir(folder):
        print("skipped: GPULEDGER_DATA names no folder")
        return SKIPPED
    problems, traces = [], 0
    with tempfile.TemporaryDirectory() as scratch:
        program = Program(sys.argv[1], scratch)
        for path, data, text in real_traces(pathlib.Path(folder)):
            code, clean, _ = program.report(text)
            if code == 3 and clean is None:
                continue  # a file of another kind
            traces += 1
            same_bytes = data[:2] != b"\x1f\x8b"
            found = list(check_cuts(program, text if same_bytes else data,
                                    text))
            found += check_variants(program, text, clean)
            problems += [f"{path.name}: {problem}" for problem in found]
    print("\n".join(problems))
    print(f"{traces} traces, {program.lossy_cuts} cuts that lost GPU rows, "
          f"{len(problems)} problems")
    return 1 if problems or not program.lossy_cuts else 0


if __name__ == "__main__":
    sys.exit(main())
