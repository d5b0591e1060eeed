"""Whether loops and quantifiers over a scalarset can be taken in any order: only then its members are interchangeable.

Two rounds may not touch the same place if one of them writes there, unless both write the same constant, or both add
numbers to it. What a round does is read off the network's statements, calls included; where that is too difficult, the
answer is no.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence

from beeline.model.expressions import (
    Binary,
    Call,
    Checked,
    Expression,
    Field,
    Index,
    Literal,
    Quantified,
    Ref,
    children,
    walk,
)
from beeline.model.network import Function
from beeline.model.statements import (
    Alias,
    Assert,
    Assign,
    Assume,
    Declare,
    Do,
    For,
    If,
    Return,
    Statement,
    While,
    expressions,
    nested,
)
from beeline.records import Record

Steps = tuple[str, ...]
ROUND, ANY = "[round]", "[any]"  # steps into an array: by the loop's own value, or by another one
READ, WRITE, ADD = "read", "write", "add"


class Access(Record, frozen=True):
    """A place that a round touches. `constant` is what it writes, if that is always the same."""

    place: Steps
    how: str
    constant: int | None = None

    def disturbs(self, other: Access) -> bool:
        """Whether it matters which of two rounds comes first, if this is done in one and the other in the other."""
        if self.how == READ and other.how == READ:
            return False
        if self.how == other.how and (
            self.how == ADD or (self.constant is not None and self.constant == other.constant)
        ):
            return False
        return _may_meet(self.place, other.place)


def _may_meet(one: Steps, other: Steps) -> bool:
    """Whether two rounds may touch the same cell."""
    for left, right in zip(one, other, strict=False):
        if left == right == ROUND or (left != right and not (left.startswith("[") and right.startswith("["))):
            return False
    return True


class TooDifficult(Exception):
    """Nothing is known of what a loop does."""


Meaning = Steps | None  # of a name: the place that it stands for; None: something that lives in one round only


class _Reader:
    """Reads what one round does."""

    def __init__(self, variable: str, functions: Sequence[Function]) -> None:
        self.variable = variable
        self.functions = {function.name: function for function in functions}
        self.active: list[str] = []
        self.returned: set[int | None] = set()

    def statements(self, body: Sequence[Statement], names: dict[str, Meaning]) -> Iterator[Access]:
        for statement in body:
            yield from self._statement(statement, names)

    def _statement(self, statement: Statement, names: dict[str, Meaning]) -> Iterator[Access]:
        match statement:
            case Declare(name, _, initial):
                yield from self._read(initial, names)
                names[name] = None
            case Alias(name, place):
                yield from self._indices(place, names)
                names[name] = self._place(place, names)
            case Assign(target, value):
                yield from self._indices(target, names)
                yield from self._assignment(target, _plain(value), names)
            case If(condition, then, otherwise):
                yield from self._read(condition, names)
                yield from self.statements(then, dict(names))
                yield from self.statements(otherwise, dict(names))
            case While(condition, body):
                yield from self._read(condition, names)
                yield from self.statements(body, dict(names))
            case For(name, body=body):
                yield from self.statements(body, {**names, name: None})
            case Do(call):
                yield from self._call(call, names)
            case Return(value):
                yield from self._read(value, names)
                if not self.active:
                    if value is not None and not isinstance(value, Literal):
                        raise TooDifficult
                    self.returned.add(value.value if value is not None else None)
            case _:
                for part in expressions(statement):
                    yield from self._read(part, names)

    def _assignment(self, target: Expression, value: Expression, names: Mapping[str, Meaning]) -> Iterator[Access]:
        place = self._place(target, names)
        if place is None:
            yield from self._read(value, names)
        elif (
            isinstance(value, Binary)
            and value.operator == "+"
            and isinstance(value.right, Literal)
            and value.right.value >= 0
            and self._is_place(value.left)
            and self._place(_plain(value.left), names) == place
            and ANY not in place
        ):
            yield Access(place, ADD)
        else:
            yield from self._read(value, names)
            yield Access(place, WRITE, value.value if isinstance(value, Literal) else None)

    def _read(self, expression: Expression | None, names: Mapping[str, Meaning]) -> Iterator[Access]:
        match expression:
            case None | Literal():
                return
            case Ref() | Index() | Field():
                yield from self._indices(expression, names)
                place = self._place(expression, names)
                if place is not None:
                    yield Access(place, READ)
            case Call():
                yield from self._call(expression, names)
            case _:
                bound = getattr(expression, "name", None)
                inside = {**names, bound: None} if isinstance(bound, str) else names
                for part in children(expression):
                    yield from self._read(part, inside)

    def _indices(self, place: Expression, names: Mapping[str, Meaning]) -> Iterator[Access]:
        while isinstance(place, (Index, Field)):
            if isinstance(place, Index):
                yield from self._read(place.index, names)
            place = place.base

    def _place(self, place: Expression, names: Mapping[str, Meaning]) -> Meaning:
        match place:
            case Ref(name):
                return names.get(name, (name,))
            case Index(base, index):
                before = self._place(base, names)
                return None if before is None else (*before, ROUND if self._is_round(index, names) else ANY)
            case Field(base, name):
                before = self._place(base, names)
                return None if before is None else (*before, name)
            case _:
                raise TooDifficult

    def _is_place(self, expression: Expression) -> bool:
        return isinstance(_plain(expression), (Ref, Index, Field))

    def _is_round(self, index: Expression, names: Mapping[str, Meaning]) -> bool:
        """Whether an index is the value of the round; arrays are numbered from zero, types from elsewhere."""
        index = _plain(index)
        if isinstance(index, Binary) and index.operator == "-" and isinstance(index.right, Literal):
            index = _plain(index.left)
        return isinstance(index, Ref) and names.get(index.name, (index.name,)) == (self.variable,)

    def _call(self, call: Call, names: Mapping[str, Meaning]) -> Iterator[Access]:
        function = self.functions.get(call.function)
        if function is None or call.function in self.active:
            raise TooDifficult
        inside: dict[str, Meaning] = {}
        for parameter, argument in zip(function.parameters, call.arguments, strict=True):
            yield from self._indices(_plain(argument), names)
            if not parameter.reference:
                yield from self._read(argument, names)
            is_place = parameter.reference or isinstance(_plain(argument), Ref)
            inside[parameter.name] = self._place(_plain(argument), names) if is_place else None
        self.active.append(call.function)
        yield from self.statements(function.body, inside)
        self.active.pop()


def _plain(expression: Expression) -> Expression:
    """An expression without the checks around it."""
    while isinstance(expression, Checked):
        expression = expression.operand
    return expression


def goes_in_any_order(variable: str, body: Sequence[Statement], functions: Sequence[Function]) -> bool:
    """Whether the rounds of a loop with this variable come to the same, whatever their order."""
    reader = _Reader(variable, functions)
    try:
        touched = set(reader.statements(body, {}))
    except TooDifficult:
        return False
    written = [one for one in touched if one.how != READ]
    if reader.returned:  # it may leave the loop before its end
        return len(reader.returned) == 1 and not written
    return not any(one.disturbs(other) for one in written for other in touched)


def may_fail(expression: Expression, functions: Mapping[str, Function]) -> bool:
    """Whether computing it may end in an error. Checks that cannot fail have been taken out."""
    for part in walk(expression):
        match part:
            case Checked():
                return True
            case Binary(operator) if operator in ("/", "%"):
                return True
            case Index(_, index) if any(isinstance(inner, Binary) and inner.operator in "+*" for inner in walk(index)):
                return True
            case Call(name):
                body = nested(functions[name].body) if name in functions else []
                others = {key: function for key, function in functions.items() if key != name}
                if not body or any(
                    isinstance(statement, (Assert, Assume, While))
                    or any(may_fail(inner, others) for inner in expressions(statement))
                    for statement in body
                ):
                    return True
            case _:
                pass
    return False


def stops_early(whole: Iterable[Expression], names: Container[str], functions: Sequence[Function]) -> set[str]:
    """Those of the `names` over which a quantifier goes that may come to an error, or to an end before it: then it
    matters which value comes first."""
    known = {function.name: function for function in functions}
    return {
        part.name
        for expression in whole
        for part in walk(expression)
        if isinstance(part, Quantified) and part.name in names and may_fail(part.body, known)
    }


def beyond_forall(expression: Expression) -> Expression:
    """What a claim says of all values: that one of them fails is an error, too, so that the order is all the same."""
    while isinstance(expression, Quantified) and expression.kind == "forall":
        expression = expression.body
    return expression
