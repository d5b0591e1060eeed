"""Sets of states, measured.

python -m benchmarks.symbolic circuits tree --sizes 7 15 17 19 --steps interleaving
python -m benchmarks.symbolic circuits dme --sizes 3 6 8 --steps interleaving
python -m benchmarks.symbolic counts               the bundled models
python -m benchmarks.symbolic counts --beem 100    so many instances of BEEM, the small ones first
python -m benchmarks.symbolic beyond               models that only sets finish; with --lose, where they lose
python -m benchmarks.symbolic auto                 what --engine auto takes, and what that costs
python -m benchmarks.symbolic peer                 SMV circuits next to NuSMV
python -m benchmarks.symbolic packages             the same work by several packages
"""

from __future__ import annotations

import argparse
from pathlib import Path

from benchmarks.folders import ROOT
from benchmarks.symbolic import beyond, choice, circuits, counts, packages, peer

from beeline.engine import Limits

BEEM = ROOT.parent / "shared" / "models" / "beem"


def main() -> None:
    parser = argparse.ArgumentParser("python -m benchmarks.symbolic", description=__doc__)
    parser.add_argument("what", choices=("auto", "circuits", "counts", "beyond", "packages", "peer"))
    parser.add_argument("circuit", nargs="?", choices=("tree", "ring", "dme"), default="tree")
    parser.add_argument("--sizes", type=int, nargs="+")
    parser.add_argument("--steps", choices=("interleaving", "any", "synchronous"), default="interleaving")
    parser.add_argument("--time", type=float, default=60.0, help="seconds for each search")
    parser.add_argument("--beem", type=int, default=0)
    parser.add_argument("--folder", type=Path, default=BEEM, help="where BEEM's instances are")
    parser.add_argument("--states", type=int, default=200_000, help="the most that are counted one by one")
    parser.add_argument("--lose", action="store_true")
    given = parser.parse_args()
    if given.what == "circuits":
        limits = Limits(time=given.time, memory=2 * 2**30)
        rows = circuits.table(given.circuit, given.sizes or [7, 15], given.steps, limits)
    elif given.what == "beyond":
        rows = beyond.table(given.time, given.lose)
    elif given.what == "auto":
        rows = choice.table(given.time)
    elif given.what == "peer":
        rows = peer.table(given.time)
    elif given.what == "packages":
        rows = packages.table(given.sizes or [8, 12, 16, 20])
    else:
        paths = (
            sorted(given.folder.rglob("*.dve"), key=lambda path: path.stat().st_size)
            if given.beem
            else list(counts.bundled())
        )
        counts.report(paths, given.states, given.time, given.beem or len(paths))
        return
    for row in rows:
        print(row, flush=True)


if __name__ == "__main__":
    main()
