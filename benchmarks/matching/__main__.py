"""``python -m benchmarks.matching``: states that differ in what cannot matter, taken for equal (``--match influence``).

python -m benchmarks.matching random --programs 2000    verdicts, shortest lengths and counts on random programs
python -m benchmarks.matching bundled                   how many states are left of the models of this project
python -m benchmarks.matching beem --states 200000      and of those of the BEEM collection, up to a size
"""

from __future__ import annotations

import argparse
import sys

from benchmarks.matching.compare import compare_random
from benchmarks.matching.models import beem, bundled, table


def main() -> int:
    parser = argparse.ArgumentParser("python -m benchmarks.matching", description=__doc__)
    parser.add_argument("what", choices=("random", "bundled", "beem"))
    parser.add_argument("--programs", type=int, default=2000, help="programs with something to compare")
    parser.add_argument("--seed", type=int, default=100_000, help="of the first program")
    parser.add_argument("--states", type=int, default=500_000, help="states a search may store")
    parser.add_argument("--seconds", type=float, default=10.0, help="seconds a search may take")
    parser.add_argument("--all", action="store_true", help="also models that keep all their states")
    asked = parser.parse_args()
    if asked.what == "random":
        return int(compare_random(asked.seed, asked.programs) > 0)
    table(bundled() if asked.what == "bundled" else beem(), asked.states, asked.seconds, asked.all)
    return 0


if __name__ == "__main__":
    sys.exit(main())
