"""CTL formulas as questions: ``ctl: AG (p -> AF q)``; with ``ctl[fair, conditions]:`` only paths count on which each of
the conditions holds again and again."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import ClassVar

from beeline.ctl import Formula, fragment, parse_ctl
from beeline.ctl.formula import Formula as Tree
from beeline.ctl.parser import AtomReader
from beeline.model import expressions as ir
from beeline.model.names import Resolver
from beeline.model.network import Network
from beeline.model.property import Goal, Inevitable, Invariant, LeadsTo, PotentiallyAlways, Property
from beeline.model.source import ModelError, Source
from beeline.model.syntax import parse_expression
from beeline.model.validation import validate_property

GIVEN = Source("--property", 1)
FORM = re.compile(r"\s*ctl\s*(?P<fairness>\[[^:]*\])?\s*:")


class Branching(Property, frozen=True, kw_only=True):
    """Each initial state satisfies `formula`, whose propositions mean the expressions `atoms`, on paths that meet every
    one of `fairness` again and again. A run that comes to rest goes on for ever in its last state; states in the middle
    of an uninterrupted run are not looked at."""

    formula: Formula
    atoms: tuple[tuple[str, ir.Expression], ...]
    fairness: tuple[Formula, ...] = ()
    begins_fair: bool = False  # initial states from which no fair path begins do not count, as in NuSMV
    kind: ClassVar[str] = "ctl"
    asks_branches: ClassVar[bool] = True

    @property
    def expressions(self) -> tuple[ir.Expression, ...]:
        return tuple(expression for _, expression in self.atoms)

    @property
    def fragment(self) -> str:
        """``ACTL``, ``ECTL``, ``state`` or ``CTL``."""
        return fragment(self.formula)

    def linear(self) -> Property | None:
        """The question about states or runs that says the same, if there is one: it can be answered on the fly."""
        match self.formula:
            case _ if self.fairness:
                return None
            case Tree("AG", (Tree("implies", (condition, Tree("AF", (comes,)))),)) if not _temporal(condition, comes):
                return LeadsTo(
                    self.name, self.text, self.source, condition=self._state(condition), expression=self._state(comes)
                )
            case Tree(("AG" | "EF" | "AF" | "EG") as kind, (part,)) if not part.is_temporal:
                made = {"AG": Invariant, "EF": Goal, "AF": Inevitable, "EG": PotentiallyAlways}[kind]
                return made(self.name, self.text, self.source, expression=self._state(part))
        return None

    def _state(self, formula: Formula) -> ir.Expression:
        """A formula without path operators as an expression."""
        parts = [self._state(part) for part in formula.parts]
        match formula.kind, parts:
            case "true", _:
                return ir.TRUE
            case "atom", _:
                return dict(self.atoms)[formula.name]
            case "not", [part]:
                return ir.Unary("!", part)
            case "and", [left, right]:
                return ir.Binary("&&", left, right)
            case "or", [left, right]:
                return ir.Binary("||", left, right)
            case "implies", [left, right]:
                return ir.Binary("||", ir.Unary("!", left), right)
            case "iff", [left, right]:
                return ir.Binary("==", ir.Unary("!", left), ir.Unary("!", right))
        raise AssertionError(formula.kind)


def _temporal(*formulas: Formula) -> bool:
    return any(formula.is_temporal for formula in formulas)


def formula_reader(network: Network) -> tuple[dict[str, ir.Expression], AtomReader]:
    """Where atoms of a formula are put by the function that reads them: expressions of the model."""
    resolver, atoms = Resolver(network), dict[str, ir.Expression]()

    def atom(written: str, offset: int) -> str:
        expression = resolver.resolve(parse_expression(" " * offset + written))
        validate_property(network, expression)
        atoms[written] = expression
        return written

    return atoms, atom


@contextmanager
def within_option(text: str) -> Iterator[None]:
    """Mistakes in a formula are said to be in the option that it was given by."""
    try:
        yield
    except ModelError as error:
        pointed = error.within(GIVEN, text)
        raise ModelError(pointed.message, pointed.source, pointed.remedy, text) from None


def read_branching(network: Network, text: str) -> Branching:
    """The question that a text in this form is."""
    atoms, atom = formula_reader(network)
    formula, fairness = read_parts(text, atom)
    name = text.strip()
    return Branching(name, name, GIVEN, formula=formula, atoms=tuple(atoms.items()), fairness=fairness)


def read_parts(text: str, atom: AtomReader) -> tuple[Formula, tuple[Formula, ...]]:
    """The formula, and the conditions of fairness."""
    form = FORM.match(text)
    assert form is not None
    with within_option(text):
        return parse_ctl(" " * form.end() + text[form.end() :], atom), tuple(_conditions(text, form, atom))


def _conditions(text: str, form: re.Match[str], atom: AtomReader) -> list[Formula]:
    """What stands between commas in the brackets."""
    if form["fairness"] is None:
        return []
    found, start = [], form.start("fairness") + 1
    for part in form["fairness"][1:-1].split(","):
        condition = parse_ctl(" " * start + part, atom)
        if condition.is_temporal:
            at = Source("--property", 1, start + 1)
            raise ModelError("a fairness condition is about single states", at, "leave out its path operators")
        found.append(condition)
        start += len(part) + 1
    return found
