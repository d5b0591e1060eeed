"""Text fits terminals and can be read there: nothing is lost, no number is broken, colours show on light and dark."""

from __future__ import annotations

import io
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beeline.columns import COLOURS, Column, Look, laid_out, look, wrapped

WORDS = st.sampled_from(["x", "Spy.heard.key", "->", "1200", "0", "-3.5", "end_call", "a==b", "&&", "[(0,", "12)]"])
TEXTS = st.lists(WORDS, min_size=1, max_size=30).map(" ".join)


@given(TEXTS, st.integers(8, 60))
def test_wrapped_text_loses_nothing_and_fits(text: str, width: int) -> None:
    lines = wrapped(text, width)
    assert "".join("".join(lines).split()) == "".join(text.split())
    assert max(map(len, lines)) <= width


@given(TEXTS, st.integers(16, 60))
def test_numbers_stay_whole(text: str, width: int) -> None:
    assert re.findall(r"\d+", " ".join(wrapped(text, width))) == re.findall(r"\d+", text)


def test_text_is_broken_where_a_person_would() -> None:
    assert wrapped("54: (got.key==Alice)&&(got.first==NonceA)", 26) == ["54: (got.key==Alice)", "&&(got.first==NonceA)"]
    assert wrapped("x: 0 -> 1, balance: 100 -> 90", 20) == ["x: 0 -> 1,", "balance: 100 -> 90"]
    assert wrapped("P: end_reply -> line 63, x: 1 -> 2", 24) == ["P: end_reply -> line 63,", "x: 1 -> 2"]
    assert wrapped("12345678901", 4) == ["1234", "5678", "901"], "nothing else is left"


def test_columns_give_way_where_there_is_too_little_room() -> None:
    rows = [("name", "a long text that has to be wrapped somewhere", "1,234,567")]
    columns = [Column(), Column(10), Column(right=True)]
    for width in (30, 40, 80):
        lines = laid_out(rows, columns, Look(width))
        assert max(map(len, lines)) <= width
        assert "1,234,567" in lines[0]
        assert "".join("".join(lines).split()) == "name" + "alongtext" + "1,234,567" or len(lines) > 1 or width == 80


def test_what_flows_stands_beside_the_next_rows() -> None:
    rows = [("1", "short", "one two three four"), ("", "more", ""), ("2", "next", "x")]
    lines = laid_out(rows, [Column(), Column(), Column(8, flows=True)], Look(18))
    assert lines == ["1  short  one two", "   more   three", "          four", "2  next   x"]


def luminance(code: str) -> float:
    """Of one of the 256 colours, as WCAG defines it."""
    number = int(code.removeprefix("38;5;")) - 16
    levels = [(0, 95, 135, 175, 215, 255)[number // 6**i % 6] / 255 for i in (2, 1, 0)]
    red, green, blue = (one / 12.92 if one <= 0.03928 else ((one + 0.055) / 1.055) ** 2.4 for one in levels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("name", COLOURS)
def test_colours_can_be_read_on_white_and_on_black(name: str) -> None:
    light = luminance(COLOURS[name][0])
    assert 1.05 / (light + 0.05) >= 3.3 and (light + 0.05) / 0.05 >= 3.3


def test_colours_can_be_forced_and_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert look(stream=io.StringIO()).colour
    assert look(stream=io.StringIO()).width is None
    monkeypatch.setenv("NO_COLOR", "1")
    assert not look(stream=io.StringIO()).colour
