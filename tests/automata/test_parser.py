"""Formulas are read as SPIN reads them, and mistakes are shown where they are."""

from __future__ import annotations

from random import Random

import pytest
from benchmarks.automata.sampling import random_formula

from beeline.automata import FALSE, TRUE, Formula, LtlError, evaluate, parse_ltl


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        # As `ltl` blocks are read by SPIN 6.5.2, which prints them with all parentheses.
        ("[] p U q", "([] (p)) U (q)"),
        ("p U q U r", "((p) U (q)) U (r)"),
        ("p -> q -> r", "((p) -> (q)) -> (r)"),
        ("p || q && r", "(p) || ((q) && (r))"),
        ("!p U q", "(!p) U q"),
        ("p <-> q -> r", "(p <-> q) -> r"),
        ("p -> q <-> r", "(p -> q) <-> r"),
        ("<> [] p || q", "(<> ([] p)) || q"),
        ("p W q U r", "(p W q) U r"),
        ("p V q U r", "(p V q) U r"),
        ("p U q && r U s", "(p U q) && (r U s)"),
        ("X p U q", "(X p) U q"),
        ("!<>p U q", "(!(<>p)) U q"),
    ],
)
def test_precedence_is_that_of_spin(text: str, meaning: str) -> None:
    assert parse_ltl(text) is parse_ltl(meaning)


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("always eventually p", "[] <> p"),
        ("G F p", "[] <> p"),
        ("next p", "X p"),
        ("p until q", "p U q"),
        ("p stronguntil q", "p U q"),
        ("p weakuntil q", "p W q"),
        ("p release q", "p V q"),
        ("p R q", "p V q"),
        ("p implies q", "p -> q"),
        ("p equivalent q", "p <-> q"),
        ("not p and q or r", "!p && q || r"),
        ("p /\\ q \\/ r", "p && q || r"),
    ],
)
def test_words_and_symbols_mean_the_same(text: str, meaning: str) -> None:
    assert parse_ltl(text) is parse_ltl(meaning)


@pytest.mark.parametrize(
    ("text", "atoms"),
    [
        ("x > 3 U q", ["x > 3", "q"]),
        ("[] (x + 1 > y)", ["x + 1 > y"]),
        ("(x + 1) > y -> <> p", ["(x + 1) > y", "p"]),
        ("!x == 3", ["!x == 3"]),  # as in C, and as SPIN has it
        ("!(x == 3)", ["x == 3"]),
        ("!P@end U !q?[ack]", ["P@end", "q?[ack]"]),
        ("!P[1]:x == 2", ["!P[1]:x == 2"]),
        ("P@end U P[2]@end", ["P@end", "P[2]@end"]),
        ("P[0]:x == 2 || a[i].b", ["P[0]:x == 2", "a[i].b"]),
        ("len(q) == 2 && q?[ack, 1]", ["len(q) == 2", "q?[ack, 1]"]),
        ("{ x && y } U {z}", ["x && y", "z"]),
        ("-x < 3", ["-x < 3"]),
        ("F -> G", ["F", "G"]),
        ("G == 3 U R", ["G == 3", "R"]),
        ("true == x", ["true == x"]),
    ],
)
def test_what_is_no_operator_belongs_to_an_atom(text: str, atoms: list[str]) -> None:
    read: list[tuple[str, int]] = []

    def note(atom: str, offset: int) -> str:
        read.append((atom, offset))
        return atom

    parse_ltl(text, note)
    assert [atom for atom, _ in read] == atoms
    assert all(text[offset:].startswith(atom) for atom, offset in read)


def test_an_atom_may_stand_for_a_formula() -> None:
    assert parse_ltl("[] 1", lambda text, offset: TRUE) is Formula("G", (TRUE,))
    assert parse_ltl("true U false") is Formula("U", (TRUE, FALSE))


@pytest.mark.parametrize(
    ("text", "column", "said"),
    [
        ("", 1, "empty"),
        ("p U", 4, "an operand is missing"),
        ("p q", 3, "expected an operator"),
        ("p U U q", 5, "expected a formula"),
        ("(p && q", 1, "add `)`"),
        ("p && q)", 7, "never opened"),
        ("p => q", 3, "an implication is written `->`"),
        ("p = q", 3, "equality is written `==`"),
        ("p & [] q", 5, "conjunction is written `&&`"),
        ("GF p", 4, "`G F p`"),
        ("([] p) > 3", 2, "temporal operator"),
        ("{p", 1, "no partner"),
        ("p}", 2, "no partner"),
        ("{ }", 2, "nothing between"),
        ("f(a]", 4, "closed by"),
        ("q?[", 3, "not closed"),
        ("p ; q", 3, "no meaning"),
        ("(" * 500 + "p" + ")" * 500, 101, "nested"),
        ("!" * 500 + "p", 101, "nested"),
    ],
)
def test_mistakes_are_shown_with_their_column_and_a_remedy(text: str, column: int, said: str) -> None:
    with pytest.raises(LtlError) as caught:
        parse_ltl(text)
    assert caught.value.source.column == column
    assert said in str(caught.value)
    assert "hint: " in str(caught.value)


def test_no_text_makes_the_parser_fail_otherwise() -> None:
    random = Random(5)
    pieces = [
        "p",
        "q",
        "x",
        "3",
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        "[]",
        "<>",
        "U",
        "R",
        "X",
        "F",
        "!",
        "&&",
        "->",
        "==",
        "?",
        " ",
    ]
    for _ in range(3000):
        text = "".join(random.choice(pieces) for _ in range(random.randint(0, 12)))
        try:
            parse_ltl(text)
        except LtlError as error:
            assert 1 <= error.source.column <= len(text) + 1


def test_a_printed_formula_is_read_as_itself() -> None:
    names = ("p", "x > 3", "a && b", "P@end")
    for seed in range(300):
        random = Random(seed)
        formula = random_formula(random, random.randint(1, 15), names)
        again = parse_ltl(str(formula))
        for _ in range(5):
            word = [[name for name in names if random.random() < 0.5] for _ in range(4)]
            assert evaluate(formula, word[:2], word[2:]) == evaluate(again, word[:2], word[2:]), str(formula)
