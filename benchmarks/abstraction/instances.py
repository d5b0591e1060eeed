"""The families of the paper, as re-created in models/uppaal: arbiter trees, Towers of Hanoi, random systems, and two
after its case studies."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from benchmarks.folders import MADE, ROOT

from beeline import Network
from beeline.languages.uppaal import load_text

GENERATORS = ROOT / "models" / "uppaal"


@dataclass(frozen=True)
class Instance:
    """A model of a family: the name that the paper gives it, and how it is made."""

    name: str
    module: str
    arguments: tuple[int, ...]
    fault: str = ""

    @cache  # noqa: B019  # few and small
    def network(self) -> Network:
        """The network with its one query. What was generated once is kept: random systems take long to find."""
        file = MADE / f"abstraction_{self.name.replace('.', '_').replace(' ', '_')}.xta"
        if not file.is_file():
            if str(GENERATORS) not in sys.path:
                sys.path.insert(0, str(GENERATORS))
            make = getattr(importlib.import_module(self.module), self.module)
            made = make(*self.arguments, fault=self.fault) if self.fault else make(*self.arguments)
            MADE.mkdir(parents=True, exist_ok=True)
            file.write_text(f"{made.xta}\nquery {{ {made.query} }}\n")
        return load_text(file.read_text())


def hanoi(*sizes: int) -> Iterator[Instance]:
    for disks in sizes:
        yield Instance(f"H{disks}", "hanoi", (disks,))


def arbiter(*sizes: int) -> Iterator[Instance]:
    for height in sizes:
        yield Instance(f"A{height}", "arbiter_tree", (height,), "repeats")


def keeping(*sizes: int) -> Iterator[Instance]:
    """Arbiter trees of later papers: the faulty client goes on working after its release."""
    for height in sizes:
        yield Instance(f"K{height}", "arbiter_tree", (height,), "keeps")


def case_studies(stations: range, trams: range) -> Iterator[Instance]:
    """In the spirit of the paper's two: mutual exclusion by messages, and trams on a single track. Both have clocks."""
    for count in stations:
        yield Instance(f"mutex {count}", "message_mutex", (count,))
    for count in trams:
        yield Instance(f"track {count}", "single_track", (count,))


def random(sizes: range, seeds: int) -> Iterator[Instance]:
    for size in sizes:
        for seed in range(1, seeds + 1):
            yield Instance(f"R{size}.{seed}", "random_network", (size, seed))
