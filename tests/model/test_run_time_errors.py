"""What goes wrong while a model runs is a step that ends in an error: with a kind, a sentence and a place."""

import pytest
from tests.model.world import World

from beeline import NetworkBuilder, check
from beeline.model.evaluate import StepError
from beeline.model.expressions import Literal, Ref
from beeline.model.network import Network, Send, Variable
from beeline.model.statements import LOOP_LIMIT
from beeline.model.types import CHANNEL
from beeline.records import replace


def faulty(effect: str = "", guard: str = "", sync: str = "") -> NetworkBuilder:
    builder = NetworkBuilder("faulty")
    builder.variable("x", 0, 3)
    builder.variable("a", 0, 3, size=2)
    builder.channel("q", 1, fields=[(0, 3)])
    builder.channel("c", size=2)
    builder.process("P").location("s").location("t").edge("s", "t", guard=guard, sync=sync, effect=effect)
    return builder


def error_of(model: NetworkBuilder | Network) -> StepError:
    errors = [step.error for step in World(model).steps() if step.error is not None]
    assert len(errors) == 1
    return errors[0]


@pytest.mark.parametrize(
    ("effect", "kind", "message"),
    [
        ("x = x - 1", "range", "value -1 outside 0..3"),
        ("x = 4", "range", "value 4 outside 0..3"),
        ("a[x + 2] = 1", "index", "index 2 outside 0..1"),
        ("x = a[x - 1]", "index", "index -1 outside 0..1"),
        ("x = 1 / x", "division", "division by zero"),
        ("x = 1 % x", "division", "division by zero"),
        ("assert(x == 1)", "assertion", "assert(x == 1)"),
        ("while (1) { x = 0 }", "loop", f"more than {LOOP_LIMIT} iterations in one guard or effect"),
    ],
)
def test_an_effect_that_fails(effect: str, kind: str, message: str) -> None:
    error = error_of(faulty(effect))
    assert (error.kind, error.message) == (kind, message)


@pytest.mark.parametrize(
    ("guard", "sync", "kind"),
    [
        ("1 / x", "", "division"),
        ("a[x + 7] == 0", "", "index"),
        ("", "q!a[x + 2]", "index"),
        ("", "q!4", "range"),
        ("", "c[x + 2]!", "index"),
    ],
)
def test_a_guard_or_message_that_fails(guard: str, sync: str, kind: str) -> None:
    assert error_of(faulty(guard=guard, sync=sync)).kind == kind


def test_a_failing_step_changes_nothing() -> None:
    world = World(faulty("x = 1; a[0] = 2; x = 9"))
    assert [step.target for step in world.steps()] == [None]


def test_the_place_of_an_error_is_that_of_its_edge() -> None:
    builder = faulty("x = 4")
    error = error_of(builder)
    assert error.source == builder.processes[0].edges[0].source
    assert error.source.file == __file__


def test_a_failing_receiver_fails_for_itself_and_for_its_sender() -> None:
    builder = NetworkBuilder("partner")
    builder.variable("x", 0, 3)
    builder.channel("c")
    builder.process("S").location("s").edge("s", "s", sync="c!")
    builder.process("R").location("s").edge("s", "s", sync="c?", guard="1 / x")
    assert World(builder).errors() == ["division", "division"]


def test_a_received_value_that_does_not_fit_is_an_error() -> None:
    builder = NetworkBuilder("bind")
    builder.variable("x", 0, 3)
    builder.channel("c", fields=[(0, 9)])
    builder.process("S").location("s").edge("s", "s", sync="c!7")
    builder.process("R").location("s").edge("s", "s", sync="c?x")
    assert World(builder).errors() == ["range"]


@pytest.mark.parametrize(("number", "message"), [(0, "use of a channel that was never set up"), (9, "no channel 9")])
def test_a_channel_variable_that_holds_no_channel_is_an_error(number: int, message: str) -> None:
    builder = faulty("x = 1")
    process = builder.processes[0]
    process.variables.append(Variable("via", CHANNEL, (number,)))
    process.edges[0] = replace(process.edges[0], sync=Send(Ref("via"), (Literal(1),)))
    error = error_of(builder)
    assert (error.kind, error.message) == ("channel", message)


@pytest.mark.parametrize("search", ["bfs", "dfs", "iddfs"])
def test_errors_are_violations_with_a_trace_whatever_is_asked(search: str) -> None:
    builder = faulty()
    builder.processes[0].edge("t", "s", effect="x = x + 2")
    result = check(builder, "x < 3", search=search)
    assert (result.verdict, result.reason) == ("violated", "value 4 outside 0..3")
    assert result.trace is not None
    assert len(result.trace) == 4
    assert result.trace.steps[-1].error == "value 4 outside 0..3"
    assert result.trace.steps[-1].changes == {}


def test_the_budget_of_iterations_is_for_each_guard_and_effect() -> None:
    most = LOOP_LIMIT - 1
    effect = f"int i = 0; while (i < {most}) {{ i++ }}"
    builder = faulty(effect)
    builder.processes[0].edge("t", "s", effect=effect)
    assert check(builder, "safety").verdict == "holds"
