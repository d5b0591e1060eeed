"""``python -m benchmarks.directed.estimates``: what one estimate costs, and its share of a search.

Greedy search on models without the error, until it has stored some states. What the search takes for as many states
without an estimate is taken off."""

from __future__ import annotations

import argparse
import sys

from benchmarks.directed import families
from benchmarks.directed.families import Instance

from beeline import check
from beeline.checking import Result
from beeline.engine import Limits
from beeline.heuristics import HeuristicError

ESTIMATES = ("dL", "dU", "hL", "hU", "hADD", "hFF", "hCG", "hCEA")


def main() -> int:
    parser = argparse.ArgumentParser("python -m benchmarks.directed.estimates", description=__doc__)
    parser.add_argument("--states", type=int, default=2000)
    parser.add_argument("--only", default="*")
    options = parser.parse_args()
    print("| instance | " + " | ".join(ESTIMATES) + " |")
    print("|---" * (len(ESTIMATES) + 1) + "|")
    for instance in families.correct(options.only):
        cells = [_cost(instance, estimate, options.states) for estimate in ESTIMATES]
        print(f"| {instance.name} | " + " | ".join(cells) + " |", flush=True)
    return 0


def _cost(instance: Instance, estimate: str, states: int) -> str:
    """Microseconds for one estimate, and per cent of the search."""
    try:
        with_it, without = (_best(instance, name, states) for name in (estimate, "blind"))
    except HeuristicError:
        return "n/a"
    taken = with_it.statistics.seconds - without.statistics.seconds
    asked = with_it.statistics.evaluated
    share = max(0.0, taken) / max(with_it.statistics.seconds, 1e-9)
    return f"{1e6 * max(0.0, taken) / max(asked, 1):.1f} ({share:.0%})"


def _best(instance: Instance, heuristic: str, states: int) -> Result:
    """The quickest of three."""
    limits = Limits(states=states, time=20)
    runs = (
        check(instance.file, instance.asked, search="greedy", heuristic=heuristic, limits=limits, shrink="none")
        for _ in range(3)
    )
    return min(runs, key=lambda result: result.statistics.seconds)


if __name__ == "__main__":
    sys.exit(main())
