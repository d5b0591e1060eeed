"""Traces as JSON and Graphviz, and the words that all texts about them share."""

from __future__ import annotations

from typing import Any

from beeline.model.source import UNKNOWN, Source
from beeline.trace.trace import Changes, Trace

CYCLE_BEGINS = "the cycle begins"


def cycle_ends(trace: Trace) -> list[str]:
    """What comes after the last step of a lasso, and which promise it breaks in every turn, if that can be said."""
    when = f"after step {trace.cycle}" if trace.cycle else "at the start"
    ends = trace.staying if trace.cycle == len(trace) else f"and so on for ever: {trace.returning} {when}"
    return [ends, trace.promise] if trace.promise else [ends]


def show_changes(changes: Changes, brief: bool = False) -> str:
    """``x: 0 -> 1``, or just the side that exists. To be `brief`, a field whose record was just named is called ``.f``.

    >>> show_changes({"m.key": ("0", "1"), "m.to": ("A", "B")}, brief=True)
    'm.key: 0 -> 1, .to: A -> B'
    """
    parts: list[str] = []
    owner = ""
    for name, (before, after) in changes.items():
        if brief:
            last, (owner, _, field) = owner, name.rpartition(".")
            name = f".{field}" if owner and owner == last else name
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
            "elapsed": list(step.elapsed),
            "message": step.message or None,
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
        label = f"! {step.error}" if step.error else show_changes(step.shown_changes).replace(", ", "\n")
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
