#!/usr/bin/python3
"""Small ledgers worked out by hand, so that the reference can be trusted."""

import gzip
import json
import pathlib
import tempfile
import unittest

import ledger_reference as reference


def row(cat, name, start, duration, correlation=0, thread=1, **args):
    if cat in ("kernel", "gpu_memcpy", "gpu_memset"):
        args = {"device": 0, "stream": 7, **args}
    return {"ph": "X", "cat": cat, "name": name, "pid": 0, "tid": thread,
            "ts": start, "dur": duration,
            "args": {"correlation": correlation, **args}}


class ReferenceTest(unittest.TestCase):
    def ledger(self, rows, window=None, as_list=False, **header):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "trace.json.gz")
            whole = rows if as_list else {**header, "traceEvents": rows}
            path.write_bytes(gzip.compress(json.dumps(whole).encode()))
            return reference.ledger(reference.read(path), window)

    def expect(self, ledger, device=0, **accounts):
        for name, value in accounts.items():
            self.assertEqual(ledger[device][name], value, (name, ledger))

    def test_time_is_exact(self):
        self.assertEqual(reference.to_ns("1753094873456789.123"),
                         1753094873456789123)
        self.assertEqual(reference.to_ns(7), 7000)
        self.assertEqual(reference.to_ns("-0.001"), -1)

    def test_first_class_that_runs_wins(self):
        ledger = self.ledger([
            row("kernel", "gemm", 0, 10),
            row("kernel", "ncclDevKernel_AllReduce", 5, 10, stream=8),
            row("gpu_memcpy", "Memcpy HtoD", 12, 8, stream=9),
            row("gpu_memset", "Memset", 25, 5),
        ])
        self.expect(ledger, window=30000, compute=10000, communication=5000,
                    copy=10000, idle=5000, busy=25000)

    def test_streams_overlap_without_being_summed(self):
        ledger = self.ledger([row("kernel", "a", 0, 10),
                              row("kernel", "b", 2, 3, stream=8),
                              row("kernel", "a", 0, 10),
                              row("kernel", "c", "12.5", "0.5")])
        self.expect(ledger, compute=10500, idle=2500)

    def test_what_is_no_work(self):
        rows = [row("kernel", "a", 10, 1)]
        for cat in ["gpu_user_annotation", "cuda_sync", "overhead",
                    "python_function", "cuda_profiler_range"]:
            rows.append(row(cat, "x", 0, 100, device=0, stream=7))
        self.expect(self.ledger(rows), window=1000, compute=1000, idle=0)

    def test_operator_makes_a_kernel_communication(self):
        rows = [row("cpu_op", "c10d::allreduce_", 0, 20),
                row("cpu_op", "aten::copy_", 10, 5),
                row("cuda_runtime", "cudaLaunchKernel", 2, 1, 1),
                row("cuda_runtime", "cudaLaunchKernel", 11, 1, 2),
                row("user_annotation", "nccl:all_reduce", 0, 90),
                row("cuda_runtime", "cudaLaunchKernel", 30, 1, 3),
                row("kernel", "reduce", 40, 1, 1),
                row("kernel", "copy", 41, 2, 2),
                row("kernel", "gemm", 43, 4, 3)]
        self.expect(self.ledger(rows), communication=1000, compute=6000)

    def test_copy_kernels_of_the_runtime(self):
        ledger = self.ledger([
            row("kernel", "__amd_rocclr_copyBuffer.kd", 0, 3),
            row("kernel", "_combined_routing_memset", 3, 4)])
        self.expect(ledger, copy=3000, compute=4000)

    def test_devices_of_a_process_share_one_window(self):
        ledger = self.ledger([row("kernel", "a", 0, 10),
                              row("kernel", "b", 5, 20, device=1)])
        self.expect(ledger, 0, window=25000, compute=10000)
        self.expect(ledger, 1, window=25000, compute=20000)

    def test_given_window_clips(self):
        ledger = self.ledger([row("kernel", "a", 0, 10)], (1004000, 1012000),
                             baseTimeNanoseconds=1000000)
        self.expect(ledger, window=8000, compute=6000, idle=2000)

    def test_old_dialect(self):
        old = {**row("Kernel", "a", 3, 4), "pid": 2}
        ledger = self.ledger([old], as_list=True)
        self.expect(ledger, 2, window=4000, compute=4000)

    def test_no_activity_no_ledger(self):
        self.assertEqual(self.ledger([row("cpu_op", "a", 0, 1)]), {})


if __name__ == "__main__":
    unittest.main()
