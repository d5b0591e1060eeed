"""Formulas of the modal mu-calculus: those of branching time, and three operands more.

``mu X. f`` and ``nu X. f`` are the least and the greatest X with X = f, ``<R> f`` says that some run of steps in R
leads to a state with f, ``[R] f`` that all do.
"""

from __future__ import annotations

from beeline.ctl.formula import Formula
from beeline.mu.actions import Regular

FIXPOINTS = ("mu", "nu")


class Modality(Formula, frozen=True):
    """``can`` or ``must``, over runs of `steps`."""

    steps: Regular = Regular("actions")

    def __str__(self) -> str:
        opening, closing = ("<", ">") if self.kind == "can" else ("[", "]")
        return f"{opening}{self.steps}{closing} {self.parts[0]}"


class Fixpoint(Formula, frozen=True):
    """``mu`` or ``nu`` of the variable `name`."""

    def __str__(self) -> str:
        return f"({self.kind} {self.name}. {self.parts[0]})"


class VariableUse(Formula, frozen=True):
    """A variable of a fixpoint around it."""

    def __str__(self) -> str:
        return self.name


def fixpoint(kind: str, name: str, body: Formula) -> Fixpoint:
    return Fixpoint(kind, (body,), name)


def variable(name: str) -> VariableUse:
    return VariableUse("variable", (), name)


def modality(kind: str, steps: Regular, part: Formula) -> Modality:
    return Modality(kind, (part,), "", steps)
