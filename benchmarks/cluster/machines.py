"""A simulated cluster with the costs of LogGP (Alexandrov, Ionescu, Schauser and Scheiman, 1995): a latency, an
overhead for each message at both ends, and a time for each byte; besides, times for each state that is expanded or
received."""

from __future__ import annotations

from math import ceil, inf, log

from beeline.cluster.member import ARITY, Member
from beeline.cluster.simulated import Conditions, SimulatedNetwork
from beeline.records import Record


class Costs(Record, frozen=True):
    """In seconds."""

    latency: float
    overhead: float
    per_byte: float
    per_expansion: float
    per_arrival: float


class Machines(SimulatedNetwork):
    """Ranks that take as long as they would."""

    costs = Costs(1e-6, 1e-6, 1e-10, 1e-6, 1e-7)

    def __init__(self, ranks: int, conditions: Conditions) -> None:
        super().__init__(ranks, conditions)
        self._overhead = [0.0] * ranks
        self._done = [(0, 0)] * ranks
        for transport in self.transports:
            transport.patience = inf  # nobody dies here

    def delay(self, size: int) -> float:
        return self.costs.latency + size * self.costs.per_byte

    def post(self, sender: int, to: int, tag: int, data: bytes) -> None:
        self._overhead[sender] += self.costs.overhead
        self._overhead[to] += self.costs.overhead
        super().post(sender, to, tag, data)

    def effort(self, member: Member) -> float:
        rank, native = member.transport.rank, member.native
        expanded, arrived = native.statistics.expanded, native.traffic["received"]
        before, self._done[rank] = self._done[rank], (expanded, arrived)
        overhead, self._overhead[rank] = self._overhead[rank], 0.0
        work = (expanded - before[0]) * self.costs.per_expansion + (arrived - before[1]) * self.costs.per_arrival
        return overhead + work


class Search(Record, frozen=True):
    """A space, as far as it matters here."""

    states: int
    layers: int
    sent: float
    """States that are sent, for each that is stored, if there are two ranks."""


def predicted(search: Search, ranks: int, costs: Costs, line: int = 4096, record: int = 40) -> float:
    """Seconds of a breadth-first search whose layers are equally wide and whose states are shared out evenly."""
    own = search.states / ranks
    sent = own * 2 * search.sent * (1 - 1 / ranks)  # half of the targets belong to the other one of two
    lines = search.layers * max(min(ranks - 1, sent / search.layers), sent / search.layers / line)
    depth = ceil(log(ranks, ARITY)) if ranks > 1 else 0
    waves = search.layers * 3 * 2 * depth * (costs.latency + (ARITY + 1) * costs.overhead)
    work = own * costs.per_expansion + sent * (costs.per_arrival + record * costs.per_byte)
    return work + 2 * lines * costs.overhead + waves
