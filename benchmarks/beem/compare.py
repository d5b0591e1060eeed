"""Judges one measured record against what was published."""

from __future__ import annotations

from dataclasses import dataclass

from benchmarks.beem import remarks
from benchmarks.beem.collection import Answer, Instance
from benchmarks.beem.measure import Record


@dataclass(frozen=True, slots=True)
class Judgement:
    """`word` is one of ``equal``, ``differs``, ``new`` (nothing published), ``limit`` and ``failed``."""

    word: str
    detail: str = ""

    @property
    def explained(self) -> bool:
        return self.word != "differs" or bool(self.detail)


def judge_counts(instance: Instance, record: Record, checked: dict[str, tuple[int, int]]) -> Judgement:
    """States, transitions and levels of a full exploration."""
    if "failed" in record:
        return Judgement("failed", str(record["failed"]))
    if not record["complete"]:
        return Judgement("limit", str(record.get("reason") or ""))
    published = instance.published
    pairs = [
        ("states", record["states"], published.states if published.complete else None),
        ("transitions", record["transitions"], published.edges),
        ("levels", record["depth"] + 1, published.levels),
    ]
    if instance.name in checked:
        states, transitions = checked[instance.name]
        pairs += [("states", record["states"], states), ("transitions", record["transitions"], transitions)]
    wrong = [f"{what} {ours} instead of {theirs}" for what, ours, theirs in pairs if theirs not in (None, ours)]
    if wrong:
        return Judgement("differs", remarks.COUNTS.get(instance.name, ""))
    return Judgement("equal" if any(theirs is not None for _, _, theirs in pairs) else "new")


def judge_goal(instance: Instance, answer: Answer, record: Record) -> Judgement:
    """Verdict and shortest length of one goal."""
    if "failed" in record:
        return Judgement("failed", str(record["failed"]))
    if record["verdict"] == "unknown":
        return Judgement("limit", str(record.get("reason") or ""))
    if answer.answer == "unknown":
        return Judgement("new")
    reached = record["verdict"] == "violated"
    if reached == (answer.answer == "yes") and (not reached or record["trace_length"] == answer.steps):
        return Judgement("equal")
    return Judgement("differs", remarks.GOALS.get((instance.name, answer.number), ""))
