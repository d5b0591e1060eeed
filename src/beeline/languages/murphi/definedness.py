"""Which variables always have a value, so that no room is needed for having none, and no check where they are read.

The beginnings are run, and everything that some of them leaves without a value may have none. So may what a rule
undefines, and what gets its value from a variable without one. All elements of an array count as one. Names inside of
rules and functions are looked at in the same way; what is passed by reference, and what an alias stands for, is the
same as its other name.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from beeline.model import types
from beeline.model.expressions import (
    Call,
    Checked,
    Conditional,
    Expression,
    Field,
    Index,
    Literal,
    Place,
    Ref,
    walk,
)
from beeline.model.network import Edge, Function, Network, Variable
from beeline.model.scope import lay_out
from beeline.model.semantics import Semantics
from beeline.model.state import State
from beeline.model.statements import Alias, Assign, Declare, Statement, expressions, nested
from beeline.model.types import ArrayType, EnumType, IntType, RecordType, Type, bounds
from beeline.records import Record, rebuilt, replace

MOST_OPENINGS = 256  # beginnings that are run

Scope = tuple[str, str]
"""Whose names they are: those of a process, and in it of an edge or function; both empty for the network's own."""
Leaf = tuple[Scope | str, ...]
"""Where a scalar is: in which scope, the name there, and fields. All elements of an array are in the same place."""
OUTSIDE: Scope = ("", "")


class Definedness(Record, frozen=True):
    """What may have no value."""

    absent: frozenset[Leaf]

    def type_of(self, leaf: Leaf, kind: Type) -> Type:
        """A type with room for having no value only where it is needed."""
        match kind:
            case ArrayType(element):
                return replace(kind, element=self.type_of(leaf, element))
            case RecordType(_, fields):
                return replace(kind, fields=tuple((name, self.type_of((*leaf, name), part)) for name, part in fields))
            case IntType() | EnumType() if kind.absent and leaf not in self.absent:
                return replace(kind, absent=False)
            case _:
                return kind


def without_needless_checks(network: Network, claims: Iterable[Expression]) -> tuple[Network, list[Expression]]:
    """The network and what is claimed of it, with checks and room for missing values only where values may miss."""
    claims = list(claims)
    beginnings = _beginnings(network)
    if beginnings is None:
        return network, claims
    graph = _Graph(network, claims)
    known = Definedness(graph.reached(_missing(network.variables, beginnings)))
    simplifier = _Simplifier(network, known)
    smaller = simplifier.simplified()
    if _beginnings(smaller) != beginnings:  # somebody asked, at the beginning, whether there was a value yet
        return network, claims
    return smaller, [simplifier.expression(claim, OUTSIDE) for claim in claims]


def _beginnings(network: Network) -> list[State] | None:
    """The initial states; None if there are too many, or one of them cannot be reached without an error."""
    if len(network.processes[0].edges) > MOST_OPENINGS:
        return None
    steps = Semantics(network).openings()
    targets = [step.target for step in steps]
    return None if not steps or None in targets else [target for target in targets if target is not None]


def _missing(variables: Iterable[Variable], states: Iterable[State]) -> set[Leaf]:
    """Scalars of the network that have no value in some state."""
    values = list(zip(*(state.variables for state in states), strict=True))
    found: set[Leaf] = set()
    for slot in lay_out(tuple(variables)).values():
        for leaf, kind, offset in _scalars((OUTSIDE, slot.name), slot.type, slot.offset):
            if types.may_be_absent(kind) and bounds(kind)[0] in values[offset]:
                found.add(leaf)
    return found


def _scalars(leaf: Leaf, kind: Type, offset: int) -> Iterator[tuple[Leaf, types.ScalarType, int]]:
    match kind:
        case ArrayType(element, size):
            for i in range(size):
                yield from _scalars(leaf, element, offset + i * types.width(element))
        case RecordType(_, fields):
            for name, part in fields:
                yield from _scalars((*leaf, name), part, offset)
                offset += types.width(part)
        case _ if types.is_scalar(kind):
            yield leaf, kind, offset


class _Places:
    """Leaves behind places, and the types of names, as functions and edges see them."""

    def __init__(self, network: Network) -> None:
        self.network = network
        self.functions: dict[Scope, Function] = {}
        self.kinds: dict[tuple[Scope, str], Type] = {(OUTSIDE, v.name): v.type for v in network.variables}
        for scope, function in self.all_functions():
            self.functions[scope] = function
            for parameter in function.parameters:
                self.kinds[scope, parameter.name] = parameter.type
        for scope, body in self.all_bodies():
            self._declare(scope, body)

    def all_functions(self) -> Iterator[tuple[Scope, Function]]:
        yield from ((("", function.name), function) for function in self.network.functions)
        for process in self.network.processes:
            yield from (((process.name, function.name), function) for function in process.functions)

    def all_edges(self) -> Iterator[tuple[Scope, Edge]]:
        for process in self.network.processes:
            for position, edge in enumerate(process.edges):
                yield (process.name, f"edge {position}"), edge

    def all_bodies(self) -> Iterator[tuple[Scope, tuple[Statement, ...]]]:
        yield from ((scope, function.body) for scope, function in self.all_functions())
        yield from ((scope, edge.effect) for scope, edge in self.all_edges())

    def _declare(self, scope: Scope, body: tuple[Statement, ...]) -> None:
        for statement in nested(body):
            if isinstance(statement, Declare):
                self.kinds[scope, statement.name] = statement.type
            elif isinstance(statement, Alias):
                found = self.leaf(statement.place, scope)
                if found is not None:
                    self.kinds[scope, statement.name] = found[1]

    def leaf(self, place: Place, scope: Scope) -> tuple[Leaf, Type] | None:
        """The leaf that a place is, or that those at it begin with, and the type; None for what is no variable."""
        match place:
            case Ref(name):
                owner = scope if (scope, name) in self.kinds else OUTSIDE
                kind = self.kinds.get((owner, name))
                return None if kind is None else ((owner, name), kind)
            case Index(base, _):
                found = self.leaf(base, scope)
                if found is None or not isinstance(found[1], ArrayType):
                    return None
                return found[0], found[1].element
            case Field(base, name):
                found = self.leaf(base, scope)
                kind = found[1].field(name) if found is not None and isinstance(found[1], RecordType) else None
                return None if found is None or kind is None else ((*found[0], name), kind)

    def called(self, call: Call, scope: Scope) -> Scope:
        own = (scope[0], call.function)
        return own if own in self.functions else ("", call.function)


class _Graph(_Places):
    """From where a missing value may come to where."""

    def __init__(self, network: Network, claims: Iterable[Expression]) -> None:
        super().__init__(network)
        self.leads: dict[Leaf, set[Leaf]] = {}
        self.first: set[Leaf] = set()
        opening = network.processes[0].name
        for scope, body in self.all_bodies():
            self._body(scope, body, scope[0] == opening)
        for scope, edge in self.all_edges():
            self._calls(edge.guard, scope)
        for claim in claims:
            self._calls(claim, OUTSIDE)

    def reached(self, first: Iterable[Leaf]) -> frozenset[Leaf]:
        """All that may miss a value, if these may."""
        waiting = [*first, *self.first]
        found = set(waiting)
        while waiting:
            for leaf in self.leads.get(waiting.pop(), ()):
                if leaf not in found:
                    found.add(leaf)
                    waiting.append(leaf)
        return frozenset(found)

    def _body(self, scope: Scope, body: tuple[Statement, ...], opening: bool) -> None:
        """What the beginnings themselves leave in the network's variables is known."""
        for statement in nested(body):
            for expression in expressions(statement):
                self._calls(expression, scope)
            match statement:
                case Assign(target, value):
                    found = self.leaf(target, scope)
                    if found is not None and not (opening and found[0][0] == OUTSIDE):
                        self._flow(value, found, scope)
                case Declare(name, kind, None):
                    self.first.update(leaf for leaf, _, _ in _scalars((scope, name), kind, 0))
                case Declare(name, kind, initial) if initial is not None:
                    self._flow(initial, ((scope, name), kind), scope)
                case Alias(name, place):
                    self._same((scope, name), self.leaf(place, scope))
                case _:
                    pass

    def _calls(self, expression: Expression, scope: Scope) -> None:
        for part in walk(expression):
            if not isinstance(part, Call):
                continue
            called = self.called(part, scope)
            for parameter, argument in zip(self.functions[called].parameters, part.arguments, strict=True):
                if parameter.reference:
                    assert isinstance(argument, (Ref, Index, Field))
                    self._same((called, parameter.name), self.leaf(argument, scope))
                else:
                    self._flow(argument, ((called, parameter.name), parameter.type), scope)

    def _flow(self, value: Expression, target: tuple[Leaf, Type], scope: Scope) -> None:
        """A value goes to a place; a missing one only as it is, not through a check or an operation."""
        leaf, kind = target
        match value:
            case Ref() | Index() | Field():
                found = self.leaf(value, scope)
                if found is not None:
                    self._link(found[0], leaf, kind)
            case Literal(number) if types.is_scalar(kind) and number < types.values(kind)[0]:
                self.first.add(leaf)
            case Checked(operand, None, _):
                self._flow(operand, target, scope)
            case Conditional(_, then, otherwise):
                self._flow(then, target, scope)
                self._flow(otherwise, target, scope)
            case _:
                pass

    def _link(self, source: Leaf, target: Leaf, kind: Type) -> None:
        for leaf, _, _ in _scalars((), kind, 0):
            self.leads.setdefault((*source, *leaf), set()).add((*target, *leaf))

    def _same(self, one: Leaf, other: tuple[Leaf, Type] | None) -> None:
        if other is not None:
            self._link(one, other[0], other[1])
            self._link(other[0], one, other[1])


class _Simplifier(_Places):
    """Writes the network again."""

    def __init__(self, network: Network, known: Definedness) -> None:
        super().__init__(network)
        self.known = known

    def simplified(self) -> Network:
        variables = tuple(
            replace(variable, type=self.known.type_of((OUTSIDE, variable.name), variable.type))
            for variable in self.network.variables
        )
        functions = {scope: self._function(function, scope) for scope, function in self.all_functions()}
        edges = {scope: self._edge(edge, scope) for scope, edge in self.all_edges()}
        return replace(
            self.network,
            variables=variables,
            functions=tuple(functions["", function.name] for function in self.network.functions),
            processes=tuple(
                replace(
                    process,
                    edges=tuple(edges[process.name, f"edge {i}"] for i in range(len(process.edges))),
                    functions=tuple(functions[process.name, function.name] for function in process.functions),
                )
                for process in self.network.processes
            ),
        )

    def expression(self, expression: Expression, scope: Scope) -> Expression:
        found: Expression = rebuilt(expression, lambda node: self._changed(node, scope))
        return found

    def _edge(self, edge: Edge, scope: Scope) -> Edge:
        effect = rebuilt(edge.effect, lambda node: self._changed(node, scope))
        return replace(edge, guard=self.expression(edge.guard, scope), effect=effect)

    def _function(self, function: Function, scope: Scope) -> Function:
        parameters = tuple(
            replace(one, type=self.known.type_of((scope, one.name), one.type)) for one in function.parameters
        )
        body = rebuilt(function.body, lambda node: self._changed(node, scope))
        return replace(function, parameters=parameters, body=body)

    def _changed(self, node: Record, scope: Scope) -> Record:
        if isinstance(node, Declare):
            return replace(node, type=self.known.type_of((scope, node.name), node.type))
        if not isinstance(node, Checked) or node.problem != "undefined":
            return node
        operand = node.operand
        found = self.leaf(operand, scope) if isinstance(operand, (Ref, Index, Field)) else None
        return operand if found is not None and found[0] not in self.known.absent else node
