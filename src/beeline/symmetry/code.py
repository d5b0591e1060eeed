"""Reads statements and expressions as trees, and joins the sorts of what meets in them."""

from __future__ import annotations

from collections.abc import Callable

from beeline.analysis.configuration import Configuration
from beeline.model.expressions import (
    At,
    Binary,
    Bind,
    Builtin,
    Call,
    ChannelInfo,
    Checked,
    Conditional,
    Expression,
    Field,
    Index,
    Instance,
    Literal,
    Match,
    Numbered,
    Pattern,
    Place,
    Poll,
    ProcessRef,
    Quantified,
    Rate,
    Ref,
    Remote,
    Unary,
)
from beeline.model.network import Channel, Function, Network
from beeline.model.scope import Scope
from beeline.model.statements import (
    Alias,
    Assert,
    Assign,
    Assume,
    Cover,
    Declare,
    Do,
    For,
    If,
    Print,
    Return,
    SetPriority,
    Statement,
    Terminate,
    While,
)
from beeline.model.types import ScalarType, Type, bounds, first_value, scalars
from beeline.records import Record, field
from beeline.symmetry.sorts import LARGEST, Many, Parts, Scalar, Shape, Sort, join, leaves, shape_of
from beeline.symmetry.trees import Name, Node, Tree

CHAINS = ("&&", "||", "+", "*", "&", "|", "^")
COMMUTING = (*CHAINS, "==", "!=", "min", "max")
NUMBERS_ONLY = ("+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", "min", "max", "<", "<=", ">", ">=")


FEW = 16
"""Values of a sort that numbers nothing which may be renamed all the same, such as whose turn it is."""


class Unfoldable(Exception):
    """Why processes of a network cannot be exchanged."""


class Reader(Record, frozen=True):
    """Who reads: the kind of process (-1: nobody in particular), and the names of temporaries."""

    kind: int = -1
    names: dict[str, Shape] = field(default_factory=dict)
    returns: Shape | None = None


class Code:
    """What all code of a network shares: the sorts of its variables, channels and functions."""

    def __init__(self, network: Network, configuration: Configuration) -> None:
        self.network, self.configuration = network, configuration
        self.scope = Scope(network)
        self.pid, self.channel = Sort(), Sort()
        self.pid.pid = self.channel.channel = True
        self.pid_used = self.places_used = False
        self.channels: list[Channel] = []  # by number, the first being number 1
        self.facts: list[Node] = []
        self._quantified: list[tuple[Sort, int, int, Tree]] = []
        self._messages: dict[tuple[ScalarType, ...], list[Scalar]] = {}
        self._returns: dict[tuple[int, str], Shape] = {}
        self.variables = {v.name: shape_of(v.type, self.channel) for v in network.variables}
        self.locals = [
            {v.name: shape_of(v.type, self.channel) for v in scope.declared} for scope in self.scope.processes
        ]

    def process(self, number: int) -> Tree:
        return Name(self.pid, number)

    def message(self, channel: Channel) -> list[Scalar]:
        """The sorts of a channel's fields: all channels for the same types of messages share them."""
        kinds = tuple(leaf for kind in channel.fields for leaf in scalars(kind))
        if kinds not in self._messages:
            shapes = [shape_of(kind, self.channel) for kind in kinds]
            self._messages[kinds] = [shape for shape in shapes if isinstance(shape, Scalar)]
        return self._messages[kinds]

    def domain(self, sort: Sort) -> set[int]:
        """The things of a sort, by number."""
        if not (sort.sizes or sort.pid or sort.channel):
            few = len(sort.values) <= FEW and all(0 <= value < LARGEST for value in sort.values)
            return sort.values if few else set()
        found = set(range(max(sort.sizes, default=0)))
        if sort.pid:
            found |= set(range(len(self.configuration)))
        if sort.channel:
            found |= set(range(1, len(self.channels) + 1))
        return found

    def reach(self, sort: Sort) -> set[int]:
        """Numbers among which all values of a sort are, or between which they are."""
        return {*sort.values, *self.domain(sort), *(end for span in sort.spans for end in span)}

    # Functions and statements

    def _function(self, kind: int, name: str, function: Function) -> None:
        shapes = {one.name: self._parameter(kind, name, one.name, one.type) for one in function.parameters}
        where = Reader(kind, shapes, self._returned(kind, name, function))
        parts = self._statements(function.body, where)
        if where.returns is not None and not (function.body and isinstance(function.body[-1], Return)):
            parts += [Name(leaf.sort, 0) for _, leaf in leaves(where.returns)]
        self.facts.append(Node(("function", name), [kind_tree(kind), *parts]))

    def _parameter(self, kind: int, function: str, name: str, type_: Type) -> Shape:
        key = (kind, f"{function}({name})")
        if key not in self._returns:
            self._returns[key] = shape_of(type_, self.channel)
        return self._returns[key]

    def _returned(self, kind: int, name: str, function: Function) -> Shape | None:
        return None if function.returns is None else self._parameter(kind, name, "", function.returns)

    def _statements(self, statements: tuple[Statement, ...], where: Reader) -> list[Tree]:
        inside = Reader(where.kind, dict(where.names), where.returns)
        return [self._statement(statement, inside) for statement in statements]

    def _statement(self, statement: Statement, where: Reader) -> Tree:
        match statement:
            case Assign(target, value):
                tree, shape = self.place(target, where)
                given, other = self.any_value(value, where)
                join(shape, other)
                return Node(("assign",), [tree, given])
            case Declare(name, kind, initial):
                shape = shape_of(kind, self.channel)
                where.names[name] = shape
                if initial is None:
                    first = [Name(leaf.sort, first_value(leaf.type)) for _, leaf in leaves(shape) if leaf.type]
                    return Node(("declare", name, str(kind)), first)
                given, other = self.any_value(initial, where)
                join(shape, other)
                return Node(("declare", name, str(kind)), [given])
            case Alias(name, place):
                tree, where.names[name] = self.place(place, where)
                return Node(("alias", name), [tree])
            case If(condition, then, otherwise):
                branches = [Node(("then",), self._statements(part, where)) for part in (then, otherwise)]
                return Node(("if",), [self.truth(condition, where), *branches])
            case While(condition, body):
                return Node(("while",), [self.truth(condition, where), *self._statements(body, where)])
            case For(name, first, last, step, body):
                inside = Reader(where.kind, {**where.names, name: Scalar(Sort(plain=True))}, where.returns)
                return Node(("for", name, first, last, step), self._statements(body, inside))
            case Return(value):
                if value is None or where.returns is None:
                    return Node(("return",))
                tree, shape = self.any_value(value, where)
                join(where.returns, shape)
                return Node(("return",), [tree])
            case Do(call):
                return Node(("do",), [self.any_value(call, where)[0]])
            case Assert(condition) | Assume(condition) | Cover(_, condition):
                return Node((type(statement).__name__,), [self.truth(condition, where)])
            case SetPriority(process, priority):
                return Node(("set priority",), [self._number(process, where), self.number(priority, where)])
            case Print(text, arguments):
                return Node(("print", text), [self.value(argument, where)[0] for argument in arguments])
            case Terminate():
                return Node(("terminate",))
            case _:
                raise Unfoldable(f"its code has a {type(statement).__name__.lower()} that is not looked through")

    # Expressions

    def number(self, expression: Expression, where: Reader) -> Tree:
        """An expression whose value is computed with."""
        tree, scalar = self.value(expression, where)
        scalar.sort.make_plain()
        return tree

    def truth(self, expression: Expression, where: Reader) -> Tree:
        """An expression that is asked whether it is zero: a name of its sort, if that has names."""
        tree, scalar = self.value(expression, where)
        return Node(("truth",), [tree, Name(scalar.sort, 0)])

    def _number(self, process: Expression, where: Reader) -> Tree:
        tree, scalar = self.value(process, where)
        scalar.sort.join(self.pid)
        self.pid_used = True
        return tree

    def value(self, expression: Expression, where: Reader) -> tuple[Tree, Scalar]:
        tree, shape = self.any_value(expression, where)
        if not isinstance(shape, Scalar):
            raise Unfoldable("a whole array is used as a number")
        return tree, shape

    def any_value(self, expression: Expression, where: Reader) -> tuple[Tree, Shape]:
        match expression:
            case Literal(value):
                return self._literal(value)
            case Ref() | Index() | Field():
                return self.place(expression, where)
            case Unary("!", operand):
                return Node(("!",), [self.truth(operand, where)]), _plain()
            case Unary(operator, operand):
                return Node((operator,), [self.number(operand, where)]), _plain()
            case Binary():
                return self._binary(expression, where), _plain()
            case Conditional(condition, then, otherwise):
                (one, shape), (two, other) = self.any_value(then, where), self.any_value(otherwise, where)
                join(shape, other)
                return Node(("?",), [self.truth(condition, where), one, two]), shape
            case Checked(operand, low, high, problem):
                tree, scalar = self.value(operand, where)
                within = (low if low is not None else -(2**31), high if high is not None else 2**31 - 1)
                scalar.sort.root.bounds.add(within)
                return Node(("checked", low, high, problem), [tree], fails=lambda: scalar.sort.root.plain), scalar
            case Quantified(kind, name, low, high, body):
                sort = Sort()
                sort.values.update(range(low, high + 1))
                inside = Reader(where.kind, {**where.names, name: Scalar(sort)}, where.returns)
                tree = self.number(body, inside) if kind == "sum" else self.truth(body, inside)
                self._quantified.append((sort, low, high, tree))
                return Node((kind, name, low, high), [tree]), _plain()
            case Call(function, arguments):
                return self._call(function, arguments, where)
            case ChannelInfo(what, channel):
                # A channel that was never set up, or is for handshakes, makes these fail.
                return Node((what,), [self._channel(channel, where)], fails=lambda: True), _plain()
            case Poll(channel, patterns, anywhere):
                return Node(("poll", anywhere), self._patterns(channel, patterns, where), fails=lambda: True), _plain()
            case At(process, location):
                return self._at(process, location, where), _plain()
            case Remote(process, place) if not isinstance(place, Call):
                whose, its_kind = self._meant(process, where)
                tree, found = self.place(place, where, Reader(its_kind))
                return Node(("remote",), [kind_tree(its_kind), whose, tree], fails=lambda: True), found
            case Rate(clock):
                return Node(("rate",), [self.place(clock, where)[0]]), _plain()
            case Builtin(name, argument):
                return self._builtin(name, argument, where)
            case _:
                raise Unfoldable(f"{type(expression).__name__.lower()} is not looked through")

    def _literal(self, value: int) -> tuple[Tree, Scalar]:
        sort = Sort()
        sort.values.add(value)
        return Name(sort, value), Scalar(sort)

    def _binary(self, expression: Binary, where: Reader) -> Tree:
        operator, left, right = expression.operator, expression.left, expression.right
        if operator in ("==", "!="):
            (one, scalar), (two, other) = self.value(left, where), self.value(right, where)
            scalar.sort.join(other.sort)
            return Node((operator,), [one, two], commutes=True)
        read: Callable[[Expression, Reader], Tree] = self.number if operator in NUMBERS_ONLY else self.truth
        operands = _chain(expression) if operator in CHAINS else [left, right]
        parts = [read(operand, where) for operand in operands]
        divides = operator in ("/", "%") and not (isinstance(right, Literal) and right.value != 0)
        return Node((operator,), parts, commutes=operator in COMMUTING, fails=lambda: divides)

    def _call(self, name: str, arguments: tuple[Expression, ...], where: Reader) -> tuple[Tree, Shape]:
        kind = where.kind if where.kind >= 0 and name in self.scope.processes[where.kind].functions else -1
        function = (self.scope.functions if kind < 0 else self.scope.processes[kind].functions)[name]
        parts = []
        for argument, parameter in zip(arguments, function.parameters, strict=True):
            tree, shape = self.any_value(argument, where)
            join(self._parameter(kind, name, parameter.name, parameter.type), shape)
            parts.append(tree)
        return Node(("call", name), [kind_tree(kind), *parts], fails=lambda: True), self._returned(
            kind, name, function
        ) or _plain()

    def _meant(self, process: ProcessRef, where: Reader) -> tuple[Tree, int]:
        match process:
            case Instance(name):
                number = self.network.instance_numbers[name]
                if number >= len(self.configuration):
                    raise Unfoldable("a process is meant that is not there any more")
                return self.process(number), self.configuration.kinds[number]
            case Numbered(name, None):
                return Node(("only",)), self.network.process_index[name]
            case Numbered(name, number):
                assert number is not None
                return self._number(number, where), self.network.process_index[name]

    def _at(self, process: ProcessRef, location: str, where: Reader) -> Tree:
        other, kind = self._meant(process, where)
        positions = self.scope.processes[kind].location_index.get(location, frozenset())
        places: list[Tree] = [("location", kind, position) for position in sorted(positions)]
        fails = isinstance(process, Numbered)
        return Node(("at",), [kind_tree(kind), other, Node(("places",), places, commutes=True)], fails=lambda: fails)

    def _builtin(self, name: str, argument: Expression | None, where: Reader) -> tuple[Tree, Scalar]:
        if argument is not None:
            self.places_used |= name == "location"
            return Node((name,), [self._number(argument, where)], fails=lambda: True), _plain()
        if name in ("pid", "last"):
            self.pid_used = True
            return Node((name,)), Scalar(self.pid)
        return Node((name,)), _plain()

    # Places

    def _named(self, name: str, where: Reader) -> Shape:
        if name in where.names:
            return where.names[name]
        if where.kind >= 0 and name in self.locals[where.kind]:
            return self.locals[where.kind][name]
        return self.variables[name]

    def place(self, place: Place, where: Reader, whose: Reader | None = None) -> tuple[Tree, Shape]:
        """A place; the variable that it begins with is one of `whose`, what stands in brackets is the reader's."""
        match place:
            case Ref(name):
                return self._root(name, whose or where)
            case Index(base, index):
                tree, shape = self.place(base, where, whose)
                assert isinstance(shape, Many)
                number, scalar = self.value(index, where)
                scalar.sort.join(shape.index)
                low, high = _interval(index, scalar)
                size, numbered = shape.size, shape.index

                def fails() -> bool:
                    root = numbered.root
                    return not (0 <= low <= high < size if root.plain else self.reach(root) <= set(range(size)))

                return Node(("[]",), [tree, number], fails=fails), shape.element
            case Field(base, name):
                tree, shape = self.place(base, where, whose)
                assert isinstance(shape, Parts)
                return Node((".", name), [tree]), shape.fields[name]

    def _root(self, name: str, where: Reader) -> tuple[Tree, Shape]:
        if name in where.names:
            return Node(("temporary", name)), where.names[name]
        if where.kind >= 0 and name in self.locals[where.kind]:
            return Node(("local", name)), self.locals[where.kind][name]
        if name in self.variables:
            return ("variable", name), self.variables[name]
        if name in self.scope.channel_numbers:
            number = self.scope.channel_numbers[name]
            return Name(self.channel, number), Scalar(self.channel)
        return self._literal(self.scope.constants[name])

    # Channels

    def _channel(self, channel: Expression, where: Reader) -> Tree:
        tree, scalar = self.value(channel, where)
        scalar.sort.join(self.channel)
        return tree

    def _fields(self, channel: Expression, count: int, where: Reader) -> list[list[Scalar]]:
        """The sorts of the messages that a channel may have."""
        root = channel.base if isinstance(channel, Index) else channel
        own = self.locals[where.kind] if where.kind >= 0 else {}
        if isinstance(root, Ref) and root.name in self.scope.channels.keys() - where.names.keys() - own.keys():
            fields = self.message(self.scope.channels[root.name])
            if len(fields) != count:
                raise Unfoldable("a message has another number of fields than its channel")
            return [fields]
        return [fields for fields in self._messages.values() if len(fields) == count]

    def _patterns(self, channel: Expression, patterns: tuple[Pattern, ...], where: Reader) -> list[Tree]:
        parts = [self._channel(channel, where)]
        every = self._fields(channel, len(patterns), where)
        for position, pattern in enumerate(patterns):
            match pattern:
                case Bind(place):
                    tree, scalar = self.value(place, where)
                    parts.append(Node(("bind",), [tree]))
                case Match(value):
                    tree, scalar = self.value(value, where)
                    parts.append(Node(("match",), [tree]))
                case _:
                    parts.append(Node(("skip",)))
                    continue
            for fields in every:
                scalar.sort.join(fields[position].sort)
        return parts


def kind_tree(kind: int) -> Tree:
    """A kind of processes, if it is one: kinds whose code is the same are exchanged as well."""
    return ("kind", kind) if kind >= 0 else Node(("network",))


def _plain() -> Scalar:
    return Scalar(Sort(plain=True))


def _chain(expression: Binary) -> list[Expression]:
    """The operands of a chain of one operator, such as a conjunction, left to right."""
    found: list[Expression] = []
    waiting: list[Expression] = [expression]
    while waiting:
        part = waiting.pop()
        if isinstance(part, Binary) and part.operator == expression.operator:
            waiting += (part.right, part.left)
        else:
            found.append(part)
    return found


def _interval(index: Expression, scalar: Scalar) -> tuple[int, int]:
    """Between which numbers an index is, as far as its form tells."""
    if isinstance(index, Literal):
        return index.value, index.value
    return bounds(scalar.type) if scalar.type is not None else (-(2**31), 2**31 - 1)
