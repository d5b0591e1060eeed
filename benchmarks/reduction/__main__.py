"""`python -m benchmarks.reduction`: reductions under searches, trails made better, and SPIN's own reduction.

python -m benchmarks.reduction --out docs/reduction-results.md

The models are ours, after those of the papers: numbers differ from the published ones, the relations should not.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from benchmarks import public

from . import costs, general_search, spin, trail_paper

SECTIONS = {
    "search-1": general_search.whole_spaces,
    "search-2": general_search.faults,
    "trails-1": trail_paper.shortened,
    "trails-4": trail_paper.directed,
    "trails-5": trail_paper.factors,
    "trails-6": trail_paper.reordering,
    "trails-6-spin": trail_paper.reordering_original,
    "trails-7": trail_paper.same_end,
    "costs": costs.overhead,
    "everywhere": costs.everywhere,
    "spin": spin.beside,
}
HEAD = """# Reductions and trails, measured

By `python -m benchmarks.reduction`, each search with a minute and five million states. The first tables stand next to
those of two papers, on models of ours that were made after theirs: Bosnacki, Leue and Lluch-Lafuente, Partial-order
reduction for general state exploring algorithms (2006), and Edelkamp, Leue and Lluch-Lafuente, Partial-order reduction
and trail improvement in directed model checking (2004). Table 3 of the latter is about traces with a loop, which there
are none of here.
"""


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", help="write the tables to this file, too")
    parser.add_argument("--only", action="append", choices=SECTIONS, help="this table alone (may be given again)")
    chosen = parser.parse_args(arguments)
    missing = {"spin": not spin.is_present(), "trails-6-spin": not public.LEADER.is_file()}
    wanted = chosen.only or [name for name in SECTIONS if not missing.get(name)]
    parts = [HEAD]
    for name in wanted:
        start = time.monotonic()
        parts.append(SECTIONS[name]())
        print(parts[-1], flush=True)
        print(f"{name}: {time.monotonic() - start:.0f} s", file=sys.stderr)
    if chosen.out:
        Path(chosen.out).write_text("\n".join(parts))
    return 0


if __name__ == "__main__":
    sys.exit(main())
