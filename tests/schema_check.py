#!/usr/bin/python3
"""Checks reports against docs/report.schema.json and the ledger's sums.

usage: schema_check.py SCHEMA REPORT.json...
       schema_check.py SCHEMA --run COMMAND [ARG...]   (checks its stdout)

Stricter than the schema, which lets later versions add fields: here a field
that the schema does not describe is an error.
"""
import copy
import json
import subprocess
import sys

import jsonschema


def closed(schema):
    """The schema with every object closed and every property described."""
    if isinstance(schema, list):
        return [closed(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    out = {key: closed(value) for key, value in schema.items()}
    if schema.get("type") == "object" and "properties" in schema:
        out["additionalProperties"] = False
        for name, value in schema["properties"].items():
            if "$ref" not in value and "description" not in value:
                raise SystemExit(f"schema: {name} has no description")
    return out


def sum_errors(device):
    """What does not add up in one device, as a list of texts."""
    name, window = device["id"], device["window"]
    errors = []
    if sum(device["accounts"].values()) != device["window_ns"]:
        errors.append(f"{name}: accounts do not sum to the window")
    if window["end_ns"] - window["start_ns"] != device["window_ns"]:
        errors.append(f"{name}: window edges and window_ns differ")
    at = window["start_ns"]
    per_step = {}
    for step in device["steps"]:
        label = f"{name}: {step['label']}"
        if sum(step["accounts"].values()) != step["window_ns"]:
            errors.append(f"{label}: accounts do not sum to the step")
        if step["start_ns"] != at:
            errors.append(f"{label}: begins at {step['start_ns']}, not {at}")
        at = step["start_ns"] + step["window_ns"]
        for account, value in step["accounts"].items():
            per_step[account] = per_step.get(account, 0) + value
    if device["steps"]:
        if at != window["end_ns"]:
            errors.append(f"{name}: steps do not reach the window's end")
        if per_step != device["accounts"]:
            errors.append(f"{name}: accounts of the steps do not sum up")
    return errors


def report_errors(validator, report):
    errors = [
        f"{'/'.join(map(str, e.absolute_path)) or '(top)'}: {e.message}"
        for e in validator.iter_errors(report)
    ]
    if errors:
        return errors
    for device in report["devices"]:
        errors += sum_errors(device)
    return errors


def self_test(validator, report):
    """A check that cannot fail is none: broken copies must be refused."""
    def broken(change):
        copied = copy.deepcopy(report)
        change(copied)
        return bool(report_errors(validator, copied))

    changes = [
        lambda r: r.pop("verdict"),
        lambda r: r.update(undescribed=1),
        lambda r: r["steps"].update(source="guess"),
    ]
    for device in range(len(report["devices"])):
        def accounts(r, i=device):
            return r["devices"][i]["accounts"]
        changes += [
            lambda r: accounts(r).update({"idle.tea": 0}),
            lambda r: accounts(r).update(
                {"idle.tail": accounts(r).get("idle.tail", 0) + 1}),
        ]
        if report["devices"][device]["steps"]:
            changes.append(
                lambda r, i=device: r["devices"][i]["steps"].pop())
    return all(broken(change) for change in changes)


def main(arguments):
    if len(arguments) < 2:
        sys.exit(__doc__)
    with open(arguments[0], encoding="utf-8") as file:
        schema = closed(json.load(file))
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    texts = {}
    if arguments[1] == "--run":
        done = subprocess.run(arguments[2:], check=True,
                              stdout=subprocess.PIPE)
        texts[" ".join(arguments[2:])] = done.stdout
    else:
        for path in arguments[1:]:
            with open(path, "rb") as file:
                texts[path] = file.read()
    failed = False
    for name, text in texts.items():
        report = json.loads(text.decode("utf-8"))
        for error in report_errors(validator, report):
            print(f"{name}: {error}")
            failed = True
        if not failed and not self_test(validator, report):
            print(f"{name}: a broken copy of the report was accepted")
            failed = True
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main(sys.argv[1:])
