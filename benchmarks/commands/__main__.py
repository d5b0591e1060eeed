"""Random command lines on whole and on broken files.

    python -m benchmarks.commands --runs 500 --seed 1

Asked of each: an exit code from 0 to 3, no traceback, time and memory within the limits and a tenth and a second more
(besides the start of Python, and some seconds of a busy machine: see judge.py). Of each fifth one: the same verdict
in a second run, and without reports. Signals that arrive before Python runs our first line are counted apart.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from pathlib import Path
from random import Random

from benchmarks.commands.judge import came_too_soon, judge
from benchmarks.commands.lines import make_line

TOLD_EVERY = 100
AGAIN = 5  # each so many-th command is run again


def campaign(runs: int, seed: int, first: int = 0) -> list[str]:
    """Runs commands and returns what is wrong, each fault with the number that brings it back."""
    wrong: list[str] = []
    codes: Counter[str] = Counter()
    for number in range(first, first + runs):
        with tempfile.TemporaryDirectory() as folder:
            line = make_line(Path(folder), Random(f"{seed}/{number}"))
            done, faults = judge(line, again=number % AGAIN == 0)
        codes["too soon" if came_too_soon(line, done) else str(done.code)] += 1
        for fault in faults:
            wrong.append(f"--seed {seed} --first {number} --runs 1: {fault}\n    {line}")
            print(wrong[-1], flush=True)
        if (number + 1 - first) % TOLD_EVERY == 0 or number + 1 - first == runs:
            print(
                f"{codes.total()} commands, {len(wrong)} faults; exit codes: {dict(sorted(codes.items()))}", flush=True
            )
    return wrong


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.commands")
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--first", type=int, default=0, help="the number of the first command")
    given = parser.parse_args()
    return 1 if campaign(given.runs, given.seed, given.first) else 0


if __name__ == "__main__":
    sys.exit(main())
