"""Formulas with negations at propositions only, single steps in modalities, and no operators of CTL.

A run that comes to rest is taken to stay where it is for ever, as in `beeline.ctl`: ``EX f`` is also true where nothing
can be done and f holds.
"""

from __future__ import annotations

from itertools import count

from beeline.ctl.formula import TRUE, Formula, conjunction, disjunction, negation
from beeline.ctl.parser import CtlError
from beeline.model.source import Source
from beeline.mu.actions import ANY, Actions, Regular
from beeline.mu.formula import Fixpoint, Modality, fixpoint, modality, variable
from beeline.records import Record


class Normal(Record, frozen=True):
    """``true``, ``false``, ``atom`` (perhaps `negated`), ``and``, ``or``, ``can``, ``must``, ``mu``, ``nu`` or
    ``variable``. Variables have names of their own."""

    kind: str
    parts: tuple[Normal, ...] = ()
    name: str = ""
    negated: bool = False
    actions: Actions = ANY


YES, NO = Normal("true"), Normal("false")


def normal(formula: Formula) -> Normal:
    """The same formula in this form. Parts that are needed more than once are the same object."""
    return _Normaliser().normal(formula, False, {})


Bound = dict[str, tuple[str, bool]]
"""By the name of a variable: its own name, and whether its fixpoint is negated."""


class _Normaliser:
    def __init__(self) -> None:
        self._numbers = count(1)

    def normal(self, formula: Formula, negated: bool, bound: Bound) -> Normal:
        match formula.kind, formula.parts:
            case "true", _:
                return NO if negated else YES
            case "atom", _:
                return Normal("atom", (), formula.name, negated)
            case "not", (part,):
                return self.normal(part, not negated, bound)
            case (("and" | "or") as kind, (left, right)):
                pair = self.normal(left, negated, bound), self.normal(right, negated, bound)
                return joined(kind if not negated else "or" if kind == "and" else "and", *pair)
            case "implies", (left, right):
                return self.normal(disjunction(negation(left), right), negated, bound)
            case "iff", (left, right):
                return self.normal(_iff(left, right), negated, bound)
            case "variable", _:
                return self._variable(formula.name, negated, bound)
        if isinstance(formula, Fixpoint):
            return self._fixpoint(formula, negated, bound)
        if isinstance(formula, Modality):
            modal = "can" if (formula.kind == "can") != negated else "must"
            return self._along(modal, formula.steps, self.normal(formula.parts[0], negated, bound))
        return self.normal(self._without_paths(formula), negated, bound)

    def _variable(self, name: str, negated: bool, bound: Bound) -> Normal:
        own, around = bound[name]
        if around != negated:
            raise CtlError(
                f"'{name}' is negated here an odd number of times, so that there may be no fixpoint",
                Source("formula", 1),
                f"take `{name}` out of the negation, or swap `mu` and `nu`",
            )
        return Normal("variable", (), own)

    def _fixpoint(self, formula: Fixpoint, negated: bool, bound: Bound) -> Normal:
        own = f"{formula.name}.{next(self._numbers)}"
        body = self.normal(formula.parts[0], negated, {**bound, formula.name: (own, negated)})
        kind = formula.kind if not negated else "nu" if formula.kind == "mu" else "mu"
        return Normal(kind, (body,), own)

    def _along(self, kind: str, steps: Regular, then: Normal) -> Normal:
        """What follows runs of steps, as fixpoints over single steps."""
        join = "or" if kind == "can" else "and"
        match steps.kind, steps.parts:
            case "actions", _:
                return after(kind, steps.actions, then)
            case "sequence", parts:
                for part in reversed(parts):
                    then = self._along(kind, part, then)
                return then
            case "choice", parts:
                found = self._along(kind, parts[0], then)
                for part in parts[1:]:
                    found = joined(join, found, self._along(kind, part, then))
                return found
            case "option", (part,):
                return joined(join, then, self._along(kind, part, then))
            case "plus", (part,):
                return self._along(kind, part, self._along(kind, Regular("star", (part,)), then))
        own = f".{next(self._numbers)}"
        again = self._along(kind, steps.parts[0], Normal("variable", (), own))
        return Normal("mu" if kind == "can" else "nu", (joined(join, then, again),), own)

    def _without_paths(self, formula: Formula) -> Formula:
        """An operator of CTL as a fixpoint."""
        quantifier, operator = formula.kind[0], formula.kind[1]
        here = f"Path {next(self._numbers)}"  # as nobody can call a variable
        least, greatest = (_again(quantifier, kind, variable(here)) for kind in ("mu", "nu"))
        match operator, formula.parts:
            case "X", (part,):
                return _next(quantifier, part)
            case "F", (part,):
                return fixpoint("mu", here, disjunction(part, least))
            case "G", (part,):
                return fixpoint("nu", here, conjunction(part, greatest))
            case "U", (left, right):
                return fixpoint("mu", here, disjunction(right, conjunction(left, least)))
            case "W", (left, right):
                return fixpoint("nu", here, disjunction(right, conjunction(left, greatest)))
            case "R", (left, right):
                return fixpoint("nu", here, conjunction(right, disjunction(left, greatest)))
        raise AssertionError(formula.kind)


_ONE = Regular("actions")
_RESTS = modality("must", _ONE, negation(TRUE))


def _next(quantifier: str, part: Formula) -> Formula:
    """In a next state, which is the same one where nothing can be done."""
    if quantifier == "E":
        return disjunction(modality("can", _ONE, part), conjunction(_RESTS, part))
    return conjunction(modality("must", _ONE, part), disjunction(negation(_RESTS), part))


def _again(quantifier: str, kind: str, own: Formula) -> Formula:
    """What a fixpoint says of next states. Where nothing can be done, its variable stands for itself: it is false in a
    least fixpoint, and true in a greatest one."""
    if quantifier == "E":
        step = modality("can", _ONE, own)
        return step if kind == "mu" else disjunction(step, _RESTS)
    step = modality("must", _ONE, own)
    return conjunction(negation(_RESTS), step) if kind == "mu" else step


def _iff(left: Formula, right: Formula) -> Formula:
    return disjunction(conjunction(left, right), conjunction(negation(left), negation(right)))


def joined(kind: str, left: Normal, right: Normal) -> Normal:
    """``and`` or ``or``, simpler where one of both decides."""
    neutral, absorbing = (YES, NO) if kind == "and" else (NO, YES)
    if absorbing in (left, right):
        return absorbing
    if left == neutral:
        return right
    return left if right == neutral else Normal(kind, (left, right))


def after(kind: str, actions: Actions, then: Normal) -> Normal:
    """A modality over single steps, simpler where it is decided."""
    if then == (NO if kind == "can" else YES):
        return then
    return Normal(kind, (then,), "", False, actions)
