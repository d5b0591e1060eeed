"""A run as a chart over time: a row for each plan, parameter and timer, a column for each stable state."""

from __future__ import annotations

from beeline.guidelines.runs import Run
from beeline.languages.asbru.guideline import STATES, TICK, Guideline
from beeline.model.types import EnumType

LETTERS = dict(zip(range(len(STATES)), ".cpsASC!R", strict=True))
LEGEND = "  ".join(f"{letter} {STATES[state]}" for state, letter in LETTERS.items() if state)


def chart(guideline: Guideline, run: Run) -> str:
    """The stable states of a run, and its last state; `|` stands where a cycle begins."""
    shown = [n for n, state in enumerate(run.states) if state[TICK] == 1 or n == len(run.states) - 1]
    rows: list[tuple[str, list[str]]] = []
    for plan in guideline.plans:
        cells = [LETTERS[run.states[number][plan.name]] for number in shown]
        if set(cells) != {"."}:
            rows.append((plan.written, cells))
    for parameter in guideline.parameters:
        values = [run.states[number][parameter.name] for number in shown]
        kind = parameter.type
        cells = [kind.members[value] if isinstance(kind, EnumType) else str(value) for value in values]
        rows.append((parameter.written, _changes(cells)))
    for timer in guideline.timers:
        values = [run.states[number][timer.name] for number in shown]
        if any(values):
            rows.append((timer.text, ["true" if value else "-" for value in values]))
    cycle = None if run.cycle is None else next((i for i, n in enumerate(shown) if n >= run.cycle), None)
    return _drawn(rows, len(shown), cycle)


def _changes(cells: list[str]) -> list[str]:
    """A value is written where it is new."""
    return [cell if not i or cell != cells[i - 1] else "" for i, cell in enumerate(cells)]


def _drawn(rows: list[tuple[str, list[str]]], columns: int, cycle: int | None) -> str:
    widths = [max([len(cells[i]) for _, cells in rows] + [len(str(i))]) for i in range(columns)]
    label = max(len(name) for name, _ in rows)

    def line(name: str, cells: list[str]) -> str:
        marks = ["|" if i == cycle else " " for i in range(columns)]
        parts = [f"{mark}{cell:<{width}}" for mark, cell, width in zip(marks, cells, widths, strict=True)]
        return f"{name:<{label}} {' '.join(parts)}".rstrip()

    return "\n".join([line("macro-step", [str(i) for i in range(columns)]), *(line(*row) for row in rows), LEGEND])
