"""Cone of influence: processes and assignments that cannot matter for what is asked are taken out.

What the property reads matters. Of what matters, all writers matter; of processes that matter, all that decides over
their steps, and who moves along with them. A process that may fail matters whatever is asked. What is left out neither
enables, nor disables, nor changes anything of what is left, so every run of the smaller network is one of the whole,
step by step, and every run of the whole without the steps of the others is one of the smaller: verdicts and the
lengths of shortest traces stay. Clarke, Grumberg and Peled, Model Checking, 1999, section 13.1.
"""

from __future__ import annotations

from beeline.model.network import Edge, Network, Process
from beeline.model.property import Property
from beeline.preprocessing.declaration import Technique
from beeline.preprocessing.layer import NOBODY, Layer, without
from beeline.preprocessing.touching import EdgeTouch, Touching
from beeline.records import replace

NAME = "cone"
StatementKey = tuple[int, int, int]  # kind, edge, position in the effect


def cone(touching: Touching, asked: Property) -> Layer | None:
    """The layer without what cannot matter; None if everything may."""
    found = _Cone(touching, asked)
    gone = [number for number, edges in enumerate(touching.edges) if edges and number not in found.kept]
    unread = found.unread_variables()
    if not gone and not unread:
        return None
    network = touching.network
    smaller = replace(network, processes=_without_statements(network, found.needless()), properties=(asked,))
    smaller = without(smaller, dict.fromkeys(gone, NOBODY))
    removed = (*(network.initial[number].name for number in gone), *unread)
    return Layer(NAME, network, smaller, asked, removed)


class _Cone:
    """The least set of processes, resources and statements that matter."""

    def __init__(self, touching: Touching, asked: Property) -> None:
        self.touching = touching
        self.kept: set[int] = set()
        self.needed: set[StatementKey] = set()
        self.relevant = touching.clock_cells
        # Statements of processes that matter, not yet needed: what they write, and whether they can be left out.
        self._waiting: list[tuple[StatementKey, int, bool]] = []
        self._reads_of: dict[StatementKey, int] = {}  # of processes that matter
        wanted = asked.sought
        watching = touching.network.monitor.edges if touching.network.monitor is not None else ()
        for looked_at in (*([] if wanted is None else [wanted]), *(edge.guard for edge in watching)):
            self.relevant |= touching.reads(looked_at)
        everyone = asked.sought is None or touching.unsupported_reason is not None
        for number in range(len(touching.edges)):
            if everyone or self._always_matters(number):
                self._keep(number)
        while self._grow():
            pass

    def _always_matters(self, number: int) -> bool:
        """It may fail, it may stop others or time itself, or others' channels are numbered after its own."""
        process = self.touching.process_of(number)
        return (
            self.touching.standing[number].fails
            or any(touch.fails for touch in self.touching.edges[number])
            or any(location.committed for location in process.locations)
            or bool(process.channels)
            or self.touching.is_timed(number)
        )

    def _keep(self, number: int) -> None:
        self.kept.add(number)
        standing = self.touching.standing[number]
        self.relevant |= standing.reads
        for touch in self.touching.edges[number]:
            self.relevant |= touch.sync.reads
            for guard in touch.guards:
                self.relevant |= guard.reads
            for position, piece in enumerate(touch.effects):
                key = (touch.kind, touch.position, position)
                self._reads_of[key] = self._reads_of.get(key, 0) | piece.reads
                # Whether one who does nothing any more ends matters only to those who can see it.
                if key in self.needed or not (piece.removable or piece.last):
                    self._need(key)
                else:
                    self._waiting.append((key, piece.writes, piece.removable))

    def _need(self, key: StatementKey) -> None:
        self.needed.add(key)
        self.relevant |= self._reads_of[key]

    def _grow(self) -> bool:
        before = len(self.kept), len(self.needed), self.relevant
        for number, writes in enumerate(self.touching.writes):
            # Who is looked at stays, even if there is nothing new to see.
            if number not in self.kept and (writes | self.touching.own_cells[number]) & self.relevant:
                self._keep(number)
        waiting, self._waiting = self._waiting, []
        for key, writes, removable in waiting:
            if key in self.needed or writes & self.relevant:
                self._need(key)
            else:
                self._waiting.append((key, writes, removable))
        return before != (len(self.kept), len(self.needed), self.relevant)

    def needless(self) -> set[StatementKey]:
        """Statements without which every process that matters does what matters."""
        return {key for key, _, removable in self._waiting if removable} - self.needed

    def unread_variables(self) -> list[str]:
        """Variables that something writes, and nothing any more."""
        before = after = 0
        needless = self.needless()
        for number, touches in enumerate(self.touching.edges):
            for touch in touches:
                before |= touch.writes
                if number in self.kept:
                    after |= self._writes_left(touch, needless)
        gone = before & ~after
        return [name for name, cells in self.touching.variables() if cells & gone and not cells & after]

    def _writes_left(self, touch: EdgeTouch, needless: set[StatementKey]) -> int:
        mask = touch.sync.writes
        for guard in touch.guards:
            mask |= guard.writes
        for position, piece in enumerate(touch.effects):
            if (touch.kind, touch.position, position) not in needless:
                mask |= piece.writes
        return mask


def _without_statements(network: Network, needless: set[StatementKey]) -> tuple[Process, ...]:
    touched = {(kind, edge) for kind, edge, _ in needless}
    found: list[Process] = []
    for kind, process in enumerate(network.processes):
        edges: list[Edge] = []
        for at, edge in enumerate(process.edges):
            if (kind, at) in touched:
                effect = tuple(one for place, one in enumerate(edge.effect) if (kind, at, place) not in needless)
                edge = replace(edge, effect=effect)
            edges.append(edge)
        found.append(replace(process, edges=tuple(edges)))
    return tuple(found)


TECHNIQUE = Technique(
    name=NAME,
    summary="takes out processes and assignments that cannot have an influence on what is asked",
    paper="Clarke, Grumberg and Peled, Model Checking, 1999",
    promises=("the same verdicts", "the same length of shortest traces"),
    apply=cone,
    told="searched without what cannot matter",
)
