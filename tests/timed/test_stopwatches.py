"""Clocks that are stopped and run again: exact absence, replayed presence, and doubt said aloud."""

from __future__ import annotations

import pytest

from beeline.checking import Result, check
from beeline.languages.uppaal import load_text
from beeline.languages.uppaal.errors import UppaalError
from beeline.model.expressions import Ref
from beeline.model.source import ModelError
from beeline.timed.bounds import bounds_of
from beeline.timed.goals import sought
from beeline.trace.timed import TimedTrace


def answer(text: str, query: str) -> Result:
    return check(load_text(f"{text}\nquery {{ {query} }}"), "query1")


TURNS = """
clock x, y, z;
process P() { state a { y' == 0 }, b { x' == 0 }; init a; trans a -> b { }; }
system P;
"""


def test_a_stopped_clock_keeps_its_value() -> None:
    assert answer(TURNS, "A[] P.b imply x <= z").verdict == "holds"
    assert answer(TURNS, "A[] P.a imply y == 0").verdict == "holds"


def test_a_run_is_found_for_values_that_add_up() -> None:
    found = answer(TURNS, "A[] not (P.b and x == 1 and y == 1 and z == 2)")
    assert found.verdict == "violated" and isinstance(found.trace, TimedTrace)
    assert list(found.trace.delays) == [1, 1]


def test_a_path_without_a_run_is_doubtful_not_violated() -> None:
    """Zones cannot tell that z is the sum of x and y."""
    found = answer(TURNS, "A[] not (P.b and x == 1 and y == 1 and z == 5)")
    assert found.verdict == "unknown" and found.reason.startswith("possibly spurious: ")
    assert found.trace is None


PREEMPTED = """
const int N = 2; typedef int[0,N-1] id_t;
clock job[N], now; bool runs[N];
process Task(const id_t id) { state idle, busy, done; init idle;
    trans idle -> busy { guard id == 0 && now == 0; assign job[id] = 0, runs[id] = true; },
          idle -> busy { guard id == 1 && now == 2; assign job[id] = 0, runs[id] = true, runs[0] = false; },
          busy -> done { guard job[id] == 5 && id == 0; assign runs[id] = false; },
          busy -> done { guard job[id] == 3 && id == 1; assign runs[id] = false, runs[0] = true; }; }
process Clock() { state s { now <= 9 && forall (i : id_t) job[i]' == runs[i] }; init s; }
system Task, Clock;
"""


def test_rates_may_be_expressions_for_all_elements_of_an_array() -> None:
    """The first task takes 5 and is interrupted for 3."""
    assert answer(PREEMPTED, "A[] Task(0).done and Task(1).done imply now >= 8").verdict == "holds"
    finished = answer(PREEMPTED, "A[] not (Task(0).done and Task(1).done)")
    assert finished.verdict == "violated" and isinstance(finished.trace, TimedTrace)
    assert finished.trace.duration == 8


def test_a_condition_may_waive_a_rate_and_rates_of_two_processes_must_agree() -> None:
    text = """clock x, t; bool free;
        process P() { state a { free || x' == 0 }, b { x' == 1 }; init a;
            trans a -> b { }, a -> a { guard t == 1; assign free = true; }; }
        process Q() { state c { x' == 0 }, d; init c; trans c -> d { guard t >= 1; }; }
        system P, Q;"""
    assert answer(text, "A[] P.b and Q.c imply x == 0").verdict == "holds"
    assert answer(text, "A[] Q.c imply x == 0").verdict == "holds"
    assert answer(text, "E<> P.a and Q.d and x > 3").trace is not None


def test_time_stands_still_where_two_rates_contradict_each_other() -> None:
    text = """clock x, t; process P() { state a { x' == 0 }; init a; } process Q() { state b { x' == 1 }; init b; }
        system P, Q;"""
    assert answer(text, "A[] t == 0").verdict == "holds"
    assert answer(text, "A[] not deadlock").verdict == "violated"


WAITING = """
clock x, y; bool go;
process P() { state a { x' == go && y <= 4 }, b; init a;
    trans a -> a { guard y == 4; assign y = 0, go = !go; }, a -> b { guard x == 6; }, b -> b { }; }
system P;
"""


def test_deadlock_takes_stopped_clocks_into_account() -> None:
    assert answer(WAITING, "A[] not deadlock").verdict == "holds"
    stuck = answer(WAITING.replace("y == 4; assign y = 0", "y == 4 && x < 6; assign y = 0"), "A[] not deadlock")
    assert stuck.verdict == "violated" and stuck.reason == "deadlock"


def test_a_rate_that_is_neither_0_nor_1_is_an_error_of_the_step() -> None:
    text = """clock x; int[0,2] r; process P() { state a { x' == r }; init a;
        trans a -> a { guard r < 2; assign r++; }; } system P;"""
    found = answer(text, "A[] x >= 0")
    assert found.verdict == "violated" and found.trace is not None and len(found.trace) == 2
    with pytest.raises(ModelError, match="at the start"):
        answer(text.replace("r;", "r = 2;", 1), "A[] x >= 0")


@pytest.mark.parametrize(
    ("invariant", "guard", "message"),
    [
        ("x' == 2", "true", "clock rates other than 0 and 1"),
        ("x' == 1 - x", "true", "clock rates other than 0 and 1"),
        ("n' == 0", "true", "only clocks have a rate"),
        ("x' <= 1", "true", "given with =="),
        ("x' == 0 || x < 3", "true", "disjunction"),
        ("true", "x' == 0", "in an invariant only"),
    ],
)
def test_rates_that_mean_nothing_are_refused(invariant: str, guard: str, message: str) -> None:
    text = f"""clock x; int n; process P() {{ state a {{ {invariant} }}; init a; trans a -> a {{ guard {guard}; }}; }}
        system P; query {{ E<> x > 1 }}"""
    with pytest.raises((UppaalError, ModelError), match=message):
        check(load_text(text), "query1")


def test_a_query_about_a_rate_is_not_checked() -> None:
    assert answer(TURNS, "E<> x' == 0").verdict == "unknown"


def test_bounds_of_stopped_clocks_are_not_called_exact() -> None:
    network = load_text(PREEMPTED + "query { E<> Task(0).done }")
    found = bounds_of(network, sought(network.properties[0]), [Ref("now")])
    assert not found.exact and found.intervals[0] is not None and found.intervals[0].high == 9
