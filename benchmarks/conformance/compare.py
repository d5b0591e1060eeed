"""One model through both tools: what each said, and in which respects they agree."""

from __future__ import annotations

import dataclasses

from .corpus import Model, explanations
from .spin import SpinFacts
from .tool import INTERNAL, Answer, Beeline

EQUAL, DIFFERENT, NOTHING = "equal", "different", ""
BRIEFLY = 0.5  # seconds for a model whose answer can be compared with nothing: enough to see that it is read


@dataclasses.dataclass(frozen=True)
class Row:
    """The comparison of one model. Each respect is `equal`, `different`, another word, or empty: nothing to say."""

    name: str
    group: str
    parsed: str = NOTHING
    states: str = NOTHING
    verdict: str = NOTHING
    trace: str = NOTHING
    spin_states: int | None = None
    our_states: int | None = None
    spin_verdict: str = NOTHING
    our_verdict: str = NOTHING
    spin_length: int | None = None
    our_length: int | None = None
    note: str = NOTHING
    explained: str = NOTHING

    @property
    def agrees(self) -> bool:
        """Whether nothing speaks against this model that is not explained."""
        if self.explained:
            return True
        faults = (DIFFERENT, "no", "fault", "longer")
        return not any(word in faults for word in (self.parsed, self.states, self.verdict, self.trace))


def compare(model: Model, facts: SpinFacts, beeline: Beeline) -> Row:
    """Runs Beeline on a model and compares with what SPIN said.

    Groups: `compared`; `rejected` (SPIN does not accept the file: a fragment, an error, a missing include);
    `embedded C`.
    """
    if not facts.accepted:
        group = "embedded C" if model.embedded_c else "rejected"
        return Row(model.name, group, note=facts.message)
    explored = beeline.explore(model.path, model.macros, None if facts.complete else BRIEFLY)
    if explored.refused or explored.status == INTERNAL:
        group = "embedded C" if model.embedded_c and explored.refused else "compared"
        parsed = "no" if explored.refused else "fault"
        return _explained(Row(model.name, group, parsed, spin_states=facts.states, note=explored.message))
    asked = () if model.never else ("--property", "safety")  # as SPIN was; formulas are questions of their own
    time_s = None if expected_verdict(model, facts) != "unknown" else BRIEFLY
    checked = beeline.check(model.path, [*model.macros, *asked], time_s)
    row = _with_states(Row(model.name, "compared", parsed="yes"), facts, explored)
    row = _with_trace(_with_verdict(row, model, facts, checked), model, facts, checked)
    return _explained(row)


def _explained(row: Row) -> Row:
    why = explanations().get(row.name, "")
    return row if row.agrees or not why else dataclasses.replace(row, explained=why, note=why)


def _with_states(row: Row, facts: SpinFacts, explored: Answer) -> Row:
    ours = explored.values.get("states") if explored.values.get("complete") else None
    row = dataclasses.replace(row, spin_states=facts.states, our_states=ours)
    if facts.states is not None and ours is not None:
        return dataclasses.replace(row, states=EQUAL if ours == facts.states else DIFFERENT)
    limited = [name for name, count in (("SPIN", facts.states), ("Beeline", ours)) if count is None]
    reason = facts.reason if facts.states is None else str(explored.values.get("reason", explored.message))
    return dataclasses.replace(row, states="limit", note=f"{' and '.join(limited)}: {reason}"[:160])


def expected_verdict(model: Model, facts: SpinFacts) -> str:
    """SPIN's verdict: with its defaults if it came to one, else from the unreduced search.

    A written never claim belongs to the verdict, as it does for `pan`; one made from an `ltl` block does not yet.
    """
    if facts.claim_verdict and model.never:
        return facts.claim_verdict
    return facts.verdict if facts.verdict != "unknown" else facts.plain_verdict


def _with_verdict(row: Row, model: Model, facts: SpinFacts, checked: Answer) -> Row:
    expected, ours = expected_verdict(model, facts), str(checked.values.get("verdict", ""))
    row = dataclasses.replace(row, spin_verdict=expected, our_verdict=ours or checked.message)
    if checked.status == INTERNAL or not ours:
        return dataclasses.replace(row, verdict="fault", note=checked.message)
    if facts.verdict != facts.plain_verdict and "unknown" not in (facts.verdict, facts.plain_verdict):
        return dataclasses.replace(
            row, verdict="SPIN contradicts itself", note=f"SPIN without reduction: {facts.plain_verdict}"
        )
    if expected == "holds" and checked.values.get("reason") == "acceptance cycle":
        # SPIN was asked about finite runs only; `public_liveness` compares what cycles there are.
        return dataclasses.replace(row, verdict="a cycle")
    if "unknown" in (expected, ours):
        return dataclasses.replace(row, verdict="limit")
    return dataclasses.replace(row, verdict=EQUAL if expected == ours else DIFFERENT)


def _with_trace(row: Row, model: Model, facts: SpinFacts, checked: Answer) -> Row:
    """Only lengths of SPIN's breadth-first search where it is exact say anything."""
    ours = checked.values.get("trace_length")
    row = dataclasses.replace(row, spin_length=facts.shortest if facts.shortest_exact else None, our_length=ours)
    if row.verdict != EQUAL or ours is None or row.spin_length is None or model.never:
        return row
    if ours == row.spin_length:
        return dataclasses.replace(row, trace=EQUAL)
    return dataclasses.replace(row, trace="shorter" if ours < row.spin_length else "longer")
