"""``A<> p``, ``E[] p`` and ``p --> q``: small networks whose runs one can see through."""

from __future__ import annotations

import pytest

from beeline.checking import check, check_all
from beeline.engine import Limits
from beeline.languages.uppaal import load_text
from beeline.model.network import Network
from beeline.model.property import Inevitability
from beeline.problems import Result
from beeline.records import replace
from beeline.searches.runner import run
from beeline.timed.options import Extrapolation, ZoneOptions
from beeline.timed.runs import confined_graph, run_trace, search_for
from beeline.trace.replay import ReplayError
from beeline.trace.timed import TimedTrace


def asking(text: str, *queries: str) -> Network:
    return load_text(text + "".join(f"\nquery {{ {query} }}" for query in queries))


def answers(text: str, *queries: str) -> list[str]:
    return [f"{result.verdict} ({result.reason})" for result in check_all(asking(text, *queries))]


def trace_of(result: Result) -> TimedTrace:
    assert isinstance(result.trace, TimedTrace)
    return result.trace


FORCED = """clock x; process P() { state a { x <= 3 }, b; init a; trans a -> b { guard x >= 1; }; } system P;"""


def test_an_invariant_makes_the_step_inevitable() -> None:
    assert answers(FORCED, "A<> P.b", "E[] P.a", "P.a --> P.b") == [
        "holds (exhausted)",
        "violated (there is no such run)",
        "holds (exhausted)",
    ]


def test_a_run_may_stay_where_no_invariant_ends_the_delay() -> None:
    free = FORCED.replace("{ x <= 3 }", "")
    assert answers(free, "A<> P.b", "E[] P.a") == ["violated (time passes for ever)", "holds (time passes for ever)"]
    assert answers(FORCED, "A<> P.a && x > 3", "E[] x >= 0") == [
        "violated (time passes for ever)",
        "holds (time passes for ever)",
    ]


def test_networks_without_clocks_may_stay_unless_something_is_urgent() -> None:
    text = "process P() {{ state a, b; {} init a; trans a -> b {{ }}; }} system P;"
    assert answers(text.format(""), "A<> P.b") == ["violated (time passes for ever)"]
    assert answers(text.format("urgent a;"), "A<> P.b") == ["holds (exhausted)"]


@pytest.mark.parametrize("invariant", ["x <= 3", "x < 3"])
def test_a_run_that_waits_for_too_long_ends_in_a_deadlock(invariant: str) -> None:
    text = FORCED.replace("x <= 3", invariant).replace("x >= 1", "x <= 1")
    (result,) = check_all(asking(text, "A<> P.b"))
    assert str(result) == "query1: violated (deadlock)"
    assert trace_of(result).cycle is None and 1 < trace_of(result).duration <= 3


TURNING = """clock x, y; process P() {{ state a {{ {} }}, b; init a;
    trans a -> a {{ guard {}; assign {}; }}, a -> b {{ guard x == 3; }}; }} system P;"""


def test_a_cycle_takes_time_or_is_zeno() -> None:
    assert answers(TURNING.format("x <= 3", "x >= 1", "x = 0"), "A<> P.b") == ["violated (cycle)"]
    assert answers(TURNING.format("x <= 3", "x <= 0", "x = 0"), "A<> P.b") == ["violated (Zeno cycle)"]
    # Time may pass in each turn, but not for ever.
    assert answers(TURNING.format("x <= 3", "y <= 3", "y = 0"), "A<> P.b") == ["violated (Zeno cycle)"]


def test_what_covers_the_next_zone_closes_no_cycle() -> None:
    """Each turn takes a unit of the three that there are: its zones lie in one another, and no run goes on for ever."""
    text = TURNING.format("x <= 3 && y <= 1", "y == 1 && x < 3", "y = 0")
    assert answers(text, "A<> P.b", "E[] P.a") == ["holds (exhausted)", "violated (there is no such run)"]


def test_the_trace_tells_where_the_cycle_begins() -> None:
    text = """clock x; process P() { state a { x <= 2 }, b { x <= 5 }, c { x <= 5 }, d; init a;
        trans a -> b { guard x == 2; assign x = 0; }, b -> c { guard x >= 1; assign x = 0; },
              c -> b { guard x >= 2; assign x = 0; }, c -> d { guard x == 4; }; } system P;"""
    (result,) = check_all(asking(text, "A<> P.d"), search="bfs")
    trace = trace_of(result)
    assert (result.reason, trace.cycle, len(trace)) == ("cycle", 1, 3)
    assert trace.states[1].discrete == trace.states[3].discrete
    assert [str(delay) for delay in trace.delays] == ["2", "1", "2", "0"]


@pytest.mark.parametrize("query", ["A<> v == 60", "v == 0 --> v == 60"])
def test_a_shorter_run_is_looked_for_than_the_depth_first_one(query: str) -> None:
    text = """int[0,60] v; process P() { state a, b; urgent a, b; init a;
        trans a -> a { guard v < 50; assign v = v + 1; }, a -> b { }, b -> b { }; } system P;"""
    (result,) = check_all(asking(text, query))
    assert (result.reason, len(trace_of(result)), trace_of(result).cycle) == ("Zeno cycle", 2, 1)
    assert not result.shortest  # though it is


def test_conditions_on_clocks_are_looked_at_while_time_passes() -> None:
    assert answers(FORCED, "A<> x == 1", "A<> P.a && x == 1", "A<> P.a && x > 1", "E[] x != 2") == [
        "holds (exhausted)",
        "holds (exhausted)",
        "violated (time passes for ever)",
        "violated (there is no such run)",
    ]
    (result,) = check_all(asking(FORCED, "E[] !(P.a && x > 1) && !(P.b && x < 1)"))
    assert (result.verdict, [str(delay) for delay in trace_of(result).delays]) == ("holds", ["1", "0"])


def test_a_promise_begins_while_time_passes() -> None:
    (result,) = check_all(asking(FORCED, "P.a && x == 2 --> P.a && x == 3"))
    assert str(result) == "query1: violated (time passes for ever)"
    assert trace_of(result).delays[0] == 2
    assert answers(FORCED, "P.a && x == 2 --> P.b && x >= 2", "P.b && x < 1 --> false") == ["holds (exhausted)"] * 2


def test_a_promise_is_looked_for_in_all_reachable_states() -> None:
    text = """clock x; process P() { state a { x <= 3 }, b { x <= 3 }, c, d; init a;
        trans a -> b { guard x == 3; assign x = 0; }, b -> c { }, b -> a { guard x == 3; assign x = 0; }; } system P;"""
    assert answers(text, "P.a --> P.b", "P.b --> P.a", "P.c --> P.a", "P.d --> P.a") == [
        "holds (exhausted)",
        "violated (time passes for ever)",
        "violated (time passes for ever)",
        "holds (exhausted)",
    ]


def test_a_failing_step_violates_and_is_no_witness() -> None:
    text = """int[0,1] v = 1; process P() { state a, b; urgent a; init a;
        trans a -> b { assign v = v + 1; }; } system P;"""
    (always, some) = check_all(asking(text, "A<> P.b", "E[] P.a"))
    assert always.verdict == "violated" and trace_of(always).steps[-1].error
    assert str(some) == "query2: violated (there is no such run)"


def test_limits_leave_the_question_open() -> None:
    text = """int[0,1000] v; process P() { state a; urgent a; init a;
        trans a -> a { guard v < 1000; assign v = v + 1; }; } system P;"""
    network = asking(text, "A<> v == 1000", "v == 3 --> v == 1000")
    assert [str(one) for one in check_all(network)] == ["query1: holds (exhausted)", "query2: holds (exhausted)"]
    for limits, reason in ((Limits(states=50), "state limit"), (Limits(depth=50), "depth limit")):
        assert [one.reason for one in check_all(network, limits=limits)] == [reason, reason]


@pytest.mark.parametrize("extrapolation", [Extrapolation.M, Extrapolation.LU, Extrapolation.LU_PLUS])
def test_every_extrapolation_gives_the_same_answer(extrapolation: Extrapolation) -> None:
    network = asking(TURNING.format("x <= 3 && y <= 1", "y == 1 && x < 3", "y = 0"), "A<> x == 3")
    assert check(network, zones=ZoneOptions(extrapolation, merge=True)).verdict == "holds"


def test_networks_of_other_languages_are_asked_by_their_expressions() -> None:
    network = replace(asking(FORCED), language="python")
    assert [check(network, asked).verdict for asked in ("A<> P@b", "E[] P@a", "P@a --> P@b", "E[] P@b || x <= 3")] == [
        "holds",
        "violated",
        "holds",
        "holds",
    ]


# What is refused


def test_deadlock_is_no_part_of_questions_about_runs() -> None:
    (result, other, _) = check_all(asking(FORCED, "A<> deadlock", "P.a --> deadlock", "E<> deadlock"))
    assert result.reason == other.reason == "not checked: 'deadlock' can be asked for by E<> and A[] alone"


def test_stopped_clocks_are_refused_by_name() -> None:
    text = FORCED.replace("x <= 3", "x <= 3 && x' == 0")
    (result, _) = check_all(asking(text, "A<> P.b", "E<> P.b"))
    assert result.reason.startswith("not checked: clocks are stopped")


# What is replayed


def test_a_run_that_meets_what_it_avoids_is_no_answer() -> None:
    free = FORCED.replace("{ x <= 3 }", "")
    network = asking(free, "A<> P.b && x < 1", "A<> P.b", "A<> x == 2")
    first, second, third = network.properties
    assert isinstance(first, Inevitability) and isinstance(second, Inevitability) and isinstance(third, Inevitability)
    graph = confined_graph(network, first, ZoneOptions())
    outcome = run(graph.space, search_for(first))
    assert run_trace(graph, first, outcome)[1] == "time passes for ever"
    assert run_trace(graph, second, outcome)[1] == "time passes for ever"
    with pytest.raises(ReplayError, match="avoid"):
        run_trace(graph, third, outcome)
