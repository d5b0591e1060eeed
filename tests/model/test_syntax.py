"""The textual syntax: precedence, the words of other languages, statements, and mistakes that are pointed at."""

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from beeline.model.expressions import (
    At,
    Binary,
    Bind,
    Builtin,
    Call,
    ChannelInfo,
    Conditional,
    Expression,
    Field,
    Index,
    Literal,
    Match,
    Numbered,
    Pattern,
    Place,
    Poll,
    Quantified,
    Ref,
    Remote,
    Skip,
    Unary,
)
from beeline.model.network import Receive, Send, Synchronisation
from beeline.model.printer import show_effect, show_expression, show_sync
from beeline.model.source import ModelError
from beeline.model.statements import Assert, Assign, Declare, Do, If, Start, Terminate, While
from beeline.model.syntax import BUILTIN_WORDS, RESERVED, parse_effect, parse_expression, parse_sync
from beeline.model.types import INT

A, B, C = Ref("a"), Ref("b"), Ref("c")


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("a + b * c", "a + (b * c)"),
        ("a - b - c", "(a - b) - c"),
        ("a * b / c % a", "((a * b) / c) % a"),
        ("a << b + c", "a << (b + c)"),
        ("a < b << c", "a < (b << c)"),
        ("a == b < c", "a == (b < c)"),
        ("a & b == c", "a & (b == c)"),
        ("a ^ b & c", "a ^ (b & c)"),
        ("a | b ^ c", "a | (b ^ c)"),
        ("a && b | c", "a && (b | c)"),
        ("a || b && c", "a || (b && c)"),
        ("a imply b || c", "a imply (b || c)"),
        ("a imply b imply c", "a imply (b imply c)"),
        ("!a == b", "(!a) == b"),
        ("-a * b", "(-a) * b"),
        ("~a & b", "(~a) & b"),
        ("!!a", "!(!a)"),
        ("a ? b : c ? a : b", "a ? b : (c ? a : b)"),
        ("a ? b ? c : a : b", "a ? (b ? c : a) : b"),
        ("a || b ? a : b", "(a || b) ? a : b"),
        ("a and not b or c", "(a && (!b)) || c"),
        ("a -> b", "a imply b"),
        ("forall (i : 0..2) a[i] == 0 && b", "forall (i : 0..2) (a[i] == 0 && b)"),
        ("forall (i : int[0,2]) a[i]", "forall (i : 0..2) a[i]"),
        ("+a", "a"),
        ("true && false", "1 && 0"),
    ],
)
def test_precedence(text: str, same: str) -> None:
    assert parse_expression(text) == parse_expression(same)


@pytest.mark.parametrize(
    ("text", "expression"),
    [
        ("-5", Literal(-5)),
        ("P@cs", At(Numbered("P", None), "cs")),
        ("P[2]@cs", At(Numbered("P", Literal(2)), "cs")),
        ("P[a]:x", Remote(Numbered("P", A), Ref("x"))),
        ("a ? b[1] : c", Conditional(A, Index(B, Literal(1)), C)),
        ("len(q)", ChannelInfo("len", Ref("q"))),
        ("nfull(q[a])", ChannelInfo("nfull", Index(Ref("q"), A))),
        ("q?[a, ==b, _, 3]", Poll(Ref("q"), (Bind(A), Match(B), Skip(), Match(Literal(3))))),
        ("q??[3]", Poll(Ref("q"), (Match(Literal(3)),), anywhere=True)),
        ("poll(q, 3)", Poll(Ref("q"), (Match(Literal(3)),))),
        ("min(a, b)", Binary("min", A, B)),
        ("f(a, 1)", Call("f", (A, Literal(1)))),
        ("f()", Call("f", ())),
        ("timeout", Builtin("timeout")),
        ("np_", Builtin("nonprogress")),
        ("_pid + _nr_pr + _last", Binary("+", Binary("+", Builtin("pid"), Builtin("processes")), Builtin("last"))),
        ("enabled(_pid)", Builtin("enabled", Builtin("pid"))),
        ("pc_value(1)", Builtin("location", Literal(1))),
        ("sum (i : -1..1) i", Quantified("sum", "i", -1, 1, Ref("i"))),
    ],
)
def test_what_a_text_means(text: str, expression: Expression) -> None:
    assert parse_expression(text) == expression


# Printing and reading again

NAMES = st.from_regex(r"[a-z][a-z_0-9]{0,3}", fullmatch=True).filter(lambda name: name not in RESERVED)
OPERATORS = ["+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", "min", "max",
             "==", "!=", "<", "<=", ">", ">=", "&&", "||", "imply"]  # fmt: skip


def places(inner: SearchStrategy[Expression]) -> SearchStrategy[Place]:
    return st.recursive(
        NAMES.map(Ref),
        lambda base: st.one_of(st.builds(Index, base, inner), st.builds(Field, base, NAMES)),
        max_leaves=3,
    )


def patterns(inner: SearchStrategy[Expression]) -> SearchStrategy[tuple[Pattern, ...]]:
    one: SearchStrategy[Pattern] = st.one_of(st.builds(Bind, places(inner)), st.builds(Match, inner), st.just(Skip()))
    return st.lists(one, min_size=1, max_size=3).map(tuple)


def negated(operand: Expression) -> Expression:
    """What the parser makes of a minus sign: a negative number is one number."""
    return Literal(-operand.value) if isinstance(operand, Literal) else Unary("-", operand)


def larger(inner: SearchStrategy[Expression]) -> SearchStrategy[Expression]:
    bound = st.integers(-3, 9)
    process = st.builds(Numbered, NAMES, st.one_of(st.none(), inner))
    return st.one_of(
        places(inner),
        st.builds(Binary, st.sampled_from(OPERATORS), inner, inner),
        st.builds(Unary, st.sampled_from("!~"), inner),
        inner.map(negated),
        st.builds(Conditional, inner, inner, inner),
        st.builds(Quantified, st.sampled_from(["forall", "exists", "sum"]), NAMES, bound, bound, inner),
        st.builds(Call, NAMES, st.lists(inner, max_size=2).map(tuple)),
        st.builds(ChannelInfo, st.sampled_from(["len", "empty", "full", "nempty", "nfull", "capacity"]), inner),
        st.builds(Poll, places(inner), patterns(inner), st.booleans()),
        st.builds(At, process, NAMES),
        st.builds(Builtin, st.sampled_from(tuple(BUILTIN_WORDS.values()))),
        st.builds(Builtin, st.sampled_from(["enabled", "location", "priority"]), inner),
    )


EXPRESSIONS = st.recursive(st.one_of(st.integers(-9, 99).map(Literal), NAMES.map(Ref)), larger, max_leaves=8)  # type: SearchStrategy[Expression]


@given(EXPRESSIONS)
def test_an_expression_that_is_printed_and_read_is_the_same(expression: Expression) -> None:
    assert parse_expression(show_expression(expression)) == expression


def syncs() -> SearchStrategy[Synchronisation]:
    sent = st.lists(EXPRESSIONS, max_size=2).map(tuple)
    received = st.one_of(st.just(()), patterns(EXPRESSIONS))
    return st.one_of(
        st.builds(Send, places(EXPRESSIONS), sent, st.booleans()),
        st.builds(Receive, places(EXPRESSIONS), received, st.booleans()),
    )


@given(syncs())
def test_a_synchronisation_that_is_printed_and_read_is_the_same(sync: Synchronisation) -> None:
    assert parse_sync(show_sync(sync)) == sync


@pytest.mark.parametrize(
    ("text", "statement"),
    [
        ("x = 1", Assign(Ref("x"), Literal(1))),
        ("x[a].f = b", Assign(Field(Index(Ref("x"), A), "f"), B)),
        ("x++", Assign(Ref("x"), Binary("+", Ref("x"), Literal(1)))),
        ("x -= a", Assign(Ref("x"), Binary("-", Ref("x"), A))),
        ("f(a)", Do(Call("f", (A,)))),
        ("if (a) { b = 1 }", If(A, (Assign(B, Literal(1)),))),
        ("if (a) { b = 1 } else { b = 2 }", If(A, (Assign(B, Literal(1)),), (Assign(B, Literal(2)),))),
        ("while (a) { a-- }", While(A, (Assign(A, Binary("-", A, Literal(1))),))),
        ("int t = 2", Declare("t", INT, Literal(2))),
        ("int t", Declare("t", INT)),
        ("assert(a)", Assert(A, "assert(a)")),
        ("start P(a, 1)", Start("P", (A, Literal(1)))),
        ("stop", Terminate()),
    ],
)
def test_statements(text: str, statement: object) -> None:
    assert parse_effect(text) == (statement,)
    printed = show_effect(parse_effect(text))
    assert show_effect(parse_effect(printed)) == printed


def test_statements_are_separated_by_semicolons() -> None:
    assert len(parse_effect("x = 1; ; y = 2;")) == 2
    assert parse_effect("") == ()


# Mistakes


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("", 1, "expected a name, found the end"),
        ("a +", 4, "expected a name, found the end"),
        ("(a", 3, "expected ')', found the end"),
        ("a)", 2, "expected the end or an operator, found ')'"),
        ("a b", 3, "expected the end or an operator, found 'b'"),
        ("a $ b", 3, "unexpected character '$'"),
        ("a = b", 3, "expected the end or an operator, found '='"),
        ("a[1", 4, "expected ']', found the end"),
        ("a.1", 3, "expected a name, found '1'"),
        ("a ? b", 6, "expected ':', found the end"),
        ("forall (i : a..3) i", 13, "expected a number, found 'a'"),
        ("f(a,", 5, "expected a name, found the end"),
        ("P.x[1].y@l", 10, "a process is written P or P[number], found 'l'"),
        ("q?[a", 5, "expected ']', found the end"),
        ("x &&\n y +\n", 7, "expected a name, found the end"),
    ],
)
def test_a_mistake_in_an_expression_is_pointed_at(text: str, column: int, message: str) -> None:
    with pytest.raises(ModelError) as caught:
        parse_expression(text)
    error = caught.value
    assert error.message == message
    assert error.remedy
    if "\n" not in text:
        assert error.source.column == column
        assert error.excerpt == text


def test_of_many_lines_the_one_with_the_mistake_is_shown() -> None:
    with pytest.raises(ModelError) as caught:
        parse_effect("x = 1;\n  y = = 2;\nz = 3")
    assert caught.value.excerpt == "  y = = 2;"
    assert caught.value.source.column == 7
    assert str(caught.value).splitlines()[2].index("^") == 4 + 6


@pytest.mark.parametrize(
    "text", ["x", "x +", "1 = x", "if a { }", "while (a {", "x = 1 y = 2", "len(q)", "start", "int 1"]
)
def test_what_is_no_statement_is_refused(text: str) -> None:
    with pytest.raises(ModelError) as caught:
        parse_effect(text)
    assert caught.value.source.column
    assert caught.value.remedy


@pytest.mark.parametrize("text", ["c", "c!1,", "c?1 2", "!1", "c.!"])
def test_what_is_no_synchronisation_is_refused(text: str) -> None:
    with pytest.raises(ModelError) as caught:
        parse_sync(text)
    assert caught.value.source.column
    assert caught.value.remedy


@given(st.text(alphabet=st.sampled_from("ab1 ()[]{}.,;:?!@=<>&|+-*/%^~_$\n\"'i\u00e9"), max_size=20))
def test_any_text_is_read_or_refused(text: str) -> None:
    for parse in (parse_expression, parse_effect, parse_sync):
        with contextlib.suppress(ModelError):
            parse(text)
