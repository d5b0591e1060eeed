"""What CTL formulas look like, and what is said where one is wrong."""

from __future__ import annotations

import random

import pytest
from tests.ctl.test_labelling import Case

from beeline.ctl import parse_ctl
from beeline.ctl.formula import basic
from beeline.ctl.parser import CtlError

PIECES = ("A", "E", "G", "[", "]", "(", ")", " U ", "p", "&&", "!", "->", " ")


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("AG (p -> AF q)", "AG (p -> AF q)"),
        ("p -> q -> r", "(p -> (q -> r))"),
        ("p || q && r", "(p || (q && r))"),
        ("!x == 3", "!x == 3"),
        ("!(x == 3)", "!(x == 3)"),
        ("!AG p", "!(AG p)"),
        ("(x + 1) * 2 == y && EX z", "((x + 1) * 2 == y && EX z)"),
        ("A[(x + 1) > 2 U a[3] == 1]", "A[(x + 1) > 2 U a[3] == 1]"),
        ("E[p W {U > 1}]", "E[p W U > 1]"),
        ("AX AX p", "AX AX p"),
        ("EFfort > 1", "EFfort > 1"),
        ("false", "!(true)"),
    ],
)
def test_meaning(text: str, meaning: str) -> None:
    assert str(parse_ctl(text)) == meaning


def test_what_is_printed_can_be_read() -> None:
    for seed in range(300):
        formula = Case(seed).formula
        assert basic(parse_ctl(str(formula))) == basic(formula)


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("", 1, "the formula is empty"),
        ("AG (p", 4, "has no partner"),
        ("AG", 3, "missing"),
        ("A[p q]", 6, "`U`, `W` or `R` is missing"),
        ("A[p U q", 8, "`]` is missing"),
        ("p && ", 6, "missing"),
        ("x + AG p == 1", 5, "cannot be part of an expression"),
        ("p ) q", 3, "does not belong here"),
        ("!" * 200 + "(p)", None, "nested more than"),
    ],
)
def test_errors(text: str, column: int | None, message: str) -> None:
    with pytest.raises(CtlError, match=message) as raised:
        parse_ctl(text)
    if column is not None:
        assert raised.value.source.column == column


def test_random_texts_are_read_or_refused() -> None:
    chance = random.Random(1)
    for _ in range(2000):
        text = "".join(chance.choice(PIECES) for _ in range(9))
        try:
            parse_ctl(text)
        except CtlError as error:
            assert error.remedy
