"""Traces as text, JSON and Graphviz."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from beeline.model.source import UNKNOWN, Source
from beeline.trace.trace import Changes, Trace, TraceStep

CYCLE_BEGINS = "the cycle begins"
LONGEST_ACTION = 60  # characters of an action in the table; JSON has all of it


def to_text(trace: Trace) -> str:
    """A table for reading: step, process, action, what changed."""
    rows = [("step", "process", "action", "changes")]
    for step in trace.steps:
        if step.number - 1 == trace.cycle:
            rows.append(("", "", CYCLE_BEGINS, ""))
        rows += [(number, process, _clip(action), rest) for number, process, action, rest in _rows(step)]
    if trace.cycle is not None:
        rows.append(("", "", cycle_ends(trace), ""))
    widths = [max(len(row[i]) for row in rows) for i in range(3)]
    return "\n".join("  ".join((*(cell.ljust(w) for cell, w in zip(row, widths, strict=False)), row[3])).rstrip()
                     for row in rows)  # fmt: skip


def cycle_ends(trace: Trace) -> str:
    """What comes after the last step of a lasso."""
    if trace.cycle == len(trace):
        return trace.staying
    when = f"after step {trace.cycle}" if trace.cycle else "at the start"
    return f"and so on for ever: {trace.returning} {when}"


def _rows(step: TraceStep) -> Iterator[tuple[str, str, str, str]]:
    place = f"{step.source.line}: " if step.source.line else ""
    changed = f"! {step.error}" if step.error else show_changes(step.changes)
    yield str(step.number), step.process, place + step.action, changed
    for process, action in step.partners:
        yield "", process, action, ""
    for line in step.output:
        yield "", "", f"prints: {line.rstrip()}", ""


def _clip(action: str) -> str:
    return action if len(action) <= LONGEST_ACTION else action[: LONGEST_ACTION - 1] + "…"


def show_changes(changes: Changes) -> str:
    """``x: 0 -> 1``, or just the side that exists."""
    parts: list[str] = []
    for name, (before, after) in changes.items():
        if before is None:
            parts.append(f"+{name} = {after}")
        elif after is None:
            parts.append(f"-{name}")
        else:
            parts.append(f"{name}: {before} -> {after}")
    return ", ".join(parts)


def to_json(trace: Trace) -> list[dict[str, Any]]:
    """One object for each step; see docs/json.md."""
    return [
        {
            "step": step.number,
            "process": step.process,
            "action": step.action,
            "source": _source(step.source),
            "changes": {name: [before, after] for name, (before, after) in step.changes.items()},
            "partners": [{"process": process, "action": action} for process, action in step.partners],
            "output": list(step.output),
            "error": step.error or None,
        }
        for step in trace.steps
    ]


def _source(source: Source) -> dict[str, Any] | None:
    if source == UNKNOWN:
        return None
    return {"file": source.file, "line": source.line or None, "column": source.column or None}


def to_graphviz(trace: Trace) -> str:
    """A chain of states for `dot`: actions on the arrows, changes in the nodes."""
    lines = ["digraph trace {", "  node [shape=box, fontname=monospace];", '  s0 [label="initial state"];']
    for step in trace.steps:
        label = f"! {step.error}" if step.error else show_changes(step.changes).replace(", ", "\n")
        style = ", color=red" if step is trace.steps[-1] else ""
        lines.append(f"  s{step.number} [label={_quote(label)}{style}];")
        arrow = f"{step.process}: {step.action}"
        lines.append(f"  s{step.number - 1} -> s{step.number} [label={_quote(arrow)}];")
    if trace.cycle is not None:
        lines.append(f"  s{len(trace)} -> s{trace.cycle} [style=dashed, label={_quote('the same state')}];")
    return "\n".join([*lines, "}"])


def _quote(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
