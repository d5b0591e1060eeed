"""What the DVE grammar takes, how expressions group, and what a mistake looks like."""

from __future__ import annotations

import pytest

from beeline.languages.dve.errors import DveError
from beeline.languages.dve.parser import parse_expression, parse_model
from beeline.languages.dve.syntax import Binary, Expression, InState, Number, Reference, Unary

SMALL = """
const byte N = 3;
byte x = 1, list[4] = {1, 2};  // a comment
int y;
channel plain, other;
channel {byte, int} typed[0], queue[5];
process P {
  byte own;
  state a, b, c;
  init a;
  commit b;
  assert a: x < N, b: own == 0;
  trans
    a -> b { guard x > 0 and not Q.busy; sync plain!; effect x = x - 1, list[x] = y; },
    -> c { sync typed!{1, x + 1}; },
    b -> a { sync queue?{own, y}; },
    c -> a {};
}
process Q {
  state busy; init busy;
  accept busy;
  trans busy -> busy { sync other?x; };  /* a
  longer comment */
}
system async property Q;
"""


def show(expression: Expression) -> str:
    """The expression with every grouping written out."""
    match expression:
        case Number(value):
            return str(value)
        case Reference(name, index, process):
            owner = f"{process}->" if process else ""
            return f"{owner}{name}" + (f"[{show(index)}]" if index else "")
        case InState(process, state):
            return f"{process}.{state}"
        case Unary(operator, operand):
            return f"({operator} {show(operand)})"
        case Binary(operator, left, right):
            return f"({show(left)} {operator} {show(right)})"


def test_a_model_is_read_with_all_its_parts() -> None:
    model = parse_model(SMALL, "small.dve")
    assert [v.name for v in model.variables] == ["N", "x", "list", "y"]
    assert [v.constant for v in model.variables] == [True, False, False, False]
    assert [v.size for v in model.variables] == [None, None, 4, None]
    assert [(c.name, c.fields, c.capacity) for c in model.channels] == [
        ("plain", None, 0),
        ("other", None, 0),
        ("typed", ("byte", "int"), 0),
        ("queue", ("byte", "int"), 5),
    ]
    process = model.processes[0]
    assert [state.name for state in process.states] == ["a", "b", "c"]
    assert process.initial.name == "a"
    assert [state.name for state in process.committed] == ["b"]
    assert [assertion.state for assertion in process.assertions] == ["a", "b"]
    assert model.property_process == "Q"
    assert not model.synchronous


def test_a_transition_without_a_source_leaves_from_where_the_one_above_left() -> None:
    transitions = parse_model(SMALL).processes[0].transitions
    assert [(t.source, t.target) for t in transitions] == [("a", "b"), ("a", "c"), ("b", "a"), ("c", "a")]


def test_nodes_know_their_place_and_transitions_their_text() -> None:
    transition = parse_model(SMALL, "small.dve").processes[0].transitions[2]
    assert str(transition.at) == "small.dve:16:5"
    assert transition.text == "sync queue?{own, y};"


@pytest.mark.parametrize(
    ("text", "grouped"),
    [
        ("a or b and c", "(a or (b and c))"),
        ("a && b || c", "((a and b) or c)"),
        ("a imply b or c", "(a imply (b or c))"),
        ("a - b - c", "((a - b) - c)"),
        ("a + b * c % d", "(a + ((b * c) % d))"),
        ("not a == b", "((not a) == b)"),
        ("- a + ~ b", "((- a) + (~ b))"),
        ("a & b == c", "(a & (b == c))"),
        ("a | b ^ c & d", "(a | (b ^ (c & d)))"),
        ("a << 1 < b", "((a << 1) < b)"),
        ("a[i + 1] * 2", "(a[(i + 1)] * 2)"),
        ("P->x[2] != 0 and P.s", "((P->x[2] != 0) and P.s)"),
        ("not (P.s or true)", "(not (P.s or 1))"),
        ("a - 1 == -1", "((a - 1) == (- 1))"),
    ],
)
def test_operators_group_as_in_c(text: str, grouped: str) -> None:
    assert show(parse_expression(text)) == grouped


def test_a_name_may_begin_with_a_keyword() -> None:
    source = "byte int_x, state1; process processor { state initial; init initial; } system async;"
    assert [v.name for v in parse_model(source).variables] == ["int_x", "state1"]


def mistake(text: str) -> str:
    with pytest.raises(DveError) as caught:
        parse_model(text, "wrong.dve")
    return str(caught.value)


def test_a_missing_semicolon_is_shown_in_its_line() -> None:
    message = mistake("byte x\nprocess P { state a; init a; } system async;")
    assert message.startswith("wrong.dve:2:1: unexpected `process`")
    assert "    process P { state a; init a; } system async;\n    ^" in message
    assert "hint: expected" in message


def test_an_assignment_in_a_guard_hints_at_the_comparison() -> None:
    text = "byte x; process P { state a; init a; trans a -> a { guard x = 1; }; } system async;"
    assert "compare with `==`" in mistake(text)


def test_a_text_that_ends_too_early_says_so() -> None:
    assert "ends too early" in mistake("byte x; process P { state a; init a;")


def test_an_unclosed_comment_is_found_where_it_begins() -> None:
    assert "wrong.dve:2:1: this comment is never closed" in mistake("byte x;\n/* never\n\n")


def test_a_strange_character_is_named() -> None:
    assert "unexpected character `@`" in mistake("byte x @ 3;")


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("state a;", "process P has no `init`"),
        ("init a;", "process P has no `state`"),
        ("state a; init a; init a;", "`init` is given twice"),
        ("state a; init a; trans -> a {};", "the first transition has no source state"),
        ("state a; init a; accept genbuchi (a), (a);", "acceptance by genbuchi sets is not supported"),
        ("state a; init a; trans a => { a: 1, a: 2 };", "probabilistic transitions"),
    ],
)
def test_what_is_missing_or_not_supported_in_a_process_is_said(body: str, words: str) -> None:
    assert words in mistake(f"process P {{ {body} }} system async;")


def test_a_number_beyond_32_bits_is_refused() -> None:
    assert "does not fit into 32 bits" in mistake("int x = 4294967296; process P {state a; init a;} system async;")
    assert "does not fit into 32 bits" in mistake(f"int x = {'9' * 5000}; process P {{state a; init a;}} system async;")
    assert "array is too large" in mistake("int x[999999999999]; process P {state a; init a;} system async;")
    assert "channel is too large" in mistake("channel {int} c[9999999]; process P {state a; init a;} system async;")


def test_brackets_nest_as_deeply_as_generated_models_do() -> None:
    deep = 50_000
    assert show(parse_expression("(" * deep + "a" + ")" * deep)) == "a"
    with pytest.raises(DveError, match=r"an operator or `\)` is expected"):
        parse_expression("(" * deep + "a")


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("(a[1) + 2", "an operator or `]` is expected here"),
        ("a + (b]", "an operator or `)` is expected here"),
        ("a + ", "an expression is expected here"),
        ("a b", "expected the end of the text"),
        ("P->", "expected a name"),
    ],
)
def test_what_an_expression_lacks_is_said(text: str, hint: str) -> None:
    with pytest.raises(DveError) as caught:
        parse_expression(text)
    assert f"hint: {hint}" in str(caught.value)


@pytest.mark.parametrize("glued", ["bytex;", "processP { state a; init a; }"])
def test_a_keyword_ends_where_its_word_does(glued: str) -> None:
    assert "expected `byte`" in mistake(f"{glued} process Q {{ state a; init a; }} system async;")


def test_keywords_are_names_where_only_names_can_stand() -> None:
    model = parse_model("byte guard; process P { state state, init; init state; } system async;")
    assert [state.name for state in model.processes[0].states] == ["state", "init"]
