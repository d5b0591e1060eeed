"""Queries: what they ask, what they may call, and that none of them is lost."""

from __future__ import annotations

import pytest

from beeline import Limits, ModelError, check
from beeline.checking import check_all
from beeline.languages.uppaal import Unsupported, UppaalError, ask, load_text, values
from beeline.languages.uppaal.queries import parse_queries, parse_query
from beeline.languages.uppaal.text import from_string
from beeline.model.network import Network
from beeline.model.property import Invariant
from beeline.model.semantics import Semantics
from beeline.model.state import State
from beeline.model.validation import validate_property
from beeline.report.objects import result_object
from beeline.timed.clocks import Clocks
from beeline.timed.goals import cases, sought

SMALL = "process P() {{ state s; init s; {} }} system P;"
COUNTERS = """
const int N = {count}; typedef int[0, N - 1] id_t; typedef struct {{ int a; int b[2]; }} pair;
int total; clock now;
process P(const id_t id) {{
    int v; pair kept[2];
    bool beyond(int limit) {{ return v > limit && id > 0; }}
    int twice() {{ return v + v; }}
    bool touch() {{ v = 1; return true; }}
    state low, high; init low;
    trans low -> high {{ assign v = 3, total = 1, kept[1].b[id] = 4; }}, high -> low {{ assign v = 0; }};
}}
system P;
"""


def model(count: int = 2) -> Network:
    return load_text(COUNTERS.format(count=count))


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("E<> P(1).beyond(2)", True),
        ("E<> P(0).beyond(2)", False),
        ("E<> P(1).beyond(3)", False),
        ("E<> exists (i : id_t) P(i).beyond(total + 1)", True),
        ("E<> P(0).twice() + P(1).twice() == 12", True),
        ("E<> P(1).twice() == 6 && P(1).low", False),
        ("E<> P(1).kept[1].b[1] == 4 && P(0).kept[1].b[0] == 0", True),
        ("E<> P(1).kept[total].a == 1", False),
        ("E<> now > 2 && P(1).beyond(2)", True),
    ],
)
def test_queries_call_the_functions_of_processes_and_read_their_variables(query: str, found: bool) -> None:
    made = model()
    result = check(made, ask(made, query), shrink="none")
    assert result.verdict != "unknown"
    assert (result.trace is not None) == found
    assert (check(made, ask(made, query)).trace is not None) == found


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("E<> P(1).missing()", "process P(1) has no function missing"),
        ("E<> P(1).v()", "process P(1) has no function v"),
        ("E<> P(1).touch()", "touch has side effects"),
        ("E<> P(1).beyond()", "beyond takes 1 arguments, not 0"),
        ("E<> P(1).twice == 2", "twice is a function of P(1): call it"),
        ("E<> total.twice() == 2", "there is no function twice"),
    ],
)
def test_calls_that_are_no_questions_say_why(query: str, message: str) -> None:
    made = model()
    with pytest.raises(UppaalError) as mistake:
        ask(made, query)
    assert message in mistake.value.message


MANY = """typedef int[0, 999] id_t; clock now;
process P(const id_t id) { state low, high; init low; trans low -> high { }; } system P;"""


@pytest.mark.parametrize(
    "condition",
    [
        "forall (i : id_t) P(i).low",
        "not exists (i : id_t) P(i).high",
        "(sum (i : id_t) P(i).high) == 0",
        " && ".join(f"P({i}).low" for i in range(1000)),
        "now > 3 || " + " + ".join(f"P({i}).high" for i in range(1000)) + " == 0",
        "forall (i : id_t) (now >= i imply now + 1 > i || P(i).low)",
    ],
)
def test_a_condition_on_a_thousand_processes_is_not_too_deep(condition: str) -> None:
    made = load_text(MANY)
    asked = ask(made, f"A[] {condition}")
    assert isinstance(asked, Invariant)
    validate_property(made, asked.expression)
    assert len(cases(sought(asked), Clocks(made))) > 0
    state = Semantics(made).initial_states()[0]
    assert Clocks(made).mentions(asked.expression, None) or Semantics(made).holds(asked.expression, state)


def test_many_processes_are_asked_about_at_once() -> None:
    made = load_text(MANY.replace("clock now;", ""))
    result = check(made, ask(made, "A[] forall (i : id_t) P(i).low"))
    assert (result.verdict, len(result.trace or ())) == ("violated", 1)


# Numbers of type double


@pytest.mark.parametrize(
    ("condition", "true"),
    [
        ("K == 2.5 && 2 * K == 5 && K / 2 < 1.3 && -K < 0.0", True),
        ("0.1 + 0.2 == 0.3", False),  # as doubles are
        ("total < 0.5 && total > -0.5 && total <= 0.0 && total >= -0.0", True),
        ("total == 0.5 || total != 0.0", False),
        ("0.5 > total && -1e300 < total && total < 1e300", True),
        ("now >= 0.0 && now <= K * 2.0 || now > 5", True),
        ("K > 2 ? total == 0 : total == 1", True),
    ],
)
def test_real_constants_are_compared_as_doubles(condition: str, true: bool) -> None:
    made = load_text("const double K = 2.5; int total; clock now; process P() { state s; init s; } system P;")
    assert check(made, ask(made, f"A[] ({condition})")).verdict == ("holds" if true else "violated")


def test_a_clock_is_not_compared_with_a_fraction() -> None:
    made = load_text("clock x; process P() { state s; init s; } system P;")
    assert parse_query(from_string("E<> x > 1.5")).refusal == ""
    with pytest.raises(UppaalError, match="not supported: comparing clocks with numbers that are not whole"):
        ask(made, "E<> x > 1.5")


# Ranges


def test_ranges_keep_the_states_and_the_values_that_are_asked_for() -> None:
    asked = parse_query(from_string("sup{P.a && x > 2}: y, z + 1"))
    assert (asked.path, len(asked.values)) == ("sup", 2)
    assert parse_query(from_string("bounds: y")).path == "bounds"
    with pytest.raises(UppaalError, match="expected ':'"):
        parse_query(from_string("inf{P.a} y"))


RANGES = """clock x; int v; process P() { clock y; state a { x <= 3 }, b { y < 7 }, c; init a;
    trans a -> b { guard x > 1; assign v = 5, y = 0; }, b -> c { guard y > 2; }; } system P;"""


@pytest.mark.parametrize(
    ("query", "reason"),
    [
        ("sup{P.a}: x, v", "x <= 3, v <= 0"),
        ("inf{P.b}: x, v + 1", "x > 1, v + 1 >= 6"),
        ("bounds{P.b}: P.y, v * 2, x", "P.y in [0, 7), v * 2 in [10, 10], x in (1, 10)"),
        ("sup: x", "x without bound"),
        ("sup{P.b}: P.y", "P.y < 7"),
        ("sup{P.c && v == 0}: x", "no such state is reachable"),
        ("bounds: P.c", "P.c in [0, 1]"),
    ],
)
def test_ranges_are_told_as_bounds(query: str, reason: str) -> None:
    made = load_text(RANGES)
    result = check(made, ask(made, query))
    assert (result.verdict, result.reason) == ("holds", reason)


def test_ranges_of_models_without_clocks() -> None:
    made = load_text("int[0,9] v; " + SMALL.format("trans s -> s { guard v < 9; assign v = v + 3; };"))
    result = check(made, ask(made, "bounds{v > 2}: v, v * v"))
    assert (result.verdict, result.reason) == ("holds", "v in [3, 9], v * v in [9, 81]")
    told = result_object(result)["ranges"]
    assert told[1] == {"value": "v * v", "low": 9, "high": 81, "low_open": False, "high_open": False, "empty": False}


def test_a_range_is_not_told_where_a_step_fails_or_a_limit_ends_the_search() -> None:
    made = load_text("clock x; int[0,9] v; " + SMALL.format("trans s -> s { assign v = v + 3; };"))
    failing = check(made, ask(made, "sup: v"))
    assert failing.verdict == "violated" and failing.trace is not None and "outside" in failing.reason
    limited = check(made, ask(made, "sup: v"), limits=Limits(states=2))
    assert limited.verdict == "unknown" and limited.reason.startswith("state limit; so far v <=")
    widened = check(made, ask(made, "sup: x, v"), limits=Limits(states=2))
    assert (widened.verdict, widened.reason) == ("unknown", "state limit")


def test_a_range_is_doubted_where_clocks_are_stopped() -> None:
    made = load_text("clock x; process P() { state a { x <= 3 }, b { x' == 0 }; init a; trans a -> b { }; } system P;")
    result = check(made, ask(made, "sup{P.b}: x"))
    assert result.verdict == "unknown"
    assert result.reason == "where clocks are stopped, zones include more than is reachable; within x <= 3"


@pytest.mark.parametrize("value", ["x - y", "x + 1", "x > 3"])
def test_ranges_of_more_than_a_clock_are_refused(value: str) -> None:
    made = load_text("clock x, y; " + SMALL.format(""))
    with pytest.raises(Unsupported, match="not supported: ranges of"):
        ask(made, f"sup: {value}")


# None is lost


def test_a_mistake_in_one_query_does_not_hide_the_others() -> None:
    made = load_text(
        """int v; process P() { state s; init s; } system P;
        query { A[] v == 0 }
        query { A[] v == }
        query { E<> P.nowhere }
        query { sup{v == 0}: v }
        query { Pr[<=10](<> P.s) }
        query { E<> v == 0 }
        query { P.s --> v == 1 }
        query { sup: wrong }""",
        "m.xta",
    )
    assert [asked.source.line for asked in made.properties] == list(range(2, 10))
    assert [str(result) for result in check_all(made)] == [
        "query1: holds (exhausted)",
        "query2: unknown (not checked: m.xta:3:26: expected an expression, found end of text)",
        "query3: unknown (not checked: m.xta:4:22: process P has no location or variable nowhere)",
        "query4: holds (v <= 0)",
        "query5: unknown (not checked: not supported: probability queries (Pr))",
        "query6: holds (goal reached)",
        "query7: violated (time passes for ever)",
        "query8: unknown (not checked: m.xta:9:22: unknown name wrong)",
    ]


def test_a_mistake_in_a_query_file_does_not_hide_the_others() -> None:
    queries = parse_queries("A[] a\nE<> (b\n  && c))\n\nE<> @\nA[] d /* open\nA[] e", "m.q")
    assert [query.path for query in queries] == ["A[]", "", "", ""]
    assert [query.source.line for query in queries] == [1, 3, 5, 6]
    assert [bool(query.mistake) for query in queries] == [False, True, True, True]


def test_a_constant_that_the_model_does_not_index_cannot_be_indexed_later() -> None:
    made = load_text("const int T[2] = {1, 2}; int v; process P() { state s; init s; } system P;")
    for _ in range(2):
        with pytest.raises(UppaalError, match="nowhere indexes"):
            ask(made, "A[] T[v] == 1")
    assert check(made, ask(made, "A[] T[1] == 2")).verdict == "holds"


# Pairs of many processes

PAIRS = """typedef int[0, 2] id_t;
process P(const id_t id) { int[0, 2] w; state a, b; init a;
    trans a -> b { }, b -> a { }, a -> a { select k : int[0, 2]; assign w = k; }; } system P;"""


def states_of(made: Network) -> list[State]:
    semantics = Semantics(made)
    seen = dict.fromkeys(semantics.initial_states())
    waiting = list(seen)
    while waiting:
        for step in semantics.steps(waiting.pop()):
            if step.target is not None and step.target not in seen:
                seen[step.target] = None
                waiting.append(step.target)
    return list(seen)


@pytest.mark.parametrize(
    "condition",
    [
        "forall (i : id_t) forall (j : id_t) P(i).b && P(j).b imply i == j",
        "forall (i : id_t) forall (j : id_t) (i != j imply not (P(i).b and P(i).w > 0 and P(j).a))",
        "forall (i : id_t) forall (j : id_t) ((P(i).w == 1 && j != i && P(j).w == 2) imply P(j).a)",
        "exists (i : id_t) exists (j : id_t) P(i).b && P(j).w == 1 && i != j",
        "exists (i : id_t) exists (j : id_t) P(i).b && P(j).b && i != j",
    ],
)
def test_pairs_are_counted_where_they_are_many(condition: str, monkeypatch: pytest.MonkeyPatch) -> None:
    made = load_text(PAIRS)
    written_out = ask(made, f"A[] {condition}").sought
    monkeypatch.setattr(values, "LARGEST_WRITTEN_OUT", 0)
    counted = ask(made, f"A[] {condition}").sought
    assert written_out is not None and counted is not None and written_out != counted
    semantics, states = Semantics(made), states_of(made)
    answers = [semantics.holds(written_out, state) for state in states]
    assert answers == [semantics.holds(counted, state) for state in states]
    assert set(answers) == {True, False}


@pytest.mark.parametrize(
    "condition",
    [
        "forall (i : id_t) forall (j : id_t) P(i).b && P(j).b imply P(0).a",
        "forall (i : id_t) forall (j : id_t) P(i).w == P(j).w imply i == j",
        "forall (i : id_t) exists (j : id_t) P(i).b && P(j).b && i != j",
        "forall (i : id_t) forall (j : int[0,1]) P(i).b && P(j).b imply i == j",
        "forall (i : id_t) forall (j : id_t) P(i).b && P(j).b imply i <= j",
    ],
)
def test_other_conditions_on_pairs_are_written_out(condition: str, monkeypatch: pytest.MonkeyPatch) -> None:
    made = load_text(PAIRS)
    written_out = ask(made, f"A[] {condition}")
    monkeypatch.setattr(values, "LARGEST_WRITTEN_OUT", 0)
    assert ask(made, f"A[] {condition}") == written_out


@pytest.mark.parametrize("text", ["ltl: [] P.s", "ctl: AG P.s", "ctl[P.s]: AG P.s", "mu: <true> true", "hoa:bad.hoa"])
def test_formulas_of_other_logics_are_answered_by_what_to_ask(text: str) -> None:
    asked = ask(load_text(SMALL.format("")), text)
    assert asked.unsupported_reason.endswith("A<>, E[] and --> ask about runs")


def test_a_query_that_stands_for_too_many_conditions_is_refused_at_once() -> None:
    made = load_text(MANY)
    with pytest.raises(UppaalError, match="written out, the quantifiers have more than 250,000 parts"):
        ask(made, "A[] forall (i : id_t) forall (j : id_t) P(i).low || P(j).low || i > j")
    assert ask(made, "A[] forall (i : id_t) forall (j : id_t) P(i).high && P(j).high imply i == j").sought is not None


# Deadlock among other things


@pytest.mark.parametrize("clock", ["clock x;", ""])
def test_deadlock_is_asked_among_other_things_with_and_without_clocks(clock: str) -> None:
    made = load_text(
        f"""{clock} int[0,3] v; process P() {{ state a, b; init a;
        trans a -> a {{ guard v < 3; assign v = v + 1; }}, a -> b {{ guard v == 2; }}; }} system P;
        query {{ E<> deadlock && P.b }}
        query {{ E<> deadlock && v == 1 }}
        query {{ A[] deadlock imply v >= 2 }}
        query {{ A[] deadlock imply v >= 3 }}"""
    )
    assert [result.verdict for result in check_all(made)] == ["holds", "violated", "holds", "violated"]


def test_a_question_that_cannot_be_compiled_does_not_hide_the_others() -> None:
    clocks = " && ".join(f"(x > {i} || y > {i})" for i in range(20))
    made = load_text(
        f"""clock x, y; process P() {{ state s; init s; }} system P;
        query {{ E<> {clocks} }}
        query {{ A[] P.s }}"""
    )
    first, second = check_all(made)
    assert (first.verdict, second.verdict) == ("unknown", "holds")
    assert first.reason.startswith("not checked: the property has too many cases")
    with pytest.raises(ModelError, match="too many cases"):
        check(made, "query1")
