"""An explanation of a trace as data, as text, and as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from beeline.model.source import Source
from beeline.records import Record
from beeline.trace.trace import show_place


class Part(Record, frozen=True):
    """A piece of the question with its truth at the end, or `when` that is said; `reads` names the parts of the state
    it looks at."""

    text: str
    value: bool | None
    reads: Mapping[str, str]
    depth: int = 0
    when: str = ""


class Write(Record, frozen=True):
    """The last write of a part of the state; step 0 is the start."""

    name: str
    value: str
    step: int
    process: str = ""
    action: str = ""
    source: Source = Source()
    note: str = ""  # of a clock: when it was set, and that time has passed since


class Wait(Record, frozen=True):
    """A process that cannot go on: where it stands, and what each way out of there needs."""

    process: str
    location: str
    ways: tuple[tuple[str, str], ...]
    at_end: bool = False


class Cause(Record, frozen=True):
    """A step on the way back from the error: what it wrote that mattered, and what it looked at to do so."""

    step: int
    process: str
    action: str
    wrote: Mapping[str, str]
    read: Mapping[str, str]
    source: Source = Source()


class Entry(Record, frozen=True):
    """A step that let a process in where it must not be, or a time-out: the step, and what it saw, part by part."""

    process: str
    location: str
    step: int
    action: str
    parts: tuple[Part, ...]
    source: Source = Source()


class Explanation(Record, frozen=True):
    """Why a trace ends in an error."""

    headline: str
    parts: tuple[Part, ...] = ()
    waits: tuple[Wait, ...] = ()
    writes: tuple[Write, ...] = ()
    causes: tuple[Cause, ...] = ()
    entries: tuple[Entry, ...] = ()  # how several processes came to where they must not be together
    timeouts: tuple[Entry, ...] = ()


def to_text(explanation: Explanation) -> str:
    """The explanation for a person."""
    lines = [f"why: {explanation.headline}"]
    rows = [
        ("  " * part.depth + part.text, f"{_word(part.value)} {part.when}".strip(), _values(part.reads))
        for part in explanation.parts
    ]
    lines += _aligned(rows)
    for wait in explanation.waits:
        ending = " (a valid end)" if wait.at_end else ""
        ending += "" if wait.ways else " and has no way on"
        lines.append(f"  {wait.process} stands at {show_place(wait.location)}{ending}")
        lines += [f"    {action}: {missing}" for action, missing in wait.ways]
    lines += _entry_lines(explanation)
    if explanation.writes:
        lines.append("last writes:")
        lines += _aligned([(f"{one.name} = {one.value}", _who(one)) for one in explanation.writes])
    # Without a step besides the last writers the chain would say the same again.
    if {one.step for one in explanation.causes} - {one.step for one in explanation.writes}:
        lines.append("and how that came about, backwards:")
        lines += _aligned([_link(one) for one in explanation.causes])
    lines += _timeout_lines(explanation)
    return "\n".join(lines)


def _entry_lines(explanation: Explanation) -> list[str]:
    lines = ["who let them in:"] if explanation.entries else []
    for entry in explanation.entries:
        lines.append(f"  step {entry.step}, {entry.process} to {show_place(entry.location)}: {entry.action}")
        told = [("  " * part.depth + part.text, _word(part.value), _values(part.reads)) for part in entry.parts]
        lines += [f"  {line}" for line in _aligned(told)] or ["    without a guard: nothing keeps it out"]
    return lines


def _timeout_lines(explanation: Explanation) -> list[str]:
    lines: list[str] = []
    for entry in explanation.timeouts:
        lines.append(f"step {entry.step}, {entry.process}: {entry.action}, because nothing else was possible:")
        lines += [f"  {part.text}: {part.when}" for part in entry.parts] or ["  nobody else is left"]
    return lines


def _link(cause: Cause) -> tuple[str, str, str]:
    read = f"from {_values(cause.read)}" if cause.read else ""
    return f"step {cause.step}, {cause.process}: {cause.action}", _values(cause.wrote), read


def _values(values: Mapping[str, str]) -> str:
    return ", ".join(f"{name} = {value}" for name, value in values.items())


def _word(value: bool | None) -> str:
    return "" if value is None else str(value).lower()


def _who(write: Write) -> str:
    if write.note:
        return write.note
    if write.step == 0:
        return "unchanged since the start"
    line = f", line {write.source.line}" if write.source.line else ""
    return f"step {write.step}, {write.process}: {write.action}{line}"


def _aligned(rows: list[Any]) -> list[str]:
    if not rows:
        return []
    columns = len(rows[0])
    widths = [max(len(row[i]) for row in rows) for i in range(columns - 1)]
    return [
        "  " + "   ".join([*(row[i].ljust(widths[i]) for i in range(columns - 1)), row[-1]]).rstrip() for row in rows
    ]


def _part_object(part: Part) -> dict[str, Any]:
    return {
        "text": part.text,
        "value": part.value,
        "reads": dict(part.reads),
        "depth": part.depth,
        "when": part.when or None,
    }


def _entry_object(entry: Entry) -> dict[str, Any]:
    return {
        "process": entry.process,
        "location": entry.location or None,
        "step": entry.step,
        "action": entry.action,
        "line": entry.source.line or None,
        "parts": [_part_object(part) for part in entry.parts],
    }


def to_json(explanation: Explanation) -> dict[str, Any]:
    """The explanation as an object for ``--json``."""
    return {
        "headline": explanation.headline,
        "parts": [_part_object(one) for one in explanation.parts],
        "waits": [
            {
                "process": one.process,
                "location": one.location,
                "at_end": one.at_end,
                "ways": [{"action": action, "missing": missing} for action, missing in one.ways],
            }
            for one in explanation.waits
        ],
        "writes": [
            {
                "name": one.name,
                "value": one.value,
                "step": one.step,
                "process": one.process,
                "action": one.action,
                "line": one.source.line or None,
                "note": one.note or None,
            }
            for one in explanation.writes
        ],
        "entries": [_entry_object(one) for one in explanation.entries],
        "timeouts": [_entry_object(one) for one in explanation.timeouts],
        "causes": [
            {
                "step": one.step,
                "process": one.process,
                "action": one.action,
                "line": one.source.line or None,
                "wrote": dict(one.wrote),
                "read": dict(one.read),
            }
            for one in explanation.causes
        ],
    }
