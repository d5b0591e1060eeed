"""`python -m benchmarks.gpu`: searches on a GPU next to the processor's.

    python -m benchmarks.gpu compare                     counts, verdicts and traces: `make gpu-test`
    python -m benchmarks.gpu compare --random 50 --largest 0
    python -m benchmarks.gpu rates [MODEL ...]           states per second, next to the processor and the bare table
    python -m benchmarks.gpu walks                       random walks next to `auto`, on the goals of BEEM
    python -m benchmarks.gpu goals --heuristic pdb       A* next to breadth-first search, on the goals of BEEM
    python -m benchmarks.gpu largest --philosophers 21   one large space: 3 ** N - 1 states

BEELINE_DEVICE=host runs the same on the processor, to try it.
"""

from __future__ import annotations

import argparse
import sys
from itertools import chain

from benchmarks.gpu import compare, goals, rates, walks
from benchmarks.gpu.cases import bundled, collected, named, philosophers, random_programs

from beeline.gpu import Device, find_device


def options() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser("python -m benchmarks.gpu", description="Searches on a GPU.")
    parts = parser.add_subparsers(dest="part", required=True)
    part = parts.add_parser("compare", help="counts, depths, verdicts and traces")
    part.add_argument("--largest", type=int, default=10**7, help="states of the largest model of BEEM [%(default)s]")
    part.add_argument("--random", type=int, default=1000, help="random Promela programs [%(default)s]")
    part.add_argument("--seed", type=int, default=1, help="of the first of them")
    part.add_argument("--only", nargs="+", default=[""], help="models whose names contain one of these")
    part.add_argument("--alone", action="store_true", help="in this process, one after the other")
    part.set_defaults(run=compared)
    part = parts.add_parser("rates", help="states per second")
    part.add_argument("models", nargs="*", default=rates.MODELS, help="such as at.7, or 'leader N=6'")
    part.add_argument("--seconds", type=float, default=4.0, help="of the processor, for one core and for all")
    part.add_argument(
        "--store", default="plain", choices=("plain", "hash-compact", "bitstate"), help="what is kept of states"
    )
    part.set_defaults(run=measured)
    part = parts.add_parser("walks", help="goals of BEEM by random walks")
    part.add_argument("--hard", type=float, default=10.0, help="seconds in which auto does not find a hard goal")
    part.add_argument("--seconds", type=float, default=60.0, help="of auto for each of the hard ones")
    part.add_argument("--walking", type=float, default=60.0, help="seconds of walks for each of the hard ones")
    part.set_defaults(run=lambda device, asked: walks.report(device, asked.hard, asked.seconds, asked.walking))
    part = parts.add_parser("goals", help="A* next to breadth-first search")
    part.add_argument("--heuristic", default="pdb")
    part.add_argument("--seconds", type=float, default=10.0, help="for each search [%(default)s]")
    part.add_argument("--least", type=int, default=10**5, help="states of breadth-first search [%(default)s]")
    part.set_defaults(run=lambda device, asked: goals.report(device, asked.seconds, asked.least, asked.heuristic))
    part = parts.add_parser("largest", help="one large space, whose size is known")
    part.add_argument("--philosophers", type=int, default=21)
    part.set_defaults(run=largest)
    return parser.parse_args()


def compared(device: Device, asked: argparse.Namespace) -> int:
    cases = chain(bundled(), collected(asked.largest), random_programs(asked.random, asked.seed))
    chosen = [case for case in cases if any(word in case.name for word in asked.only)]
    return compare.report(device, chosen, 2 * asked.largest or 10**6, asked.alone)


def measured(device: Device, asked: argparse.Namespace) -> int:
    return rates.report(device, map(named, asked.models), asked.seconds, asked.store)


def largest(device: Device, asked: argparse.Namespace) -> int:
    return rates.report(device, [philosophers(asked.philosophers)], 0.0)


def main() -> int:
    asked = options()
    device = find_device()
    try:
        answer: int = asked.run(device, asked)
        return answer
    finally:
        device.close()


if __name__ == "__main__":
    sys.exit(main())
