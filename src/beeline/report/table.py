"""A trace as a table: within the width of a terminal, folded around its interesting part, or whole for a pipe."""

from __future__ import annotations

import textwrap
from collections.abc import Collection, Iterator
from fractions import Fraction
from typing import Any

import click

from beeline.report.look import Look
from beeline.trace.formats import CYCLE_BEGINS, cycle_ends, show_changes
from beeline.trace.timed import TimedTrace, show_time
from beeline.trace.trace import Trace, TraceStep

FIRST_STEPS, LAST_STEPS = 5, 25  # shown of a folded trace
MARK = "~~~"  # stands beside what is said of a cycle
NARROWEST = 20  # columns that the last one keeps on a small terminal


def to_table(trace: Trace, how: Look = Look(), interesting: Collection[int] = ()) -> str:  # noqa: B008  # a frozen value
    """The trace as text: step, moment (if timed), process, action with its line, what changed. A folded table keeps its
    beginning, its end, and the steps whose numbers are `interesting`.

    >>> print(to_table(Trace({}, (TraceStep(1, "P", "x++", {"x": ("0", "1")}),))))
    step  process  action  changes
    1     P        x++     x: 0 -> 1
    """
    head = ("step", "at", "process", "action", "changes")
    rows = [head, *(row for row in _rows(trace, _kept(trace, interesting) if how.fold else None))]
    if not isinstance(trace, TimedTrace):
        rows = [(row[0], *row[2:]) for row in rows]
    widths = _widths(rows, how.width)
    lines: list[str] = []
    for number, row in enumerate(rows):
        lines += _lines(row, widths, how, number == 0)
    if isinstance(trace, TimedTrace) and trace.zones:
        lines += ["", "zones:", *(f"{number:>4}  {zone}" for number, zone in enumerate(trace.zones))]
    return "\n".join(lines)


Row = tuple[str, ...]


def is_folded(trace: Trace) -> bool:
    """Whether a trace is long enough to be folded."""
    return len(trace) > FIRST_STEPS + LAST_STEPS + 1


def _kept(trace: Trace, interesting: Collection[int]) -> set[int] | None:
    """Positions of the steps that a folded table shows, or None for all."""
    if not is_folded(trace):
        return None
    kept = {number - 1 for number in interesting}
    kept |= {*range(FIRST_STEPS), *range(len(trace) - LAST_STEPS, len(trace))}
    if trace.cycle is not None:
        kept |= {place for place in (trace.cycle - 1, trace.cycle) if 0 <= place < len(trace)}
    # A line that says that one step is left out takes as much room as the step.
    return kept | {place for place in range(1, len(trace) - 1) if {place - 1, place + 1} <= kept}


def _rows(trace: Trace, kept: set[int] | None) -> Iterator[Row]:
    moments = _moments(trace)
    left_out = 0
    for position, step in enumerate(trace.steps):
        if kept is not None and position not in kept:
            left_out += 1
            continue
        if left_out:
            yield "...", "", "", f"{left_out:,} steps left out: --full shows them", ""
            left_out = 0
        if position == trace.cycle:
            yield MARK, "", "", CYCLE_BEGINS, ""
        yield from _step_rows(step, moments[position])
    if isinstance(trace, TimedTrace) and trace.delays and trace.delays[-1]:
        yield "", show_time(trace.duration), "", "time passes until here", ""
    if trace.cycle is not None:
        yield MARK, "", "", cycle_ends(trace), ""


def _moments(trace: Trace) -> list[str]:
    if not isinstance(trace, TimedTrace):
        return [""] * len(trace)
    moment, found = Fraction(0), []
    for delay in trace.delays[: len(trace)]:
        moment += delay
        found.append(show_time(moment))
    return found


def _step_rows(step: TraceStep, moment: str) -> Iterator[Row]:
    place = f"{step.source.line}: " if step.source.line else ""
    changed = f"! {step.error}" if step.error else show_changes(step.changes)
    yield str(step.number), moment, step.process, place + step.action, changed
    for process, action in step.partners:
        yield "", "", process, action, ""
    for line in step.output:
        yield "", "", "", f"prints: {line.rstrip()}", ""


def _widths(rows: list[Row], width: int | None) -> list[int]:
    """Of each column. On a terminal the process may take a quarter, the action half of what is left."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    if width is None:
        return widths
    if len(widths) > 2:
        widths[-3] = min(widths[-3], max(8, width // 4))
    room = max(2 * NARROWEST, width - sum(widths[:-2]) - 2 * (len(widths) - 1))
    if sum(widths[-2:]) > room:
        widths[-2] = min(widths[-2], max(room // 2, room - widths[-1]))
        widths[-1] = room - widths[-2]
    return widths


def _lines(row: Row, widths: list[int], how: Look, is_head: bool) -> Iterator[str]:
    """A row; cells that are too wide go on below, so that nothing is lost."""
    cells = [_wrapped(cell, width) if how.width else [cell] for cell, width in zip(row, widths, strict=True)]
    styles = _styles(row, len(widths), is_head) if how.colour else {}
    for number in range(max(len(cell) for cell in cells)):
        texts = [cell[number] if number < len(cell) else "" for cell in cells]
        shown = [text.ljust(width) for text, width in zip(texts[:-1], widths[:-1], strict=True)] + [texts[-1]]
        while shown and not shown[-1].strip():
            shown.pop()
        if shown:
            shown[-1] = shown[-1].rstrip()
        yield "  ".join(click.style(text, **styles[i]) if i in styles else text for i, text in enumerate(shown))


def _styles(row: Row, columns: int, is_head: bool) -> dict[int, dict[str, Any]]:
    if is_head:
        return {i: {"bold": True} for i in range(columns)}
    if row[-1].startswith("! "):
        return {columns - 1: {"fg": "red", "bold": True}}
    if row[0] == "...":
        return {i: {"dim": True} for i in range(columns)}
    if row[0] == MARK:
        return {i: {"fg": "magenta", "bold": True} for i in range(columns)}
    return {columns - 3: {"fg": "cyan"}, columns - 1: {"fg": "yellow"}}


def _wrapped(cell: str, width: int) -> list[str]:
    if len(cell) <= width:
        return [cell]
    return textwrap.wrap(cell, max(1, width), break_long_words=True, break_on_hyphens=False) or [""]
