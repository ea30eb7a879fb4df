#!/usr/bin/python3
"""Proves that the comparison with the reference notices wrong reports."""

import copy
import unittest

import compare_test
import ledger_reference as reference

TRACE = reference.Trace(None, [
    reference.Activity(0, 7, 100, 140, "gemm", 1, "compute"),
    reference.Activity(0, 8, 130, 160, "ncclKernel", 2, "communication"),
    reference.Activity(0, 7, 180, 190, "Memcpy HtoD", 3, "copy"),
])
STEPS = [
    {"label": "ProfilerStep#1", "start_ns": 0, "window_ns": 50,
     "accounts": {"compute.matmul": 40, "communication.unsplit": 10}},
    {"label": "ProfilerStep#2", "start_ns": 50, "window_ns": 40,
     "accounts": {"communication.unsplit": 10, "copy.h2d.pinned": 10,
                  "idle.launch.api": 15, "unattributed": 5}},
]
DEVICE = {
    "id": "0:0", "window_ns": 90,
    "window": {"start_ns": 0, "end_ns": 90, "source": "steps"},
    "accounts": {"compute.matmul": 40, "communication.unsplit": 20,
                 "copy.h2d.pinned": 10, "idle.launch.api": 15,
                 "unattributed": 5},
    "reported_ratio": 60 / 90, "compute_ratio": 40 / 90, "steps": STEPS,
}


class CompareTest(unittest.TestCase):
    def problems(self, change=lambda device: None):
        device = copy.deepcopy(DEVICE)
        change(device)
        differences = compare_test.Differences()
        compare_test.compare_device(differences, "x", device, 100, TRACE)
        self.assertGreater(differences.compared, 10)
        return "\n".join(differences.lines)

    def test_right_report(self):
        self.assertEqual(self.problems(), "")

    def test_nanosecond_in_the_wrong_account(self):
        def change(device):
            device["accounts"]["compute.matmul"] -= 1
            device["accounts"]["idle.launch.api"] += 1
        self.assertIn("compute: found 39, expected 40", self.problems(change))

    def test_sum_is_not_the_window(self):
        def change(device):
            device["accounts"]["idle.launch.api"] -= 1
        self.assertIn("sum of accounts: found 89", self.problems(change))

    def test_step_does_not_sum(self):
        def change(device):
            device["steps"][0]["accounts"]["compute.matmul"] -= 1
        self.assertIn("step ProfilerStep#1: sum", self.problems(change))

    def test_steps_leave_a_hole(self):
        def change(device):
            device["steps"][1]["start_ns"] += 1
        self.assertIn("step ProfilerStep#2: start", self.problems(change))

    def test_nanosecond_in_the_wrong_step(self):
        def change(device):
            first, second = (step["accounts"] for step in device["steps"])
            first["communication.unsplit"] -= 1
            first["unattributed"] = 1
            second["communication.unsplit"] += 1
            second["idle.launch.api"] -= 1
        self.assertIn("sum of unattributed", self.problems(change))

    def test_wrong_device_window(self):
        def change(device):
            device["window"]["source"] = "device"
            device["window"]["start_ns"] = 10
            device["window_ns"] = 80
        self.assertIn("window: found (110, 190)", self.problems(change))

    def test_wrong_ratio(self):
        def change(device):
            device["reported_ratio"] = 40 / 90
        self.assertIn("reported_ratio", self.problems(change))


if __name__ == "__main__":
    unittest.main()
