"""The grammar: what is read, how it is grouped, and what is said about mistakes."""

from __future__ import annotations

import pytest

from beeline.languages.promela.errors import PromelaError, UnsupportedPromela
from beeline.languages.promela.parser import parse_expression, parse_text
from beeline.languages.promela.show import show_expression
from beeline.languages.promela.syntax import (
    Block,
    Choice,
    Condition,
    Labelled,
    MtypeMembers,
    Poll,
    Proctype,
    Receive,
    RemoteLabel,
    RemoteVariable,
    Run,
    Select,
    Send,
    Step,
    Unless,
)


def body(statements: str) -> list[Step]:
    unit = parse_text(f"active proctype P() {{ {statements} }}").units[0]
    assert isinstance(unit, Proctype)
    return unit.body


@pytest.mark.parametrize(
    ("text", "grouped"),
    [
        ("a + b * c - d", "(a+(b*c))-d"),
        ("a || b && c | d", "a||(b&&(c|d))"),
        ("a == b > c << 1", "a==(b>(c<<1))"),
        ("!a == -b + ~c", "!a==(-b+~c)"),
        ("(a -> b : c + 1) * 2", "(a -> b : c+1)*2"),
        ("a - b - c", "(a-b)-c"),
        ("len(q) > 1 && nempty(r[2])", "(len(q)>1)&&nempty(r[2])"),
        ("q?[1,eval(x)] || q??[y]", "q?[1,eval(x)]||q??[y]"),
        ("s.t[i].u != np_", "s.t[i].u!=np_"),
        ("enabled(1) && pc_value(2) == get_priority(x)", "enabled(1)&&(pc_value(2)==get_priority(x))"),
    ],
)
def test_operators_bind_as_in_spin(text: str, grouped: str) -> None:
    assert show_expression(parse_expression(text)) == grouped


def test_remote_references() -> None:
    label = parse_expression("P[1]@cs")
    variable = parse_expression("P[x]:y[2]", proctypes=["P"])
    assert isinstance(label, RemoteLabel) and label.label == "cs"
    assert isinstance(variable, RemoteVariable) and variable.variable.name == "y"


@pytest.mark.parametrize(
    ("text", "is_sorted", "count"), [("q!1,2,3", False, 3), ("q!!1(2,3)", True, 3), ("q[i]!x", False, 1)]
)
def test_sends(text: str, is_sorted: bool, count: int) -> None:
    (send,) = body(text)
    assert isinstance(send, Send) and send.sorted == is_sorted and len(send.values) == count


@pytest.mark.parametrize(
    ("text", "anywhere", "keep"),
    [
        ("q?x,y", False, False),
        ("q??x(y)", True, False),
        ("q?<x,1>", False, True),
        ("q??<eval(z),-1>", True, True),
        ("q?(x,y)", False, False),
    ],
)
def test_receives(text: str, anywhere: bool, keep: bool) -> None:
    (receive,) = body(text)
    assert isinstance(receive, Receive)
    assert (receive.anywhere, receive.keep, len(receive.patterns)) == (anywhere, keep, 2)


def test_a_poll_is_a_condition() -> None:
    (condition,) = body("q?[x] && y")
    assert isinstance(condition, Condition)
    assert isinstance(condition.expression.left, Poll)  # type: ignore[union-attr]


def test_separators_are_lenient() -> None:
    assert len(body("x = 1 -> y = 2;; ; z = 3 -> ;")) == 3
    assert len(body("if :: x; :: y -> fi\n z = 1\n do :: else break od")) == 3


def test_statements_nest() -> None:
    (outer,) = body("L: M: atomic { d_step { skip } unless { { x } } }")
    assert isinstance(outer, Labelled) and isinstance(outer.statement, Labelled)
    block = outer.statement.statement
    assert isinstance(block, Block) and block.kind == "atomic"
    assert isinstance(block.body[0], Unless)


def test_a_label_at_the_end_stands_on_a_skip() -> None:
    *_, last = body("goto L; L:")
    assert isinstance(last, Labelled) and isinstance(last.statement, Condition)


def test_select_over_constants_is_written_out() -> None:
    first, second = body("select(i : 1..3); select(j_ : 1..3)")
    assert isinstance(first, Select) and first.listed
    assert isinstance(second, Select) and not second.listed  # SPIN does not see this name


def test_run_with_priority() -> None:
    (statement,) = body("run Q(1, x) priority 5")
    assert isinstance(statement, Condition) and isinstance(statement.expression, Run)
    assert statement.expression.priority == 5


def test_mtype_members_are_numbered_from_the_end() -> None:
    model = parse_text("mtype = {a, b c}; mtype = {d}; mtype:fruit {pear, fig}")
    members = [unit.members for unit in model.units if isinstance(unit, MtypeMembers)]
    assert members == [{"a": 3, "b": 2, "c": 1}, {"d": 4}, {"pear": 2, "fig": 1}]


def test_units_of_all_kinds() -> None:
    text = """
    typedef Point { byte x, y; chan c = [1] of { byte } }
    hidden short h = -3; show unsigned u : 5 = 3; local pid p; Point pts[2]; int a[2] = {1, 2}
    chan q[2] = [2] of { mtype, Point, bool }
    D_proctype D(byte k; int m, n) priority 3 provided (h > 0) { xr q; skip }
    active [2] proctype A() { skip }
    init priority 2 { run D(1, 2, 3) }
    never n1 { do :: np_ od }
    ltl goal { [] (h == 1 -> <> (A@x U always !p)) }
    """
    model = parse_text(text)
    assert [type(unit).__name__ for unit in model.units] == [
        "Typedef", "Declaration", "Declaration", "Declaration", "Declaration", "Declaration", "Declaration",
        "Proctype", "Proctype", "Proctype", "Never",
    ]  # fmt: skip
    assert model.formulas[0].name == "goal"
    assert show_expression(model.formulas[0].formula) == "[]((h==1)-><>(A@x U []!p))"


def test_formulas_may_come_before_what_they_name() -> None:
    model = parse_text("ltl { P[0]:x == 1 <-> X q } byte q; active proctype P() { byte x }")
    assert model.formulas[0].name == "ltl_0"


def test_loops_over_ranges_and_arrays() -> None:
    assert [type(step).__name__ for step in body("for (i : 1 .. n) { skip }\nfor (i in a)\n{ skip }")] == [
        "For",
        "ForIn",
    ]


def test_choices_keep_their_options() -> None:
    (choice,) = body("do :: a -> b :: else od")
    assert isinstance(choice, Choice) and choice.repeats and len(choice.options) == 2


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("active proctype P() { x = }", "expected an expression, found '}'"),
        ("active proctype P() { x = 1 y = 2 }", "'y' cannot follow here"),
        ("active proctype P() { if x fi }", "expected '::' to begin an option of this 'if'"),
        ("active proctype P() { do :: x", "found the end of the file"),
        ("active proctype P() { goto 3 }", "expected a name of a label"),
        ("x = 1", "cannot stand here"),
        ("active P() { skip }", "expected 'proctype' after 'active'"),
        ("active proctype P() { L: byte x; skip }", "label 'L' stands before a declaration"),
        ("chan c = [1] of { unsigned }", "'unsigned' cannot be the type of a message field"),
        ("mtype = {a, a1}; mtype = {a}", "member of an mtype already"),
        ("active proctype P() { return 1 }", "'return' outside an inline"),
    ],
)
def test_mistakes_are_named(text: str, message: str) -> None:
    with pytest.raises(PromelaError, match=message):
        parse_text(text)


@pytest.mark.parametrize("text", ["c_decl { int x; }", "active proctype P() { c_code { x++; } }", "trace { q!x }"])
def test_what_is_refused_says_where(text: str) -> None:
    with pytest.raises(UnsupportedPromela, match=r"<text>:1:\d+: .*not supported"):
        parse_text(text)
