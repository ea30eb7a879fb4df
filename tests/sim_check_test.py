#!/usr/bin/python3
"""Checks that sim_check.py sees each kind of difference."""

import copy
import unittest

import sim_check

TRUTH = {
    "verdict": "ok",
    "resolution_ns": 1,
    "origin_ns": "5",
    "causes": [{"id": "item-sync", "where": {"file": "train.py", "line": 7}}],
    "devices": [{
        "id": "0:0", "window_start_ns": 10, "window_ns": 100,
        "accounts": {"compute.matmul": 60, "idle.sync.refill": 40},
        "steps": [{"label": "0", "accounts": {"compute.matmul": 60,
                                              "idle.sync.refill": 40}}],
    }],
}
REPORT = {
    "origin_ns": "5",
    "verdict": {"status": "ok", "reasons": []},
    "kernels": [{"device": "0:0", "count": 3}],
    "devices": [{
        "id": "0:0", "window_ns": 100, "window": {"start_ns": 10},
        "accounts": {"compute.matmul": 60, "idle.sync.wait": 40},
        "steps": [{"label": "0", "accounts": {"compute.matmul": 60,
                                              "idle.sync.wait": 40}}],
    }],
    "findings": [{"id": "item-sync",
                  "where": [{"file": "train.py", "line": 7}]}],
}


def errors_after(change, resolution_ns=1):
    truth, report = copy.deepcopy(TRUTH), copy.deepcopy(REPORT)
    truth["resolution_ns"] = resolution_ns
    change(truth, report)
    return sim_check.check(truth, report, frames=True)


class SimCheck(unittest.TestCase):
    def expect_error(self, part, change, **options):
        errors = errors_after(change, **options)
        self.assertTrue(any(part in error for error in errors), errors)

    def test_idle_is_compared_on_its_second_level(self):
        self.assertEqual(errors_after(lambda truth, report: None), [])

    def test_one_nanosecond_is_seen(self):
        def move(_, report):
            report["devices"][0]["accounts"]["compute.matmul"] += 1
        self.expect_error("compute.matmul is off by 1 ns", move)
        self.assertEqual(errors_after(move, resolution_ns=1000), [])

    def test_microseconds_have_a_bound(self):
        def move(_, report):  # three activities: six edges
            report["devices"][0]["accounts"]["compute.matmul"] += 6001
        self.expect_error("off by 6001 ns", move, resolution_ns=1000)

    def test_steps_are_compared(self):
        def move(_, report):
            report["devices"][0]["steps"][0]["accounts"]["idle.data"] = 1
        self.expect_error("0:0 0: idle.data is off by 1 ns", move)

    def test_a_missing_step_is_seen(self):
        self.expect_error("0 steps", lambda _, report: report["devices"][0]
                          ["steps"].clear())

    def test_another_window_is_seen(self):
        def move(_, report):
            report["devices"][0]["window"]["start_ns"] += 1
        self.expect_error("window starts 1 ns late", move)

    def test_a_missing_device_is_seen(self):
        self.expect_error("no such device",
                          lambda _, report: report["devices"].clear())

    def test_another_verdict_is_seen(self):
        def refuse(_, report):
            report["verdict"]["status"] = "partial"
        self.expect_error("verdict partial", refuse)

    def test_a_finding_on_a_refused_verdict_is_seen(self):
        def refuse(truth, report):
            truth["verdict"] = report["verdict"]["status"] = "partial"
        self.expect_error("on a refused verdict", refuse)

    def test_a_missing_finding_is_seen(self):
        self.expect_error("item-sync was not found",
                          lambda _, report: report["findings"].clear())

    def test_another_order_is_seen(self):
        def put_first(truth, _):
            truth["causes"].insert(0, {"id": "launch-bound"})
        self.expect_error("first finding", put_first)

    def test_a_finding_too_many_is_seen(self):
        self.expect_error("launch-bound fired", lambda _, report:
                          report["findings"].append({"id": "launch-bound"}))

    def test_another_line_is_seen(self):
        def move(_, report):
            report["findings"][0]["where"][0]["line"] = 8
        self.expect_error("names", move)


if __name__ == "__main__":
    unittest.main()
