#!/usr/bin/python3
"""Feeds the program files that are too large for a case file.

    bad_input.py GPULEDGER

Long strings, deep nesting, compressed bombs, very many streams, threads,
devices and names, files of other kinds: a clear message or a counted import
note, never a crash, a hang or unbounded memory. All input is made here.
"""

import gzip
import io
import json
import pathlib
import pickle
import resource
import sqlite3
import subprocess
import sys
import tarfile
import tempfile
import zipfile

TIMEOUT_S = 240
MIB = 1 << 20
KERNEL = ('{"ph":"X","cat":"kernel","name":"%s","pid":0,"tid":7,"ts":%d,'
          '"dur":1,"args":{"device":%d,"stream":%d}}')
OP = ('{"ph":"X","cat":"cpu_op","name":"%s","pid":%d,"tid":%d,"ts":%d,'
      '"dur":1,"args":{}}')
GOOD = KERNEL % ("gemm", 5, 0, 7)
CHILDREN_MEMORY = """
import resource, subprocess, sys
run = subprocess.run(sys.argv[1:], timeout=%d)
peak_kib = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
print(f"peak_kib={peak_kib}", file=sys.stderr)
sys.exit(run.returncode if run.returncode >= 0 else 200)
""" % TIMEOUT_S


class Result:
    def __init__(self, run):
        lines = run.stderr.decode(errors="replace").splitlines()
        self.code = run.returncode
        self.peak_bytes = int(lines.pop().split("=")[1]) * 1024
        self.errors = "\n".join(lines)
        self.report = json.loads(run.stdout) if run.stdout else None

    def imports(self):
        return {note["id"]: note["count"] for note in self.report["imports"]}


def analyze(program, path, *options):
    return Result(subprocess.run(
        [sys.executable, "-c", CHILDREN_MEMORY, program, "analyze", path,
         "--format", "json", *options], capture_output=True, check=False))


def trace(*events):
    return '{"traceEvents": [\n' + ",\n".join(events) + "\n]}"


def lines(count, row):
    """A trace of so many rows, written without holding them all."""
    yield '{"traceEvents": [\n'
    for first in range(0, count, 10000):
        rows = (row(i) for i in range(first, min(first + 10000, count)))
        yield ",\n".join(rows) + (",\n" if first + 10000 < count else "")
    yield "\n]}"


# --- what is read past. Each: the file's pieces, and what must come of them.

def long_string_value():
    """100 MB in one value of one event: the event is skipped."""
    yield '{"traceEvents": [\n' + GOOD + ",\n"
    yield '{"ph":"X","cat":"cpu_op","name":"'
    for _ in range(100):
        yield "x" * 1_000_000
    yield '","pid":1,"tid":1,"ts":6,"dur":1,"args":{}},\n'
    yield KERNEL % ("gemm", 9, 0, 7) + "\n]}"


def long_string_in_the_header():
    yield '{"note": "'
    for _ in range(100):
        yield "x" * 1_000_000
    yield '",\n"traceEvents": [\n' + GOOD + "\n]}"


def deep_nesting_in_args():
    depth = 1_000_000
    yield '{"traceEvents": [\n' + GOOD + ",\n"
    yield OP[:-3] % ("deep", 1, 1, 6) + '{"a":' + "[" * depth
    yield "]" * depth + "}},\n" + KERNEL % ("gemm", 9, 0, 7) + "\n]}"


def deep_nesting_in_the_header():
    depth = 1_000_000
    yield '{"a":' + "[" * depth + "]" * depth
    yield ',"traceEvents": [\n' + GOOD + "\n]}"


def many_streams():
    yield from lines(1_000_000, lambda i: KERNEL % ("gemm", i, 0, i))


def many_devices():
    yield from lines(20_000, lambda i: KERNEL % ("gemm", i, i, 7))


def many_threads():
    yield from lines(200_000, lambda i: OP % ("aten::mm", 1, i, i))


def many_processes():
    yield from lines(20_000, lambda i: OP % ("aten::mm", i, 1, i))


def many_names():
    yield from lines(300_000, lambda i: KERNEL % (f"gemm_{i}", i, 0, 7))


def all_at_once():
    yield from lines(100_000, lambda i: KERNEL % (f"k{i % 7}", 5, 0, i % 3))


def nested_frames():
    yield from lines(100_000, lambda i: (OP % ("f", 1, 1, i)).replace(
        '"dur":1,', f'"dur":{400_000 - 2 * i},'))


READ_PAST = [
    # what, device rows' busy time in ns, import note, memory in MiB
    (long_string_value, 2000, "event-too-long", 400),
    (long_string_in_the_header, 1000, None, 200),
    (deep_nesting_in_args, 2000, None, 200),
    (deep_nesting_in_the_header, 1000, None, 200),
    (many_streams, 1_000_000_000, None, 1500),
    (many_devices, 1000, None, 400),
    (many_threads, 0, None, 600),
    (many_processes, 0, None, 200),
    (many_names, 300_000_000, None, 600),
    (all_at_once, 1000, "duplicate-activity", 200),
    (nested_frames, 0, None, 200),
]


def check_read_past(program, folder):
    for make, busy_ns, note, memory_mib in READ_PAST:
        path = pathlib.Path(folder, "trace.json")
        with open(path, "w", encoding="utf-8") as file:
            file.writelines(make())
        result = analyze(program, path)
        name = make.__name__
        if result.code != 0:
            yield f"{name}: exit code {result.code}: {result.errors[:200]}"
            continue
        devices = result.report["devices"]
        busy = sum(ns for device in devices[:1]
                   for account, ns in device["accounts"].items()
                   if not account.startswith(("idle", "unattributed")))
        if busy != busy_ns:
            yield f"{name}: busy for {busy} ns, expected {busy_ns}"
        if note and note not in result.imports():
            yield f"{name}: not counted as {note}"
        if result.peak_bytes > memory_mib * MIB:
            yield (f"{name}: {result.peak_bytes >> 20} MiB of memory, at most "
                   f"{memory_mib}")
        for device in devices:
            if sum(device["accounts"].values()) != device["window_ns"]:
                yield f"{name}: the accounts of {device['id']} do not add up"


# --- what is refused

def packed(piece, count):
    """Gzip of a piece repeated, made without holding it."""
    out = io.BytesIO()
    with gzip.GzipFile(fileobj=out, mode="wb", compresslevel=1) as file:
        for _ in range(count):
            file.write(piece)
    return out.getvalue()


def database(folder):
    path = pathlib.Path(folder, "made.sqlite")
    connection = sqlite3.connect(path)
    connection.execute("create table CUPTI_ACTIVITY_KIND_KERNEL (start, end)")
    connection.commit()
    connection.close()
    return path.read_bytes()


def archive(module_write):
    out = io.BytesIO()
    module_write(out)
    return out.getvalue()


def write_tar(out):
    with tarfile.open(fileobj=out, mode="w") as tar:
        info = tarfile.TarInfo("trace.json")
        text = trace(GOOD).encode()
        info.size = len(text)
        tar.addfile(info, io.BytesIO(text))


def write_zip(out):
    with zipfile.ZipFile(out, "w") as file:
        file.writestr("trace.json", trace(GOOD))


def refused_files(folder):
    """Name, bytes, and what the message must hold."""
    tar = archive(write_tar)
    zeros, spaces = packed(bytes(MIB), 300), packed(b" " * MIB, 300)
    rocprof = json.dumps({"rocprofiler-sdk-tool": [{"metadata": {}}]})
    return [
        ("a bomb of zeros.gz", zeros, "binary file"),
        ("a bomb of spaces.gz", spaces, "traceEvents"),
        ("a bomb in brackets.gz", gzip.compress(b"{") + spaces +
         gzip.compress(b"}"), "traceEvents"),
        ("archive.tar", tar, "tar archive"),
        ("archive.tar.gz", gzip.compress(tar), "tar archive"),
        ("archive.zip", archive(write_zip), "zip archive"),
        ("report.sqlite", database(folder), "SQLite"),
        ("report.nsys-rep", b"NVIDIA Tegra Profiler Report\0" + bytes(99),
         "Nsight Systems"),
        ("old.qdrep", b"QDSTRM" + bytes(99), "Nsight Systems"),
        ("results.json", rocprof.encode(), "rocprofv3"),
        ("snapshot.pickle", pickle.dumps({"segments": []}), "pickle"),
        ("memory.raw", b"[[-1, 2, 3, 4], [5, 6, 7, 8]]", "memory timeline"),
        ("et.json", b'{"schema": "1.0.2", "nodes": [{"id": 1}]}',
         "execution trace"),
        ("page.json", b"<!DOCTYPE html><html></html>", "HTML"),
        ("image.json", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "binary file"),
        ("utf16.json", trace(GOOD).encode("utf-16"), "binary file"),
        ("broken.gz", gzip.compress(b"")[:9] + b"\xff" * 99,
         "nothing can be read"),
        ("numbers.json", b"[" + b"1," * 1_000_000 + b"1]", "list"),
        ("brackets.json", b"[" * 1_000_000 + b"]" * 1_000_000, "list"),
    ]


def check_refused(program, folder):
    for name, data, message in refused_files(folder):
        path = pathlib.Path(folder, name)
        path.write_bytes(data)
        result = analyze(program, path)
        path.unlink()
        if result.code != 3 or result.report is not None:
            yield f"{name}: exit code {result.code}, expected 3"
        for part in (name, "offset ", message, "expected a PyTorch trace"):
            if part not in result.errors:
                yield f"{name}: the message lacks '{part}': {result.errors}"
        if result.peak_bytes > 200 * MIB:
            yield f"{name}: {result.peak_bytes >> 20} MiB of memory"


def check_budget(program, folder):
    """A trace over budget is refused with a part that then fits."""
    path = pathlib.Path(folder, "large.json")
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(lines(200_000, lambda i: KERNEL % ("k", i, 0, 7)))
    refused = analyze(program, path, "--memory", "8M")
    words = refused.errors.split()
    if refused.code != 3 or "--to" not in words or "span" not in words:
        yield f"--memory: exit code {refused.code}: {refused.errors}"
        return
    span = ["--from", words[words.index("--from") + 1],
            "--to", words[words.index("--to") + 1]]
    part = analyze(program, path, "--memory", "8M", *span)
    if part.code != 0 or not part.report["devices"]:
        yield f"{' '.join(span)} does not fit: {part.errors}"


def main():
    program = pathlib.Path(sys.argv[1]).resolve()
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    problems = []
    with tempfile.TemporaryDirectory() as folder:
        for check in (check_refused, check_read_past, check_budget):
            problems += check(program, folder)
    print("\n".join(problems) or "no problem found")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
