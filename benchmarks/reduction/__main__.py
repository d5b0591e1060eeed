"""`python -m benchmarks.reduction`: reductions under searches, trails made better, and SPIN's own reduction.

python -m benchmarks.reduction --out docs/reduction-results.md

The models are ours, after those of the papers: numbers differ from the published ones, the relations should not.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from beeline import Network, NetworkBuilder
from beeline.properties import SAFETY
from beeline.reductions.tables import PATIENCE
from beeline.trails.grouping import group
from beeline.trails.improve import search_shorter
from beeline.trails.reorder import reorder
from beeline.trails.slicing import slice_trail
from beeline.trails.trail import trail_of

from . import spin
from .measure import NEVER, Model, explore_all, seconds_of, seek

WHOLE = (
    Model("marriers", (("N", "3"), ("FIXED", "1"))),
    Model("leader", (("N", "6"),)),
    Model("giop", (("FIXED", "1"),)),
    Model("elevator"),
    Model("philosophers", (("N", "7"), ("ORDERED", "1"))),
)
FAULTY = (
    Model("marriers", (("N", "4"),)),
    Model("pots"),
    Model("leader", (("N", "6"), ("FAULTY", "1"))),
    Model("giop"),
    Model("philosophers", (("N", "8"),)),
)
BESIDE_SPIN = (
    Model("alternating_bit"),
    Model("cache_coherence"),
    Model("elevator"),
    Model("giop", (("FIXED", "1"),)),
    Model("job_queue"),
    Model("leader", (("N", "6"),)),
    Model("marriers", (("N", "4"), ("FIXED", "1"))),
    Model("needham_schroeder", (("FIXED", "1"),)),
    Model("peterson"),
    Model("philosophers", (("N", "8"), ("ORDERED", "1"))),
    Model("sliding_window"),
    Model("two_phase_commit"),
)
AMPLE = ("none", "ample:none", "ample:visited", "ample:static", "ample:closed", "stubborn")


def table(title: str, text: str, head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    lines = [f"## {title}", "", text, "", f"| {' | '.join(head)} |", "|" + "---|" * len(head)]
    lines += [f"| {' | '.join(map(str, row))} |" for row in rows]
    return "\n".join(lines) + "\n"


def whole_spaces() -> str:
    rows = [[model, *(explore_all(model.network(), "bfs", way).statistics.stored for way in AMPLE)] for model in WHOLE]
    return table(
        "The whole space, breadth first",
        "Stored states under the cycle conditions (Table 1 of the general-search paper). There, `closed` stores 29501\n"
        "of 96295 states of marriers(3), as many as without a condition, `visited` 56345 and `static` 57067.",
        ["model", *AMPLE],
        rows,
    )


def faults() -> str:
    rows = []
    for model in FAULTY:
        network = model.network()
        results = [seek(network, "astar", way, "active") for way in AMPLE] + [seek(network, "bfs", "ample:closed")]
        rows.append([model, *(f"{r.statistics.stored} ({len(r.trace or ())})" for r in results)])
    return table(
        "Finding a fault by A*",
        "Stored states and steps of the trace, A* by `active`, and breadth-first search with `ample:closed` last\n"
        "(Table 2 of the general-search paper, Tables 5 to 7 of the trail paper).",
        ["model", *AMPLE, "bfs, ample:closed"],
        rows,
    )


def trails() -> str:
    rows = []
    for model in FAULTY:
        network = model.network()
        found = seek(network, "dfs", "none")
        assert found.trace is not None
        trail = trail_of(network, found.trace.states, bool(found.trace.steps[-1].error))
        ways = [search_shorter(trail, SAFETY, heuristic=name).trace for name in ("hamming", "fsm")]
        ways += [seek(network, name, "none").trace for name in ("idfs", "adfs", "bfs")]
        rows.append([model, len(trail), *(len(way) if way is not None else "-" for way in ways)])
    return table(
        "Shorter trails by searching",
        "Steps of the trace of depth-first search, and of those found from there: A* to any fault by `hamming` and\n"
        "`fsm`, then `idfs`, `adfs`, and the shortest (Tables 1 and 2 of the trail paper).",
        ["model", "dfs", "hamming", "fsm", "idfs", "adfs", "shortest"],
        rows,
    )


def reordering() -> str:
    rows = []
    for size in (3, 4, 5, 6):
        network = Model("leader", (("N", str(size)), ("FAULTY", "1"))).network()
        found, shortest = seek(network, "dfs", "ample"), seek(network, "bfs", "none")
        assert found.trace is not None
        assert shortest.trace is not None
        trail = trail_of(network, found.trace.states, True)
        lengths = (len(trail), len(reorder(trail, SAFETY)), len(slice_trail(trail, SAFETY)), len(shortest.trace))
        rows.append([size, *lengths, trail.switches, group(trail, SAFETY).switches])
    return table(
        "Reordering",
        "The leader election with equal numbers: the trace of depth-first search with reduction, after `--reorder`\n"
        "and after `--slice`, and the shortest (Table 4 of the trail paper: 51, 66, 80 and 94 steps come within 3 of\n"
        "46, 52, 56 and 60); switches between processes before and after `--group`.",
        ["nodes", "found", "--reorder", "--slice", "shortest", "switches", "--group"],
        rows,
    )


def beside_spin() -> str:
    rows = []
    for model in BESIDE_SPIN:
        network = model.network()
        plain, reduced = spin.stored_states(model, False), spin.stored_states(model, True)
        ours = [explore_all(network, "dfs", way) for way in ("none", "stubborn")]
        shown = [f"{found[0]} ({found[1]:.2f} s)" if found is not None else "-" for found in (plain, reduced)]
        shown += [f"{each.statistics.stored} ({each.statistics.seconds:.2f} s)" for each in ours]
        theirs = "-" if plain is None or reduced is None else f"{reduced[0] / plain[0]:.2f}"
        rows.append([model, *shown, theirs, f"{ours[1].statistics.stored / ours[0].statistics.stored:.2f}"])
    return table(
        "Beside SPIN",
        "Stored states and seconds of the whole space, depth first: `pan` with `-DNOREDUCE` and as it is (statements\n"
        "merged), ours without and with `stubborn`; and what each reduction leaves of its tool's plain space.",
        ["model", "pan", "pan reduced", "ours", "ours stubborn", "pan leaves", "ours leaves"],
        rows,
    )


def entangled(count: int = 6, top: int = 5) -> Network:
    """Processes that all write one variable: there is nothing to leave out."""
    builder = NetworkBuilder("entangled")
    builder.variable("last", 0, count - 1)
    builder.variable("value", 0, top, size=count)
    counter = builder.process("counter", parameters={"me": (0, count - 1)})
    counter.location("counts")
    counter.edge("counts", "counts", effect=f"value[me] = (value[me] + 1) % {top + 1}; last = me")
    for position in range(count):
        builder.start("counter", me=position)
    return builder.build()


def contended(count: int = 6, top: int = 4) -> Network:
    """Processes that take a lock, work and give it back, over and over; each step looks at the lock."""
    builder = NetworkBuilder("contended")
    builder.variable("lock", 0, count)
    builder.variable("value", 0, top, size=count)
    worker = builder.process("worker", parameters={"me": (1, count)})
    worker.location("waits").location("works").location("leaves")
    worker.edge("waits", "works", guard="lock == 0", effect="lock = me")
    worker.edge("works", "leaves", guard="lock == me", effect=f"value[me - 1] = (value[me - 1] + 1) % {top + 1}")
    worker.edge("leaves", "waits", guard="lock == me", effect="lock = 0")
    worker.edge("waits", "waits", effect="lock = lock")
    for position in range(count):
        builder.start("worker", me=position + 1)
    return builder.build()


def overhead() -> str:
    """Both with the usual patience and without any rest."""
    ways = [("none", PATIENCE), *((name, patience) for name in ("stubborn", "ample") for patience in (NEVER, PATIENCE))]
    rows = []
    for network in (entangled(), contended()):
        plain, *others = seconds_of(network, "bfs", ways)
        stored = {explore_all(network, "bfs", name, patience).statistics.stored for name, patience in ways}
        assert len(stored) == 1, "something was left out"
        rows.append(
            [network.name, *stored, f"{plain:.3f} s", *(f"{100 * (took / plain - 1):.0f} %" for took in others)]
        )
    return table(
        "What it costs where there is nothing to leave out",
        "More seconds than without reduction, breadth first; each reduction looks at every state, and then as it usually\n"
        f"does: at one in sixteen after {PATIENCE} in a row of which nothing could be left out.",
        ["network", "states", "none", "stubborn, every state", "stubborn", "ample, every state", "ample"],
        rows,
    )


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", help="write the tables to this file, too")
    parser.add_argument("--no-spin", action="store_true", help="leave out the comparison with SPIN")
    chosen = parser.parse_args(arguments)
    parts = [whole_spaces(), faults(), trails(), reordering(), overhead()]
    if spin.is_present() and not chosen.no_spin:
        parts.append(beside_spin())
    text = "# Reductions and trails, measured\n\nBy `python -m benchmarks.reduction`.\n\n" + "\n".join(parts)
    print(text)
    if chosen.out:
        Path(chosen.out).write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
