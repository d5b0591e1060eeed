"""Ways to spoil the tables of the reducer, each of which must show in the random tests: what can be taken away without
anybody noticing is either not needed or not tested.

python -m tests.por.mutants [SECONDS] looks for seeds that show them.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

from tests.por.agreement import compare

from beeline.analysis.dependence import Dependence
from beeline.por import tables

DISTURBING, ENABLING, PAIRS = 5, 6, 7  # columns of an edge
FLAGS = 4
Spoil = Callable[[dict[str, Any]], None]


def _no_row(found: dict[str, Any]) -> int:
    found["rows"].append([])
    return len(found["rows"]) - 1


def _without_column(column: int) -> Spoil:
    def spoil(found: dict[str, Any]) -> None:
        none = _no_row(found)
        for edge in found["edges"]:
            edge[column] = none

    return spoil


def _without_flag(flag: int) -> Spoil:
    def spoil(found: dict[str, Any]) -> None:
        for edge in found["edges"]:
            edge[FLAGS] &= ~flag

    return spoil


def _no_test_makers(found: dict[str, Any]) -> None:
    none = _no_row(found)
    for test in found["tests"]:
        test[3] = none


def _tests_in_any_order(found: dict[str, Any]) -> None:
    for test in found["tests"]:
        test[4] = 0


def _no_goal_makers(found: dict[str, Any]) -> None:
    none = _no_row(found)
    for node in found["goal"]:
        if node[0] in (tables.TEST, tables.UNKNOWN):
            node[-1] = none


SPOILED: dict[str, Spoil] = {
    "disturbing": _without_column(DISTURBING),
    "enabling": _without_column(ENABLING),
    "pairs": _without_column(PAIRS),
    "makers of tests": _no_test_makers,
    "order of tests": _tests_in_any_order,
    "makers of goals": _no_goal_makers,
    "runs": _without_flag(tables.UNCERTAIN),
    "timeout": _without_flag(tables.ASKS_TIMEOUT),
    "inside": _without_flag(tables.SHOWS_INSIDE),
    "visible": _without_flag(tables.VISIBLE),
    "sticky": _without_flag(tables.STICKY),
}


@contextmanager
def mutant(name: str) -> Iterator[None]:
    """The reducer without one of the things that it is told."""
    if name == "ranks":
        with patch.object(Dependence, "_add_ranks", lambda self, facts: None):
            yield
        return
    proper = tables._Tables.tables

    def spoiled(self: tables._Tables) -> dict[str, Any]:
        found = proper(self)
        SPOILED[name](found)
        return found

    with patch.object(tables._Tables, "tables", spoiled):
        yield


MUTANTS = (*SPOILED, "ranks")


def is_caught(name: str, seed: int) -> bool:
    """Whether the comparison with plain search fails on the network of a seed."""
    with mutant(name):
        try:
            compare(seed)
        except AssertionError:
            return True
    return False


def main(seconds: float) -> None:
    for name in sys.argv[2:] or MUTANTS:
        end = time.monotonic() + seconds
        seed = 0
        found: list[int] = []
        while time.monotonic() < end and len(found) < 3:
            if is_caught(name, seed):
                found.append(seed)
            seed += 1
        print(f"{name}: seeds {found} of {seed}", flush=True)


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 60)
