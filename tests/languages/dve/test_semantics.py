"""The rules of DVE, each on a model of a few lines, by the reference interpreter."""

from __future__ import annotations

import pytest
from tests.compile.test_agreement import explore_both

from beeline.checking import check
from beeline.languages.dve import read_dve
from beeline.languages.dve.errors import DveError
from beeline.model.network import Network
from beeline.model.property import Invariant
from beeline.model.semantics import Semantics
from beeline.model.state import State


def explore(network: Network) -> tuple[set[State], int]:
    """All reachable states, and the number of steps between them."""
    semantics = Semantics(network)
    seen = set(semantics.initial_states())
    waiting, steps = list(seen), 0
    while waiting:
        for step in semantics.steps(waiting.pop()):
            steps += 1
            if step.target is not None and step.target not in seen:
                seen.add(step.target)
                waiting.append(step.target)
    return seen, steps


def values(text: str, variable: int = 0) -> set[int]:
    """All values that a global variable takes."""
    return {state.variables[variable] for state in explore(read_dve(text))[0]}


def process(body: str, name: str = "P", states: str = "a, b", more: str = "") -> str:
    return f"process {name} {{ state {states}; init a; {more} trans {body}; }}\n"


def refused(text: str) -> str:
    with pytest.raises(DveError) as caught:
        read_dve(text, "model.dve")
    return str(caught.value)


# Numbers


def error_of(text: str) -> str:
    """The kind of error in which the only step of a model ends."""
    semantics = Semantics(read_dve(text))
    (step,) = semantics.steps(semantics.initial_states()[0])
    assert step.target is None
    assert step.error is not None
    return step.error.kind


@pytest.mark.parametrize(
    ("declaration", "value"),
    [("byte x = 255", "x + 1"), ("byte x", "x - 1"), ("int x = 32767", "x + 1"), ("int x = -32768", "x - 1")],
)
def test_a_value_that_the_variable_cannot_hold_is_a_run_time_error(declaration: str, value: str) -> None:
    text = f"{declaration}; " + process(f"a -> b {{ effect x = {value}; }}") + "system async;"
    assert error_of(text) == "range"


def test_arithmetic_is_wider_than_the_variables() -> None:
    text = "byte x = 200; int y; " + process("a -> b { effect y = x * x / 2; }") + "system async;"
    assert values(text, 1) == {0, 20000}


def test_division_truncates_towards_zero() -> None:
    text = "int x = -7, q, r; " + process("a -> b { effect q = x / 2, r = x % 2; }") + "system async;"
    final = {state.variables for state in explore(read_dve(text))[0]}
    assert final == {(-7, 0, 0), (-7, -3, -1)}


def test_first_values_may_use_what_was_declared_before() -> None:
    text = "const byte N = 3; byte a = N * 2, b[3] = {a, a + N}; " + process("a -> a {}") + "system async;"
    assert Semantics(read_dve(text)).initial_states()[0].variables == (6, 6, 9, 0)


def test_surplus_first_values_of_an_array_are_dropped() -> None:
    text = "byte a[2] = {1, 2, 3}; " + process("a -> a {}") + "system async;"
    assert Semantics(read_dve(text)).initial_states()[0].variables == (1, 2)


def test_an_array_without_an_index_is_its_first_element() -> None:
    text = "byte a[2] = {7, 8}, x; " + process("a -> b { effect x = a, a = 5; }") + "system async;"
    assert {state.variables for state in explore(read_dve(text))[0]} == {(7, 8, 0), (5, 8, 7)}


def test_an_index_outside_the_array_is_a_run_time_error() -> None:
    text = "byte a[2], i = 2; " + process("a -> b { effect a[i] = 1; }") + "system async;"
    assert error_of(text) == "index"


def test_division_by_zero_is_a_run_time_error() -> None:
    assert error_of("byte x; " + process("a -> b { guard 1 / x == 0; }") + "system async;") == "division"


def test_a_guard_is_evaluated_only_as_far_as_needed() -> None:
    text = "byte a[2], i = 2; " + process("a -> b { guard i < 2 and a[i] == 0; }") + "system async;"
    assert explore(read_dve(text)) == (set(Semantics(read_dve(text)).initial_states()), 0)


# Effects and names


def test_effects_run_one_after_the_other() -> None:
    text = "byte x = 1, y; " + process("a -> b { effect x = x + 1, y = x; }") + "system async;"
    assert {state.variables for state in explore(read_dve(text))[0]} == {(1, 0), (2, 2)}


def test_a_local_variable_hides_the_global_one() -> None:
    text = "byte x = 9; " + process("a -> b { effect x = x + 1; }", more="") + "system async;"
    hidden = text.replace("process P {", "process P { byte x = 1;")
    assert values(hidden) == {9}


def test_states_and_variables_of_other_processes_can_be_read() -> None:
    text = (
        "byte x; process Q { byte own[2] = {4, 5}; state s, t; init s; trans s -> t {}; }"
        + process("a -> b { guard Q.t; effect x = Q->own[1] + Q.t; }")
        + "system async;"
    )
    assert values(text) == {0, 6}


def test_an_effect_sees_its_process_in_the_new_state() -> None:
    text = "byte x; " + process("a -> b { effect x = P.b * 10 + P.a; }") + "system async;"
    assert values(text) == {0, 10}


# Channels


def test_a_handshake_needs_two_processes() -> None:
    text = "channel c; " + process("a -> b { sync c!; }, a -> b { sync c?; }") + "system async;"
    assert len(explore(read_dve(text))[0]) == 1


def test_each_pair_of_partners_is_a_transition_of_its_own() -> None:
    text = (
        "channel c; "
        + process("a -> b { sync c!; }, a -> b { sync c!; }")
        + process("a -> b { sync c?; }", "Q")
        + process("a -> b { sync c?; }", "R")
        + "system async;"
    )
    states, steps = explore(read_dve(text))
    assert (len(states), steps) == (3, 4)


def test_the_receivers_effects_see_the_value_received() -> None:
    text = (
        "channel c; byte got, twice; "
        + process("a -> b { sync c!(20 + 1); }")
        + process("a -> b { sync c?got; effect twice = got * 2; }", "Q")
        + "system async;"
    )
    assert {state.variables for state in explore(read_dve(text))[0]} == {(0, 0), (21, 42)}


def test_what_is_sent_is_worked_out_before_the_senders_effects() -> None:
    text = (
        "channel c; byte x = 1, got; "
        + process("a -> b { sync c!x; effect x = 5; }")
        + process("a -> b { sync c?got; }", "Q")
        + "system async;"
    )
    assert {state.variables for state in explore(read_dve(text))[0]} == {(1, 0), (5, 1)}


@pytest.mark.parametrize(("ready", "errors"), [("x == 9", []), ("x == 5", ["division"])], ids=["nobody", "one"])
def test_what_is_sent_is_worked_out_only_if_somebody_waits(ready: str, errors: list[str]) -> None:
    text = (
        "channel c; byte x = 5, y, got; "
        + process("a -> b { sync c!(x / y); }")
        + process(f"a -> b {{ guard {ready}; sync c?got; }}", "Q")
        + "system async;"
    )
    network = read_dve(text)
    explore_both(network)
    semantics = Semantics(network)
    steps = semantics.steps(semantics.initial_states()[0])
    assert [step.error.kind for step in steps if step.error is not None] == errors


def test_what_is_sent_into_a_full_channel_is_not_worked_out() -> None:
    text = "channel {byte} c[1]; byte x = 5, y; " + process("a -> b { sync c!1; }, b -> a { sync c!(x / y); }")
    assert check(read_dve(text + "system async;"), "x == 5").verdict == "holds"


def test_an_untyped_channel_cuts_nothing() -> None:
    sender = process("a -> b { sync c!300; }")
    receiver = process("a -> b { sync c?got; }", "Q")
    assert values("channel c; int got; " + sender + receiver + "system async;") == {0, 300}
    assert error_of("channel c; byte got; " + sender + receiver + "system async;") == "range"


def test_a_typed_channel_cuts_to_its_fields() -> None:
    text = (
        "channel {byte, int} c[0]; int x, y; "
        + process("a -> b { sync c!{300, 300}; }")
        + process("a -> b { sync c?{x, y}; }", "Q")
        + "system async;"
    )
    assert {state.variables for state in explore(read_dve(text))[0]} == {(0, 0), (44, 300)}


def test_a_buffered_channel_is_a_queue_that_blocks_when_full() -> None:
    text = (
        "channel {byte} q[2]; byte n, got; "
        + process("a -> a { guard n < 9; sync q!{n}; effect n = n + 1; }")
        + "system async;"
    )
    states, _ = explore(read_dve(text))
    assert {state.channels[0] for state in states} == {(), ((0,),), ((0,), (1,))}


def test_messages_leave_a_buffered_channel_in_order() -> None:
    text = (
        "channel {byte} q[2]; byte n = 1, got; "
        + process("a -> a { guard n < 3; sync q!{n}; effect n = n + 1; }")
        + process("a -> a { guard n == 3; sync q?{got}; }", "Q")
        + "system async;"
    )
    assert [state.variables[1] for state in sorted(explore(read_dve(text))[0], key=str)].count(2) == 1
    assert values(text, 1) == {0, 1, 2}


# Committed states


def test_only_a_committed_process_moves() -> None:
    committed = "byte x; " + process("a -> b { effect x = 1; }", more="commit a;") + process("a -> b {}", "Q")
    semantics = Semantics(read_dve(committed + "system async;"))
    assert [step.moves[0].pid for step in semantics.steps(semantics.initial_states()[0])] == [0]


def test_a_handshake_in_a_committed_state_needs_both_partners_committed() -> None:
    sender = process("a -> b { sync c!; }", more="commit a;")
    alone = "channel c; " + sender + process("a -> b { sync c?; }", "Q") + "system async;"
    both = "channel c; " + sender + process("a -> b { sync c?; }", "Q", more="commit a;") + "system async;"
    assert explore(read_dve(alone))[1] == 0
    assert explore(read_dve(both))[1] == 1


def test_a_handshake_of_others_waits_for_the_committed_one() -> None:
    text = (
        "channel c; "
        + process("a -> b {}", more="commit a;")
        + process("a -> b { sync c!; }", "Q")
        + process("a -> b { sync c?; }", "R")
        + "system async;"
    )
    states, steps = explore(read_dve(text))
    assert (len(states), steps) == (3, 2)


# Properties


def test_a_state_without_transitions_is_a_deadlock() -> None:
    semantics = Semantics(read_dve(process("a -> b {}") + "system async;"))
    (step,) = semantics.steps(semantics.initial_states()[0])
    assert step.target is not None
    assert semantics.is_deadlock(step.target)


def test_assertions_hold_whenever_the_process_is_in_the_state() -> None:
    network = read_dve(
        "byte x; process P { byte own; state a; init a; assert a: x + own < 2; }"
        + process("a -> a { guard x < 2; effect x = x + 1; }", "Q")
        + "system async;"
    )
    asked = network.property("assertions")
    assert asked is not None
    assert isinstance(asked, Invariant)
    semantics = Semantics(network)
    found = {s.variables[0]: semantics.holds(asked.expression, s) for s in explore(network)[0]}
    assert found == {0: True, 1: True, 2: False}


CLAIM = "process Never {{ state q, bad; init q; accept bad; trans q -> q {{}}, q -> bad {{ guard x == 2; }}, {loop}; }}"


def test_a_property_process_that_traps_in_its_accepting_state_is_a_claim() -> None:
    body = "byte x; " + process("a -> a { guard x < 3; effect x = x + 1; }")
    network = read_dve(body + CLAIM.format(loop="bad -> bad {}") + " system async property Never;")
    assert [process.name for process in network.processes] == ["P"]
    (claim,) = network.properties
    assert not claim.seeks_cycle
    watched = claim.watched(network)
    semantics = Semantics(watched)
    assert any(semantics.claim_completed(state) for state in explore(watched)[0])


def test_a_liveness_property_is_checked_for_cycles() -> None:
    body = "byte x; " + process("a -> a { effect x = 1 - x; }")
    loop = CLAIM.format(loop="bad -> bad { guard x == 0; }")
    result = check(read_dve(body + loop + " system async property Never;"))
    assert (result.verdict, result.reason) == ("holds", "exhausted")
    always = read_dve(body + CLAIM.format(loop="bad -> bad { guard x < 2; }") + " system async property Never;")
    assert check(always).verdict == "holds"  # x is never 2


@pytest.mark.parametrize("text", ["P->own < 2", "P.own < 2", "A[] P.a imply P->own != 2", "P@a -> P->own < 2"])
def test_a_property_may_read_a_variable_as_dve_writes_it(text: str) -> None:
    network = read_dve("process P { byte own; state a; init a; trans a -> a { effect own = own + 1; }; } system async;")
    result = check(network, text)
    assert result.verdict == "violated"
    assert result.trace is not None
    assert len(result.trace) == 2


# Refusals


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("byte x, x; " + process("a -> a {}"), "`x` is declared twice"),
        ("byte x = 256; " + process("a -> a {}"), "outside 0..255"),
        ("const byte x; " + process("a -> a {}"), "has no value"),
        ("const byte x = 1; " + process("a -> a { effect x = 2; }"), "`x` is a constant"),
        ("byte count; " + process("a -> a { guard cuont == 0; }"), "did you mean `count`?"),
        ("byte x; " + process("a -> a { effect x[1] = 2; }"), "`x` is not an array"),
        (process("a -> c {}"), "no state of P called `c`"),
        (process("a -> b { guard R.a; }"), "no process called `R`"),
        (process("a -> b { sync d!; }"), "no channel called `d`"),
        ("channel c; " + process("a -> b { sync c!; }, a -> b { sync c!1; }"), "1 values for channel `c`"),
        ("channel c; " + process("a -> b { sync c?3; }"), "only a variable can receive"),
        ("channel {byte} c[1]; " + process("a -> b { sync c!{1, 2}; }"), "2 values for channel `c`"),
        (process("a -> a {}") + process("a -> a {}"), "`P` is declared twice"),
    ],
)
def test_mistakes_are_found_before_anything_runs(text: str, words: str) -> None:
    assert words in refused(text + "system async;")


def test_a_synchronous_system_is_refused() -> None:
    assert "`system sync` is not supported" in refused(process("a -> a {}") + "system sync;")


def test_a_handshake_whose_effects_depend_on_their_order_is_refused() -> None:
    text = (
        "channel c; byte x, y; "
        + process("a -> b { sync c!; effect x = 1; }")
        + process("a -> b { sync c?; effect y = x; }", "Q")
        + "system async;"
    )
    assert "their order would matter" in refused(text)
