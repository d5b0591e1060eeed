"""All that a file asks is answered in one table, in the words of its language."""

from __future__ import annotations

import re
from pathlib import Path

from beeline import load
from beeline.checking import check_all
from beeline.columns import Look
from beeline.report.answers import not_asked, to_table

DOOR = """clock x; int[0,3] y;
process P() {
  state shut { x <= 3 }, open;
  init shut;
  trans shut -> open { guard x >= 2; assign y = 2; };
}
Q = P(); system Q;
"""
QUERIES = "A[] not Q.open\nE<> Q.open\nsup: y\nE<> Q.ajar\n"


def answered(folder: Path) -> list[list[str]]:
    (folder / "door.xta").write_text(DOOR)
    (folder / "door.q").write_text(QUERIES)
    network = load(folder / "door.xta")
    table = to_table(check_all(network), network)
    return [re.split(r" {2,}", line) for line in table.splitlines()]


def test_queries_are_satisfied_or_not(tmp_path: Path) -> None:
    rows = answered(tmp_path)
    assert rows[0] == ["name", "question", "answer", "steps", "states", "time"]
    assert [row[1:3] for row in rows[1:4]] == [
        ["A[] not Q.open", "NOT satisfied"],
        ["E<> Q.open", "satisfied"],
        ["sup: y", "satisfied (y <= 2)"],
    ]
    assert rows[4][2].startswith("unknown (") and rows[4][2].endswith("process Q has no location or variable ajar)")


def test_the_table_keeps_to_the_terminal_and_its_numbers_whole(tmp_path: Path) -> None:
    answered(tmp_path)
    network = load(tmp_path / "door.xta")
    lines = to_table(check_all(network), network, Look(72)).splitlines()
    assert max(map(len, lines)) <= 72
    assert all(re.search(r"\d+\.\d\d s$", line) for line in lines[1:] if line.startswith("query"))


def test_what_was_not_asked_has_a_name(tmp_path: Path) -> None:
    answered(tmp_path)
    network = load(tmp_path / "door.xta")
    assert not_asked(check_all(network), network) == ["deadlock"]
    assert not_asked(check_all(network, ["query2"]), network) == ["query1", "query3", "query4"]
    assert not_asked(check_all(network, ["E<> Q.open"]), network) == ["query1", "query3", "query4"]
    (tmp_path / "door.q").write_text("A[] not deadlock")
    whole = load(tmp_path / "door.xta")
    assert not_asked(check_all(whole), whole) == []
