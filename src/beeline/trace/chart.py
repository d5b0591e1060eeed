"""A trace as a chart of letters: a column for each process, a row for each step, arrows for handshakes, and the step
that sent it beside each message that is received."""

from __future__ import annotations

from collections.abc import Sequence

from beeline.columns import Look, shortened
from beeline.trace.formats import CYCLE_BEGINS, cycle_ends
from beeline.trace.messages import messages
from beeline.trace.trace import Trace, TraceStep

LEAST, MOST = 10, 30  # letters of a column
LIFE = "│"


def to_chart(trace: Trace, how: Look = Look()) -> str:  # noqa: B008  # a frozen value
    """The chart as text.

    >>> handshake = TraceStep(1, "S", "c!7", {}, partners=(("R", "c?x"),))
    >>> print(to_chart(Trace({}, (handshake, TraceStep(2, "R", "x++", {})))))
          S       R
    <BLANKLINE>
       1  c!7 ──▶ c?x
       2  │       x++
    """
    names = list(dict.fromkeys(name for step in trace.steps for name in _takes_part(step)))
    came_from = {one.received: one.sent for one in messages(trace.steps)}
    texts = [_texts(step, came_from.get(number)) for number, step in enumerate(trace.steps)]
    widths = _widths(names, texts, how.width)
    head = "      " + "  ".join(name[: widths[name]].ljust(widths[name]) for name in names)
    lines = [how.paint(head.rstrip(), "process"), ""]
    for number, step in enumerate(trace.steps):
        if number == trace.cycle:
            lines.append(how.paint(f"   ~  {CYCLE_BEGINS}", "cycle"))
        row = _row(step, texts[number], names, widths)
        failed = how.paint(f"  ! {step.error}", "bad") if step.error else ""
        lines.append(f"{step.number:>4}  {row}{failed}".rstrip())
    if trace.cycle is not None:
        lines += [how.paint(f"   ~  {said}", "cycle") for said in cycle_ends(trace)]
    return "\n".join(lines)


def _takes_part(step: TraceStep) -> list[str]:
    return [step.process or "model", *(process for process, _ in step.partners)]


def _texts(step: TraceStep, came_from: int | None) -> dict[str, str]:
    """What stands in each column: what the process does, and where the message that it takes was sent."""
    found = {step.process or "model": step.action}
    for process, action in step.partners:
        found.setdefault(process, action)
    if came_from is not None:
        found[step.process or "model"] += f" ({came_from + 1})"
    return found


def _widths(names: Sequence[str], texts: Sequence[dict[str, str]], width: int | None) -> dict[str, int]:
    """Of each column: what it needs, within bounds, and within the terminal if that can be."""
    most = MOST
    if width is not None and names:
        most = max(LEAST, min(MOST, (width - 6) // len(names) - 2))
    needed = {name: max(len(name), *(len(text.get(name, "")) + 3 for text in texts)) for name in names}
    return {name: min(needed[name], most) for name in names}


def _row(step: TraceStep, texts: dict[str, str], names: Sequence[str], widths: dict[str, int]) -> str:
    cells = []
    for name in names:
        room = widths[name]
        cells.append(shortened(texts[name], room - 3).ljust(room) if name in texts else LIFE.ljust(room))
    starts = [sum(widths[name] + 2 for name in names[:place]) for place in range(len(names))]
    line = list("  ".join(cells))
    mover = names.index(step.process or "model")
    for partner in sorted({names.index(process) for process, _ in step.partners} - {mover}):
        _draw_arrow(line, mover, partner, starts, [len(cell.rstrip()) for cell in cells])
    return "".join(line)


def _draw_arrow(line: list[str], mover: int, partner: int, starts: list[int], lengths: list[int]) -> None:
    """A line between two columns, over the lifelines of those between."""
    left, right = min(mover, partner), max(mover, partner)
    begin, end = starts[left] + lengths[left] + 1, starts[right] - 1
    for place in range(begin, end):
        if line[place] in (" ", LIFE):
            line[place] = "─"
    if begin < end:
        line[end - 1 if partner == right else begin] = "▶" if partner == right else "◀"
