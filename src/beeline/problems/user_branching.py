"""CTL formulas about spaces that users write in Python: propositions are methods of the space that take a state."""

from __future__ import annotations

from typing import Any

from beeline.model.property import Property
from beeline.model.source import ModelError
from beeline.problems.user_linear import proposition
from beeline.properties.branching import GIVEN, Branching, read_parts

NOT = "!"


class UserBranching(Branching, frozen=True, kw_only=True):
    """Each initial state satisfies `formula`."""

    def linear(self) -> Property | None:
        """Questions about states or runs have no other form here."""
        return None


def holds_in(model: Any, name: str, state: Any) -> bool:
    """Whether a proposition, or its opposite, holds in a state."""
    return bool(getattr(model, name.lstrip(NOT))(state)) != name.startswith(NOT)


def read_user_branching(model: Any, text: str) -> UserBranching:
    """The question that ``ctl: AG (waiting -> EF served)`` is."""

    def atom(written: str, offset: int) -> str:
        # A sign before a name without brackets belongs to the proposition, as in expressions of networks.
        name = written.replace(" ", "").lstrip(NOT)
        if not name.isidentifier():
            remedy = "put it into a method that takes a state"
            shown = written.strip()
            raise ModelError(f"'{shown}' is no proposition of a space in Python", remedy=remedy, word=shown)
        proposition(model, name)
        return NOT * (written.count(NOT) % 2) + name

    formula, fairness = read_parts(text, atom)
    return UserBranching(text.strip(), text.strip(), GIVEN, formula=formula, atoms=(), fairness=fairness)
