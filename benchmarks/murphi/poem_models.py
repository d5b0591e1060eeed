"""POeM's table of other models: ours, and those of CMurphi's examples that have its numbers of states."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.beem.tables import grouped, table
from benchmarks.murphi.models import FOLDER

from beeline import check, explore
from beeline.languages.murphi import load_murphi


class Compared(NamedTuple):
    """A model under its name in the paper, with the states published: all, and those left by syntax and by proofs."""

    name: str
    model: str
    constants: dict[str, str]
    published: str

    def __str__(self) -> str:
        return " ".join([Path(self.model).name, *(f"{key}={value}" for key, value in self.constants.items())])


OURS = (
    Compared("Bakery", "bakery.m", {}, "157, 157, 119"),
    Compared("Burns", "burns.m", {"N": "4"}, "82,010, 82,010, 69,815"),
    Compared("Dekker", "dekker.m", {}, "100, 100, 90"),
    Compared("Dijkstra6", "dijkstra.m", {"N": "4"}, "11,664, 11,664, 4,900"),
    Compared("DP6", "philosophers.m", {"N": "6"}, "1,152, 1,152, 90"),
    Compared("DP10", "philosophers.m", {"N": "10"}, "125,952, 125,952, 823"),
    Compared("Peterson2", "peterson.m", {"N": "2"}, "26, 26, 24"),
    Compared("Peterson4", "peterson.m", {"N": "4"}, "22,281, 22,281, 14,721"),
    Compared("Leader1", "leader.m", {"N": "5"}, "683, 683, 21"),
    Compared("Leader2", "leader.m", {"N": "5", "CELLS": "2"}, "12,651, 12,651, 12,651"),
    Compared("FLASH", "flash.m", {"NODES": "2"}, "6,336, -, 6,336"),
)
PUBLIC = (
    Compared("Dekker", "mux/dek.m", {}, "100, 100, 90"),
    Compared("DP6", "others/dp4.m", {"N": "6"}, "1,152, 1,152, 90"),
    Compared("DP10", "others/dp4.m", {"N": "10"}, "125,952, 125,952, 823"),
    Compared("Peterson2", "mux/2_peterson.m", {}, "26, 26, 24"),
    Compared("Peterson4", "mux/n_peterson.m", {"N": "4"}, "22,281, 22,281, 14,721"),
)
"""In the folder `ex` of CMurphi."""
WAYS = (("seeds", "syntax"), ("seeds", "index"), ("seeds", "smt"), ("stubborn", "smt"))


def poem_models(examples: Path | None, words: Sequence[str]) -> str:
    """Of each model: all states, folded ones, and those that are left depth first by each reduction and tier."""
    cases = [(FOLDER, one) for one in OURS]
    if examples is not None:
        cases += [(examples, one) for one in PUBLIC]
    rows = []
    for folder, one in cases:
        if any(word in f"{one.name} {one}" for word in words):
            rows.append(row(folder, one))
            print(" | ".join(rows[-1]), flush=True)
    ways = (f"{reduction}, {tier}" for reduction, tier in WAYS)
    return table(("", "model", "states", "folded", *ways, "published"), rows)


def row(folder: Path, one: Compared) -> tuple[str, ...]:
    network = load_murphi(folder / one.model, one.constants)
    plain, folded = (explore(network, symmetry=way) for way in ("none", "exact"))
    counts = (plain.statistics.stored, folded.statistics.stored)
    cells = []
    for reduction, tier in WAYS:
        before = time.process_time()
        found = check(network, "safety", search="dfs", symmetry="exact", reduce=reduction, dependence=tier)
        assert found.verdict == "holds"
        cells.append(f"{grouped(found.statistics.stored)} ({time.process_time() - before:.1f} s)")
    return (one.name, str(one), *map(grouped, counts), *cells, one.published)
