"""Specifications of SMV as questions, under the fairness that the text asks for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from itertools import product

from beeline.automata import FALSE, TRUE
from beeline.automata import Formula as Linear
from beeline.ctl import Formula as Branching
from beeline.languages.smv.history import History, Remembered
from beeline.languages.smv.scopes import Instance, Scalar, World
from beeline.languages.smv.syntax import Constraint, Specification, Tree
from beeline.languages.smv.values import TEMPORAL, Moment, Values
from beeline.model import expressions as ir
from beeline.model import folding as fold
from beeline.model.property import Invariant, Property, Unanswered
from beeline.properties import branching, linear

_LOGIC = {"&": "and", "|": "or", "->": "implies", "<->": "iff", "!": "not"}
_LINEAR = {"G": "G", "F": "F", "X": "X", "U": "U", "V": "R"}
_BRANCHING = frozenset(["AG", "AF", "AX", "EG", "EF", "EX", "AU", "EU"])
_NAMES = {"CTLSPEC": "ctl", "LTLSPEC": "ltl", "INVARSPEC": "invariant"}


class Specifications:
    """The questions of a model."""

    def __init__(self, world: World, history: History) -> None:
        self._world, self._history = world, history
        self._values = Values(world)
        self._atoms: dict[str, ir.Expression] = {}

    def properties(self) -> list[Property]:
        """One for each specification of each instance."""
        found: list[Property] = []
        counts = dict.fromkeys(_NAMES, 0)
        for scope in self._world.instances:
            for item in scope.module.items:
                if isinstance(item, Specification):
                    counts[item.section] += 1
                    name = item.name or f"{_NAMES[item.section]}_{counts[item.section]}"
                    within = f"{scope.name}." if scope.path and item.name else ""
                    found.append(self._property(item, scope, within + name))
        return found

    def _property(self, item: Specification, scope: Instance, name: str) -> Property:
        about = (name, f"{item.section} {item.text}" + (f" in {scope.name}" if scope.path else ""), item.at)
        self._atoms = {}
        if item.section == "INVARSPEC":
            return Invariant(*about, expression=self._values.condition(item.formula, scope, _state()))
        if item.section == "LTLSPEC":
            formula = self._linear(item.formula, scope)
            premises = list(self._linear_fairness())
            for premise in reversed(premises):
                formula = premise >> formula
            return linear.Linear(*about, formula=formula, atoms=tuple(self._atoms.items()))
        asked = self._branching(item.formula, scope)
        fair = [condition for section, condition in self._fairness() if section == "JUSTICE"]
        if len(fair) < len(list(self._fairness())):
            return Unanswered(*about, reason="CTL under COMPASSION is not supported")
        made = tuple(self._fair(parts[0], where) for parts, where in fair)
        atoms = tuple(self._atoms.items())
        return branching.Branching(*about, formula=asked, atoms=atoms, fairness=made, begins_fair=True)

    def _fairness(self) -> Iterator[tuple[str, tuple[tuple[Tree, ...], Instance]]]:
        for scope in self._world.instances:
            for item in scope.module.items:
                if isinstance(item, Constraint) and item.section in ("JUSTICE", "COMPASSION"):
                    yield item.section, (item.parts, scope)

    # Branching time

    def _fair(self, tree: Tree, scope: Instance) -> Branching:
        """A condition of fairness: what ran is remembered in the state behind the step."""
        value = self._values.condition(tree, scope, Moment(self._place, None, self._history.ran))
        return self._branching_atom(tree, scope, value)

    def _place(self, scalar: Scalar) -> ir.Expression:
        return self._history.input(scalar) if scalar.section == "IVAR" else scalar.place

    def _branching_atom(self, tree: Tree, scope: Instance, value: ir.Expression) -> Branching:
        if value in (ir.TRUE, ir.FALSE):
            true = Branching("true")
            return true if value == ir.TRUE else Branching("not", (true,))
        return Branching("atom", (), self._named(tree, scope, value))

    def _branching(self, tree: Tree, scope: Instance) -> Branching:
        if tree.kind in _BRANCHING or (tree.kind in _LOGIC and _is_temporal(tree)):
            parts = tuple(self._branching(part, scope) for part in tree.parts)
            return Branching(_LOGIC.get(tree.kind, tree.kind), parts)
        if tree.kind in _LINEAR:
            raise self._world.error(f"{tree.kind} needs A or E before it in CTL", tree.at, "or ask by LTLSPEC")
        return self._branching_atom(tree, scope, self._values.condition(tree, scope, _state()))

    # Linear time

    def _linear_fairness(self) -> Iterator[Linear]:
        for section, (parts, scope) in self._fairness():
            again = [Linear("G", (Linear("F", (self._linear(part, scope),)),)) for part in parts]
            yield again[0] if section == "JUSTICE" else again[0] >> again[1]

    def _linear(self, tree: Tree, scope: Instance) -> Linear:
        if tree.kind in _LINEAR or (tree.kind in _LOGIC and _is_temporal(tree)):
            parts = tuple(self._linear(part, scope) for part in tree.parts)
            return Linear(_LINEAR.get(tree.kind) or _LOGIC[tree.kind], parts)
        if tree.kind in _BRANCHING:
            raise self._world.error(f"{tree.kind} is no operator of LTL", tree.at, "ask by CTLSPEC")
        return self._linear_atom(tree, scope)

    def _linear_atom(self, tree: Tree, scope: Instance) -> Linear:
        """What is said about a step (inputs, who runs) is remembered in the state after it: then it is asked there."""
        used = self._used(tree, scope)
        found = FALSE
        for values in product(*(one.values for one in used)):
            known = dict(zip(used, values, strict=True))
            by_scalar = {one.scalar: value for one, value in known.items()}
            moment = Moment(partial(_now, by_scalar), None, partial(_runs, by_scalar))
            value = self._values.condition(tree, scope, moment)
            part = self._atom(tree, scope, value)
            for one in used:
                told = fold.binary("==", one.place, ir.Literal(known[one]))
                text = f"{one.name} = {known[one]}"
                self._atoms[text] = told
                part = part & Linear("X", (Linear.atom(text),))
            found = part if found == FALSE else Linear("or", (found, part))
        return found

    def _atom(self, tree: Tree, scope: Instance, value: ir.Expression) -> Linear:
        if value in (ir.TRUE, ir.FALSE):
            return TRUE if value == ir.TRUE else FALSE
        return Linear.atom(self._named(tree, scope, value))

    def _used(self, tree: Tree, scope: Instance) -> list[Remembered]:
        """What an expression says about steps."""
        found: dict[Remembered, None] = {}

        def now(scalar: Scalar) -> ir.Expression:
            if scalar.section == "IVAR":
                found[self._history.remembered_input(scalar)] = None
            return scalar.place

        def running(process: int) -> ir.Expression:
            found[self._history.remembered_process()] = None
            return ir.Ref("running")

        self._values.condition(tree, scope, Moment(now, None, running))
        return list(found)

    def _named(self, tree: Tree, scope: Instance, value: ir.Expression) -> str:
        """A name for an atom: its text, and more if the same text means something else, too."""
        name = str(tree)
        while self._atoms.get(name, value) != value:
            name += f" in {scope.name}"
        self._atoms[name] = value
        return name


def _now(known: Mapping[Scalar | None, int], scalar: Scalar) -> ir.Expression:
    return ir.Literal(known[scalar]) if scalar.section == "IVAR" else scalar.place


def _runs(known: Mapping[Scalar | None, int], process: int) -> ir.Expression:
    return ir.Literal(int(known[None] == process + 1))


def _state() -> Moment:
    return Moment(lambda scalar: scalar.place)


def _is_temporal(tree: Tree) -> bool:
    return tree.kind in TEMPORAL or any(_is_temporal(part) for part in tree.parts)
