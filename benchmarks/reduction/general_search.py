"""The tables of Bosnacki, Leue and Lluch-Lafuente, Partial-order reduction for general state exploring algorithms,
SPIN 2006, on models of ours."""

from __future__ import annotations

from .measure import Model, explore_all, seek
from .report import relation, table

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
    measured: list[list[int]] = []
    for model, published in WHOLE.items():
        network = model.network()
        counts = [explore_all(network, "bfs", way).statistics.stored for way in CONDITIONS]
        measured.append(counts)
        rows += [[model, *counts], [*published.split(" | ")]]
    return table(
        "General search, Table 1: the whole space, breadth first",
        "States stored under the cycle conditions; the published row below each of ours.",
        ["model", *CONDITIONS],
        rows,
        relation(
            "`closed` stores as many states as no condition at all, or less than 2 % more",
            all(closed <= 1.02 * none for _, none, _, _, closed, _ in measured),
        ),
        relation(
            "`closed` stores fewest of the sound conditions",
            all(closed <= min(visited, static) for _, _, visited, static, closed, _ in measured),
        ),
        relation(
            "`visited` stores fewer than `static`",
            all(visited <= static for _, _, visited, static, _, _ in measured),
        ),
        relation("`stubborn` stores no more than `closed`", all(row[5] <= row[4] for row in measured)),
    )


def faults() -> str:
    """Table 2, with the lengths of traces."""
    rows: list[list[object]] = []
    stored: list[list[int]] = []
    lengths: list[list[int]] = []
    for model, published in FAULTY.items():
        network = model.network()
        results = [seek(network, "astar", way, model.estimate) for way in CONDITIONS] + [
            seek(network, "bfs", "ample:closed")
        ]
        stored.append([result.statistics.stored for result in results])
        lengths.append([len(result.trace or ()) for result in results])
        cells = [f"{count} ({length})" for count, length in zip(stored[-1], lengths[-1], strict=True)]
        rows += [[model, *cells], [*published.split(" | ")]]
    return table(
        "General search, Table 2: finding a fault by A*",
        "States stored, and in brackets steps of the trace, by A* with `active` for deadlocks and `hL` for assertions\n"
        "(pots, leader); last, breadth-first search with `ample:closed`. The published row is below each of ours.",
        ["model", *CONDITIONS, "bfs, ample:closed"],
        rows,
        relation("Every condition reduces under A*", all(max(row[2:6]) <= row[0] for row in stored)),
        relation(
            "`closed` stores fewer than `visited`",
            all(row[4] <= row[2] for row in stored),
        ),
        relation(
            "A* with `closed` stores fewer states than breadth-first search with it",
            all(row[4] <= row[6] for row in stored),
            "All but leader do; there so little is left that the estimate has nothing to choose from.",
        ),
        relation(
            "Traces under reduction are as long as without it, but for leader",
            all(len(set(row[:6])) == 1 for row in lengths if row is not lengths[2]),
        ),
    )
