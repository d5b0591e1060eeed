"""Why a trace ends where it does: the question taken apart at the end, who waits for what, the last writes, and what
these came from."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from itertools import chain
from typing import Any

from beeline.checking import Result
from beeline.model.network import Network
from beeline.model.printer import show_expression
from beeline.records import replace
from beeline.report.ending import End
from beeline.report.explanation import Cause, Explanation, Part, Wait, Write
from beeline.trace.trace import Trace

STEPS_TAKEN_AGAIN = 300  # at the end of a trace, to see writes that changed nothing
MOST_CAUSES = 15


def explain(model: Any, result: Result) -> Explanation | None:
    """The explanation of a result's trace, or None if it has none.

    >>> from beeline import NetworkBuilder, check
    >>> builder = NetworkBuilder("counter")
    >>> builder.variable("x", 0, 3)
    >>> _ = builder.process("up").location("run").edge("run", "run", guard="x < 3", effect="x++")
    >>> from beeline.report.explanation import to_text
    >>> print(to_text(explain(builder.build(), check(builder, "x < 2"))))
    why: after 2 steps 'x < 2' is false
      x < 2   false   x = 2
    last writes:
      x = 2   step 2, up: [x < 3] x++, line 1
    and how that came about, backwards:
      step 2, up: [x < 3] x++   x = 2   from x = 1
      step 1, up: [x < 3] x++   x = 1   from x = 0
    """
    trace = result.trace
    if trace is None:
        return None
    if not isinstance(model, Network):
        last = trace.final().get("state", "")
        return Explanation(f"after {_steps(trace)}: {result.reason}", (Part(f"state = {last}", None, {}),))
    network = model if result.property.kind == "claim" else replace(model, monitor=None)
    end = End(network, trace)
    failed = trace.steps[-1] if trace.steps and trace.steps[-1].error else None
    asked = result.property.expression
    parts: tuple[Part, ...] = ()
    waits: tuple[Wait, ...] = ()
    if failed is not None:
        where = f" ({failed.source})" if failed.source.line else ""
        headline = f"step {failed.number} of {failed.process}{where}: {failed.error}"
        parts = end.failure(failed.action)
    elif result.reason == "deadlock":
        headline = f"after {_steps(trace)} no process can move"
        waits = end.waits()
    elif asked is not None:
        truth = "true" if result.property.kind == "goal" else "false"
        headline = f"after {_steps(trace)} '{result.property.text or show_expression(asked)}' is {truth}"
        parts = tuple(end.parts(asked))
    else:
        return Explanation(f"after {_steps(trace)}: {result.reason}", writes=tuple(last_writes(trace, ["monitor"])))
    names = dict.fromkeys(chain(*(part.reads for part in parts), (wait.process for wait in waits if not wait.at_end)))
    names.update(dict.fromkeys(end.looked_at))
    causes = tuple(causes_of(end, list(names)))
    return Explanation(headline, parts, waits, tuple(last_writes(trace, list(names), end.written)), causes)


def last_writes(
    trace: Trace, names: list[str], written: Callable[[int], Collection[str]] = lambda number: ()
) -> Iterator[Write]:
    """Who wrote each of `names` last, looking backwards from the end.

    `written` names what a step wrote without changing it; near the end only, since the step has to be taken again."""
    final = trace.final()
    for name in names:
        for step in reversed(trace.steps):
            changed = name in step.changes
            if changed or (len(trace) - step.number < STEPS_TAKEN_AGAIN and name in written(step.number)):
                after = step.changes[name][1] if changed else final.get(name)
                yield Write(name, "gone" if after is None else after, step.number, step.process, step.action,
                            step.source)  # fmt: skip
                break
        else:
            if name in final:
                yield Write(name, final[name], 0)


def causes_of(end: End, names: list[str]) -> Iterator[Cause]:
    """The chain of causes, backwards: the steps that wrote `names` last, who wrote what those looked at, and so on.

    A step appears once, before all that it depends on."""
    trace = end.trace
    waiting: dict[int, set[str]] = {}

    def ask(name: str, before: int) -> None:
        step = _last_write(trace, name, before, end.written)
        if step:
            waiting.setdefault(step, set()).add(name)

    for name in names:
        ask(name, len(trace) + 1)
    for _ in range(MOST_CAUSES):
        if not waiting:
            return
        number = max(waiting)
        step, wrote = trace.steps[number - 1], waiting.pop(number)
        after = end.values_after(number)
        read = end.read(number)
        values = {name: after.get(name, "gone") for name in sorted(wrote)}
        yield Cause(number, step.process, step.action, values, read, step.source)
        for name in read:
            ask(name, number)


def _last_write(trace: Trace, name: str, before: int, written: Callable[[int], Collection[str]]) -> int:
    """The last step before another that wrote `name`; 0 if none did."""
    for number in range(min(before - 1, len(trace)), 0, -1):
        step = trace.steps[number - 1]
        if name in step.changes or (len(trace) - number < STEPS_TAKEN_AGAIN and name in written(number)):
            return number
    return 0


def _steps(trace: Trace) -> str:
    return f"{len(trace)} step{'' if len(trace) == 1 else 's'}"
