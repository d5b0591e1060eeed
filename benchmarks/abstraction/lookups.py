"""What a lookup takes, in processor time: states as a search meets them, in the order of breadth-first search."""

from __future__ import annotations

import time

from benchmarks.abstraction.accuracy import Words, compiled
from benchmarks.abstraction.instances import Instance

from beeline import Network, _native
from beeline.engine import Found
from beeline.heuristics import Context, build

STATES = 1500
ROUNDS = 40  # the quickest counts


def nanoseconds(instance: Instance, heuristic: str) -> float:
    """For one state, less what a call takes that looks up nothing."""
    network = instance.network()
    states = first_states(network)
    return _quickest(network, heuristic, states) - _quickest(network, "blind", states)


def first_states(network: Network) -> list[Words]:
    _, native, _ = compiled(network)
    space = _native.ProgramSpace(native)
    ((_, _, _, first),) = space.initial_arcs()
    assert first is not None
    seen, found = {first}, [first]
    for state in found:
        for _, _, _, target in space.successor_arcs(state)[1]:
            if target is not None and target not in seen:
                seen.add(target)
                found.append(target)
        if len(found) >= STATES:
            break
    return found


def _quickest(network: Network, heuristic: str, states: list[Words]) -> float:
    program, native, goal = compiled(network)
    context = Context(network, program, native, network.properties[0], goal, Found.GOAL)
    (estimate,) = build(heuristic, context)
    spent = []
    for _ in range(ROUNDS):
        start = time.process_time_ns()
        for state in states:
            estimate.native.estimate(state)
        spent.append((time.process_time_ns() - start) / len(states))
    return min(spent)
