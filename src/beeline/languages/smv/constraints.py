"""What SMV text says about the first state and about steps, as constraints on the values that variables take."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from math import prod

from beeline.languages.smv import syntax
from beeline.languages.smv.intervals import Interval, interval
from beeline.languages.smv.scopes import Bound, Instance, Scalar, World
from beeline.languages.smv.syntax import Tree
from beeline.languages.smv.values import Choice, Moment, Reading, Values, knowing, noting
from beeline.model import expressions as ir
from beeline.model.source import Source
from beeline.records import Record

MOST_LOOKED_AT = 20_000  # valuations of what an assigned value depends on


class Label(Record, frozen=True):
    """A kind of step: the process that runs and the values of inputs, or the beginning."""

    name: str
    process: int = 0
    inputs: tuple[tuple[Scalar, int], ...] = ()
    opens: bool = False

    def input(self, scalar: Scalar) -> int:
        return dict(self.inputs)[scalar]


class Constraint(Record, frozen=True):
    """What must hold for a step: that an expression is true or, with a `target`, has that one's next value among its
    own. One that is `still` is about the state after the step alone."""

    tree: Tree
    scope: Instance
    at: Source
    target: Scalar | None = None
    still: bool = False


class Constraints:
    """All of a model, after deterministic definitions of variables were put in the place of these."""

    def __init__(self, world: World) -> None:
        self.world, self.values = world, Values(world)
        self.opening: list[Constraint] = []
        self.stepping: list[Constraint] = []
        self.always: list[Constraint] = []
        self.assigned: dict[Scalar, dict[int, Constraint]] = {}
        """What each process assigns to variables as their next values."""
        self._seen: dict[tuple[Scalar, str, int], Source] = {}
        for instance in world.instances:
            for item in instance.module.items:
                if isinstance(item, syntax.Assignment):
                    self._assignment(item, instance)
                elif isinstance(item, syntax.Constraint):
                    self._constraint(item, instance)
        self._settle()

    def _constraint(self, item: syntax.Constraint, scope: Instance) -> None:
        lists = {"INIT": self.opening, "TRANS": self.stepping, "INVAR": self.always}
        if item.section in lists:
            still = item.section != "TRANS"
            lists[item.section].append(Constraint(item.parts[0], scope, item.at, still=still))

    def _assignment(self, item: syntax.Assignment, scope: Instance) -> None:
        target = self.values.meaning(item.target, scope)
        if not isinstance(target, Scalar):
            raise self.world.error(f"`{item.target}` is no variable that can be assigned", item.at)
        if target.section == "IVAR" or (target.section == "FROZENVAR" and item.kind != "init"):
            raise self.world.error(f"`{target.name}` is {target.section}: it can not be assigned so", item.at)
        self._once(item, target, scope.process)
        made = Constraint(item.value, scope, item.at, target, still=item.kind != "next")
        if item.kind == "next":
            self.assigned.setdefault(target, {})[scope.process] = made
        else:
            (self.opening if item.kind == "init" else self.always).append(made)

    def _once(self, item: syntax.Assignment, target: Scalar, process: int) -> None:
        """No variable is assigned twice; different processes may assign the same one."""
        clashing = {"now": ("now", "init", "next"), "init": ("now", "init"), "next": ("now", "next")}[item.kind]
        for (scalar, kind, other), at in self._seen.items():
            if scalar is target and kind in clashing and (other == process or kind != "next" or item.kind != "next"):
                message = f"`{target.name}` is assigned already, in line {at.line}"
                raise self.world.error(message, item.at, "join both into one assignment")
        self._seen[target, item.kind, process] = item.at

    def _settle(self) -> None:
        """A variable that always equals a plain expression is that expression. Elements of arrays stay."""
        rest: list[Constraint] = []
        for one in self.always:
            plain = one.target is not None and not self.values.is_choice(one.tree, one.scope)
            if plain and one.target is not None and not any(isinstance(part, int) for part in one.target.path):
                one.target.definition = Bound(one.tree, one.scope)
            else:
                rest.append(one)
        for one in self.always:
            if one.target is not None:
                self._check_values(one, still=True)
        self.always = rest
        for one in (*self.opening, *(one for made in self.assigned.values() for one in made.values())):
            if one.target is not None:
                self._check_values(one, one.still)

    # Values that do not fit

    def _check_values(self, one: Constraint, still: bool) -> None:
        """Each value that is assigned must be one of the variable's, whatever the state is."""
        assert one.target is not None
        asked: dict[tuple[Scalar, bool], None] = {}
        running = _running(one.scope.process)
        moment = Moment(noting(asked, False), None if still else noting(asked, True), running)
        values = [value for _, value, _ in self._required(one, moment)]
        if prod(len(scalar.domain) for scalar, _ in asked) > MOST_LOOKED_AT:
            self._bound_values(one, values, [scalar for scalar, _ in asked])
            return
        domain = frozenset(one.target.domain)
        for chosen in product(*(scalar.domain for scalar, _ in asked)):
            known = dict(zip(asked, chosen, strict=True))
            moment = Moment(knowing(known, False), knowing(known, True), running)
            for condition, value, _ in self.values.choices(one.tree, one.scope, moment):
                if condition == ir.TRUE and isinstance(value, ir.Literal) and value.value not in domain:
                    said = ", ".join(f"{s.name} = {self.values.show(s, known[s, after])}" for s, after in asked)
                    where = f" where {said}" if said else ""
                    message = f"`{one.target.name}` would be {value.value}{where}, which is none of its values"
                    raise self.world.error(message, one.at, "assign a value of its type in every case")

    def _required(self, one: Constraint, moment: Moment) -> Iterator[Choice]:
        """The values that may be assigned, each of the kind that the variable has."""
        assert one.target is not None
        for choice in self.values.choices(one.tree, one.scope, moment):
            self.values.require(one.target.kind, choice[1:], one.tree)
            yield choice

    def _bound_values(self, one: Constraint, values: list[ir.Expression], asked: list[Scalar]) -> None:
        """The same without a look at all states: by the bounds of what the values are computed from."""
        assert one.target is not None
        domain = one.target.domain
        places: dict[ir.Expression, Interval] = {
            scalar.place: (min(scalar.domain), max(scalar.domain)) for scalar in asked
        }
        whole = len(domain) == max(domain) - min(domain) + 1
        for value in values:
            found = interval(value, places)
            fits = found is not None and min(domain) <= found[0] and found[1] <= max(domain)
            if not fits or not (whole or (found is not None and found[0] == found[1] in domain)):
                said = "" if found is None else f": it lies between {found[0]} and {found[1]}"
                message = f"`{one.target.name}` might get a value that is none of its own{said}"
                remedy = (
                    "there are too many states to try them all: bound the value by `mod`, or declare smaller ranges"
                )
                raise self.world.error(message, one.at, remedy)

    # Steps

    def of(self, label: Label) -> Iterator[Constraint]:
        """What must hold for a kind of step."""
        yield from self.always
        if label.opens:
            yield from self.opening
            return
        yield from self.stepping
        for made in self.assigned.values():
            if label.process in made:
                yield made[label.process]

    def changing(self, label: Label, scalars: list[Scalar]) -> list[Scalar]:
        """The variables that get a value in a kind of step; all others keep theirs."""
        if label.opens:
            return scalars
        return [
            scalar
            for scalar in scalars
            if scalar.section == "VAR" and (scalar not in self.assigned or label.process in self.assigned[scalar])
        ]

    def moment(self, one: Constraint, label: Label, after: Reading) -> Moment:
        """When a constraint is read: over the state after the step, or over both."""
        running = None if label.opens else _running(label.process)

        def before(scalar: Scalar) -> ir.Expression:
            if scalar.section == "IVAR":
                if label.opens:
                    raise self.world.error(f"the input `{scalar.name}` has no value before the first step", one.at)
                return ir.Literal(label.input(scalar))
            return scalar.place

        def later(scalar: Scalar) -> ir.Expression:
            if scalar.section == "IVAR":
                raise self.world.error(
                    f"the input `{scalar.name}` belongs to a step, not to the state after it", one.at
                )
            return after(scalar)

        return Moment(later) if one.still else Moment(before, later, running)

    def guard(self, one: Constraint, label: Label, after: Reading) -> ir.Expression:
        """The condition that a constraint is where `after` says what variables will be."""
        moment = self.moment(one, label, after)
        if one.target is None:
            return self.values.condition(one.tree, one.scope, moment)
        return self.values.contains(one.tree, one.scope, moment, after(one.target))


def _running(who: int) -> Callable[[int], ir.Expression]:
    return lambda process: ir.Literal(int(process == who))
