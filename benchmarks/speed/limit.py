"""How near the search comes to the bare store: as many insertions, of states of the same size, in batches, and nothing
else."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

import numpy
from benchmarks.beem.tables import grouped, table
from benchmarks.speed.models import Model
from benchmarks.speed.processes import explore_alone, timed

from beeline import _native


@dataclass(frozen=True, slots=True)
class Share:
    """Processor seconds of the search, of the store for its states alone, and of the store for the targets of all its
    transitions, most of which are known."""

    model: Model
    words: int
    transitions: int
    seconds: float
    states_seconds: float
    arcs_seconds: float


def share(model: Model, core: int) -> Share:
    """The search and both streams, each in a process of its own."""
    found = explore_alone(model.path, *model.macros)
    size = [str(model.states), str(found["words"])]
    command = [sys.executable, "-m", "benchmarks.speed.limit", *size]
    states, arcs = json.loads(timed([*command, str(found["transitions"])], core).output)
    return Share(model, found["words"], found["transitions"], found["seconds"], states, arcs)


def limit_table(rows: Sequence[Share]) -> str:
    """Shares of the bare store's rate."""

    def rate(count: int, seconds: float) -> str:
        return f"{count / seconds / 1e6:.1f}"

    lines: list[tuple[object, ...]] = [
        (
            row.model.name,
            grouped(row.model.states),
            row.words,
            f"{row.transitions / row.model.states:.1f}",
            rate(row.model.states, row.seconds),
            rate(row.model.states, row.states_seconds),
            f"{row.states_seconds / row.seconds:.2f}",
            f"{row.arcs_seconds / row.seconds:.2f}",
        )
        for row in rows
    ]
    shares = (
        median(row.states_seconds / row.seconds for row in rows),
        median(row.arcs_seconds / row.seconds for row in rows),
    )
    lines.append(("median", "", "", "", "", "", *(f"{value:.2f}" for value in shares)))
    header = (
        "model",
        "states",
        "words",
        "transitions a state",
        "search, 10^6 states/s",
        "store, 10^6 states/s",
        "share of the store's rate",
        "share of time for all targets",
    )
    return table(header, lines)


def _seconds(states: numpy.ndarray[tuple[int, ...], numpy.dtype[numpy.uint32]]) -> float:
    started = time.process_time()
    _native.time_store(states)
    return time.process_time() - started


def main(states: int, words: int, transitions: int) -> None:
    """Prints the seconds of the bare store: for different states, and for a stream in which each of them comes about
    as often as transitions lead to a state."""
    chance = numpy.random.default_rng(1)
    rows = chance.integers(0, 2**32, size=(states, words), dtype=numpy.uint32)
    alone = _seconds(rows)
    # A target that was seen before was mostly seen lately: breadth-first search meets it in the same or the next layer.
    repeats = max(1, round(transitions / states))
    stretch = min(states, 1 << 16)
    places = numpy.concatenate(
        [
            first + chance.permutation(numpy.tile(numpy.arange(min(stretch, states - first)), repeats))
            for first in range(0, states, stretch)
        ]
    )
    print(json.dumps([alone, _seconds(rows[places])]))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
