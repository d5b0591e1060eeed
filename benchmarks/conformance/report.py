"""The comparison as a table on the terminal, as JSON lines, and as Markdown for the documentation."""

from __future__ import annotations

import dataclasses
import json
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path

from .compare import EQUAL, Row

COLUMNS = ("model", "parsed", "states", "verdict", "trace", "note")


def line_of(row: Row) -> str:
    """One row of the table on the terminal."""
    cells = (row.parsed or row.group, row.states, row.verdict, row.trace)
    return f"{row.name[-58:]:58} " + " ".join(f"{cell:9}" for cell in cells) + f" {_detail(row)}".rstrip()


def _detail(row: Row) -> str:
    """The numbers that differ, else the note."""
    if row.states not in ("", EQUAL, "limit"):
        return f"SPIN {row.spin_states}, Beeline {row.our_states}"
    if row.verdict not in ("", EQUAL, "limit"):
        return f"SPIN {row.spin_verdict}, Beeline {row.our_verdict}"
    if row.trace not in ("", EQUAL):
        return f"SPIN {row.spin_length}, Beeline {row.our_length}"
    return row.note


def _share(part: int, whole: int) -> str:
    return f"{part} of {whole} ({100 * part / whole:.1f} %)" if whole else "0 of 0"


def totals(rows: Iterable[Row]) -> dict[str, str]:
    """What the harness is asked for, in words and percent."""
    rows = list(rows)
    groups = Counter(row.group for row in rows)
    compared = [row for row in rows if row.group == "compared"]
    counted = [row for row in compared if row.states not in ("", "limit")]
    judged = [row for row in compared if row.verdict not in ("", "limit")]
    both = [row for row in counted if row.verdict not in ("", "limit")]
    traced = [row for row in compared if row.trace]
    return {
        "files": str(len(rows)),
        "not accepted by SPIN": str(groups["rejected"]),
        "embedded C": str(groups["embedded C"]),
        "parsed": _share(sum(row.parsed == "yes" for row in compared), len(compared)),
        "states equal": _share(sum(row.states == EQUAL for row in counted), len(counted)),
        "verdict equal": _share(sum(row.verdict == EQUAL for row in judged), len(judged)),
        "states and verdict equal": _share(sum(row.states == row.verdict == EQUAL for row in both), len(both)),
        "differences explained": str(sum(bool(row.explained) for row in compared)),
        "trace length equal": _share(sum(row.trace == EQUAL for row in traced), len(traced)),
        "trace shorter than SPIN's": str(sum(row.trace == "shorter" for row in traced)),
        "beyond the limits": str(sum(row.states == "limit" for row in compared)),
    }


def markdown(rows: Sequence[Row]) -> str:
    """The totals, then every row that is not plain agreement, then all."""
    lines = ["| | |", "|---|---|"]
    lines += [f"| {name} | {value} |" for name, value in totals(rows).items()]
    odd = [row for row in rows if row.group == "compared" and (row.explained or not row.agrees)]
    lines += ["", "### Disagreements", "", *_table(odd)] if odd else ["", "No disagreements."]
    lines += ["", "### All models that SPIN accepts", "", *_table([r for r in rows if r.group == "compared"])]
    return "\n".join(lines) + "\n"


def _table(rows: Sequence[Row]) -> list[str]:
    head = [
        "| model | parsed | states | verdict | trace | SPIN | Beeline | note |",
        "|---|---|---|---|---|---|---|---|",
    ]
    return head + [
        f"| {row.name} | {row.parsed} | {row.states} | {row.verdict} | {row.trace} "
        f"| {_numbers(row.spin_states, row.spin_verdict, row.spin_length)} "
        f"| {_numbers(row.our_states, row.our_verdict, row.our_length)} | {row.note.replace('|', '/')} |"
        for row in rows
    ]


def _numbers(states: int | None, verdict: str, length: int | None) -> str:
    words = [f"{states:,}" if states is not None else "", verdict, f"in {length}" if length is not None else ""]
    return " ".join(word for word in words if word)


def earlier(folder: Path, without: Collection[str]) -> list[Row]:
    """The rows that were written into a folder before, but for the models named."""
    data = folder / "conformance.jsonl"
    lines = data.read_text(encoding="utf-8").splitlines() if data.exists() else []
    return [row for line in lines if (row := Row(**json.loads(line))).name not in without]


def write(rows: Sequence[Row], folder: Path) -> tuple[Path, Path]:
    """Writes `conformance.jsonl` and `conformance.md` into a folder; returns their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    data, page = folder / "conformance.jsonl", folder / "conformance.md"
    data.write_text("".join(json.dumps(dataclasses.asdict(row)) + "\n" for row in rows), encoding="utf-8")
    page.write_text(markdown(rows), encoding="utf-8")
    return data, page
