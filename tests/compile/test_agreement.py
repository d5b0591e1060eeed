"""The native engine against the reference interpreter: the same arcs from every reachable state."""

from __future__ import annotations

from collections import Counter

from hypothesis import HealthCheck, Phase, given, settings
from tests.networks import networks

from beeline import _native
from beeline.compile.expressions import ERRORS
from beeline.compile.program import Program, compile_network
from beeline.model.network import Network
from beeline.model.semantics import Semantics
from beeline.model.state import State

STATES = 60  # of each network; the arcs of these are compared


def arcs_of_interpreter(semantics: Semantics, state: State) -> Counter[tuple[object, ...]]:
    found: Counter[tuple[object, ...]] = Counter()
    for step in semantics.steps(state):
        found[("error", step.error.kind) if step.error else ("to", step.target)] += 1
    return found


def arcs_of_engine(
    space: _native.ProgramSpace, native: _native.Program, program: Program, state: State
) -> tuple[int, Counter[tuple[object, ...]]]:
    from beeline.compile.expressions import ERRORS

    marks, arcs = space.successor_arcs(native.pack(program.layout.encode(state)))
    found: Counter[tuple[object, ...]] = Counter()
    for _, _, detail, words in arcs:
        if words is None:
            found[("error", ERRORS[detail - 1])] += 1
        else:
            found[("to", program.layout.decode(native.unpack(words)))] += 1
    return marks, found


def explore_both(network: Network) -> int:
    """Walks the interpreter's states and compares; returns how many states were compared."""
    semantics = Semantics(network)
    program = compile_network(network, _native.opcodes(), room=max(network.rules.max_processes, len(network.initial)))
    native = _native.Program(program.tables)
    space = _native.ProgramSpace(native)
    frontier = semantics.initial_states()
    seen = set(frontier)
    for state in frontier:
        expected = arcs_of_interpreter(semantics, state)
        marks, found = arcs_of_engine(space, native, program, state)
        assert found == expected, f"{network}\n{state}"
        assert bool(marks & _native.DEADLOCK) == semantics.is_deadlock(state)
        for kind, target in expected:
            if kind == "to" and target not in seen and len(frontier) < STATES:
                assert isinstance(target, State)
                seen.add(target)
                frontier.append(target)
    return len(frontier)


@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck), phases=[Phase.generate])
@given(networks())
def test_engine_and_interpreter_have_the_same_arcs(network: Network) -> None:
    assert explore_both(network) >= 1
