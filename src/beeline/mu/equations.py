"""A formula as a system of equations, each to be taken in every state: a disjunction or a conjunction of terms.

Equations that depend on each other are one block. A block with fixpoints of one kind is solved by its default, one with
both kinds is a parity game, in which outer fixpoints have higher ranks (Emerson and Jutla, Tree automata, mu-calculus
and determinacy, FOCS 1991).
"""

from __future__ import annotations

from collections.abc import Iterable

from beeline.ctl.formula import Formula
from beeline.mu.actions import Actions
from beeline.mu.formula import FIXPOINTS
from beeline.mu.normal import NO, YES, Normal, normal
from beeline.records import Record, replace

MIXED = "mixed"


class Term(Record, frozen=True):
    """``proposition`` number `which`; ``can``: a step of set number `which` is possible; ``here``: another equation in
    the same state; ``step``: another equation after steps of a set, one of them in a disjunction, each in a
    conjunction. The first two may be negated."""

    kind: str
    negated: bool = False
    which: int = 0
    equation: int = 0

    @property
    def leads(self) -> bool:
        """Whether it is about another equation."""
        return self.kind in ("here", "step")


class Equation(Record, frozen=True):
    """`fixpoint` is ``mu`` or ``nu`` for an equation of a variable, empty for a part of another one."""

    is_disjunction: bool
    terms: tuple[Term, ...]
    fixpoint: str = ""
    rank: int = 0
    block: int = 0


class System(Record, frozen=True):
    """The first equation is the formula itself. `kinds` has ``mu``, ``nu`` or ``mixed`` for each block."""

    equations: tuple[Equation, ...]
    kinds: tuple[str, ...]
    propositions: tuple[str, ...]
    sets: tuple[Actions, ...]

    @property
    def alternates(self) -> bool:
        """Whether least and greatest fixpoints depend on each other."""
        return MIXED in self.kinds


def equations_of(formula: Formula) -> System:
    """The equations that a formula is.

    >>> from beeline.mu.parser import parse_mu
    >>> [equation.terms for equation in equations_of(parse_mu("nu X. (<-> true and [a] X)")).equations]
    [(Term(kind='can', negated=False, which=0, equation=0), Term(kind='step', negated=False, which=1, equation=0))]
    """
    translation = _Translation()
    translation.equation(normal(formula))
    return translation.system()


class _Translation:
    def __init__(self) -> None:
        self._made: list[Equation | None] = []
        self._by_part: dict[int, tuple[Normal, int]] = {}  # parts are kept: no other one gets their identity
        self._bound: dict[str, int] = {}
        self._propositions: dict[str, int] = {}
        self._sets: dict[Actions, int] = {}
        self._heights: dict[int, int] = {}

    def equation(self, part: Normal) -> int:
        """The equation of a part of the formula."""
        if id(part) in self._by_part:
            return self._by_part[id(part)][1]
        number = len(self._made)
        self._made.append(None)
        self._by_part[id(part)] = part, number
        body, sign, rank = part, "", 0
        while body.kind in FIXPOINTS:  # several in a row are one, unless they differ
            if sign not in ("", body.kind):
                break
            sign, rank = body.kind, max(rank, self._rank(body))
            self._bound[body.name] = number
            body = body.parts[0]
        is_disjunction = body.kind not in ("and", "must", "true")
        terms = tuple(self._terms(body, is_disjunction))
        self._made[number] = Equation(is_disjunction, terms, sign, rank)
        return number

    def _rank(self, part: Normal) -> int:
        return 2 * self._height(part) - (part.kind == "mu")

    def _height(self, part: Normal) -> int:
        """How many fixpoints are inside one another in a part."""
        if id(part) not in self._heights:
            inner = max((self._height(one) for one in part.parts), default=0)
            self._heights[id(part)] = inner + (part.kind in FIXPOINTS)
        return self._heights[id(part)]

    def _terms(self, part: Normal, is_disjunction: bool) -> Iterable[Term]:
        """The terms that a part adds to a disjunction or a conjunction."""
        if part.kind in ("true", "false"):
            if (part.kind == "true") == is_disjunction:  # decides: the opposite of an empty one
                yield Term("here", equation=self.equation(part))
        elif part.kind == ("or" if is_disjunction else "and"):
            for one in part.parts:
                yield from self._terms(one, is_disjunction)
        elif part.kind == "atom":
            which = self._propositions.setdefault(part.name, len(self._propositions))
            yield Term("proposition", part.negated, which)
        elif part.kind == "variable":
            yield Term("here", equation=self._bound[part.name])
        elif part.kind in ("can", "must") and part.parts[0] == (YES if part.kind == "can" else NO):
            yield Term("can", part.kind == "must", self._set(part.actions))
        elif part.kind == ("can" if is_disjunction else "must"):
            yield Term("step", which=self._set(part.actions), equation=self._target(part.parts[0]))
        else:
            yield Term("here", equation=self.equation(part))

    def _target(self, part: Normal) -> int:
        return self._bound[part.name] if part.kind == "variable" else self.equation(part)

    def _set(self, actions: Actions) -> int:
        return self._sets.setdefault(actions, len(self._sets))

    def system(self) -> System:
        made = [equation for equation in self._made if equation is not None]
        components = _components([[term.equation for term in one.terms if term.leads] for one in made])
        kinds = []
        for block, component in enumerate(components):
            signs = {made[number].fixpoint for number in component} - {""}
            kinds.append(MIXED if len(signs) > 1 else signs.pop() if signs else "mu")
            for number in component:
                made[number] = replace(made[number], block=block)
        return System(tuple(made), tuple(kinds), tuple(self._propositions), tuple(self._sets))


def _components(successors: list[list[int]]) -> list[list[int]]:
    """The sets of equations that depend on each other, each before those that it depends on (Tarjan)."""
    order: dict[int, int] = {}
    low: dict[int, int] = {}
    path: list[int] = []
    found: list[list[int]] = []

    def visit(number: int) -> None:
        order[number] = low[number] = len(order)
        path.append(number)
        for successor in successors[number]:
            if successor not in order:
                visit(successor)
            if successor in path:
                low[number] = min(low[number], low[successor])
        if low[number] == order[number]:
            component: list[int] = []
            while not component or component[-1] != number:
                component.append(path.pop())
            found.append(component)

    visit(0)
    return found[::-1]
