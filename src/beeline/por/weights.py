"""The order in which steps are tried as seeds of a set to keep. It decides how much is left out, never the answer."""

from __future__ import annotations

from beeline.analysis.dependence import Dependence, compare
from beeline.model.semantics import Semantics


def seeds(dependence: Dependence, finishes: bool) -> list[int]:
    """The edges, those first that look at few variables; with `finishes`, before that, those that come late."""
    late = levels(dependence) if finishes else [0] * len(dependence.edges)
    return sorted(
        range(len(dependence.edges)), key=lambda position: (-late[position], _references(dependence, position))
    )


def _references(dependence: Dependence, position: int) -> int:
    own = dependence.edges[position].own
    return (own.reads | own.writes).bit_count() if min(own.reads, own.writes) >= 0 else len(dependence.edges)


def levels(dependence: Dependence) -> list[int]:
    """For each edge how many others, one after the other, must be taken at least before it: 0 for what begins a
    transaction, most for what ends one. Several that are needed count as the one that takes longest."""
    start = Semantics(dependence.network).initial_states()
    cells = dependence.program.layout.encode(start[0]) if start else [0] * len(dependence.program.layout.cells)
    needs = [_needs(dependence, position, cells) for position in range(len(dependence.edges))]
    found: dict[int, int] = {}
    level = 0
    while True:
        fresh = [
            position
            for position, sets in enumerate(needs)
            if position not in found and all(any(other in found for other in needed) for needed in sets)
        ]
        if not fresh:
            return [found.get(position, level) for position in range(len(needs))]
        found.update(dict.fromkeys(fresh, level))
        level += 1


def _needs(dependence: Dependence, position: int, cells: list[int]) -> list[frozenset[int]]:
    """Sets of edges of each of which one must come first, as far as the beginning tells."""
    facts = dependence.edges[position]
    kind = dependence.network.processes[dependence.configuration.kinds[facts.process]]
    needed = [
        test.makers
        for test in dependence.tests(position)
        if not test.after_first and not compare(cells[test.cell], test.operator, test.value)
    ]
    if facts.source != kind.initial:
        needed.append(dependence.entering(facts.process, facts.source))
    return needed
