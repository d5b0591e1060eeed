"""The tables of Edelkamp, Leue and Lluch-Lafuente, Partial-order reduction and trail improvement in directed model
checking, STTT 6, 2004, on models of ours. Its Table 3 is about liveness."""

from __future__ import annotations

from benchmarks.public import equal_leader

from beeline.checking import Result
from beeline.checking.shorter import search_shorter
from beeline.languages import load
from beeline.model.network import Network
from beeline.properties import SAFETY
from beeline.trace.grouping import group
from beeline.trace.reorder import reorder
from beeline.trace.slicing import slice_trail
from beeline.trace.trail import Trail, trail_of

from .measure import LIMITS, Model, seek
from .report import exceeding, relation, table

GIOP = Model("giop", (("N", "2"), ("M", "1"), ("CALLS", "1")))
MARRIERS = Model("marriers", (("N", "4"),))
LEADER = Model("leader", (("N", "8"), ("FAULTY", "1")))
POTS = Model("pots")
SILENT_POTS = Model("pots", (("CALLS", "1"),))  # its fault is a deadlock: a state to aim at

SHORTENED = {
    MARRIERS: (
        "marriers(4) | 407009 (121) | 26545 (99) | 225404 (66) | 126479 (121) | 1754408 (121)"
        " | 1042407 (77) | 1042407 (66) | 66"
    ),
    SILENT_POTS: "pots | 118099 (897) | 988 (89) | 13865 (81) | 4432 (89) | 14714 (88) | 313677 (428) | o.t. | -",
    LEADER: "leader(8) | 36 (71) | 10733 (71) | 3161 (69) | 10773 (71) | 3173 (71) | o.m. (68) | o.m. (68) | 68",
    GIOP: ("giop(2,1) | 218 (134) | 988 (67) | 30629 (65) | 23518 (134) | 446689 (134) | 58703 (58) | 58703 (58) | 58"),
}
DIRECTED = {
    MARRIERS: "marriers(4) | 26545 (99) | 10348 (99) | 20049 (99) | 10348 (99)",
    POTS: "pots | 6654 (81) | 5429 (81) | 5574 (81) | 5429 (81)",
    LEADER: "leader(8) | 558214 (76) | 104 (119) | 104 (119) | 97 (96)",
    GIOP: "giop(2,1) | 29915 (58) | 5683 (58) | 17703 (58) | 11981 (58)",
}
FACTORS = {
    Model("marriers", (("N", "3"),)): "marriers(3) | 1.1 | 1.2 | 2.3 | 2.3 | 5.9",
    POTS: "pots | 3.7 | 4.2 | 1.1 | 1.2 | 4.5",
    LEADER: "leader(8) | 43.2 | 1.9 | 109.1 | 4.9 | 210.4",
    GIOP: "giop(2,1) | 2.6 | 2.5 | 1.4 | 1.3 | 3.4",
}
REORDERED = {
    3: "51 / 49 | 49 / 46 | 49 / 46 | - | 46 | - | -",
    4: "66 / 55 | 63 / 53 | 56 / 53 | - | 52 | - | -",
    5: "80 / 59 | 77 / 59 | 66 / 59 | - | 56 | - | -",
    6: "94 / 63 | 91 / 63 | 76 / 63 | - | 60 | - | -",
    7: "108 / 67 | 105 / 67 | 86 / 67 | - | 64 | - | -",
    8: "122 / 71 | 119 / 71 | 96 / 71 | - | 68 | - | -",
}
REORDERED_HEAD = ("leader", "dfs, stack", "A*, duplicate", "A*, static", "--slice", "shortest", "switches", "--group")
SAME_END = {
    SILENT_POTS: "pots | 118012 (897) | 19366 (88) | 20999 (88)",
    GIOP: "giop(2,1) | 326 (134) | 204416 (134) | 446689 (134)",
}


def cell(result: Result) -> str:
    """States stored and, in brackets, steps of the trace."""
    found = f" ({len(result.trace)})" if result.trace is not None else ""
    return f"{'' if found else '> '}{result.statistics.stored}{found}"


def length(result: Result) -> int:
    """Steps of the trace; of none, more than of any."""
    return 10**9 if result.trace is None else len(result.trace)


def trail_from(network: Network, result: Result) -> Trail:
    assert result.trace is not None
    return trail_of(network, result.trace.states, bool(result.trace.steps[-1].error))


def shortened() -> str:
    """Tables 1 and 2."""
    rows: list[list[object]] = []
    aims: list[tuple[object, int, int]] = []
    by_fsm: list[tuple[object, int, int]] = []
    deepest: list[tuple[object, int, int]] = []
    for model, published in SHORTENED.items():
        network = model.network()
        found = seek(network, "dfs", "none")
        trail = trail_from(network, found)
        any_fault = [search_shorter(trail, SAFETY, heuristic=name, limits=LIMITS) for name in ("hamming", "fsm")]
        has_end = trail.steps[-1].error is None
        same_end = [
            search_shorter(trail, SAFETY, to="state", heuristic=name, limits=LIMITS)
            for name in (("hamming", "fsm") if has_end else ())
        ]
        by_depth = [seek(network, name, "none") for name in ("idfs", "adfs")]
        shortest = seek(network, "bfs", "none")
        cells = [cell(found), *map(cell, any_fault), *(map(cell, same_end) if has_end else "--"), *map(cell, by_depth)]
        rows += [[model, *cells, len(shortest.trace or ()) or "-"], [*published.split(" | ")]]
        aims += [(model, length(a), length(b)) for a, b in zip(any_fault, same_end, strict=False)]
        by_fsm.append((model, length(any_fault[1]), length(any_fault[0])))
        if by_depth[1].trace is not None:
            deepest.append((model, length(by_depth[1]), length(shortest)))
    return table(
        "Trails, Tables 1 and 2: searched shorter",
        "States stored, and in brackets steps of the trace: depth first; from there A* by `hamming` and by `fsm`, to\n"
        "any fault and then to the state where the trail ends; `idfs`; `adfs`; and the steps of a shortest trace. A\n"
        "failing step leads to no state: leader has nothing to aim at. The published row is below each of ours.",
        ["model", "dfs", "hamming", "fsm", "hamming, same state", "fsm, same state", "idfs", "adfs", "shortest"],
        rows,
        relation("To aim at any fault gives traces as short as to aim at the same state, or shorter", exceeding(aims)),
        relation("`fsm` gives traces as short as `hamming`, or shorter", exceeding(by_fsm)),
        relation("`adfs` finds a shortest trace where it comes to an end", exceeding(deepest)),
    )


def directed() -> str:
    """Table 4."""
    ways = ("none", "ample:none", "ample:duplicate", "ample:static")
    rows: list[list[object]] = []
    reduced: list[tuple[object, int, int]] = []
    by_static: list[tuple[object, int, int]] = []
    longer: list[tuple[object, int, int]] = []
    for model, published in DIRECTED.items():
        network = model.network()
        results = [seek(network, "astar", way, model.estimate) for way in ways]
        rows += [[model, *map(cell, results)], [*published.split(" | ")]]
        stored = [each.statistics.stored for each in results]
        reduced.append((model, max(stored), stored[0]))
        by_static.append((model, stored[3], stored[2]))
        longer.append((model, max(map(length, results)), length(results[0])))
    return table(
        "Trails, Table 4: A* with reduction",
        "States stored, and in brackets steps of the trace. The published row is below each of ours.",
        ["model", *ways],
        rows,
        relation("Both sound conditions reduce", exceeding(reduced)),
        relation("No trace gets longer but that of leader", exceeding(row for row in longer if row[0] != LEADER)),
        relation("`static` is as good as `duplicate`, or better", exceeding(by_static)),
    )


def factors() -> str:
    """Table 5."""
    rows: list[list[object]] = []
    alone: list[tuple[object, float, float]] = []
    for model, published in FACTORS.items():
        network = model.network()
        plain, reduced, directed_only, both = (
            seek(network, search, way, model.estimate if search == "astar" else None).statistics.stored
            for search, way in (
                ("bfs", "none"),
                ("bfs", "ample:duplicate"),
                ("astar", "none"),
                ("astar", "ample:duplicate"),
            )
        )
        quotients = (
            plain / directed_only,
            reduced / both,
            plain / reduced,
            directed_only / both,
            plain / both,
        )
        rows += [[model, *(f"{quotient:.1f}" for quotient in quotients)], [*published.split(" | ")]]
        alone.append((model, round(max(quotients[0], quotients[2]), 1), round(quotients[4], 1)))
    return table(
        "Trails, Table 5: reduction and heuristic together",
        "How many times fewer states are stored: by the heuristic (A* instead of breadth first), by the heuristic\n"
        "given `ample:duplicate`, by the reduction, by the reduction given the heuristic, by both. The last is the\n"
        "product of the first and the fourth; the published 5.9 for marriers is not (1.1 * 2.3 is 2.5): a misprint.",
        ["model", "heuristic", "given reduction", "reduction", "given heuristic", "both"],
        rows,
        relation("Both together leave fewer states than either alone", exceeding(alone)),
    )


def reordering() -> str:
    """Table 6 on our leader election, and what goes beyond it."""
    return table(
        "Trails, Table 6: reordering",
        "The leader election with equal numbers: steps before and after `--reorder`, depth first with `ample:stack`\n"
        "and by A* with `ample:duplicate` and `ample:static`; the first after `--slice`; the shortest; and switches\n"
        "between processes of the first before and after `--group`.",
        REORDERED_HEAD,
        *reordered({size: _our_leader(size) for size in REORDERED}),
    )


def reordering_original() -> str:
    """Table 6 on SPIN's own leader election."""
    files = {size: file for size in REORDERED if (file := equal_leader(size)) is not None}
    networks = {size: load(file) for size, file in files.items()}
    return table(
        "Trails, Table 6, on SPIN's model: reordering",
        "The same on `leader0.pml` of SPIN's examples, in which every node is given the greatest number.",
        REORDERED_HEAD,
        *reordered({size: network for size, network in networks.items() if isinstance(network, Network)}),
    )


def _our_leader(size: int) -> Network:
    return Model("leader", (("N", str(size)), ("FAULTY", "1"))).network()


def reordered(networks: dict[int, Network]) -> tuple[list[list[object]], str, str]:
    """The rows of Table 6 and what is said about them; lengths under A* are compared with the published ones."""
    rows: list[list[object]] = []
    too_long: list[tuple[object, int, int]] = []
    others: list[str] = []
    for size, network in networks.items():
        shortest = seek(network, "bfs", "none")
        ways = [
            ("dfs", "ample:stack", None),
            ("astar", "ample:duplicate", "hL"),
            ("astar", "ample:static", "hL"),
        ]
        trails = [trail_from(network, seek(network, *way)) for way in ways]
        shorter = [reorder(trail, SAFETY) for trail in trails]
        too_long += [(f"{size} nodes", len(trail) - length(shortest), 3) for trail in shorter]
        changed = [f"{len(trail)} / {len(after)}" for trail, after in zip(trails, shorter, strict=True)]
        sliced = slice_trail(trails[0], SAFETY)
        switches = [trails[0].switches, group(trails[0], SAFETY).switches]
        published = REORDERED[size].split(" | ")
        ours, theirs = [len(trail) for trail in trails[1:]], [int(cell.split(" /")[0]) for cell in published[1:3]]
        others += [f"{size} nodes, {ours} and {theirs}"] if ours != theirs else []
        rows += [
            [f"{size} nodes", *changed, len(sliced), len(shortest.trace or ()) or "-", *switches],
            ["published", *published],
        ]
    return (
        rows,
        relation("`--reorder` comes within 3 steps of the shortest", exceeding(too_long)),
        relation("Traces under A* with reduction are as long as the published ones", others),
    )


def same_end() -> str:
    """Table 7."""
    rows: list[list[object]] = []
    reductions: list[tuple[object, int, int]] = []
    for model, published in SAME_END.items():
        network = model.network()
        found = seek(network, "dfs", "ample:stack")
        trail = trail_from(network, found)
        reduced, plain = (
            search_shorter(trail, SAFETY, to="state", heuristic="fsm", reduce=way, limits=LIMITS)
            for way in ("ample:duplicate", "none")
        )
        rows += [[model, cell(found), cell(reduced), cell(plain)], [*published.split(" | ")]]
        reductions.append((model, reduced.statistics.stored, plain.statistics.stored))
    return table(
        "Trails, Table 7: the same state under reduction",
        "States stored, and in brackets steps of the trace: depth first with `ample:stack`, then A* by `fsm` to the\n"
        "state where that trail ends, with `ample:duplicate` and without. Nearly every step is seen by such a goal.",
        ["model", "dfs, stack", "A*, duplicate", "A*"],
        rows,
        relation("The reduction leaves no more states than there are without it", exceeding(reductions)),
    )
