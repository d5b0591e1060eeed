"""The native engine against the reference interpreter: the same arcs from every reachable state."""

from __future__ import annotations

import os
from collections import Counter

from hypothesis import HealthCheck, given, settings
from tests.networks import Sampler, networks
from tests.random_checks import few_and_many

from beeline import _native
from beeline.compile.expressions import ERRORS
from beeline.compile.program import Program, compile_network
from beeline.languages.promela.elaborate import elaborate
from beeline.languages.promela.parser import parse_text
from beeline.model.network import Network
from beeline.model.semantics import Semantics
from beeline.model.state import State

STATES = 60  # of each network; the arcs of these are compared
NETWORKS = int(os.environ.get("BEELINE_NETWORKS", "1000"))  # BEELINE_NETWORKS=50000 asks for a long run

# A failing network is named by its seed and cannot be made smaller by making the seed smaller.
many = settings(max_examples=NETWORKS, suppress_health_check=list(HealthCheck), database=None)
fewer = settings(many, max_examples=NETWORKS // 5)


def arcs_of_interpreter(semantics: Semantics, state: State) -> Counter[tuple[object, ...]]:
    found: Counter[tuple[object, ...]] = Counter()
    for step in semantics.steps(state):
        found[("error", step.error.kind) if step.error else ("to", step.target)] += 1
    return found


def arcs_of_engine(
    space: _native.ProgramSpace, native: _native.Program, program: Program, state: State
) -> tuple[int, Counter[tuple[object, ...]]]:
    marks, arcs = space.successor_arcs(native.pack(program.layout.encode(state)))
    found: Counter[tuple[object, ...]] = Counter()
    for _, _, detail, words in arcs:
        if words is None:
            found[("error", ERRORS[detail - 1])] += 1
        else:
            found[("to", program.layout.decode(native.unpack(words)))] += 1
    return marks, found


def compiled(network: Network) -> tuple[Program, _native.Program]:
    max_processes = max(network.rules.max_processes, len(network.initial))
    program = compile_network(network, max_processes=max_processes)
    return program, _native.Program(program.tables)


def explore_both(network: Network) -> int:
    """Walks the interpreter's states and compares; returns how many states were compared."""
    semantics = Semantics(network)
    program, native = compiled(network)
    space = _native.ProgramSpace(native)
    frontier = semantics.initial_states()
    seen = set(frontier)
    for state in frontier:
        expected = arcs_of_interpreter(semantics, state)
        marks, found = arcs_of_engine(space, native, program, state)
        assert found == expected, f"{network}\n{state}"
        # The interpreter's own `is_deadlock` would look for all steps once more.
        stuck = not expected and network.monitor is None and not semantics.rests_at_end(state)
        assert bool(marks & _native.DEADLOCK) == stuck
        for kind, target in expected:
            if kind == "to" and target not in seen and len(frontier) < STATES:
                assert isinstance(target, State)
                seen.add(target)
                frontier.append(target)
    return len(frontier)


def agree(network: Network) -> None:
    assert explore_both(network) >= 1


test_engine_and_interpreter_have_the_same_arcs, test_so_they_have_in_ten_thousand_networks = few_and_many(
    agree, networks(), many, settings(many, max_examples=10 * NETWORKS)
)


def test_an_error_that_does_not_matter_is_not_told() -> None:
    """A partner's channel has no value, its guard is false, and the deterministic region blocks for another reason."""
    assert explore_both(Sampler(6329465).network()) >= 1


def test_an_error_in_what_is_printed_is_one_of_the_step() -> None:
    printing = parse_text('byte a[2], i; active proctype P() { i = 1; printf("%d %d", a[i], 1 / (i - 1)) }')
    assert explore_both(elaborate(printing)) == 2


def stable_states(network: Network, merged: bool) -> tuple[set[tuple[int, ...]], bool, bool]:
    """The states in which nobody keeps control, whether an error was met, and whether that is all there is."""
    _, native = compiled(network)
    space = _native.ProgramSpace(native, merged=merged)
    first = space.initial_arcs()[0][3]
    assert first is not None
    frontier = [first]
    seen, stable, failed = {first}, {first}, False
    for state in frontier:
        for _, marks, _, words in space.successor_arcs(state)[1]:
            failed = failed or words is None
            if words is None or words in seen:
                continue
            seen.add(words)
            if not marks & _native.TRANSIENT:
                stable.add(words)
            if len(frontier) == 10 * STATES:
                return stable, failed, False
            frontier.append(words)
    return stable, failed, True


@fewer
@given(networks())
def test_passing_over_uninterrupted_runs_loses_no_state_and_no_error(network: Network) -> None:
    whole = stable_states(network, merged=False)
    merged = stable_states(network, merged=True)
    if whole[2] and merged[2]:
        assert merged == whole
