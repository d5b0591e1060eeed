"""Mistakes in texts that somebody is writing."""

from __future__ import annotations

from pathlib import Path

import pytest

from beeline.editor.mistakes import Mistake, mistakes_in

ROOT = Path(__file__).parents[2]
MODELS = [
    "promela/peterson.pml", "dve/ferry.dve", "murphi/german.m", "uppaal/hanoi_3.xta",
    "gallery/fischer.xml", "gallery/therac.dve",
]  # fmt: skip


@pytest.mark.parametrize("model", MODELS)
def test_a_model_has_none(model: str) -> None:
    path = ROOT / "models" / model
    assert mistakes_in(path.read_text(), path) == []


@pytest.mark.parametrize(
    ("file", "text", "line", "marked", "message"),
    [
        ("m.pml", "byte x;\nactive proctype P() { x = yy }", 1, "yy", "yy"),
        ("m.dve", "process P { state a; init b; }\nsystem async;", 0, "b", "b"),
        ("m.m", "var x: 0..3;\nstartstate x := y; end;\nrule x := 1; end;", 1, "y", "y"),
        ("m.xta", "process P() { state s;\n init t; }\nsystem P;", 1, "t", "t"),
        (
            "m.xml",
            "<nta><declaration>int x = y;</declaration>\n<template><name>P</name><location id='a'/>"
            "<init ref='a'/></template><system>system P;</system></nta>",
            0,
            "y",
            "y",
        ),
    ],
)
def test_a_mistake_is_marked_where_it_is(file: str, text: str, line: int, marked: str, message: str) -> None:
    (found,) = mistakes_in(text, Path("/nowhere") / file)
    assert found.line == line
    assert text.split("\n")[found.line][found.start : found.end] == marked
    assert message in found.message


def test_the_text_counts_and_not_the_file(tmp_path: Path) -> None:
    model = tmp_path / "m.pml"
    model.write_text("active proctype P() { skip }")
    assert mistakes_in("active proctype P() { ski }", model)
    assert not mistakes_in("active proctype P() { skip; skip }", model)


def test_files_beside_a_text_can_be_included_and_their_mistakes_name_them(tmp_path: Path) -> None:
    model, text = tmp_path / "m.pml", '#include "parts.h"\nactive proctype P() { x = 1 }'
    (tmp_path / "parts.h").write_text("byte x;")
    assert mistakes_in(text, model) == []
    (tmp_path / "parts.h").write_text("byte x = ;")
    (found,) = mistakes_in(text, model)
    assert (found.line, found.start, found.end) == (0, 0, 18)
    assert "parts.h:1:10" in found.message


@pytest.mark.parametrize(
    ("file", "text"),
    [("page.xml", "<html/>"), ("m.py", "import nothing_like_this"), ("notes.txt", "active proctype"), ("m", "")],
)
def test_other_texts_are_left_alone(file: str, text: str) -> None:
    assert mistakes_in(text, Path(file)) == []


@pytest.mark.parametrize("suffix", ["pml", "dve", "m", "xta"])
@pytest.mark.parametrize("text", ["", "\n\n", "{", "é \t(", "active proctype P() {" + "(" * 5000])
def test_whatever_is_typed_is_answered(suffix: str, text: str) -> None:
    for found in mistakes_in(text, Path(f"m.{suffix}")):
        assert isinstance(found, Mistake)
        assert 0 <= found.start <= found.end <= len(text.split("\n")[found.line])
