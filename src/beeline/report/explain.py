"""Why a trace ends where it does: the question taken apart at the end, who waits for what, the last writes, and what
these came from."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Collection, Iterator, Mapping
from itertools import chain
from typing import Any

from beeline.checking import Result
from beeline.model.network import Network
from beeline.model.printer import show_expression
from beeline.model.property import Goal, Inevitability, Invariant, Property
from beeline.problems.user_linear import UserLinear, Watched
from beeline.properties.linear import Linear
from beeline.records import replace
from beeline.report.ending import End
from beeline.report.entries import entries, labels_in_cycle, timeouts
from beeline.report.explanation import Cause, Explanation, Part, Wait, Write
from beeline.trace.lasso import promises_of
from beeline.trace.promises import Promises, text_of
from beeline.trace.trace import Trace, is_unnamed

STEPS_TAKEN_AGAIN = 300  # at the end of a trace, to see writes that changed nothing
MOST_CAUSES = 15
MOST_PARTS = 40  # of the last state of a space that a user wrote


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
        return _explain_user(model, result.property, trace, result.reason)
    watched = result.property.watched(model)
    if trace.cycle is not None and isinstance(result.property, Linear):
        watched = watched.alone  # its automaton is no part of the trace
    end = End(watched, trace)
    failed = trace.steps[-1] if trace.steps and trace.steps[-1].error else None
    asked = result.property
    parts: tuple[Part, ...] = ()
    waits: tuple[Wait, ...] = ()
    if failed is not None:
        where = f" ({failed.source})" if failed.source.line else ""
        headline = f"step {failed.number} of {failed.process}{where}: {failed.error}"
        parts = end.failure(failed.action)
    elif isinstance(asked, Inevitability):
        since = "" if asked.premise is None else f" after '{show_expression(asked.premise)}'"
        headline = f"{_ending_of(trace)}, and never{since} is '{show_expression(asked.avoided)}' true"
        parts = tuple(end.parts(asked.avoided))
        waits = end.waits() if trace.cycle is None else ()
    elif isinstance(asked, Linear) and (promises := promises_of(end.semantics, asked, trace)) is not None:
        headline = promises.headline()
        atoms = dict(asked.atoms)
        parts = tuple(_parts(promises, lambda atom, step: end.after(step).reads(atoms[atom])))
        waits = end.waits() if promises.rests else ()
    elif result.reason == "deadlock":
        headline = f"after {_steps(trace)} no process can move"
        waits = end.waits()
    elif isinstance(asked, Invariant | Goal):
        truth = "true" if asked.wants_witness else "false"
        headline = f"after {_steps(trace)} '{asked.text or show_expression(asked.expression)}' is {truth}"
        parts = tuple(end.parts(asked.expression))
    else:
        when = f"after {_steps(trace)}" if trace.cycle is None else _ending_of(trace)
        labels = labels_in_cycle(model, asked, trace)
        watched_by = () if labels else tuple(last_writes(Writers(trace), ["monitor"]))
        return Explanation(f"{when}: {result.reason}", labels, writes=watched_by)
    names = dict.fromkeys(chain(*(part.reads for part in parts), (wait.process for wait in waits if not wait.at_end)))
    names.update(dict.fromkeys(end.looked_at))
    told = [name for name in names if not is_unnamed(end.values.get(name))]
    writers = Writers(trace, end.written)
    causes = tuple(causes_of(end, writers, told))
    writes = tuple(_with_time(end, write) for write in last_writes(writers, told))
    let_in = tuple(entries(end, asked.expression)) if isinstance(asked, Invariant) and failed is None else ()
    return Explanation(headline, parts, waits, writes, causes, let_in, tuple(timeouts(end)))


def _with_time(end: End, write: Write) -> Write:
    """Of a clock: its value at the end, when it was set, and that only time has passed since."""
    if end.timed is None or write.name not in {clock.name for clock in end.timed.clocks.all}:
        return write
    since = "never set: the time since the start"
    if write.step:
        line = f", line {write.source.line}" if write.source.line else ""
        since = (
            f"set to {write.value} by step {write.step}, {write.process}: {write.action}{line}, and time passed since"
        )
    return replace(write, value=end.values[write.name], note=since)


def _parts(promises: Promises, reads: Callable[[str, int], Mapping[str, str]]) -> Iterator[Part]:
    """What decides the truth of a formula; `reads` tells what a proposition looks at after so many steps."""
    for at, depth in promises.parts():
        seen = reads(at.formula.name, promises.step(at)) if at.formula.kind == "atom" else {}
        yield Part(text_of(at.formula), promises.value(at), seen, depth, promises.when(at))


def _explain_user(model: Any, asked: Property, trace: Trace, reason: str) -> Explanation:
    """Of a space that a user wrote no more is known than its states."""
    if isinstance(asked, UserLinear):
        promises = Promises.along(asked.formula, trace, Watched(model, asked).true_in)
        if promises is not None:
            seen = _parts(promises, lambda atom, step: {"state": repr(trace.states[step])})
            return Explanation(promises.headline(), tuple(seen))
    last = (Part(f"{name} = {value}", None, {}) for name, value in list(trace.final().items())[:MOST_PARTS])
    return Explanation(f"after {_steps(trace)}: {reason}", tuple(last))


def _ending_of(trace: Trace) -> str:
    """What becomes of a run in the end."""
    if trace.cycle is None:
        return f"after {_steps(trace)} no process can move"
    if trace.cycle == len(trace):
        return f"after {_steps(trace)} {trace.staying}"
    return (
        f"what comes after step {trace.cycle} is repeated for ever"
        if trace.cycle
        else "the whole run is repeated for ever"
    )


class Writers:
    """Which step wrote what. `written` names what a step wrote without changing it; near the end only, since the step
    has to be taken again."""

    def __init__(self, trace: Trace, written: Callable[[int], Collection[str]] = lambda number: ()) -> None:
        self.trace = trace
        self._written = written
        self._changed: dict[str, list[int]] = {}
        for step in trace.steps:
            for name in step.changes:
                if name in step.elapsed:
                    continue  # no process wrote it: time passed
                self._changed.setdefault(name, []).append(step.number)

    def last(self, name: str, before: int) -> int:
        """The last step before another that wrote `name`; 0 if none did."""
        changed = self._changed.get(name, [])
        position = bisect_left(changed, before)
        last = changed[position - 1] if position else 0
        taken_again = range(max(last, len(self.trace) - STEPS_TAKEN_AGAIN) + 1, min(before, len(self.trace) + 1))
        return next((number for number in reversed(taken_again) if name in self._written(number)), last)


def last_writes(writers: Writers, names: list[str]) -> Iterator[Write]:
    """Who wrote each of `names` last, looking backwards from the end."""
    trace = writers.trace
    final = trace.final()
    for name in names:
        number = writers.last(name, len(trace) + 1)
        if number:
            step = trace.steps[number - 1]
            after = step.changes[name][1] if name in step.changes else final.get(name)
            yield Write(name, "gone" if after is None else after, number, step.process, step.action, step.source)
        elif name in final:
            yield Write(name, final[name], 0)


def causes_of(end: End, writers: Writers, names: list[str]) -> Iterator[Cause]:
    """The chain of causes, backwards: the steps that wrote `names` last, who wrote what those looked at, and so on.

    A step appears once, before all that it depends on."""
    trace = end.trace
    waiting: dict[int, set[str]] = {}

    def ask(name: str, before: int) -> None:
        step = writers.last(name, before)
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


def _steps(trace: Trace) -> str:
    return f"{len(trace)} step{'' if len(trace) == 1 else 's'}"
