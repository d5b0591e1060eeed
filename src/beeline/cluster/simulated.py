"""Ranks on a simulated network, with a clock of its own: the same seed gives the same run.

Messages take their time; those of one rank to another stay in their order, all others may overtake each other. A rank
may die. For tests of the protocol, and for the question how a search would do on more machines than there are."""

from __future__ import annotations

import heapq
import random
from collections import deque
from collections.abc import Callable, Sequence
from itertools import count

from beeline.cluster.member import Member
from beeline.cluster.root import Root
from beeline.cluster.transport import Message
from beeline.records import Record

MOST_EVENTS = 20_000_000
SIGN_OF_LIFE = 0.05
"""Seconds after which a rank without work looks again."""


class Conditions(Record, frozen=True):
    """What the network and the machines are like, in seconds."""

    seed: int = 0
    shortest_delay: float = 1e-6
    longest_delay: float = 1e-4
    shortest_step: float = 0.0
    """What a rank takes for a part of its work, at least."""
    longest_step: float = 1e-4
    death: tuple[int, float] | None = None
    """A rank that dies, and when."""


class Stuck(Exception):
    """The search does not end."""


class SimulatedNetwork:
    """All ranks and the messages between them."""

    def __init__(self, ranks: int, conditions: Conditions) -> None:
        self.conditions, self.time = conditions, 0.0
        self.random = random.Random(conditions.seed)
        self.transports = [SimulatedTransport(self, rank, ranks) for rank in range(ranks)]
        self.messages = self.bytes = 0
        self._last: dict[tuple[int, int], float] = {}
        self._numbers = count()
        self._events: list[tuple[float, int, int, Message | None]] = []
        """When, in which order, to whom, and what: a message, or None for a step."""

    def delay(self, size: int) -> float:
        """Seconds that a message of so many bytes takes."""
        return self.random.uniform(self.conditions.shortest_delay, self.conditions.longest_delay)

    def effort(self, member: Member) -> float:
        """Seconds that the step took which a rank has just made."""
        return self.random.uniform(self.conditions.shortest_step, self.conditions.longest_step)

    def post(self, sender: int, to: int, tag: int, data: bytes) -> None:
        """Puts a message on its way."""
        self.messages += 1
        self.bytes += len(data)
        pair = sender, to
        arrival = max(self.time + self.delay(len(data)), self._last.get(pair, 0.0))
        self._last[pair] = arrival
        self._plan(arrival, to, (sender, tag, data))

    def _plan(self, time: float, rank: int, message: Message | None = None) -> None:
        heapq.heappush(self._events, (time, next(self._numbers), rank, message))

    def run(self, root: Root, members: Sequence[Member]) -> Root:
        """Lets time go by until the first rank is done."""
        everyone: list[Member] = [root, *members]
        due, is_idle = [0.0] * len(everyone), [False] * len(everyone)
        root.begin()
        for rank in range(len(everyone)):
            self._plan(0.0, rank)
        for _ in range(MOST_EVENTS):
            if root.done:
                return root
            self.time, _, rank, message = heapq.heappop(self._events)
            member = everyone[rank]
            if self._is_dead(rank) or member.done:
                continue
            if message is not None:
                self.transports[rank].inbox.append(message)
                if is_idle[rank]:
                    is_idle[rank], due[rank] = False, self.time
                    self._plan(self.time, rank)
            elif due[rank] == self.time:  # others were planned before a message came
                is_idle[rank] = not member.step()
                due[rank] = self.time + (SIGN_OF_LIFE if is_idle[rank] else self.effort(member))
                self._plan(due[rank], rank)
        raise Stuck(f"the search has not ended after {MOST_EVENTS:,} events")

    def _is_dead(self, rank: int) -> bool:
        death = self.conditions.death
        return death is not None and death[0] == rank and self.time >= death[1]


class SimulatedTransport:
    """One rank's side of it."""

    patience = 1.5
    failure = ""

    def __init__(self, network: SimulatedNetwork, rank: int, ranks: int) -> None:
        self.rank, self.ranks = rank, ranks
        self.inbox: deque[Message] = deque()
        self._network = network

    def send(self, to: int, tag: int, data: bytes) -> None:
        self._network.post(self.rank, to, tag, data)

    def poll(self) -> Message | None:
        return self.inbox.popleft() if self.inbox else None

    def in_flight(self) -> int:
        return 0

    def wait(self, seconds: float) -> None:
        """The network knows when it is this rank's turn."""

    def now(self) -> float:
        return self._network.time

    def is_alive(self, rank: int) -> bool | None:
        return None


def simulate(
    ranks: int,
    conditions: Conditions,
    make_root: Callable[[SimulatedTransport], Root],
    make_member: Callable[[SimulatedTransport], Member],
    kind: type[SimulatedNetwork] = SimulatedNetwork,
) -> tuple[Root, SimulatedNetwork]:
    """Runs a search on a simulated network; returns its first rank when it is done, and the network."""
    network = kind(ranks, conditions)
    members = [make_member(transport) for transport in network.transports[1:]]
    return network.run(make_root(network.transports[0]), members), network
