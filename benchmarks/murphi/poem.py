"""The tables of POeM's paper on our German: states under reduction by seeds and by transactions, folded by symmetry."""

from __future__ import annotations

import time

from benchmarks.beem.tables import grouped, table
from benchmarks.murphi.models import FOLDER

from beeline import check
from beeline.languages.murphi import load_murphi

PUBLISHED = {"6": (13_270, 4_485, 2_521), "8": (81_413, 20_104, 8_098), "10": (378_236, 69_613, 20_968)}
"""States without reduction, with weights by variables, with weights by transactions, none of them strengthened."""
WAYS = (
    ("none", "index"), ("seeds", "syntax"), ("seeds", "index"), ("seeds", "smt"), ("transactions", "index"),
    ("transactions", "smt"), ("stubborn", "smt"),
)  # fmt: skip


def poem(sizes: tuple[str, ...]) -> str:
    """For each number of clients: states stored depth first by each reduction and tier, and what was published."""
    rows = []
    for size in sizes:
        network = load_murphi(str(FOLDER / "german.m"), {"N": size})
        cells = []
        for reduction, tier in WAYS:
            before = time.process_time()
            found = check(network, "safety", search="dfs", symmetry="exact", reduce=reduction, dependence=tier)
            seconds = time.process_time() - before
            cells.append(f"{grouped(found.statistics.stored)} ({found.verdict}, {seconds:.1f} s)")
        rows.append((size, *cells, ", ".join(map(grouped, PUBLISHED[size]))))
        print(" | ".join(rows[-1]), flush=True)
    return table(("clients", *(f"{reduction}, {tier}" for reduction, tier in WAYS), "published"), rows)
