"""A result as a piece of HTML, for notebooks. What a model says is escaped: names and strings are never markup."""

from __future__ import annotations

from html import escape

from beeline.problems.settings import Result
from beeline.trace.formats import CYCLE_BEGINS, cycle_ends, show_changes
from beeline.trace.timed import TimedTrace, show_time
from beeline.trace.trace import Trace, TraceStep

MOST_STEPS = 200  # beyond these a notebook says how many more there are
COLOURS = {"holds": "#14703d", "violated": "#b3261e", "unknown": "#8a5a00"}


def to_html(result: Result) -> str:
    """The verdict, the trace as a table, and what the search counted.

    >>> from beeline import NetworkBuilder, check
    >>> builder = NetworkBuilder("counter")
    >>> builder.variable("x", 0, 3)
    >>> _ = builder.process("up").location("run").edge("run", "run", guard="x < 3", effect="x++")
    >>> print(to_html(check(builder, "x < 2")))  # doctest: +ELLIPSIS
    <div><b>x &lt; 2</b>: <b style="color:#b3261e">violated</b> (invariant violated)...
    """
    verdict = f'<b style="color:{COLOURS[result.verdict]}">{result.verdict}</b>'
    parts = [f"<div><b>{escape(result.property.name)}</b>: {verdict} ({escape(result.reason)})"]
    if result.trace is not None:
        parts.append(_trace(result.trace, result.shortest))
    statistics = result.statistics
    by = f" by {result.heuristic}" if result.heuristic else ""
    parts.append(
        f"<small>{statistics.stored:,} states stored, {statistics.expanded:,} expanded, {statistics.seconds:.3f} s, "
        f"search {escape(result.search + by)}</small></div>"
    )
    return "\n".join(parts)


def _trace(trace: Trace, shortest: bool) -> str:
    timed = isinstance(trace, TimedTrace)
    names = ("step", *(("at",) if timed else ()), "process", "action", "changes")
    moments = _moments(trace) if isinstance(trace, TimedTrace) else []
    rows = [_row(step, moments[i] if timed else None) for i, step in enumerate(trace.steps[:MOST_STEPS])]
    if trace.cycle is not None and trace.cycle < len(rows):
        rows.insert(trace.cycle, _remark(CYCLE_BEGINS, len(names)))
    if len(trace) > MOST_STEPS:
        rows.append(_remark(f"{len(trace) - MOST_STEPS:,} more steps", len(names)))
    if trace.cycle is not None:
        rows.append(_remark(cycle_ends(trace), len(names)))
    head = "".join(f'<th style="text-align:left">{name}</th>' for name in names)
    length = f"{len(trace)} step{'' if len(trace) == 1 else 's'}{', the shortest possible' if shortest else ''}"
    table = f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"
    return f"<details open><summary>{length}</summary>{table}</details>"


def _remark(text: str, columns: int) -> str:
    return f'<tr><td colspan="{columns}" style="text-align:left"><i>{text}</i></td></tr>'


def _moments(trace: TimedTrace) -> list[str]:
    return [show_time(sum(trace.delays[: i + 1], trace.delays[0] * 0)) for i in range(len(trace))]


def _row(step: TraceStep, moment: str | None) -> str:
    place = f"{step.source.line}: " if step.source.line else ""
    partners = "".join(f"; {process} {action}" for process, action in step.partners)
    changed = f"! {step.error}" if step.error else show_changes(step.changes)
    cells = (str(step.number), *(() if moment is None else (moment,)), step.process)
    cells = (*cells, place + step.action + partners, changed)
    return "<tr>" + "".join(f'<td style="text-align:left">{escape(cell)}</td>' for cell in cells) + "</tr>"
