"""Sticky edges: those without which nothing goes round for ever (Kurshan, Levin, Minea, Peled and Yenigün, Static
partial order reduction, TACAS 1998).

A run that comes back to a state has taken each process round its graph, so it is enough to name an edge in each cycle
of each graph. But it has also put as many messages into each channel as it has taken out. So who goes round by taking
messages does that only while somebody else goes round by sending them, and one of the two need be named. In a ring,
one process is enough.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from beeline.automata.graph import components
from beeline.model.network import Edge, Receive, Send
from beeline.model.statements import Terminate

if TYPE_CHECKING:
    from beeline.analysis.dependence import Dependence

Place = tuple[int, int]

EFFORT = 300_000
"""Edges that may be looked at until what is found so far is good enough."""


def closing_edges(dependence: Dependence) -> frozenset[int]:
    """One edge in each cycle of each process's graph."""
    found: set[int] = set()
    for process in range(len(dependence.configuration)):
        _find_closing(dependence, process, found)
    return frozenset(found)


def _find_closing(dependence: Dependence, process: int, found: set[int]) -> None:
    """Depth first: the edges that lead back onto the path."""
    sizes = len(dependence.network.processes[dependence.configuration.kinds[process]].locations)
    seen: set[int] = set()
    for root in range(sizes):
        if root in seen:
            continue
        seen.add(root)
        path = {root}
        stack = [(root, iter(dependence.leaving(process, root)))]
        while stack:
            location, edges = stack[-1]
            position = next(edges, None)
            if position is None:
                stack.pop()
                path.remove(location)
                continue
            target = dependence.edges[position].target
            if target in path:
                found.add(position)
            elif target not in seen:
                seen.add(target)
                path.add(target)
                stack.append((target, iter(dependence.leaving(process, target))))


def sticky_edges(dependence: Dependence) -> frozenset[int]:
    """Edges of which each run that comes back to a state takes one; as few as are easily found."""
    rounds = _Rounds(dependence)
    left = rounds.without(frozenset())
    closing = closing_edges(dependence) & left
    by_process: dict[int, frozenset[int]] = {}
    for position in closing:
        number = dependence.edges[position].process
        by_process[number] = by_process.get(number, frozenset()) | {position}
    # Who goes round without anybody's messages must be named.
    alone = rounds.alone(left)
    found = frozenset(position for position in closing if dependence.edges[position].process in alone)
    left = rounds.without(found)
    while left:
        able = {dependence.edges[position].process for position in left}
        choices = [(rounds.without(found | by_process[number]), number) for number in sorted(able)]
        if rounds.effort > EFFORT:
            return closing
        left, number = min(choices, key=lambda choice: len(choice[0]))
        found |= by_process[number]
    for position in sorted(found):
        if rounds.effort <= EFFORT and not rounds.without(found - {position}):
            found -= {position}
    return found


class _Rounds:
    """Which edges a run that comes back to a state may take."""

    def __init__(self, dependence: Dependence) -> None:
        self.effort = 0
        self._edges = dependence.edges
        # Who ends does not come back: the configuration is one in which nobody is started any more.
        self._lasting = frozenset(i for i, facts in enumerate(self._edges) if not _ends_process(facts.edge))
        self._others = dict(_other_ends(dependence))

    def without(self, named: frozenset[int]) -> frozenset[int]:
        """Those that it may take if it takes none of those that are named."""
        left = self._lasting - named
        while True:
            self.effort += len(left)
            round_again = self._on_cycles(left)
            kept = frozenset(i for i in round_again if i not in self._others or self._others[i] & round_again)
            if kept == left:
                return left
            left = kept

    def alone(self, left: frozenset[int]) -> set[int]:
        """The processes that can go round by edges that need no other process."""
        return {self._edges[i].process for i in self._on_cycles(i for i in left if i not in self._others)}

    def _on_cycles(self, positions: Iterable[int]) -> frozenset[int]:
        """Those of some edges that lie on a cycle of their process's graph if there are no others."""
        ends = {i: self._ends(i) for i in positions}
        following: dict[Place, list[Place]] = {}
        for source, target in ends.values():
            following.setdefault(source, []).append(target)
        parts = components(following, lambda place: following.get(place, []))
        part_of = {place: number for number, part in enumerate(parts) for place in part}
        return frozenset(i for i, (source, target) in ends.items() if part_of[source] == part_of[target])

    def _ends(self, position: int) -> tuple[Place, Place]:
        """The source and the target of an edge, each with its process."""
        facts = self._edges[position]
        return (facts.process, facts.source), (facts.process, facts.target)


def _ends_process(edge: Edge) -> bool:
    return any(isinstance(statement, Terminate) for statement in edge.effect)


def _other_ends(dependence: Dependence) -> Iterator[tuple[int, frozenset[int]]]:
    """The edges that take a message that somebody sends, or send one that somebody must take, with those who may."""
    sending: dict[int, set[int]] = {}
    taking: dict[int, set[int]] = {}
    for position, facts in enumerate(dependence.edges):
        table = sending if isinstance(facts.edge.sync, Send) else taking
        for which in facts.channels:
            table.setdefault(which, set()).add(position)
    channels = dependence.footprints.channels
    for position, facts in enumerate(dependence.edges):
        match facts.edge.sync:
            case Receive(keep=False):
                needed = sending
            case Send() if not dependence.network.rules.lossy:
                needed = taking
                if any(channels[which - 1].channel.broadcast for which in facts.channels):
                    continue
            case _:
                continue
        yield position, frozenset(other for which in facts.channels for other in needed.get(which, ()))
