"""The harness that asks all queries of the public UPPAAL models: each gets an answer or a reason."""

from __future__ import annotations

from pathlib import Path

import pytest
from benchmarks.timed import known, queries

from beeline import Limits

MODEL = """<nta><declaration>int v; {more}</declaration>
<template><name>P</name><location id="s"/><init ref="s"/>
<transition><source ref="s"/><target ref="s"/><label kind="guard">v &lt; 2</label>
<label kind="assignment">v = v + 1{update}</label></transition></template>
<system>system P;</system>
<queries><query><formula>E&lt;&gt; v == 2</formula></query><query><formula>Pr[&lt;=3](&lt;&gt; v)</formula></query>
<query><formula>A[] v &lt;</formula></query><query><formula>sup: v</formula></query></queries></nta>"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "m.xml").write_text(MODEL.format(more="", update=""))
    (tmp_path / "refused.xml").write_text(MODEL.format(more="double d;", update=", d = 1.5"))
    (tmp_path / "other.q").write_text("A[] v == 0\nE<> w == 1\n")
    monkeypatch.setattr(queries, "MODELS", tmp_path)
    return tmp_path


def test_every_query_of_a_file_and_beside_it_is_answered_or_named(folder: Path) -> None:
    found = list(queries.answers(folder / "m.xml", Limits(time=60)))
    assert [(one.query, one.verdict) for one in found] == [
        ("E<> v == 2", "holds"),
        ("Pr[<=3](<> v)", "not checked"),
        ("A[] v <", "not checked"),
        ("sup: v", "holds"),
        ("A[] v == 0", "violated"),
        ("E<> w == 1", "not checked"),
    ]
    assert [one.column for one in found] == ["holds", "other kinds", "mistakes", "holds", "violated", "mistakes"]


def test_the_queries_of_a_model_that_is_refused_are_named_with_its_reason(folder: Path) -> None:
    found = list(queries.answers(folder / "refused.xml", Limits()))
    assert len(found) == 6
    assert {one.reason for one in found} == {"the model: not supported: the type double"}


def test_answers_are_compared_with_what_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(known, "KNOWN", (known.Known("m.xml", "E<>", "holds"),))
    found = [queries.Answer("a/m.xml", "E<> p", verdict, "") for verdict in ("holds", "violated", "unknown")]
    assert [one.agrees for one in found] == [True, False, None]
    assert queries.Answer("a/n.xml", "E<> p", "holds", "").agrees is None
    assert queries.Row(1, found).cells("a") == "| `a` | 1 | 3 | 1 | 1 | 1 |  |  |  | 1 of 2 |"


def test_the_exit_code_tells_whether_an_answer_is_wrong(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert queries.main(["."]) == 0
    monkeypatch.setattr(known, "KNOWN", (known.Known("m.xml", "E<> v", "violated"),))
    assert queries.main([".", "--table"]) == 1
    assert "| `.` | 2 | 12 |" in capsys.readouterr().out
