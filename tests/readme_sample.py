#!/usr/bin/python3
"""Checks that README.md shows what the program prints of the example.

usage: readme_sample.py SIMULATOR PROGRAM

Each ```text block of the README must stand in the report of the shipped
example, line by line.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent


def main():
    simulator, program = map(pathlib.Path, sys.argv[1:])
    readme = (ROOT / "README.md").read_text()
    blocks = re.findall(r"^```text\n(.*?)^```$", readme, re.M | re.S)
    with tempfile.TemporaryDirectory() as folder:
        # The report names its input as ./start does.
        example = pathlib.Path(folder, "build", "example")
        example.mkdir(parents=True)
        subprocess.run([simulator.resolve(),
                        ROOT / "examples" / "slow_transformer.txt",
                        "-o", example], check=True)
        report = subprocess.run(
            [program.resolve(), "analyze", "build/example/trace.json",
             "--width", "80"],
            cwd=folder, capture_output=True, text=True, check=True).stdout
    missing = [block for block in blocks if block not in report]
    for block in missing:
        print("README.md shows what the program does not print:\n" + block)
    if not blocks:
        print("README.md shows no output")
    return 1 if missing or not blocks else 0


if __name__ == "__main__":
    sys.exit(main())
