"""What names stand for in a place of a Murphi text, and the types that are written there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from beeline.languages.murphi import syntax
from beeline.languages.murphi.errors import SourceText
from beeline.languages.murphi.kinds import (
    BOOLEAN,
    Array,
    Enum,
    Kind,
    Multiset,
    Range,
    RecordKind,
    Scalarset,
    Simple,
    Union,
    is_simple,
)
from beeline.model import expressions as ir
from beeline.model.source import Source
from beeline.model.types import INT_MAX, INT_MIN, excess
from beeline.records import Record, field, replace


class Constant(Record, frozen=True):
    """A name for a number; an enumeration's member is one, too."""

    value: int
    kind: Simple


class Place(Record, frozen=True):
    """A name for a variable, or for what an alias stands for. One that is `defined` always has a value."""

    place: ir.Place
    kind: Kind
    writable: bool = True
    defined: bool = False


class Held(Record, frozen=True):
    """A name for a value: an alias of something that is no variable, or the parameter of a rule or of a loop."""

    value: ir.Expression
    kind: Simple


class Signature(Record, frozen=True):
    """A function with its parameters: name, type, and whether it is the caller's variable."""

    name: str
    parameters: tuple[tuple[str, Kind, bool], ...]
    returns: Kind | None
    writes: bool  # whether a call may change more than what is passed to it
    assumes: bool = False  # whether one may leave out a state


class TypeName(Record, frozen=True):
    kind: Kind


Meaning = Constant | Place | Held | Signature | TypeName


class Names(Record):
    """The names that can be seen in one place: those of its own, then those of the places around it."""

    source: SourceText
    outer: Names | None = None
    own: dict[str, Meaning] = field(default_factory=dict)

    def inner(self) -> Names:
        """A place inside this one."""
        return Names(self.source, self)

    def find(self, name: str) -> Meaning | None:
        here: Names | None = self
        while here is not None:
            if name in here.own:
                return here.own[name]
            here = here.outer
        return None

    def known(self) -> Iterator[str]:
        here: Names | None = self
        while here is not None:
            yield from here.own
            here = here.outer

    def declare(self, name: str, meaning: Meaning, at: Source) -> None:
        if name in self.own:
            raise self.source.error(f"`{name}` is declared twice", at, "rename one of them")
        self.own[name] = meaning


class Numbering(Record):
    """The numbers that members of types in unions have got so far."""

    in_unions: frozenset[str]
    following: int = 0

    def take(self, name: str, count: int) -> int:
        if name not in self.in_unions:
            return 0
        self.following += count
        return self.following - count


def type_expressions(node: object) -> Iterator[syntax.TypeExpression]:
    """All types that are written in a text, or in a part of it."""
    if isinstance(node, syntax.TypeExpression):
        yield node
    if isinstance(node, Record):
        for name in node.__struct_fields__:
            yield from type_expressions(getattr(node, name))
    elif isinstance(node, tuple):
        for part in node:
            yield from type_expressions(part)


def types_in_unions(kinds: Iterable[syntax.TypeExpression]) -> frozenset[str]:
    """Names of types that some union joins."""
    unions = (kind for kind in kinds if isinstance(kind, syntax.UnionOf))
    return frozenset(one.name for union in unions for one in union.members if isinstance(one, syntax.TypeName))


class TypeReader:
    """Reads types. `constant` gives the value of an expression that is known now, with its type."""

    def __init__(self, source: SourceText, numbering: Numbering) -> None:
        self.source = source
        self.numbering = numbering

    def constant(self, expression: syntax.Expression, names: Names, what: str) -> Constant:
        raise NotImplementedError

    def number(self, expression: syntax.Expression, names: Names, what: str) -> int:
        found = self.constant(expression, names, what)
        if not isinstance(found.kind, Range):
            raise self.source.error(f"{what} is a number, not a value of {found.kind}", expression.at, "write a number")
        if not INT_MIN < found.value < INT_MAX:
            raise self.source.error("this number does not fit into 32 bits", expression.at, "use smaller numbers")
        return found.value

    def read(self, written: syntax.TypeExpression, names: Names, name: str = "") -> Kind:
        """The type that is written; `name` is what it is called."""
        match written:
            case syntax.TypeName(given, at):
                return self._named(given, names, at)
            case syntax.Subrange(low, high, at):
                least = self.number(low, names, "the lower bound of a subrange")
                most = self.number(high, names, "the upper bound of a subrange")
                if least > most:
                    raise self.source.error(f"the subrange {least}..{most} is empty", at, "the lower bound comes first")
                return Range(least, most, name)
            case syntax.EnumOf(members, at):
                return self._enum(members, names, name, at)
            case syntax.ScalarsetOf(size, at):
                return self._scalarset(size, names, name)
            case syntax.UnionOf():
                return self._union(written, names, name)
            case syntax.RecordOf():
                return self._record(written, names, name)
            case syntax.ArrayOf(index, element, at):
                by = self.simple(index, names, "an array is indexed by")
                return self._sized(Array(by, self.read(element, names)), at)
            case syntax.MultisetOf(size, element, at):
                count = self.number(size, names, "the size of a multiset")
                if count < 1:
                    raise self.source.error("a multiset has room for one entry at least", at, "give it a larger size")
                return self._sized(Multiset(count, self.read(element, names)), at)

    def _sized(self, kind: Array | Multiset, at: Source) -> Kind:
        if why := excess("this array", kind.size):
            raise self.source.error(why, at, "make it smaller")
        return kind

    def simple(self, written: syntax.TypeExpression, names: Names, what: str) -> Simple:
        kind = self.read(written, names)
        if not is_simple(kind):
            remedy = "records and arrays can be elements"
            raise self.source.error(f"{what} a subrange, an enumeration, a scalarset or a union", written.at, remedy)
        assert not isinstance(kind, (Array, RecordKind, Multiset))
        return kind

    def _named(self, name: str, names: Names, at: Source) -> Kind:
        meant = names.find(name)
        if isinstance(meant, TypeName):
            return meant.kind
        if meant is not None:
            raise self.source.error(f"`{name}` is no type", at, "name a type, or write one: `0 .. 3`")
        if name.lower() in ("int", "integer"):
            raise self.source.error(f"no type called `{name}`", at, "numbers have bounds: write a subrange, `0 .. 10`")
        known = [one for one in names.known() if isinstance(names.find(one), TypeName)]
        raise self.source.unknown("type", name, known, at)

    def _enum(self, members: tuple[syntax.Label, ...], names: Names, name: str, at: Source) -> Kind:
        if not members:
            raise self.source.error("an enumeration has one member at least", at, "name its members between the braces")
        kind = Enum(name, tuple(label.name for label in members))
        kind = replace(kind, first=self.numbering.take(name, len(members)))
        for position, label in enumerate(members):
            if label.name in ("true", "false", "boolean"):
                raise self.source.error(f"`{label.name}` has a meaning already", label.at, "rename it")
            names.declare(label.name, Constant(kind.first + position, kind), label.at)
        return kind

    def _scalarset(self, size: syntax.Expression, names: Names, name: str) -> Kind:
        count = self.number(size, names, "the size of a scalarset")
        if count < 1:
            raise self.source.error("a scalarset has one value at least", size.at, "give it a larger size")
        if why := excess("this scalarset", count):
            raise self.source.error(why, size.at, "make it smaller")
        return Scalarset(name, count, self.numbering.take(name, count))

    def _union(self, written: syntax.UnionOf, names: Names, name: str) -> Kind:
        parts: list[Enum | Scalarset] = []
        for member in written.members:
            if isinstance(member, syntax.EnumOf):
                # A type of its own, whose members are numbered behind those of the others.
                label = f"({member.at})"
                self.numbering.in_unions |= {label}
                kind: Kind = replace(self.read(member, names, label), name="")
                for position, one in enumerate(member.members):
                    assert isinstance(kind, Enum)
                    names.own[one.name] = Constant(kind.first + position, kind)
            else:
                kind = self.read(member, names)
            for part in kind.parts if isinstance(kind, Union) else (kind,):
                if not isinstance(part, (Enum, Scalarset)):
                    remedy = "name the parts as types first"
                    raise self.source.error("a union joins enumerations and scalarsets", member.at, remedy)
                if part == BOOLEAN or part in parts:
                    raise self.source.error(f"{part} cannot be part of this union", member.at, "leave it out")
                parts.append(part)
        if not parts:
            raise self.source.error("a union has one part at least", written.at, "name types between the braces")
        return Union(name, tuple(sorted(parts, key=lambda part: part.first)))

    def _record(self, written: syntax.RecordOf, names: Names, name: str) -> Kind:
        fields: dict[str, Kind] = {}
        for group in written.fields:
            kind = self.read(group.type, names)
            for label in group.names:
                if label.name in fields:
                    raise self.source.error(f"the field `{label.name}` is declared twice", label.at, "rename one")
                fields[label.name] = kind
        return RecordKind(tuple(fields.items()), name)
