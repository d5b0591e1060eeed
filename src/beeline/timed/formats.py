"""Timed traces as text and JSON: the usual columns, and when each step happens."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from beeline.trace.formats import CYCLE_BEGINS, cycle_ends, show_changes, to_json
from beeline.trace.timed import TimedTrace, show_time


def to_text(trace: TimedTrace) -> str:
    """A table for reading: step, moment, process, action, what changed. The last row is the moment of the violation.

    >>> to_text(TimedTrace({}, (), (), delays=(Fraction(3, 2),)))
    'step  at   process  action  changes\\n      1.5'
    """
    rows = [("step", "at", "process", "action", "changes")]
    moment = Fraction(0)
    for delay, step in zip(trace.delays, trace.steps, strict=False):
        moment += delay
        if step.number - 1 == trace.cycle:
            rows.append(("", "", "", CYCLE_BEGINS, ""))
        place = f"{step.source.line}: " if step.source.line else ""
        changed = f"! {step.error}" if step.error else show_changes(step.changes)
        rows.append((str(step.number), show_time(moment), step.process, place + step.action, changed))
        rows += [("", "", process, action, "") for process, action in step.partners]
    rows.append(("", show_time(trace.duration), "", "" if trace.cycle is None else cycle_ends(trace), ""))
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    lines = []
    for row in rows:
        cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=False)]
        lines.append("  ".join([*cells, row[4]]).rstrip())
    if trace.zones:
        lines += ["", "zones:", *(f"{number:>4}  {zone}" for number, zone in enumerate(trace.zones))]
    return "\n".join(lines)


def to_timed_json(trace: TimedTrace) -> dict[str, Any]:
    """Steps as `beeline.trace.to_json` gives them, each with its `delay` and moment `at`, and the last delay; with
    the `zone` after each step and the first one, if the trace has them."""
    steps = to_json(trace)
    moment = Fraction(0)
    for delay, step in zip(trace.delays, steps, strict=False):
        moment += delay
        step["delay"], step["at"] = show_time(delay), show_time(moment)
    for step, zone in zip(steps, trace.zones[1:], strict=False):
        step["zone"] = zone
    return {
        "steps": steps,
        "last_delay": show_time(trace.delays[-1]),
        "first_zone": trace.zones[0] if trace.zones else None,
    }
