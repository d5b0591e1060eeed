"""All reachable states of systems whose steps are local, without regard to distances."""

from __future__ import annotations

import heapq
from collections.abc import Iterator

from beeline.symbolic.diagrams import Diagram, difference
from beeline.symbolic.quest import Findings, Quest, Way
from beeline.symbolic.relation import Group, ProcessMover

LEARN = -1  # in the place of a group: find out what somebody can do


def search(quest: Quest) -> Findings:
    """Goes on until the set is closed, and looks for what is sought then."""
    saturation = Saturation(quest)
    for _ in saturation.run():
        pass
    return saturation.findings()


class Saturation:
    """Closes a set under the steps of one group after the other, those on few low variables first.

    A set that is closed under a group stays so when steps are added that touch no cell which the group touches, unless
    both only read it: such steps commute. So a group is asked again only after steps on which it depends. See Ciardo,
    Lüttgen and Siminiceanu, Saturation: an efficient iteration strategy for symbolic state-space generation, 2001."""

    def __init__(self, quest: Quest) -> None:
        self._quest, self._system = quest, quest.system
        assert self._system.is_local
        self.reached = self._system.initial
        self._grown: list[tuple[Diagram, Group]] = []
        """The sets as they grew, each with the group whose steps were taken from there."""
        self._asked = [0] * len(self._system.movers)
        self._waiting: list[tuple[int, int, int]] = []
        self._waits: set[tuple[int, int]] = set()
        for number in range(len(self._system.movers)):
            self._wait(number, LEARN)

    def run(self) -> Iterator[Diagram]:
        """Grows the set until it is closed; yields it each time."""
        while self._waiting:
            _, number, position = heapq.heappop(self._waiting)
            self._waits.discard((number, position))
            mover = self._system.movers[number]
            if position == LEARN:
                self._learn(number, mover)
            else:
                yield from self._close(number, mover, mover.listed[position])

    def findings(self) -> Findings:
        """What became of it, once it is closed."""
        found = self._quest.found_in(self.reached)
        if found is None:
            return Findings(self.reached)
        kind, hit = found
        return Findings(self.reached, Way(self._back_from(hit), kind, shortest=False))

    def _learn(self, number: int, mover: ProcessMover) -> None:
        """Finds out what somebody can do in the present set; others may have found out something before."""
        self._quest.meter.tick(self.reached, phase="learning")
        mover.learn(self.reached & self._system.may_begin(mover))
        if self._asked[number] != mover.questions:
            self._asked[number] = mover.questions
            for position in range(len(mover.listed)):
                self._wait(number, position)

    def _close(self, number: int, mover: ProcessMover, group: Group) -> Iterator[Diagram]:
        grown, frontier = False, self.reached
        while True:
            self._quest.meter.tick(self.reached, frontier)
            frontier = group.image(self.reached)
            larger = self.reached | frontier
            if larger == self.reached:
                break
            self._grown.append((self.reached, group))
            self.reached = larger
            self._quest.meter.grown(larger)
            grown = True
            yield larger
            if group.written & mover.cells:
                self._learn(number, mover)
        if grown:
            self._wake(group)

    def _wake(self, group: Group) -> None:
        """Those who may have more to do after steps of a group."""
        for number, mover in enumerate(self._system.movers):
            if group.written & mover.cells:
                self._wait(number, LEARN)
            for position, other in enumerate(mover.listed):
                if other is not group and (group.written & other.touched or other.written & group.touched):
                    self._wait(number, position)

    def _wait(self, number: int, position: int) -> None:
        """Learning comes first: what is not known cannot be taken. Then come the groups on low variables."""
        if (number, position) not in self._waits:
            self._waits.add((number, position))
            level = self._system.encoding.width * 2
            if position != LEARN:
                level = self._system.movers[number].listed[position].top
            heapq.heappush(self._waiting, (-level, number, position))

    def _back_from(self, hit: Diagram) -> tuple[tuple[int, ...], ...]:
        """A way to one of the states: each set that grew had the state before the one by which it grew."""
        encoding = self._system.encoding
        way = [encoding.pick(hit)]
        last = encoding.state(way[-1])
        for before, group in reversed(self._grown):
            self._quest.meter.tick(before, phase="tracing")
            if not difference(last, before).satisfiable():
                continue
            way.append(encoding.pick(group.preimage(last) & before))
            last = encoding.state(way[-1])
        return tuple(reversed(way))
