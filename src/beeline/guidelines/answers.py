"""What is said about a question: the answer, on which model it was found, and the run that shows it."""

from __future__ import annotations

from typing import Any

from beeline.guidelines.runs import Run
from beeline.languages.asbru.claims import Claim
from beeline.languages.asbru.guideline import Guideline
from beeline.records import Record

EXACT, OVER_APPROXIMATION = "exact", "over-approximation"
REAL, SPURIOUS = "real", "spurious"


class Answer(Record, frozen=True):
    """`model` is the one whose states were looked at; `timers` are those that followed the time in it. The answer is
    right for the guideline either way: what is claimed of all runs holds on fewer, and what is claimed of some run was
    seen on a run that is `real`. `spurious` lists the timers that counterexamples got wrong before. `undone` are the
    plans that users never come to do on that run; `only_unfair`, if it was asked, says that without such users the
    claim holds."""

    claim: Claim
    verdict: str
    model: str
    timers: tuple[str, ...] = ()
    triage: str = ""
    spurious: tuple[str, ...] = ()
    run: Run | None = None
    branches: tuple[Run, ...] = ()
    undone: tuple[str, ...] = ()
    only_unfair: bool | None = None
    reason: str = ""

    def as_json(self) -> dict[str, Any]:
        """As `--json` shows it."""
        asked = self.claim.asked
        return {
            "name": asked.name,
            "group": self.claim.group,
            "formula": asked.text,
            "fragment": asked.fragment,
            "verdict": self.verdict,
            "reason": self.reason,
            "model": self.model,
            "exact_timers": list(self.timers),
            "triage": self.triage,
            "spurious": list(self.spurious),
            "undone": list(self.undone),
            "only_unfair": self.only_unfair,
            "run": None if self.run is None else self.run.as_json(),
            "branches": [run.as_json() for run in self.branches],
        }


class Report(Record, frozen=True):
    """All answers about a guideline. `states` counts those of the last model."""

    guideline: Guideline
    answers: tuple[Answer, ...]
    states: int
    seconds: float

    def count(self, verdict: str) -> int:
        return sum(answer.verdict == verdict for answer in self.answers)

    def as_json(self) -> dict[str, Any]:
        return {
            "guideline": self.guideline.name,
            "plans": len(self.guideline.plans),
            "timers": {timer.name: timer.text for timer in self.guideline.timers},
            "states": self.states,
            "seconds": round(self.seconds, 3),
            "answers": [answer.as_json() for answer in self.answers],
        }
