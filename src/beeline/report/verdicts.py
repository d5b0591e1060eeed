"""What machine-readable reports tell: one case for each property of a model."""

from __future__ import annotations

from beeline.checking import Result
from beeline.model.source import UNKNOWN, Source
from beeline.records import Record
from beeline.trace.table import to_table


class Case(Record, frozen=True):
    """One property of one model and what became of it. `verdict` may also be ``error``: the model could not be read or
    checked, as `reason` says. `expected` is the verdict that is no failure."""

    model: str
    asked: str
    verdict: str
    reason: str
    seconds: float = 0.0
    expected: str = "holds"
    kind: str = ""
    length: int | None = None
    states: int = 0
    source: Source = UNKNOWN  # where the violating step stands
    details: str = ""  # the trace as text
    cycle: int | None = None  # of a run that goes on for ever: the steps before what it repeats

    @property
    def as_expected(self) -> bool:
        return self.verdict == self.expected

    @property
    def span(self) -> str:
        """How long the trace is, in words, and what of it is repeated; empty without one."""
        if self.length is None:
            return ""
        steps = f"after {self.length} step{'' if self.length == 1 else 's'}"
        if self.cycle is None:
            return steps
        if self.cycle == self.length:
            return f"{steps}, and at rest for ever"
        return f"{steps}, repeated for ever from {f'step {self.cycle + 1}' if self.cycle else 'the start'} on"

    @classmethod
    def of(cls, model: str, result: Result, expected: str = "holds", name: str = "") -> Case:
        """The case that a result makes."""
        trace = result.trace
        places = [step.source for step in trace.steps if step.source.line] if trace is not None else []
        return cls(
            model,
            name or result.property.name,
            result.verdict,
            result.reason,
            result.statistics.seconds,
            expected,
            result.property.kind,
            None if trace is None else len(trace),
            result.statistics.stored,
            places[-1] if places else Source(model),
            "" if trace is None else to_table(trace),
            None if trace is None else trace.cycle,
        )
