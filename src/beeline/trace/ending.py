"""Whether a trace ends in what a question is about, as the interpreter sees it."""

from __future__ import annotations

from beeline.model.evaluate import StepError
from beeline.model.property import Property
from beeline.model.semantics import Semantics
from beeline.model.state import State


def ending(semantics: Semantics, asked: Property, state: State, deadlocked: bool) -> tuple[str, str] | None:
    """A verdict and a reason for the last state of a trace, which a search calls a deadlock or not; None if the state
    is not what was sought. A goal without a value is neither reached nor ruled out."""
    if deadlocked:
        return ("violated", "deadlock") if semantics.is_deadlock(state) else None
    if asked.automaton is not None:
        return ("violated", "the claim is completed") if semantics.claim_completed(state) else None
    if asked.sought is None:
        return None
    try:
        if not semantics.holds(asked.sought, state):
            return None
    except StepError as error:
        reason = f"the property has no value: {error.message}"
        return "unknown" if asked.wants_witness else "violated", reason
    return "violated", asked.explain(lambda expression: semantics.holds(expression, state))
