"""A trace as a table: within the width of a terminal, folded around its interesting part, or whole for a pipe."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from fractions import Fraction

from beeline.columns import Column, Look, laid_out, shortened
from beeline.trace.formats import CYCLE_BEGINS, cycle_ends, show_changes
from beeline.trace.timed import TimedTrace, show_time
from beeline.trace.trace import Trace, TraceStep

FIRST_STEPS, LAST_STEPS = 5, 25  # shown of a folded trace
MARK = "~~~"  # stands beside what is said of a cycle
LEFT_OUT = "..."
LONGEST_VALUE = 60  # letters of a value in a folded table
TAIL = 8  # letters that stay at the end of a value whose end is left out
COLUMNS = (Column(), Column(), Column(8), Column(20), Column(20, flows=True))


def to_text(trace: Trace) -> str:
    """The whole trace as a table: step, moment (if timed), process, action with its line, and what changed.

    >>> print(to_text(Trace({}, (TraceStep(1, "P", "x++", {"x": ("0", "1")}),))))
    step  process  action  changes
    1     P        x++     x: 0 -> 1
    """
    return to_table(trace)


def to_table(trace: Trace, how: Look = Look(), interesting: Collection[int] = ()) -> str:  # noqa: B008  # a frozen value
    """The same as a stream wants it. A folded table keeps its beginning, its end, and the steps whose numbers are
    `interesting`; long values are cut."""
    head = ("step", "at", "process", "action", "changes")
    rows: list[Row] = [head, *_rows(trace, _kept(trace, interesting) if how.fold else None, how)]
    columns = list(COLUMNS)
    for place, is_needless in ((2, not any(row[2] for row in rows[1:])), (1, not isinstance(trace, TimedTrace))):
        if is_needless:
            rows = [(*row[:place], *row[place + 1 :]) for row in rows]
            del columns[place]
    process = rows[0].index("process") if "process" in rows[0] else None
    lines = laid_out(rows, columns, how, lambda row, column: _style(rows[row], column, row == 0, process))
    if len(rows) == 1:
        lines = ["no step is needed: it is so in the initial state"]
    if how.fold and any("…" in row[-1] for row in rows):
        lines.append(how.paint("long values are cut: --full shows them", "faint"))
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


def _rows(trace: Trace, kept: set[int] | None, how: Look) -> Iterator[Row]:
    moments = _moments(trace)
    left_out = 0
    if trace.opening:
        yield "0", "", "", trace.opening, ""
    for position, step in enumerate(trace.steps):
        if kept is not None and position not in kept:
            left_out += 1
            continue
        if left_out:
            yield LEFT_OUT, "", "", f"{left_out:,} steps left out: --full shows them", ""
            left_out = 0
        if position == trace.cycle:
            yield MARK, "", "", CYCLE_BEGINS, ""
        yield from step_rows(step, moments[position], how)
    if isinstance(trace, TimedTrace) and trace.delays and trace.delays[-1]:
        yield "", show_time(trace.duration), "", "time passes until here", ""
    if trace.cycle is not None:
        yield from ((MARK, "", "", said, "") for said in cycle_ends(trace))


def _moments(trace: Trace) -> list[str]:
    if not isinstance(trace, TimedTrace):
        return [""] * len(trace)
    moment, found = Fraction(0), []
    for delay in trace.delays[: len(trace)]:
        moment += delay
        found.append(show_time(moment))
    return found


def step_rows(step: TraceStep, moment: str, how: Look) -> Iterator[Row]:
    """A row for each process that takes part, and for each line that the step prints. What one process does at once
    stands in one cell."""
    place = f"{step.source.line}: " if step.source.line else ""
    changes = step.shown_changes
    if how.fold:
        changes = {name: cut_pair(before, after) for name, (before, after) in changes.items()}
    changed = f"! {step.error}" if step.error else show_changes(changes, brief=how.width is not None)
    number = str(step.number)
    for process, actions in _by_process(step):
        yield number, moment, process, place + "; ".join(actions), changed
        number = moment = place = changed = ""
    for line in step.output:
        yield "", "", "", f"prints: {line.rstrip()}", ""


def _by_process(step: TraceStep) -> list[tuple[str, list[str]]]:
    """Who does what, in order; what one process does in a row is together."""
    found = [(step.process, [step.action])]
    for process, action in step.partners:
        if process == found[-1][0]:
            found[-1][1].append(action)
        else:
            found.append((process, [action]))
    return found


def cut_pair(before: str | None, after: str | None) -> tuple[str | None, str | None]:
    """Old and new value; of two long ones what both begin with, and what both end with, is left out.

    >>> cut_pair(str(list(range(30))), str(list(range(31))))
    ('…29]', '…29, 30]')
    """
    if before is not None and after is not None and len(before) + len(after) > LONGEST_VALUE:
        same = _common(before, after)
        begin = before.rfind(", ", 0, same) + 2 if ", " in before[:same] else 0
        end = max(0, _common(before[same:][::-1], after[same:][::-1]) - TAIL)
        before, after = (_without(value, begin, end) for value in (before, after))
    return _cut(before), _cut(after)


def _common(one: str, other: str) -> int:
    """How many letters two texts begin with that are the same."""
    pairs = zip(one, other, strict=False)
    return next((place for place, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))


def _without(value: str, begin: int, end: int) -> str:
    kept = value[begin : len(value) - end]
    return f"{'…' if begin else ''}{kept}{'…' if end else ''}"


def _cut(value: str | None) -> str | None:
    return None if value is None else shortened(value, LONGEST_VALUE)


def _style(row: Row, column: int, is_head: bool, process: int | None) -> str | None:
    last = len(row) - 1
    if is_head:
        return "head"
    if row[0] in (LEFT_OUT, MARK):
        return "faint" if row[0] == LEFT_OUT else "cycle"
    if column == last and row[last].startswith("! "):
        return "bad"
    return "process" if column == process else None
