"""`python -m benchmarks.speed.tiers [--only NAME] [--largest N]`: native code next to bytecode, for docs/tiers.md.

Both tiers explore a model in turns, in processes of their own; models are compiled in a run before, whose clock tells
what that takes. Figures are medians of processor seconds; the compiler's are not in them.
"""

from __future__ import annotations

import argparse
import os
import tempfile
from collections.abc import Sequence
from statistics import median

from benchmarks.beem.tables import grouped, table
from benchmarks.speed.models import LARGE, MEDIUM, Model
from benchmarks.speed.variants import Variant, explored

BYTECODE, NATIVE, FIRST = "bytecode", "native", "first"


def tiers(model: Model, repeats: int) -> Variant:
    """A run that compiles, then both tiers in turns."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_CACHE_HOME"] = folder
        taken = {FIRST: [explored(model, "--tier=native")], BYTECODE: [], NATIVE: []}
        for _ in range(repeats):
            for tier in (BYTECODE, NATIVE):
                taken[tier].append(explored(model, f"--tier={tier}"))
    assert all(run["states"] == model.states for runs in taken.values() for run in runs)
    return Variant(model, taken)


def tiers_table(rows: Sequence[Variant]) -> str:
    """Rates, their ratio, and how long the first run waited for compilers."""
    gains = [row.value(BYTECODE, "seconds") / row.value(NATIVE, "seconds") for row in rows]
    lines = [
        (
            row.model.name,
            grouped(row.model.states),
            *(f"{row.model.states / row.value(tier, 'seconds') / 1000:,.0f}" for tier in (BYTECODE, NATIVE)),
            f"{gain:.2f}",
            f"{row.value(FIRST, 'wall') - row.value(NATIVE, 'wall'):.1f}",
        )
        for row, gain in zip(rows, gains, strict=True)
    ]
    lines.append(("median", "", "", "", f"{median(gains):.2f}", ""))
    header = (
        "model",
        "states",
        "bytecode, 1000 states/s",
        "native, 1000 states/s",
        "native / bytecode",
        "compilers, s",
    )
    return table(header, lines)


def main() -> None:
    """Prints Markdown."""
    parser = argparse.ArgumentParser("python -m benchmarks.speed.tiers")
    parser.add_argument("--only", default="", help="only models whose name contains this")
    parser.add_argument("--largest", type=int, default=4 * 10**6, metavar="N", help="only models with at most N states")
    parser.add_argument("--repeats", type=int, default=3)
    asked = parser.parse_args()
    chosen = [model for model in MEDIUM + LARGE if asked.only in model.name and model.states <= asked.largest]
    print(tiers_table([tiers(model, asked.repeats) for model in chosen]))


if __name__ == "__main__":
    main()
