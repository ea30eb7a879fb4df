"""Runs commands and measures them from the outside."""

import dataclasses
import os
import pathlib
import statistics
import subprocess
import sys
import time

REPO = pathlib.Path(__file__).resolve().parent.parent


@dataclasses.dataclass
class Run:
    wall_s: float
    rss_bytes: int  # peak; never below that of this interpreter


def run(command, cores=None):
    """Runs to the end, output discarded; a failure ends the benchmark."""
    command = [str(word) for word in command]
    if cores is not None:
        command = ["taskset", "-c", cores, *command]
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL,
                               stderr=subprocess.PIPE)
    errors = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    wall_s = time.perf_counter() - start
    process.stderr.close()
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{' '.join(command)}: exit code {process.returncode}\n"
                 + errors.decode("utf-8", "replace"))
    return Run(wall_s, usage.ru_maxrss * 1024)


def alternate(commands, runs):
    """Name -> median wall time and largest peak memory.

    Takes turns, so that a slow moment of the machine meets all of them.
    """
    found = {name: [] for name in commands}
    for _ in range(runs):
        for name, (command, cores) in commands.items():
            found[name].append(run(command, cores))
    return {name: Run(statistics.median(r.wall_s for r in of_name),
                      max(r.rss_bytes for r in of_name))
            for name, of_name in found.items()}


def cores():
    """Cores that this process may use, as taskset writes them."""
    return [str(core) for core in sorted(os.sched_getaffinity(0))]
