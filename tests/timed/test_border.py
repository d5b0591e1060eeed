"""Odd tables and states at the border of the native zone graph give Python exceptions, never a crash."""

from __future__ import annotations

import copy
from contextlib import suppress
from random import Random

import pytest

from beeline import _native
from beeline.engine import Found, Limits
from beeline.languages.uppaal import load_text
from beeline.searches.runner import run
from beeline.timed.search import ZoneGraph, goal_of, zone_graph

TEXT = """
clock x, y[2]; int[0,3] v; broadcast chan a; chan b; urgent chan u;
process P() { clock z; state s { z <= 4 && y[v % 2] <= 5 }, t, w; urgent t; init s;
    trans s -> t { guard x > 1 && (v > 1 || z < 3); sync a!; assign x = 0, v = (v + 1) % 4; },
          t -> w { guard y[0] - x <= 9; sync b!; assign y[v % 2] = v; }, w -> s { sync u?; assign z = 0; }; }
process Q() { state s, t; init s; trans s -> t { guard y[1] < 4; sync a?; assign y[1] = 1; },
    t -> s { sync b?; }, s -> s { sync u!; }; }
system P < Q;
query { E<> P.w and x >= 3 and not deadlock }
"""


@pytest.fixture(scope="module")
def graph() -> ZoneGraph:
    network = load_text(TEXT)
    return zone_graph(network, goal_of(network, network.properties[0]))


def test_the_unharmed_tables_work(graph: ZoneGraph) -> None:
    outcome = run(graph.space, "bfs", stop=Found.NOTHING)
    assert outcome.complete and outcome.statistics.stored > 5


def test_malformed_tables_are_refused_or_harmless(graph: ZoneGraph) -> None:
    random = Random(1)
    refused = 0
    for _ in range(1500):
        rows = copy.deepcopy(graph.program.rows)
        numbers = dict(graph.program.numbers)
        for _ in range(random.randint(1, 3)):
            _harm(rows, numbers, random)
        try:
            space = _native.TimedSpace(graph.native, rows, numbers)
        except (ValueError, TypeError):
            refused += 1
            continue
        with suppress(OverflowError):
            run(space, "bfs", stop=Found.NOTHING, limits=Limits(states=60))
    assert refused > 300


def _harm(rows: dict[str, list[list[int]]], numbers: dict[str, int], random: Random) -> None:
    value = random.choice([-(2**31), -2, -1, 0, 1, 2, 3, 7, 50, 1000, 2**28, 2**31 - 1])
    if random.random() < 0.1:
        numbers[random.choice(list(numbers))] = value
        return
    table = rows[random.choice(list(rows))]
    kind = random.random()
    if kind < 0.15 or not table:
        table.append([value] * random.randint(0, 9))
    elif kind < 0.3:
        table.pop(random.randrange(len(table)))
    else:
        row = table[random.randrange(len(table))]
        if row:
            row[random.randrange(len(row))] = value


def test_states_that_are_none_are_refused(graph: ZoneGraph) -> None:
    random = Random(2)
    (_, _, _, start) = graph.space.initial_arcs()[0]
    assert start is not None
    for _ in range(1500):
        state = list(start)
        for _ in range(random.randint(1, 4)):
            state[random.randrange(len(state))] = random.choice([0, 1, 2, 5, 2**31 - 1, 2**31, 2**32 - 1])
        with suppress(ValueError, OverflowError):
            graph.space.successor_arcs(state)
    with pytest.raises(ValueError):
        graph.space.successor_arcs([0])
    with pytest.raises(ValueError):
        graph.space.edges_of(10**6)
