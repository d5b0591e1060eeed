"""A result as a piece of HTML, for notebooks: the steps open to show the state. What a model says is escaped: names and
strings are never markup, and there is no script."""

from __future__ import annotations

from fractions import Fraction
from html import escape
from itertools import count

from beeline.problems.settings import Result
from beeline.trace.formats import CYCLE_BEGINS, cycle_ends, show_changes
from beeline.trace.table import cut_pair
from beeline.trace.timed import TimedTrace, show_time
from beeline.trace.trace import Changes, Trace, TraceStep

MOST_STEPS = 200  # beyond these a notebook says how many more there are
MOST_CELLS = 20_000  # of all states together; beyond these steps show what they changed
COLOURS = {"holds": "#188038", "violated": "#d93025", "unknown": "#b06000"}
WORDS = {"holds": "holds", "violated": "VIOLATED", "unknown": "unknown"}
STYLE = """
.beeline { font-size: 13px; line-height: 1.5; max-width: 70em; }
.beeline .verdict { color: #fff; border-radius: 3px; padding: 1px 8px; font-weight: 600; }
.beeline ol { list-style: none; margin: .6em 0; padding: 0; border-top: 1px solid rgba(128,128,128,.35); }
.beeline li { border-bottom: 1px solid rgba(128,128,128,.35); }
.beeline summary, .beeline .remark { display: grid; grid-template-columns: 3em 4em 10em 1fr 1.2fr; gap: 0 1em;
  padding: 2px 6px; cursor: pointer; font-family: ui-monospace, monospace; font-size: 12px; overflow-wrap: anywhere; }
.beeline.plain summary, .beeline.plain .remark { grid-template-columns: 3em 10em 1fr 1.2fr; }
.beeline .remark { cursor: default; font-style: italic; display: block; padding-left: 4.4em; }
.beeline summary:hover, .beeline details[open] > summary { background: rgba(128,128,128,.13); }
.beeline .number::before { content: "\\25b8"; display: inline-block; width: 1.2em; opacity: .6; }
.beeline details[open] .number::before { content: "\\25be"; }
.beeline .number, .beeline small { opacity: .65; }
.beeline .change { display: inline-block; margin-right: 1em; }
.beeline .who { color: #1a73e8; }
.beeline .error { color: #d93025; font-weight: 600; }
.beeline table { margin: 2px 0 8px 4.4em; border-collapse: collapse; font-size: 12px; }
.beeline table td { text-align: left; padding: 1px 14px 1px 0; font-family: ui-monospace, monospace; }
.beeline tr.changed td { font-weight: 600; }
.beeline s { opacity: .6; font-weight: 400; margin-right: .6em; }
"""
_groups = count()  # only one step of a result is open at a time


def to_html(result: Result) -> str:
    """The verdict, the trace whose steps can be opened, and what the search counted.

    >>> from beeline import NetworkBuilder, check
    >>> builder = NetworkBuilder("counter")
    >>> builder.variable("x", 0, 3)
    >>> _ = builder.process("up").location("run").edge("run", "run", guard="x < 3", effect="x++")
    >>> '<span class="what">' in to_html(check(builder, "x < 2"))
    True
    """
    badge = f'<span class="verdict" style="background:{COLOURS[result.verdict]}">{WORDS[result.verdict]}</span>'
    timed = isinstance(result.trace, TimedTrace)
    parts = [
        f'<div class="beeline{"" if timed else " plain"}"><style>{STYLE}</style>',
        f"<div>{badge} <b>{escape(result.property.name)}</b> ({escape(result.reason)})</div>",
    ]
    if result.trace is not None:
        parts.append(_trace(result.trace, result.shortest))
    if result.cost is not None:
        parts.append(f"<div>cost {result.cost:,}{', the least possible' if result.cheapest else ''}</div>")
    if said := result.certified():
        parts.append(f"<div>{escape(said)}</div>")
    statistics = result.statistics
    by = f" by {result.heuristic}" if result.heuristic else ""
    parts.append(
        f"<small>{statistics.stored:,} states stored, {statistics.expanded:,} expanded, {statistics.seconds:.3f} s, "
        f"search {escape(result.search + by)}</small></div>"
    )
    return "\n".join(parts)


def _trace(trace: Trace, shortest: bool) -> str:
    group = f"beeline-{next(_groups)}"
    shown = trace.steps[:MOST_STEPS]
    moments = _moments(trace)
    whole = len(trace.initial) * (len(shown) + 1) <= MOST_CELLS
    values = dict(trace.initial)
    no_moment = "" if isinstance(trace, TimedTrace) else None
    rows = [_opening("0", no_moment, "", "initial state", "", _table(values, {}), group)]
    for position, step in enumerate(shown):
        if position == trace.cycle:
            rows.append(_remark(CYCLE_BEGINS))
        for name, (_, after) in step.changes.items():
            if after is None:
                values.pop(name, None)
            else:
                values[name] = after
        told = values if whole else {name: values[name] for name in step.changes if name in values}
        rows.append(_row(step, moments[position], _table(told, step.changes), group))
    if len(trace) > MOST_STEPS:
        rows.append(_remark(f"{len(trace) - MOST_STEPS:,} more steps"))
    if trace.cycle is not None:
        rows += map(_remark, cycle_ends(trace))
    length = f"{len(trace)} step{'' if len(trace) == 1 else 's'}{', the shortest possible' if shortest else ''}"
    return f"<div>{length}</div><ol>{''.join(f'<li>{row}</li>' for row in rows)}</ol>"


def _remark(text: str) -> str:
    return f'<div class="remark">{escape(text)}</div>'


def _moments(trace: Trace) -> list[str | None]:
    if not isinstance(trace, TimedTrace):
        return [None] * len(trace)
    moment, found = Fraction(0), list[str | None]()
    for delay in trace.delays[: len(trace)]:
        moment += delay
        found.append(show_time(moment))
    return found


def _row(step: TraceStep, moment: str | None, state: str, group: str) -> str:
    place = f"{step.source.line}: " if step.source.line else ""
    partners = "".join(f"; {process} {action}" for process, action in step.partners)
    if step.error:
        changed = f'<span class="error">! {escape(step.error)}</span>'
    else:
        pairs = {name: cut_pair(*pair) for name, pair in step.shown_changes.items()}
        each = (escape(show_changes({name: pair})) for name, pair in pairs.items())
        changed = "".join(f'<span class="change">{one}</span>' for one in each)
    return _opening(str(step.number), moment, step.process, place + step.action + partners, changed, state, group)


def _opening(number: str, moment: str | None, process: str, action: str, changed: str, state: str, group: str) -> str:
    """A line that opens to show the state. `changed` and `state` are markup."""
    cells = [("number", number), *([] if moment is None else [("moment", moment)]), ("who", process), ("what", action)]
    spans = "".join(f'<span class="{name}">{escape(text)}</span>' for name, text in cells)
    return f'<details name="{group}"><summary>{spans}<span>{changed}</span></summary>{state}</details>'


def _table(values: dict[str, str], changes: Changes) -> str:
    """A state; what the last step changed stands out, with its old value."""
    rows = []
    for name, value in values.items():
        before = changes[name][0] if name in changes else None
        old = f"<s>{escape(before)}</s>" if before is not None else ""
        kind = ' class="changed"' if name in changes else ""
        rows.append(f"<tr{kind}><td>{escape(name)}</td><td>{old}{escape(value)}</td></tr>")
    return f"<table>{''.join(rows)}</table>"
