"""Words, macros, inlines and the semicolons that may be left out."""

from __future__ import annotations

from pathlib import Path

import pytest

from beeline.languages import load
from beeline.languages.promela.errors import PromelaError
from beeline.languages.promela.inlines import expand_inlines
from beeline.languages.promela.separators import insert_separators
from beeline.languages.promela.tokens import read_tokens


def words(text: str, *defines: str) -> list[str]:
    return [token.text for token in read_tokens("m.pml", defines, text)[:-1]]


def separated(text: str) -> str:
    tokens = insert_separators(expand_inlines(read_tokens("m.pml", (), text)))
    return " ".join(token.text for token in tokens[:-1])


def test_operators_are_cut_greedily() -> None:
    assert words("a->b--c!!d??e<<1>=2..3::x") == "a -> b -- c !! d ?? e << 1 >= 2 .. 3 :: x".split()  # noqa: SIM905


def test_characters_are_numbers() -> None:
    values = [token.value for token in read_tokens("m.pml", (), r"'a' '\n' '\\' 007")[:-1]]
    assert values == [97, 10, 92, 7]


def test_macros_conditions_and_definitions_from_outside() -> None:
    text = "#define TWICE(x) (x+x)\n#if N > 2\nTWICE(N)\n#else\nsmall\n#endif"
    assert words(text, "N=3") == ["(", "3", "+", "3", ")"]
    assert words(text, "N=1") == ["small"]


def test_a_random_receive_is_no_trigraph() -> None:
    assert words("q??<x>; q??(y)") == ["q", "??", "<", "x", ">", ";", "q", "??", "(", "y", ")"]


def test_every_word_knows_its_place(tmp_path: Path) -> None:
    (tmp_path / "inner.h").write_text("int inner;\n")
    model = tmp_path / "outer.pml"
    model.write_text('#define INC x = x + 1; \\\n  y = 2\n#include "inner.h"\n/* two\nlines */ byte z;\n  INC\n')
    places = {t.text: (Path(t.source.file).name, t.source.line, t.source.column) for t in read_tokens(model)}
    assert places["inner"] == ("inner.h", 1, 5)
    assert places["z"] == ("outer.pml", 5, 15)
    assert places["y"] == ("outer.pml", 6, 3)  # where the macro is used


def test_a_missing_include_is_reported() -> None:
    with pytest.raises(PromelaError, match=r"cannot find the included file 'nowhere\.h'"):
        read_tokens("m.pml", (), '#include "nowhere.h"\n')


def test_an_open_string_is_reported_with_its_place() -> None:
    with pytest.raises(PromelaError, match=r"m.pml:2:8: this string is not closed"):
        read_tokens("m.pml", (), '\nprintf("abc)\n')


def test_lines_end_statements() -> None:
    body = "proctype P() {\nx = 1\ny++\nif\n:: else x = 2\nfi\n(x > 1)\n}"
    expected = "proctype P ( ) { x = 1 ; y ++ ; if :: else ; x = 2 ; fi ; ( x > 1 ) ; }"
    assert separated(body) == expected


def test_lines_do_not_end_statements_inside_parentheses_or_outside_bodies() -> None:
    assert separated("byte x\nbyte y") == "byte x byte y"
    assert separated("init { (a\n&& b) }") == "init { ( a && b ) }"


def test_a_brace_before_unless_is_not_separated() -> None:
    assert separated("init { { x }\nunless { y } }") == "init { { x } unless { y } }"


def test_inlines_substitute_words() -> None:
    text = "inline f(a, b) { x = a * 2; b = 1 } init { f(y + 1, z[i]) }"
    assert separated(text) == "init { { x = y + 1 * 2 ; z [ i ] = 1 } }"


def test_inlines_call_each_other_and_return_values() -> None:
    text = "inline g(a) { return a + 1 } inline f(r) { r = g(3) } init { f(s.t[0]) }"
    assert separated(text) == "init { { { s . t [ 0 ] = 3 + 1 } } }"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("inline f(a) { skip } init { f() }", "takes 1 arguments, not 0"),
        ("inline f() { f() } init { f() }", "calls itself"),
        ("inline f() { return 1 } init { f() }", "called without a place for its value"),
        ("inline f() { skip", "never closed"),
    ],
)
def test_wrong_inlines_are_reported(text: str, message: str) -> None:
    with pytest.raises(PromelaError, match=message):
        expand_inlines(read_tokens("m.pml", (), text))


UMLAUTS = 'byte x; // Grüße\n#include "included.pml"\ninit { printf("Grüße, ∀ %d\\n", x); /* größer */ y = 1 }\n'


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "latin-1"])
def test_text_is_read_as_utf_8_and_else_as_latin_1(encoding: str, tmp_path: Path) -> None:
    text = UMLAUTS if encoding != "latin-1" else UMLAUTS.replace("∀", "ÿ")
    (tmp_path / "included.pml").write_text('inline f() { printf("ä") }\n', encoding=encoding)
    (tmp_path / "model.pml").write_text(text, encoding=encoding)
    strings = [token.text for token in read_tokens(tmp_path / "model.pml") if token.kind == "string"]
    assert strings == ["ä", text.split('"')[3]]
    with pytest.raises(PromelaError) as caught:
        load(tmp_path / "model.pml")
    assert caught.value.source.column == len('init { printf("Grüße, ∀ %d\\n", x); /* größer */ ') + 1
    assert "größer" in str(caught.value)
