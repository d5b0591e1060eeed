"""The check by instruction counts: what is read from callgrind, what counts as worse, that rows are recorded."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from benchmarks.instructions.__main__ import RECORDED, compared, judge, main, read, record
from benchmarks.instructions.callgrind import Count, engine_instructions
from benchmarks.instructions.rows import ROWS, Row

PROFILE = """\
events: Ir
summary: 9999

ob=/usr/bin/python3.11
fn=main
10 5
cob=/somewhere/_native.cpython-311-x86_64-linux-gnu.so
cfn=search
calls=1 20
+1 700
ob=/somewhere/_native.cpython-311-x86_64-linux-gnu.so
fn=search
20 300
* 7
cob=/lib/libc.so.6
cfn=memcpy
calls=4 0
-3 50
+2 40

ob=/lib/libc.so.6
fn=memcpy
0 50

totals: 9999
"""


def test_only_the_engines_own_instructions_are_counted() -> None:
    assert engine_instructions(PROFILE.splitlines(keepends=True)) == 300 + 7 + 40


def test_more_instructions_or_other_states_are_worse() -> None:
    before = Count(states=9, instructions=100)
    assert judge(Count(9, 105), before, 0.05) == judge(Count(9, 20), before, 0.05) == ""
    assert judge(Count(9, 106), before, 0.05) == "slower"
    assert judge(Count(8, 100), before, 0.05) == "other states"
    assert judge(before, None, 0.05) == "not recorded"


def test_one_worse_row_fails_the_whole(tmp_path: Path) -> None:
    file = tmp_path / "recorded.json"
    assert read(file) == {}
    record(file, {"a": Count(1, 1000), "b": Count(2, 1000)})
    text, good = compared({"a": Count(1, 900), "b": Count(2, 1100)}, read(file), 0.05)
    assert not good
    assert text.splitlines()[2:] == ["| a | 1 | 1,000 | 900 | 0.900 |  |", "| b | 2 | 1,000 | 1,100 | 1.100 | slower |"]
    assert compared({"a": Count(1, 900)}, read(file), 0.05)[1]


def test_without_valgrind_nothing_is_compared(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["benchmarks.instructions"])
    monkeypatch.setenv("PATH", "")
    assert main() == 0
    assert "skipped: valgrind is not installed" in capsys.readouterr().err


def test_all_rows_are_recorded() -> None:
    assert list(read(RECORDED)) == [row.name for row in ROWS]


@pytest.mark.parametrize("row", [ROWS[2], ROWS[-1]], ids=lambda row: row.name)
def test_rows_store_the_recorded_states(row: Row) -> None:
    assert row.run() == read(RECORDED)[row.name].states
