"""Random networks without what makes every step depend on all processes: the ones that reductions are about."""

from __future__ import annotations

from dataclasses import replace

from tests.networks import Sampler

from beeline.model.expressions import Binary, Builtin, Expression, Literal, Ref, Unary, walk
from beeline.model.network import Edge, Initial, Location, Network, Process, Property
from beeline.model.statements import SetPriority, Statement


class CalmSampler(Sampler):
    """Draws networks whose processes mostly mind their own business, so that there is something to leave out."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.dynamic = self.chance(4)
        self.quiet = self.random.randrange(4)

    def atom(self, local: bool = True) -> Expression:
        while True:
            found = super().atom(local)
            if Builtin("last") not in walk(found):
                break
        if local and self.quiet and not self.chance(1 + self.quiet):
            return Ref("own") if self.chance(2) else Literal(self.random.randrange(3))
        return found

    def place(self):  # type: ignore[no-untyped-def]
        if self.quiet and not self.chance(1 + self.quiet):
            return Ref("own")
        return super().place()

    def statement(self, depth: int = 1) -> Statement:
        while True:
            found = super().statement(depth)
            if not isinstance(found, SetPriority):
                return found

    def synchronisation(self):  # type: ignore[no-untyped-def]
        return None if self.quiet and self.chance(2) else super().synchronisation()

    def location(self, position: int) -> Location:
        return replace(super().location(position), committed=False)

    def edge(self, locations: tuple[Location, ...]) -> Edge:
        found = super().edge(locations)
        return replace(found, rank=0) if self.quiet else found

    def process(self, name: str) -> Process:
        found = super().process(name)
        return replace(found, provided=found.provided if self.chance(3) else Literal(1))

    def network(self) -> Network:
        found = super().network()
        initial = found.initial
        if self.chance(2):
            initial = (*initial, Initial("Q", f"Q[{len(initial)}]", (1,)))
        return replace(
            found,
            initial=initial,
            monitor=None,
            channels=tuple(replace(channel, priority=0) for channel in found.channels),
            rules=replace(found.rules, priorities=False, max_processes=5 if self.dynamic else 0),
        )

    def asked(self) -> Property:
        """A deadlock, any fault, or a state given by an expression."""
        choice = self.random.randrange(4)
        if choice == 0:
            return Property("deadlock", "deadlock")
        if choice == 1:
            return Property("safety", "safety")
        goal = self.condition(False)
        while goal == Literal(1):
            goal = self.condition(False)
        if choice == 2:
            other = self.condition(False)
            goal = Binary(self.random.choice(["&&", "||"]), Unary("!", goal), other)
        return Property("goal", "goal", goal)
