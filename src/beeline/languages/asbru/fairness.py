"""What happens again and again on a fair run of a guideline."""

from __future__ import annotations

from beeline.languages.asbru.guideline import ACTIVATED, Guideline
from beeline.languages.asbru.moves import is_at
from beeline.model.expressions import Expression, negate


def constraints(guideline: Guideline) -> dict[str, Expression]:
    """Users come to do what is to be done, by plan. Without this a run may fail to end merely because somebody never
    does anything."""
    acting = [plan for plan in guideline.plans if plan.action == "user-performed"]
    return {plan.written: negate(is_at(plan, ACTIVATED)) for plan in acting}
