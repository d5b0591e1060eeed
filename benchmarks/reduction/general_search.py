"""The tables of Bosnacki, Leue and Lluch-Lafuente, Partial-order reduction for general state exploring algorithms,
SPIN 2006, on models of ours."""

from __future__ import annotations

from .measure import Model, explore_all, seek
from .report import exceeding, relation, table

CONDITIONS = ("none", "ample:none", "ample:visited", "ample:static", "ample:closed", "stubborn")
WHOLE = {
    Model("marriers", (("N", "3"), ("FIXED", "1"))): "marriers(3) | 96295 | 29501 | 56345 | 57067 | 29501 | -",
    Model("leader", (("N", "6"),)): "leader(6) | 445776 | 3160 | 5209 | 11921 | 3160 | -",
    Model("giop", (("N", "2"), ("M", "1"), ("CALLS", "1"), ("FIXED", "1"))): (
        "giop(2,1) | 664376 | 65964 | 209382 | 231102 | 66160 | -"
    ),
}
FAULTY = {
    Model("marriers", (("N", "4"),)): "marriers(4) | 225404 | 37220 | 100278 | 37220 | 58500 | - | 155894",
    Model("pots"): "pots | 6654 | 5429 | 5574 | 5429 | 5429 | - | 22786",
    Model("leader", (("N", "8"), ("FAULTY", "1"))): "leader(8) | 558214 | 104 | 104 | 104 | 104 | - | 128",
    Model("giop", (("N", "2"), ("M", "1"), ("CALLS", "1"))): (
        "giop(3,1) | 485907 | 90412 | 314964 | 191805 | 117846 | - | 120132"
    ),
}


def whole_spaces() -> str:
    """Table 1."""
    rows: list[list[object]] = []
    measured: dict[Model, dict[str, int]] = {}
    for model, published in WHOLE.items():
        network = model.network()
        counts = {way: explore_all(network, "bfs", way).statistics.stored for way in CONDITIONS}
        measured[model] = counts
        rows += [[model, *counts.values()], [*published.split(" | ")]]

    def more(one: str, other: str, factor: float = 1.0) -> list[str]:
        return exceeding((model, counts[one], factor * counts[other]) for model, counts in measured.items())

    return table(
        "General search, Table 1: the whole space, breadth first",
        "States stored under the cycle conditions; the published row below each of ours.",
        ["model", *CONDITIONS],
        rows,
        relation(
            "`closed` stores as many states as no condition at all, or less than 2 % more",
            more("ample:closed", "ample:none", 1.02),
        ),
        relation(
            "`closed` stores fewest of the sound conditions",
            more("ample:closed", "ample:visited") + more("ample:closed", "ample:static"),
        ),
        relation("`visited` stores fewer than `static`", more("ample:visited", "ample:static")),
        relation("`stubborn` stores no more than `closed`", more("stubborn", "ample:closed")),
    )


def faults() -> str:
    """Table 2, with the lengths of traces."""
    rows: list[list[object]] = []
    stored: dict[Model, list[int]] = {}
    lengths: dict[Model, list[int]] = {}
    for model, published in FAULTY.items():
        network = model.network()
        results = [seek(network, "astar", way, model.estimate) for way in CONDITIONS] + [
            seek(network, "bfs", "ample:closed")
        ]
        stored[model] = [result.statistics.stored for result in results]
        lengths[model] = [len(result.trace or ()) for result in results]
        cells = [f"{count} ({length})" for count, length in zip(stored[model], lengths[model], strict=True)]
        rows += [[model, *cells], [*published.split(" | ")]]
    return table(
        "General search, Table 2: finding a fault by A*",
        "States stored, and in brackets steps of the trace, by A* with `active` for deadlocks and `hL` for assertions\n"
        "(pots, leader); last, breadth-first search with `ample:closed`. The published row is below each of ours.",
        ["model", *CONDITIONS, "bfs, ample:closed"],
        rows,
        relation(
            "Every condition reduces under A*",
            exceeding((model, max(row[2:6]), row[0]) for model, row in stored.items()),
        ),
        relation(
            "`closed` stores fewer than `visited`",
            exceeding((model, row[4], row[2]) for model, row in stored.items()),
        ),
        relation(
            "A* with `closed` stores fewer states than breadth-first search with it",
            exceeding((model, row[4], row[6]) for model, row in stored.items()),
        ),
        relation(
            "Traces under reduction are as long as without it",
            exceeding((model, max(row[1:6]), row[0]) for model, row in lengths.items()),
        ),
    )
