"""Exported planning tasks have the network's shortest ways."""

from __future__ import annotations

import random
from collections import deque
from dataclasses import dataclass

import pytest

from beeline import Network, NetworkBuilder, check
from beeline.export.sas import ExportError, to_sas


@dataclass
class Task:
    """A planning task as read back from its text."""

    initial: tuple[int, ...]
    goal: dict[int, int]
    operators: list[tuple[dict[int, int], dict[int, int], int]]

    def cheapest(self) -> int | None:
        """Cost of the cheapest plan, by 0-1 breadth-first search."""
        queue = deque([(self.initial, 0)])
        done: set[tuple[int, ...]] = set()
        while queue:
            state, cost = queue.popleft()
            if state in done:
                continue
            done.add(state)
            if all(state[variable] == value for variable, value in self.goal.items()):
                return cost
            for needed, changed, price in self.operators:
                if all(state[variable] == value for variable, value in needed.items()):
                    after = tuple(changed.get(variable, value) for variable, value in enumerate(state))
                    queue.append((after, cost + price)) if price else queue.appendleft((after, cost))
        return None


def read(text: str) -> Task:
    lines = iter(text.splitlines())

    def until(mark: str) -> None:
        assert any(line == mark for line in lines)

    until("end_metric")
    for _ in range(int(next(lines))):
        until("end_variable")
    assert next(lines) == "0"
    assert next(lines) == "begin_state"
    initial: list[int] = []
    while (line := next(lines)) != "end_state":
        initial.append(int(line))
    assert next(lines) == "begin_goal"
    goal = dict(pair(next(lines)) for _ in range(int(next(lines))))
    assert next(lines) == "end_goal"
    operators = []
    for _ in range(int(next(lines))):
        assert next(lines) == "begin_operator"
        next(lines)
        needed = dict(pair(next(lines)) for _ in range(int(next(lines))))
        changed = {}
        for _ in range(int(next(lines))):
            none, variable, before, after = map(int, next(lines).split())
            assert none == 0
            changed[variable] = after
            if before >= 0:
                needed[variable] = before
        operators.append((needed, changed, int(next(lines))))
        assert next(lines) == "end_operator"
    assert [*lines] == ["0"]
    return Task(tuple(initial), goal, operators)


def pair(line: str) -> tuple[int, int]:
    first, second = line.split()
    return int(first), int(second)


def handshakes(seed: int) -> tuple[Network, str]:
    """A random network of automata with handshakes and a counter, and a goal of locations and perhaps the counter."""
    chance = random.Random(seed)
    builder = NetworkBuilder("handshakes")
    builder.variable("x", 0, 3)
    builder.channel("a")
    builder.channel("b")
    goal = []
    for name in ("P", "Q", "R"):
        process = builder.process(name)
        places = [f"l{i}" for i in range(chance.randint(2, 4))]
        for place in places:
            process.location(place)
        for place in places:
            for _ in range(chance.randint(1, 3)):
                sync = chance.choice(["", "a!", "a?", "b!", "b?"])
                guard = chance.choice(["1", "x < 3", "x != 1", "x > 0"])
                effect = chance.choice(["", "x = 0", "x = (x + 1) % 4", "x = 3 - x"])
                process.edge(place, chance.choice(places), sync=sync, guard=guard, effect=effect)
        if chance.random() < 0.7:
            goal.append(f"{name}@{chance.choice(places)}")
    goal.append(chance.choice(["x == 3", "x >= 2", "1"]))
    return builder.build(), f"E<> {' && '.join(goal)}"


@pytest.mark.parametrize("first", range(0, 200, 50))
def test_plans_are_as_long_as_shortest_traces(first: int) -> None:
    found = 0
    for seed in range(first, first + 50):
        network, goal = handshakes(seed)
        result = check(network, goal, search="bfs")
        expected = None if result.trace is None else len(result.trace)
        assert read(to_sas(network, goal)).cheapest() == expected, (seed, goal)
        found += expected is not None
    assert found > 5


def test_what_cannot_be_said_is_named() -> None:
    builder = NetworkBuilder("loud")
    builder.channel("all", broadcast=True)
    builder.process("P").location("a").location("b").edge("a", "b", sync="all!")
    with pytest.raises(ExportError, match=r"no broadcasts \(all\)"):
        to_sas(builder.build(), "E<> P@b")
    with pytest.raises(ExportError, match="has no expression"):
        to_sas(builder.build(), "deadlock")
