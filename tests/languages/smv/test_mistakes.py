"""Mistakes in SMV text are told with their place and a way out."""

from __future__ import annotations

import pytest

from beeline.languages.smv import read_smv
from beeline.languages.smv.errors import SmvError

MISTAKES = {
    "VAR x : boolean; ASSIGN next(x) := y;": (1, "no variable called `y`"),
    "VAR x : boolean; ASSIGN next(x) := x-1;": (1, "no variable called `x-1`"),
    "VAR x : 0..3;\nASSIGN next(x) := x + 1;": (2, "`x` would be 4 where x = 3"),
    "VAR x : 0..3; ASSIGN init(x) := TRUE;": (1, "`TRUE` is a boolean where an integer is expected"),
    "VAR x : boolean; ASSIGN x := y; y := x; VAR y : boolean;": (1, "depends on itself"),
    "DEFINE a := b; b := a; INVARSPEC a": (1, "depends on itself"),
    "VAR x : boolean;\nASSIGN init(x) := TRUE; init(x) := FALSE;": (2, "assigned already"),
    "VAR x : boolean; ASSIGN next(x) := case x : FALSE; esac;": (1, "no condition of this case holds where x = FALSE"),
    "VAR x : boolean; INVARSPEC {x, TRUE};": (1, "a set of values can not stand here"),
    "VAR x : boolean; CTLSPEC G x;": (1, "G needs A or E before it"),
    "VAR x : boolean; LTLSPEC AG x;": (1, "AG is no operator of LTL"),
    "VAR x : boolean; LTLSPEC O x;": (1, "about the past"),
    "VAR x : part;": (1, "no module called `part`"),
    "VAR x : unsigned word[8];": (1, "the type `unsigned` is not supported"),
    "VAR x : boolean; INIT next(x);": (1, "next() can not stand here"),
    "VAR x : boolean": (1, "expected `;`"),
    "VAR x : boolean;\n/-- a comment": (2, "this comment is never closed"),
    "VAR x : {a, b}; INVARSPEC x + 1 = 2;": (1, "`x` is a symbol where an integer is expected"),
    "VAR x : 3..1;": (1, "this range has no value"),
    "VAR x : 0..9; y : 0..9; INVARSPEC x / y = 1;": (1, "only a constant that is not 0 can divide"),
    "FROZENVAR x : boolean; ASSIGN next(x) := x;": (1, "is FROZENVAR"),
    "VAR x : 0..200; y : 0..200; z : 0..200; ASSIGN next(z) := x + y;": (1, "it lies between 0 and 400"),
    "VAR x : 0..200; y : 0..200; z : 0..200; ASSIGN z := x + y;": (1, "it lies between 0 and 400"),
}


@pytest.mark.parametrize("text", MISTAKES, ids=lambda text: text[:40])
def test_mistakes_have_a_place(text: str) -> None:
    line, said = MISTAKES[text]
    with pytest.raises(SmvError) as raised:
        read_smv(f"MODULE main {text}\n", "model.smv")
    assert said in str(raised.value)
    assert raised.value.source.line == line and raised.value.source.column > 0
    assert "^" in str(raised.value)


def test_a_module_that_has_itself_is_refused() -> None:
    with pytest.raises(SmvError, match="instance of itself"):
        read_smv("MODULE main VAR p : part; MODULE part VAR q : part;")


def test_values_that_are_tied_together_without_end_are_refused() -> None:
    variables = "".join(f"x{i} : 0..9;" for i in range(9))
    total = " + ".join(f"next(x{i})" for i in range(9))
    with pytest.raises(SmvError, match="tied together"):
        read_smv(f"MODULE main VAR {variables} TRANS {total} = 40;")


def test_values_that_are_bounded_need_not_be_tried() -> None:
    text = (
        "MODULE main VAR x : 0..200; y : 0..200; z : 0..200; ASSIGN next(z) := (x + y) mod 201; next(x) := min(x, y);"
    )
    text = text.replace("min(x, y)", "x < y ? x : y")
    assert read_smv(text).language == "smv"
