"""Turns parsed names into what they stand for: ``P.cs`` into a location test, ``P[2].x`` into a remote variable.

Also the place where unknown names are found, with a suggestion for the nearest known one.
"""

from __future__ import annotations

from collections.abc import Iterable

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
from beeline.model.network import Network
from beeline.model.scope import ProcessScope, Scope, root_of
from beeline.model.source import ModelError
from beeline.records import replace
from beeline.spelling import closest


def unknown_name(what: str, name: str, known: Iterable[str]) -> ModelError:
    """An error that suggests the nearest known name."""
    candidates = list(dict.fromkeys(known))
    close = closest(name, candidates)
    remedy = f"did you mean '{close}'?" if close else f"known: {', '.join(sorted(candidates)[:12]) or 'none'}"
    return ModelError(f"no {what} called '{name}'", remedy=remedy, word=name)


class Resolver:
    """Resolves expressions that were parsed from text, within a network and optionally within one process."""

    def __init__(self, network: Network, process: ProcessScope | None = None) -> None:
        self.network = network
        self.scope = Scope(network)
        self.process = process

    def resolve(self, expression: Expression, bound: frozenset[str] = frozenset()) -> Expression:
        """The same expression with process references recognised; raises `ModelError` for unknown names."""
        go = self.resolve
        match expression:
            case Ref() | Index() | Field():
                return self._place(expression, bound)
            case Unary(operator, operand):
                return Unary(operator, go(operand, bound))
            case Binary(operator, left, right):
                return Binary(operator, go(left, bound), go(right, bound))
            case Conditional(condition, then, otherwise):
                return Conditional(go(condition, bound), go(then, bound), go(otherwise, bound))
            case Checked(operand=operand):
                return replace(expression, operand=go(operand, bound))
            case Quantified(body=body):
                return replace(expression, body=go(body, bound | {expression.name}))
            case Call(function, arguments):
                self._check_function(function)
                return Call(function, tuple(go(argument, bound) for argument in arguments))
            case ChannelInfo(what, channel):
                return ChannelInfo(what, go(channel, bound))
            case Poll(channel, patterns, anywhere):
                return Poll(go(channel, bound), tuple(self.pattern(p, bound) for p in patterns), anywhere)
            case At(process, location):
                return self._at(self._process(process, bound), location)
            case Remote(process, place):
                return self._remote(self._process(process, bound), place, bound)
            case Rate(clock):
                return Rate(self.place(clock, bound))
            case Builtin(name, argument):
                return Builtin(name, None if argument is None else go(argument, bound))
            case Literal():
                return expression

    def pattern(self, pattern: Pattern, bound: frozenset[str] = frozenset()) -> Pattern:
        """A pattern; one that names a constant or a channel compares, since there is nothing to store into."""
        match pattern:
            case Bind(Ref(name)) if name in bound or self._is_constant(name):
                return Match(self.resolve(pattern.place, bound))
            case Bind(place):
                return Bind(self.place(place, bound))
            case Match(value):
                return Match(self.resolve(value, bound))
            case _:
                return pattern

    def place(self, place: Place, bound: frozenset[str] = frozenset()) -> Place:
        """A place that can be written."""
        resolved = self._place(place, bound)
        if not isinstance(resolved, (Ref, Index, Field)):
            raise ModelError(f"'{root_of(place)}' cannot be written here", word=root_of(place))
        return resolved

    def _place(self, place: Place, bound: frozenset[str]) -> Expression:
        root = root_of(place)
        if root in bound or self._is_variable(root):
            return self._inside(place, bound)
        process = self._as_process(place, bound)
        if process is None:
            raise unknown_name("variable, channel or process", root, self.visible(bound))
        reference, rest = process
        match rest:
            case [str(name)] if name in self._scope_of(reference).location_index:
                return At(reference, name)
            case []:
                remedy = f"say which location or variable, as in {root}@location"
                raise ModelError(f"'{root}' is a process", remedy=remedy, word=root)
            case [str(name), *more]:
                local: Place = Ref(name)
                for part in more:
                    local = Field(local, part) if isinstance(part, str) else Index(local, part)
                return self._remote(reference, local, bound)
            case _:
                raise ModelError(f"cannot read '{root}' this way", word=root)

    def _inside(self, place: Place, bound: frozenset[str]) -> Place:
        match place:
            case Index(base, index):
                return Index(self._inside(base, bound), self.resolve(index, bound))
            case Field(base, name):
                return Field(self._inside(base, bound), name)
            case _:
                return place

    def _is_variable(self, name: str) -> bool:
        if self.process is not None and name in self.process.slots:
            return True
        scope = self.scope
        return name in scope.slots or name in scope.channels or name in scope.constants

    def _is_constant(self, name: str) -> bool:
        own = self.process.slots if self.process is not None else {}
        return name not in own and name not in self.scope.slots and self._is_variable(name)

    def _as_process(self, place: Place, bound: frozenset[str]) -> tuple[ProcessRef, list[str | Expression]] | None:
        """Reads a place as a process followed by names and indices."""
        parts: list[str | Expression] = []
        current: Place = place
        while not isinstance(current, Ref):
            parts.insert(0, current.name if isinstance(current, Field) else self.resolve(current.index, bound))
            current = current.base
        if parts and not isinstance(parts[0], str):
            reference = self._find_process(current.name, parts[0])
            rest = parts[1:]
        else:
            reference = self._find_process(current.name, None)
            rest = parts
        return None if reference is None else (reference, rest)

    def _find_process(self, name: str, number: Expression | None) -> ProcessRef | None:
        if number is None and name in self.network.instance_numbers:
            return Instance(name)
        if isinstance(number, Literal) and not self.network.rules.processes_by_number:
            full = f"{name}[{number.value}]"
            if full in self.network.instance_numbers:
                return Instance(full)
        if name in self.network.process_index and (number is None or self.network.rules.processes_by_number):
            return Numbered(name, number)
        return None

    def _process(self, process: ProcessRef, bound: frozenset[str]) -> ProcessRef:
        if isinstance(process, Instance):
            return process
        number = None if process.number is None else self.resolve(process.number, bound)
        found = self._find_process(process.process, number)
        if found is None:
            known = [*self.network.instance_numbers, *self.network.process_index]
            if number is None or process.process not in self.network.process_index:
                raise unknown_name("process", process.process, known)
            full = f"{process.process}[{number.value if isinstance(number, Literal) else '..'}]"
            remedy = f"there are {', '.join(self.network.instance_numbers)}"
            raise ModelError(f"no process called '{full}'", remedy=remedy, word=process.process)
        return found

    def _scope_of(self, process: ProcessRef) -> ProcessScope:
        if isinstance(process, Instance):
            start = self.network.initial[self.network.instance_numbers[process.name]]
            return self.scope.processes[self.network.process_index[start.process]]
        return self.scope.processes[self.network.process_index[process.process]]

    def _at(self, process: ProcessRef, location: str) -> At:
        known = self._scope_of(process).location_index
        if location not in known:
            raise unknown_name("location or label", location, known)
        return At(process, location)

    def _remote(self, process: ProcessRef, place: Place | Call, bound: frozenset[str]) -> Remote:
        if isinstance(place, Call):
            functions = self._scope_of(process).functions
            if place.function not in functions:
                raise unknown_name("function", place.function, functions)
            return Remote(process, Call(place.function, tuple(self.resolve(part, bound) for part in place.arguments)))
        slots = self._scope_of(process).slots
        if root_of(place) not in slots:
            raise unknown_name("local variable", root_of(place), slots)
        return Remote(process, self._inside(place, bound))

    def _check_function(self, name: str) -> None:
        own = self.process.functions if self.process is not None else {}
        if name not in self.scope.functions and name not in own:
            raise unknown_name("function", name, [*self.scope.functions, *own])

    def visible(self, bound: frozenset[str] = frozenset()) -> list[str]:
        """Every name that could stand here."""
        scope = self.scope
        own = self.process.slots if self.process is not None else {}
        processes = [*self.network.instance_numbers, *self.network.process_index]
        return [*bound, *own, *scope.slots, *scope.channels, *scope.constants, *processes]
