"""Formulas of the mu-calculus as questions: ``mu: nu X. (<-> true and [-] X)``."""

from __future__ import annotations

import re
from functools import cached_property
from typing import ClassVar

from beeline.ctl.formula import Formula
from beeline.model import expressions as ir
from beeline.model.network import Network
from beeline.model.property import Property
from beeline.mu.equations import System, equations_of
from beeline.mu.parser import parse_mu
from beeline.properties.branching import GIVEN, formula_reader, within_option

FORM = re.compile(r"\s*mu\s*:")


class Modal(Property, frozen=True, kw_only=True, dict=True):
    """Every initial state satisfies `formula`, whose propositions mean the expressions `atoms`. All states count, those
    in the middle of an uninterrupted run among them. A step that fails leads to a state of its own, in which nothing
    can be done and no proposition holds."""

    formula: Formula
    atoms: tuple[tuple[str, ir.Expression], ...]
    kind: ClassVar[str] = "mu"
    asks_behaviour: ClassVar[bool] = True

    @property
    def expressions(self) -> tuple[ir.Expression, ...]:
        return tuple(expression for _, expression in self.atoms)

    @cached_property
    def system(self) -> System:
        """The formula as equations."""
        return equations_of(self.formula)


def read_modal(network: Network, text: str) -> Modal:
    """The question that a text in this form is; atoms are expressions of the model."""
    form = FORM.match(text)
    assert form is not None
    atoms, atom = formula_reader(network)
    with within_option(text):
        formula = parse_mu(" " * form.end() + text[form.end() :], atom)
        name = text.strip()
        asked = Modal(name, name, GIVEN, formula=formula, atoms=tuple(atoms.items()))
        assert asked.system.equations
        return asked
