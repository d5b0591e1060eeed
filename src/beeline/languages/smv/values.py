"""Expressions of SMV as expressions of a network, with what is known worked out.

An expression is read at a `Moment`, which says what variables stand for: places of the state, or known values."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from math import prod

from beeline.languages.smv.scopes import BOOLEAN, INTEGER, Bound, Constant, Elements, Instance, Meaning, Scalar, World
from beeline.languages.smv.syntax import Tree
from beeline.model import expressions as ir
from beeline.model import folding as fold
from beeline.model.types import INT_MAX
from beeline.records import Record

MOST_CHOICES = 10_000  # of one expression
_LOGIC = {"&": "&&", "|": "||", "->": "imply"}
_ARITHMETIC = {"+": "+", "-": "-", "*": "*", "/": "/", "mod": "%"}
_ORDER = ("<", "<=", ">", ">=")
TEMPORAL = frozenset(["AG", "AF", "AX", "EG", "EF", "EX", "AU", "EU", "G", "F", "X", "U", "V"])

Typed = tuple[ir.Expression, str]
Reading = Callable[[Scalar], ir.Expression]
Choice = tuple[ir.Expression, ir.Expression, str]
"""A value with the condition under which it may be taken, and its kind."""


class Moment(Record, frozen=True):
    """What variables stand for now and, where that may be asked, after the step; and whether a process runs."""

    now: Reading
    after: Reading | None = None
    running: Callable[[int], ir.Expression] | None = None


class Values:
    """Reads expressions of one model."""

    def __init__(self, world: World) -> None:
        self.world = world
        self._open: list[int] = []
        self._exhaustive: set[tuple[int, int]] = set()

    # Names

    def meaning(self, tree: Tree, scope: Instance) -> Meaning:
        """What a name, with what follows it, stands for. Elements with an index that is not constant have none."""
        match tree.kind:
            case "self":
                return scope
            case "name":
                found = scope.names.get(tree.text)
                if found is None and tree.text in self.world.symbols:
                    found = self.world.symbol(tree.text)
                if found is None:
                    raise self._unknown(tree, scope)
            case "dot":
                base = self.meaning(tree.parts[0], scope)
                if not isinstance(base, Instance):
                    raise self.world.error(f"`{tree.parts[0]}` is no instance of a module", tree.at)
                found = base.names.get(tree.text)
                if found is None:
                    raise self.world.source.unknown("variable", tree.text, base.names, tree.at)
            case "index":
                array = self.meaning(tree.parts[0], scope)
                if not isinstance(array, Elements):
                    raise self.world.error(f"`{tree.parts[0]}` is no array", tree.at)
                number = self.world.number(tree.parts[1], scope)
                if not 0 <= number - array.low < len(array.parts):
                    raise self.world.error(f"there is no element {number}", tree.at)
                found = array.parts[number - array.low]
            case _:
                raise self.world.error("a name is expected here", tree.at)
        if isinstance(found, Bound) and found.tree.kind in ("name", "dot", "index", "self"):
            if found.tree.kind == "name" and found.tree.text == "running":
                return found
            if found.tree.kind == "index" and not self._is_constant(found.tree.parts[1], found.scope):
                return found
            with_cycle = self._entered(found, tree)
            found = self.meaning(found.tree, found.scope)
            self._open.remove(with_cycle)
        return found

    def _unknown(self, tree: Tree, scope: Instance) -> Exception:
        if "-" in tree.text:
            remedy = "put spaces around `-` if a difference is meant"
            return self.world.error(f"no variable called `{tree.text}`", tree.at, remedy)
        return self.world.source.unknown("variable", tree.text, [*scope.names, *self.world.symbols], tree.at)

    def _entered(self, bound: Bound, tree: Tree) -> int:
        """Notes that what a name stands for is being read."""
        if id(bound) in self._open:
            raise self.world.error(f"`{tree}` depends on itself", tree.at, "break the cycle, with next() for example")
        self._open.append(id(bound))
        return id(bound)

    def _is_constant(self, tree: Tree, scope: Instance) -> bool:
        found, _ = self.value(tree, scope, Moment(lambda scalar: scalar.place))
        return isinstance(found, ir.Literal)

    # Values

    def condition(self, tree: Tree, scope: Instance, moment: Moment) -> ir.Expression:
        """A boolean; 0 and 1 count as such."""
        found, kind = self.value(tree, scope, moment)
        self.require(BOOLEAN, (found, kind), tree)
        return found

    def require(self, wanted: str, found: Typed, tree: Tree) -> None:
        """Refuses a value of another kind."""
        value, kind = found
        if kind != wanted and not (wanted == BOOLEAN and value in (ir.TRUE, ir.FALSE)):
            raise self.world.error(f"`{tree}` is {_article(kind)} where {_article(wanted)} is expected", tree.at)

    def number(self, tree: Tree, scope: Instance, moment: Moment) -> ir.Expression:
        found = self.value(tree, scope, moment)
        self.require(INTEGER, found, tree)
        return found[0]

    def value(self, tree: Tree, scope: Instance, moment: Moment) -> Typed:
        """The value of an expression that has one."""
        match tree.kind:
            case "number":
                if len(tree.text) > len(str(INT_MAX)) or int(tree.text) > INT_MAX:
                    raise self.world.error("this number does not fit into 32 bits", tree.at)
                return ir.Literal(int(tree.text)), INTEGER
            case "truth":
                return ir.Literal(int(tree.text == "TRUE")), BOOLEAN
            case "name" | "dot" | "index" | "self":
                return self._named(tree, scope, moment)
            case "next":
                if moment.after is None:
                    raise self.world.error("next() can not stand here", tree.at)
                return self.value(tree.parts[0], scope, Moment(moment.after))
            case "case" | "if":
                return self._chosen(tree, scope, moment)
            case "in":
                return self._member(tree, scope, moment), BOOLEAN
            case "!":
                return fold.negation(self.condition(tree.parts[0], scope, moment)), BOOLEAN
            case "minus":
                return fold.minus(self.number(tree.parts[0], scope, moment)), INTEGER
            case "count":
                parts = [self.condition(part, scope, moment) for part in tree.parts]
                total: ir.Expression = ir.Literal(0)
                for part in parts:
                    total = fold.binary("+", total, fold.conditional(part, ir.Literal(1), ir.Literal(0)))
                return total, INTEGER
            case "set" | "union" | "..":
                remedy = "sets stand on the right of assignments, and after `in`"
                raise self.world.error("a set of values can not stand here", tree.at, remedy)
        if tree.kind in TEMPORAL:
            raise self.world.error(f"{tree.kind} can not stand here", tree.at)
        return self._joined(tree, scope, moment)

    def _joined(self, tree: Tree, scope: Instance, moment: Moment) -> Typed:
        """An operator between two operands."""
        left, right = tree.parts
        if tree.kind in _LOGIC:
            first, second = self.condition(left, scope, moment), self.condition(right, scope, moment)
            return fold.binary(_LOGIC[tree.kind], first, second), BOOLEAN
        if tree.kind in ("xor", "xnor", "<->"):
            first, second = self.condition(left, scope, moment), self.condition(right, scope, moment)
            return fold.binary("!=" if tree.kind == "xor" else "==", first, second), BOOLEAN
        if tree.kind in ("=", "!="):
            one, other = self.value(left, scope, moment), self.value(right, scope, moment)
            if one[1] != other[1]:
                wanted = BOOLEAN if BOOLEAN in (one[1], other[1]) else one[1]
                self.require(wanted, one, left)
                self.require(wanted, other, right)
            return fold.binary("==" if tree.kind == "=" else "!=", one[0], other[0]), BOOLEAN
        first, second = self.number(left, scope, moment), self.number(right, scope, moment)
        if tree.kind in _ORDER:
            return fold.binary(tree.kind, first, second), BOOLEAN
        if tree.kind in ("/", "mod") and (not isinstance(second, ir.Literal) or second.value == 0):
            raise self.world.error("only a constant that is not 0 can divide", tree.at)
        return fold.binary(_ARITHMETIC[tree.kind], first, second), INTEGER

    def _named(self, tree: Tree, scope: Instance, moment: Moment) -> Typed:
        if tree.kind == "name" and tree.text == "running" and "running" not in scope.names:
            return self._running(tree, scope, moment)
        if tree.kind == "index" and not self._is_constant(tree.parts[1], scope):
            return self._element(tree, scope, moment)
        if tree.kind == "dot" and tree.text == "running":
            base = self.meaning(tree.parts[0], scope)
            if isinstance(base, Instance) and "running" not in base.names:
                return self._running(tree, base, moment)
        return self._meant(self.meaning(tree, scope), tree, moment)

    def _running(self, tree: Tree, scope: Instance, moment: Moment) -> Typed:
        if moment.running is None:
            raise self.world.error("`running` can not stand here", tree.at)
        return moment.running(scope.process), BOOLEAN

    def _meant(self, found: Meaning, tree: Tree, moment: Moment) -> Typed:
        match found:
            case Constant(value, kind):
                return ir.Literal(value), kind
            case Scalar(definition=Bound() as bound):
                return self._inside(bound, tree, moment)
            case Scalar():
                return moment.now(found), found.kind
            case Bound():
                return self._inside(found, tree, moment)
        what = "an array" if isinstance(found, Elements) else "an instance of a module"
        raise self.world.error(f"`{tree}` is {what}, not a value", tree.at)

    def _inside(self, bound: Bound, tree: Tree, moment: Moment) -> Typed:
        """The value of what a name stands for."""
        entered = self._entered(bound, tree)
        found = self.value(bound.tree, bound.scope, moment)
        self._open.remove(entered)
        return found

    def _element(self, tree: Tree, scope: Instance, moment: Moment) -> Typed:
        """The element at an index that depends on the state; beyond the last it is the last one."""
        array = self.meaning(tree.parts[0], scope)
        if not isinstance(array, Elements):
            raise self.world.error(f"`{tree.parts[0]}` is no array", tree.at)
        index = self.number(tree.parts[1], scope, moment)
        values = [self._meant(part, tree, moment) for part in array.parts]
        found, kind = values[-1]
        for number, (value, _) in reversed(list(enumerate(values[:-1], start=array.low))):
            found = fold.conditional(fold.binary("==", index, ir.Literal(number)), value, found)
        return found, kind

    def _chosen(self, tree: Tree, scope: Instance, moment: Moment) -> Typed:
        branches = list(self._branches(tree, scope, moment))
        found, kind = self.value(branches[-1][1], scope, moment)
        for condition, part in reversed(branches[:-1]):
            value, other = self.value(part, scope, moment)
            if other != kind:
                wanted = BOOLEAN if BOOLEAN in (kind, other) else kind
                self.require(wanted, (value, other), part)
                kind = wanted
            found = fold.conditional(condition, value, found)
        return found, kind

    def _branches(self, tree: Tree, scope: Instance, moment: Moment) -> Iterator[tuple[ir.Expression, Tree]]:
        """Conditions with what they lead to, up to the first that always holds."""
        conditions, values = tree.parts[::2], tree.parts[1::2]
        if tree.kind == "if":
            conditions, values = (tree.parts[0], Tree("truth", tree.at, (), "TRUE")), tree.parts[1:]
        for part, value in zip(conditions, values, strict=True):
            condition = self.condition(part, scope, moment)
            if condition != ir.FALSE:
                yield condition, value
            if condition == ir.TRUE:
                return
        self._require_exhaustive(tree, scope)

    def _require_exhaustive(self, tree: Tree, scope: Instance) -> None:
        """Some condition must hold whatever the values of variables are."""
        if (id(tree), id(scope)) in self._exhaustive:
            return
        conditions = tree.parts[::2]
        asked: dict[tuple[Scalar, bool], None] = {}
        for condition in conditions:
            moment = Moment(noting(asked, False), noting(asked, True), lambda _: ir.Ref("running"))
            self.condition(condition, scope, moment)
        if prod(len(scalar.domain) for scalar, _ in asked) > MOST_CHOICES:
            remedy = "end it with a branch `TRUE : ..`"
            raise self.world.error("that one of these conditions always holds is not plain", tree.at, remedy)
        for values in product(*(scalar.domain for scalar, _ in asked)):
            known = dict(zip(asked, values, strict=True))
            moment = Moment(knowing(known, False), knowing(known, True), lambda _: ir.FALSE)
            if all(self.condition(condition, scope, moment) != ir.TRUE for condition in conditions):
                said = ", ".join(
                    f"{scalar.name} = {self.show(scalar, known[scalar, after])}" for scalar, after in asked
                )
                message = "no condition of this case holds" + (f" where {said}" if said else "")
                raise self.world.error(message, tree.at, "end it with a branch `TRUE : ..`")
        self._exhaustive.add((id(tree), id(scope)))

    def show(self, scalar: Scalar, value: int) -> str:
        """A value as it is written."""
        if scalar.kind == BOOLEAN:
            return "TRUE" if value else "FALSE"
        if scalar.symbols is not None:
            return scalar.symbols.members[value - scalar.symbols.first]
        return str(value)

    def _member(self, tree: Tree, scope: Instance, moment: Moment) -> ir.Expression:
        value, _ = self.value(tree.parts[0], scope, moment)
        return self.contains(tree.parts[1], scope, moment, value)

    def contains(self, tree: Tree, scope: Instance, moment: Moment, value: ir.Expression) -> ir.Expression:
        """Whether a value is among those that an expression may have."""
        found: ir.Expression = ir.FALSE
        for condition, choice, _ in self.choices(tree, scope, moment):
            found = fold.binary("||", found, fold.binary("&&", condition, fold.binary("==", choice, value)))
        return found

    # Choices

    def is_choice(self, tree: Tree, scope: Instance) -> bool:
        """Whether an expression may have several values at once."""
        if tree.kind in ("set", "union", ".."):
            return True
        if tree.kind in ("name", "dot"):
            if tree.text == "running":
                return False
            found = self.meaning(tree, scope)
            if isinstance(found, Scalar) and found.definition is not None:
                return False
            return isinstance(found, Bound) and self.is_choice(found.tree, found.scope)
        if tree.kind in ("index", "next", "in", "count"):
            return False
        return any(self.is_choice(part, scope) for part in tree.parts)

    def choices(self, tree: Tree, scope: Instance, moment: Moment) -> list[Choice]:
        """All values of an expression, each with the condition under which it is one."""
        found = list(self._choices(tree, scope, moment))
        if len(found) > MOST_CHOICES:
            raise self.world.error(f"this has more than {MOST_CHOICES:,} values", tree.at)
        return found

    def _choices(self, tree: Tree, scope: Instance, moment: Moment) -> Iterator[Choice]:
        match tree.kind:
            case "set" | "union":
                for part in tree.parts:
                    yield from self.choices(part, scope, moment)
            case "..":
                low, high = (self.world.number(part, scope) for part in tree.parts)
                for number in range(low, min(high, low + MOST_CHOICES) + 1):
                    yield ir.TRUE, ir.Literal(number), INTEGER
            case "case" | "if" if self.is_choice(tree, scope):
                before: ir.Expression = ir.TRUE
                for condition, part in self._branches(tree, scope, moment):
                    here = fold.binary("&&", before, condition)
                    for inner, value, kind in self.choices(part, scope, moment):
                        yield fold.binary("&&", here, inner), value, kind
                    before = fold.binary("&&", before, fold.negation(condition))
            case "name" | "dot" if self.is_choice(tree, scope):
                bound = self.meaning(tree, scope)
                assert isinstance(bound, Bound)
                yield from self.choices(bound.tree, bound.scope, moment)
            case _ if self.is_choice(tree, scope):
                yield from self._combined(tree, scope, moment)
            case _:
                value, kind = self.value(tree, scope, moment)
                yield ir.TRUE, value, kind

    def _combined(self, tree: Tree, scope: Instance, moment: Moment) -> Iterator[Choice]:
        """An operator applied to each combination of what its operands may be."""
        options = [self.choices(part, scope, moment) for part in tree.parts]
        if prod(map(len, options)) > MOST_CHOICES:
            raise self.world.error(f"this has more than {MOST_CHOICES:,} values", tree.at)
        for chosen in product(*options):
            operands = [(value, kind) for _, value, kind in chosen]
            names = tuple(Tree("name", tree.at, (), str(number)) for number in range(len(operands)))
            applied = Tree(tree.kind, tree.at, names)
            value, kind = _OnKnown(self.world, operands).value(applied, scope, moment)
            condition: ir.Expression = ir.TRUE
            for part, _, _ in chosen:
                condition = fold.binary("&&", condition, part)
            yield condition, value, kind


class _OnKnown(Values):
    """Applies operators to operands that were read already."""

    def __init__(self, world: World, operands: Sequence[Typed]) -> None:
        super().__init__(world)
        self._operands = operands

    def _named(self, tree: Tree, scope: Instance, moment: Moment) -> Typed:
        return self._operands[int(tree.text)]


def noting(asked: dict[tuple[Scalar, bool], None], after: bool) -> Reading:
    """Notes which variables are asked for, before or after a step."""

    def read(scalar: Scalar) -> ir.Expression:
        asked[scalar, after] = None
        return scalar.place

    return read


def knowing(values: Mapping[tuple[Scalar, bool], int], after: bool) -> Reading:
    """Tells known values of variables, before or after a step."""
    return lambda scalar: ir.Literal(values[scalar, after])


def _article(kind: str) -> str:
    return f"{'an' if kind == INTEGER else 'a'} {kind}"
