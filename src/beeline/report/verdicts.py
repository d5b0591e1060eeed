"""What machine-readable reports tell: one case for each property of a model."""

from __future__ import annotations

from collections.abc import Sequence

from beeline.checking import Result
from beeline.model.source import UNKNOWN, Source
from beeline.records import Record
from beeline.trace.table import to_table
from beeline.trace.trace import Trace


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
    details: str = ""  # what else there is to say
    trace: Trace | None = None

    @property
    def as_expected(self) -> bool:
        return self.verdict == self.expected

    @property
    def word(self) -> str:
        """Goals are reached or not; everything else holds or is violated."""
        return self._word(self.verdict)

    @property
    def expected_word(self) -> str:
        return self._word(self.expected)

    def _word(self, verdict: str) -> str:
        words = {"holds": "reached", "violated": "unreachable"} if self.kind == "goal" else {}
        return words.get(verdict, verdict)

    @property
    def text(self) -> str:
        """The trace as a table, or what else there is to say."""
        return self.details if self.trace is None else to_table(self.trace)

    @property
    def span(self) -> str:
        """How long the trace is, in words, and what of it is repeated; empty without one."""
        if self.length is None:
            return ""
        steps = f"after {self.length} step{'' if self.length == 1 else 's'}"
        cycle = None if self.trace is None else self.trace.cycle
        if cycle is None:
            return steps
        if cycle == self.length:
            return f"{steps}, and at rest for ever"
        return f"{steps}, repeated for ever from {f'step {cycle + 1}' if cycle else 'the start'} on"

    @classmethod
    def of(cls, model: str, result: Result, expected: str = "holds", name: str = "") -> Case:
        """The case that a result makes."""
        trace = result.trace
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
            place_of(trace, model),
            details=result.certified(),
            trace=trace,
        )


def counted(cases: Sequence[Case]) -> str:
    """How many there are, and how many of them are as expected."""
    good = sum(case.as_expected for case in cases)
    return f"{len(cases)} check{'' if len(cases) == 1 else 's'}, {good} as expected, {len(cases) - good} not"


def place_of(trace: Trace | None, model: str) -> Source:
    """Where what is told of a trace belongs: the last line that it names."""
    places = [step.source for step in trace.steps if step.source.line] if trace is not None else []
    return places[-1] if places else Source(model)
