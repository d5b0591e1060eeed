"""The explicit graph of a small network: what all searches and estimates are held against."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from tests.networks import Sampler

from beeline import _native
from beeline.compile.program import Program, compile_network
from beeline.engine import Found
from beeline.heuristics import Context
from beeline.model.builder import NetworkBuilder
from beeline.model.expressions import (
    TRUE,
    At,
    Binary,
    Builtin,
    ChannelInfo,
    Expression,
    Literal,
    Numbered,
    Ref,
    Unary,
    conjunction,
    walk,
)
from beeline.model.network import Network
from beeline.model.property import Assertions, Goal

Words = tuple[int, ...]

INFINITE = 10**9


ASSERTIONS = Assertions("assertions", "no failed assertion or run-time error")


@dataclass
class Explicit:
    """Every reachable state, its successors, and the marks of states (goal, deadlock) and of error arcs."""

    network: Network
    goal: Expression | None
    program: Program
    native: _native.Program
    successors: dict[Words, list[Words]] = field(default_factory=dict)
    violations: dict[Words, Found] = field(default_factory=dict)
    initial: Words = ()

    def context(self, stop: Found = Found.GOAL | Found.ERROR) -> Context:
        asked = ASSERTIONS if self.goal is None else Goal("goal", expression=self.goal)
        return Context(self.network, self.program, self.native, asked, self.goal, stop)

    def __str__(self) -> str:
        return f"{self.network}\ngoal {self.goal}"

    def space(self) -> _native.ProgramSpace:
        return _native.ProgramSpace(self.native)

    def distances(self, kinds: Found) -> dict[Words, int]:
        """Steps from each state to the nearest violation of these kinds; a failing step counts itself."""
        before: dict[Words, list[Words]] = {state: [] for state in self.successors}
        for state, following in self.successors.items():
            for target in following:
                before[target].append(state)
        start: list[tuple[int, Words]] = []
        for state, found in self.violations.items():
            if found & kinds & (Found.GOAL | Found.DEADLOCK):
                start.append((0, state))
            elif found & kinds & Found.ERROR:
                start.append((1, state))
        distance: dict[Words, int] = {}
        queue = deque(sorted(start, key=lambda entry: entry[0]))
        while queue:
            steps, state = queue.popleft()
            if state in distance and distance[state] <= steps:
                continue
            distance[state] = steps
            queue.extend((steps + 1, source) for source in before[state])
        return {state: distance.get(state, INFINITE) for state in self.successors}


def explore(network: Network, goal: Expression | None, most: int = 400) -> Explicit | None:
    """The whole graph, or None if it has more states than that."""
    max_processes = max(network.rules.max_processes, len(network.initial))
    program = compile_network(network, goal, max_processes)
    native = _native.Program(program.tables)
    graph = Explicit(network, goal, program, native)
    space = graph.space()
    ((_, marks, _, first),) = space.initial_arcs()
    assert first is not None
    graph.initial = first
    graph.violations[first] = Found(marks & Found.GOAL.value)
    frontier = [first]
    graph.successors[first] = []
    for state in frontier:
        own, arcs = space.successor_arcs(state)
        graph.violations[state] = graph.violations.get(state, Found.NOTHING) | Found(own & Found.DEADLOCK.value)
        for _, marks, _, target in arcs:
            if target is None:
                graph.violations[state] |= Found.ERROR
                continue
            graph.successors[state].append(target)
            if target not in graph.successors:
                if len(graph.successors) >= most:
                    return None
                graph.successors[target] = []
                graph.violations[target] = Found(marks & Found.GOAL.value)
                frontier.append(target)
    return graph


class Goals(Sampler):
    """Draws goals that heuristics can get hold of."""

    def part(self) -> Expression:
        choice = self.random.randrange(7)
        if choice < 3:
            location = self.random.choice(["l0", "l1", "l2", "both"])
            return At(Numbered(self.random.choice(["P", "Q"]), Literal(self.random.randrange(3))), location)
        if choice == 3:
            return ChannelInfo(self.random.choice(["full", "empty", "nempty", "nfull"]), Ref("queue"))
        if choice == 4:
            operator = self.random.choice(["==", "<", ">=", ">", "<=", "!="])
            return Binary(operator, ChannelInfo("len", Ref("queue")), Literal(self.random.randrange(3)))
        return self.condition(False)

    def goal(self, depth: int = 2) -> Expression:
        if depth == 0 or self.chance(3):
            return self.part()
        if self.chance(5):
            return Unary("!", self.goal(depth - 1))
        return Binary(self.random.choice(["&&", "&&", "||"]), self.goal(depth - 1), self.goal(depth - 1))


class Automata:
    """Draws networks of plain automata with handshakes, broadcasts, a queue and a counter: deeper than those of
    `Sampler`, and with goals that can mostly be reached."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def network(self) -> Network:
        builder = NetworkBuilder("automata")
        builder.variable("x", 0, 3)
        for channel in ("a", "b"):
            builder.channel(channel)
        builder.channel("all", broadcast=True)
        builder.channel("queue", 2, [(0, 1)])
        for name in self.names():
            process = builder.process(name)
            locations = [f"l{i}" for i in range(self.random.randint(3, 5))]
            for location in locations:
                process.location(location)
            for source in locations:
                for _ in range(self.random.randint(1, 2)):
                    process.edge(source, self.random.choice(locations), **self.edge())
        return builder.build()

    def names(self) -> list[str]:
        return [f"P{i}" for i in range(3 + self.random.randrange(2))]

    def edge(self) -> dict[str, Any]:
        choice = self.random.randrange(10)
        if choice < 4:
            return {"sync": self.random.choice(["a!", "a?", "b!", "b?", "all!", "all?"])}
        if choice == 4:
            return {"sync": self.random.choice(["queue!1", "queue!0", "queue?1", "queue?0"])}
        if choice < 7:
            return {
                "guard": self.random.choice(["x < 3", "x > 0", "x == 2"]),
                "effect": self.random.choice(["", "x = 0"]),
            }
        return {"effect": "x++", "guard": "x < 3"} if choice == 7 else {}


def some_state(graph: Explicit, seed: int) -> Expression:
    """A goal that asks for some of the locations of a state that is far away."""
    chance = random.Random(seed)
    states = list(graph.successors)  # in the order of their distance
    state = graph.program.layout.decode(graph.native.unpack(states[-1 - chance.randrange(1 + len(states) // 3)]))
    parts: list[Expression] = []
    for number, process in enumerate(state.processes):
        kind = graph.network.processes[process.kind]
        parts.append(At(Numbered(kind.name, Literal(number)), kind.locations[process.location].name))
    chance.shuffle(parts)
    goal = conjunction(parts[: chance.randint(1, len(parts))])
    if chance.randrange(3) == 0:
        goal = Binary("&&", goal, Binary("==", Ref("x"), Literal(state.variables[0])))
    return goal


def graphs(count: int, first_seed: int = 0, most: int = 400) -> Iterator[Explicit]:
    """Graphs of random networks with random goals that do not hold at the start; `count` of them."""
    seed = 2 * first_seed
    found = 0
    while found < count:
        seed += 1
        graph = _graph_of_anything(seed, most) if seed % 4 == 0 else _graph_of_automata(seed, most)
        if graph is None or len(graph.successors) < 8 or Found.GOAL in graph.violations[graph.initial]:
            continue
        found += 1
        yield graph


def graphs_of_automata(count: int, first_seed: int, most: int = 300) -> Iterator[Explicit]:
    """The same of plain automata only: small tasks, so that there can be many of them."""
    seed, found = first_seed, 0
    while found < count:
        seed += 1
        graph = _graph_of_automata(seed, most)
        if graph is not None and len(graph.successors) >= 8:
            found += 1
            yield graph


def _graph_of_anything(seed: int, most: int) -> Explicit | None:
    sampler = Goals(seed)
    network = sampler.network()
    goal = sampler.goal()
    # States keep the process that moved last only if the network itself asks for it.
    if goal == TRUE or network.monitor is not None or Builtin("last") in walk(goal):
        return None
    return explore(network, goal, most)


def _graph_of_automata(seed: int, most: int) -> Explicit | None:
    network = Automata(seed).network()
    graph = explore(network, None, most)
    return None if graph is None else explore(network, some_state(graph, seed), most)


def random_table(graph: Explicit, seed: int, kinds: Found) -> dict[Words, int | None]:
    """An admissible estimate that is not consistent."""
    chance = random.Random(seed)
    return {
        state: chance.randint(0, steps) if steps < INFINITE else chance.choice([None, 0, 5])
        for state, steps in graph.distances(kinds).items()
    }
