"""Networks in a few lines of Python. Guards, effects and synchronisations are given in the textual syntax.

>>> from beeline.model.builder import NetworkBuilder
>>> builder = NetworkBuilder("mutex")
>>> builder.variable("turn", low=0, high=1)
>>> process = builder.process("P", parameters={"me": (0, 1)})
>>> _ = process.location("idle").location("critical")
>>> _ = process.edge("idle", "critical", guard="turn == me")
>>> _ = process.edge("critical", "idle", effect="turn = 1 - me")
>>> builder.start("P", me=0); builder.start("P", me=1)
>>> builder.invariant("exclusion", "!(P[0]@critical && P[1]@critical)")
>>> network = builder.build()
>>> len(network.initial)
2
"""

from __future__ import annotations

import inspect
import linecache
import re
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeVar

from beeline.model.expressions import TRUE, Call, Expression
from beeline.model.names import Resolver, unknown_name
from beeline.model.network import (
    Channel,
    Edge,
    Function,
    Initial,
    Location,
    Network,
    Process,
    Receive,
    Rules,
    Send,
    Synchronisation,
    Together,
    Variable,
)
from beeline.model.property import Goal, Invariant, Property
from beeline.model.scope import ProcessScope
from beeline.model.source import ModelError, Source, not_too_deep
from beeline.model.statements import Assert, Assign, Declare, Do, If, Start, Statement, While
from beeline.model.syntax import RESERVED, parse_effect, parse_expression, parse_sync
from beeline.model.types import BOOL, ArrayType, EnumType, IntType, Overflow, Type, excess, width
from beeline.model.validation import validate
from beeline.records import replace

if TYPE_CHECKING:
    from beeline.model.symbolic import Condition

ELSE_RANK = 1000
T = TypeVar("T")


def _caller() -> Source:
    """The line of the user's file that called the builder."""
    frame = inspect.currentframe()
    while frame is not None and frame.f_globals.get("__name__") == __name__:
        frame = frame.f_back
    return Source(frame.f_code.co_filename, frame.f_lineno) if frame is not None else Source()


REACH = 30  # lines after the beginning of a call in which the text that it was given is looked for


def _locate(error: ModelError, call: Source, text: str) -> ModelError:
    """The error with its place in the user's file, if `text` stands there as it was given; else in `text`."""
    inside = error.within(call, text)
    if "\n" in text or not text:
        return inside
    lines = linecache.getlines(call.file)
    sought = re.compile(rf"(?<!\w){re.escape(text)}(?!\w)")
    for number in range(call.line, min(call.line + REACH, len(lines) + 1)):
        found = sought.search(lines[number - 1])
        if found is not None:
            place = Source(call.file, number, found.start() + max(1, inside.source.column))
            return ModelError(error.message, place, error.remedy, lines[number - 1].rstrip(), error.word)
    return inside


def _text(what: str, value: str, source: Source) -> str:
    """Checks that what is read as text is one."""
    if not isinstance(value, str):
        raise ModelError(f"the {what} is {value!r}, which is no text", source, "write it in quotes, or leave it out")
    return value


def _condition(given: str | Condition, source: Source) -> str:
    """A condition as text."""
    if not callable(given):
        return given
    from beeline.model.symbolic import written

    try:
        return written(given)
    except ModelError as error:
        raise ModelError(error.message, source, error.remedy) from None
    except Exception as error:
        remedy = "use names of the model as s.name, and & | ~ instead of and, or, not"
        raise ModelError(f"the condition raised {type(error).__name__}: {error}", source, remedy) from None


def _number(what: str, value: int, source: Source) -> int:
    if not isinstance(value, int):
        raise ModelError(f"the {what} is {value!r}, which is no whole number", source, "give a whole number")
    return int(value)


def _name(what: str, name: str, source: Source) -> str:
    """Checks that a name can be written in expressions."""
    _text(f"name of a {what}", name, source)
    if not re.fullmatch(r"[A-Za-z_]\w*", name):
        raise ModelError(f"'{name}' cannot be the name of a {what}", source, "use letters, digits and _")
    if name in RESERVED:
        raise ModelError(f"'{name}' means something else in expressions", source, f"give the {what} another name")
    return name


def _integer(low: int, high: int, wrap: bool) -> IntType:
    for what, value in (("least", low), ("largest", high)):
        _number(f"{what} value of a variable", value, _caller())
    return IntType(low, high, Overflow.WRAP if wrap else Overflow.ERROR)


class ProcessBuilder:
    """Collects one kind of process; made by `NetworkBuilder.process`."""

    def __init__(self, name: str, parameters: Mapping[str, tuple[int, int]], source: Source) -> None:
        self.name = name
        self.parameters = tuple(
            Variable(_name("parameter", label, source), IntType(*bounds)) for label, bounds in parameters.items()
        )
        self.source = source
        self.locations: dict[str, Location] = {}
        self.edges: list[Edge] = []
        self.variables: list[Variable] = []
        self.initial: str | None = None
        self.provided: Expression = TRUE

    def variable(
        self,
        name: str,
        low: int = 0,
        high: int = 1,
        initial: int = 0,
        size: int | None = None,
        wrap: bool = False,
    ) -> ProcessBuilder:
        """A local integer in ``low..high``, or an array of `size` of them."""
        self.variables.append(_variable(name, _integer(low, high, wrap), initial, size))
        return self

    def location(
        self,
        name: str,
        *,
        initial: bool = False,
        committed: bool = False,
        urgent: bool = False,
        end: bool = False,
        accept: bool = False,
        progress: bool = False,
        deterministic: bool = False,
    ) -> ProcessBuilder:
        """A location; the first one is initial unless another says so."""
        _text("name of a location", name, _caller())
        if name in self.locations:
            raise ModelError(f"process '{self.name}' has two locations called '{name}'", _caller())
        self.locations[name] = Location(
            name,
            committed=committed,
            urgent=urgent,
            end=end,
            accept=accept,
            progress=progress,
            deterministic=deterministic,
            source=_caller(),
        )
        if initial or self.initial is None:
            self.initial = name
        return self

    def edge(
        self,
        source: str,
        target: str,
        *,
        guard: str | Condition = "",
        sync: str = "",
        label: str = "",
        effect: str = "",
        rank: int = 0,
        keeps_control: bool = False,
    ) -> ProcessBuilder:
        """A transition. `guard` is text, or a function of the state such as ``lambda s: s.x < 3``; ``guard="else"``
        means: only if no other edge of the location is possible. `sync` is ``c!values`` or ``c?patterns``; `label`
        joins an n-ary synchronisation."""
        place = _caller()
        guard = _condition(guard, place)
        texts = {"source": source, "target": target, "guard": guard, "sync": sync, "label": label, "effect": effect}
        for what, value in texts.items():
            _text(f"{what} of an edge", value, place)
        otherwise = guard.strip() == "else"
        if sync and label:
            raise ModelError("an edge has a sync or a label, not both", place, "use two edges")
        synchronisation = Together(label) if label else _read(parse_sync, sync, place) if sync else None
        parsed = Edge(
            self._place(source, place),
            self._place(target, place),
            TRUE if otherwise or not guard else _read(parse_expression, guard, place),
            synchronisation,
            _read(parse_effect, effect, place),
            ELSE_RANK if otherwise else rank,
            keeps_control,
            _action_text(guard, sync or label, effect),
            place,
        )
        self.edges.append(parsed)
        return self

    def _place(self, name: str, call: Source) -> int:
        if name not in self.locations:
            raise _locate(unknown_name("location", name, self.locations), call, name)
        return list(self.locations).index(name)

    def build(self) -> Process:
        """The process as parsed; names are resolved when the whole network is known."""
        if self.initial is None:
            raise ModelError(f"process '{self.name}' has no location", self.source, "add one with .location('start')")
        return Process(
            self.name,
            tuple(self.locations.values()),
            tuple(self.edges),
            self._place(self.initial, self.source),
            self.parameters,
            tuple(self.variables),
            provided=self.provided,
            source=self.source,
        )


def _read(parse: Callable[[str], T], text: str, call: Source) -> T:
    try:
        return parse(text)
    except ModelError as error:
        raise _locate(error, call, text) from None


def _action_text(guard: str, sync: str, effect: str) -> str:
    parts = [f"[{guard}]" if guard else "", sync, effect]
    return " ".join(part for part in parts if part)


def _variable(name: str, kind: Type, initial: int | Sequence[int], size: int | None) -> Variable:
    place = _caller()
    if size is not None:
        _number(f"size of array '{name}'", size, place)
    whole: Type = kind if size is None else ArrayType(kind, size)
    if why := excess(f"array '{name}'", width(whole)):
        raise ModelError(why, place, "make it smaller")
    values = (initial,) * (1 if size is None else size) if isinstance(initial, int) else tuple(initial)
    return Variable(_name("variable", name, place), whole, values, source=place)


class NetworkBuilder:
    """Collects variables, channels, processes, instances and properties, and builds a validated `Network`."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.variables: list[Variable] = []
        self.channels: list[Channel] = []
        self.processes: list[ProcessBuilder] = []
        self.functions: list[Function] = []
        self.constants: dict[str, int] = {}
        self.instances: list[tuple[str, str | None, dict[str, int], int, Source]] = []
        self.asked: list[tuple[str, type[Invariant | Goal], str, Source]] = []
        self.rules = Rules()
        self.source = _caller()

    def constant(self, name: str, value: int) -> None:
        """A named number."""
        self.constants[_name("constant", name, _caller())] = value

    def variable(
        self,
        name: str,
        low: int = 0,
        high: int = 1,
        initial: int | Sequence[int] = 0,
        size: int | None = None,
        wrap: bool = False,
    ) -> None:
        """A global integer in ``low..high`` (an array with `size`); out of range is an error unless `wrap`."""
        self.variables.append(_variable(name, _integer(low, high, wrap), initial, size))

    def boolean(self, name: str, initial: bool = False) -> None:
        """A global truth value."""
        self.variables.append(_variable(name, BOOL, int(initial), None))

    def enumeration(self, name: str, members: Sequence[str], initial: str | None = None) -> None:
        """A global variable over named values, which can then be used in expressions."""
        for member in members:
            _name("value", member, _caller())
        if initial is not None and initial not in members:
            raise _locate(unknown_name(f"value of '{name}'", initial, members), _caller(), initial)
        first = members.index(initial) if initial is not None else 0
        self.variables.append(_variable(name, EnumType(name, tuple(members)), first, None))

    def channel(
        self,
        name: str,
        capacity: int = 0,
        fields: Sequence[tuple[int, int]] = (),
        size: int | None = None,
        broadcast: bool = False,
    ) -> None:
        """A channel (an array with `size`): handshake without a capacity, FIFO with one; `fields` are (low, high)."""
        kinds = tuple(IntType(low, high) for low, high in fields)
        place = _caller()
        self.channels.append(Channel(_name("channel", name, place), capacity, kinds, size, broadcast, source=place))

    def process(self, name: str, parameters: Mapping[str, tuple[int, int]] | None = None) -> ProcessBuilder:
        """A new kind of process; parameters are integers with (low, high)."""
        builder = ProcessBuilder(_name("process", name, _caller()), parameters or {}, _caller())
        self.processes.append(builder)
        return builder

    def start(self, process: str, name: str | None = None, priority: int = 0, **arguments: int) -> None:
        """An instance alive at the start. Unnamed ones are called ``P``, or ``P[0]``, ``P[1]`` .. if several."""
        self.instances.append((process, name, arguments, priority, _caller()))

    def invariant(self, name: str, expression: str | Condition) -> None:
        """Asks that `expression`, text or a function of the state, holds in every reachable state."""
        self._ask(name, Invariant, expression)

    def goal(self, name: str, expression: str | Condition) -> None:
        """Asks for a state that satisfies `expression`."""
        self._ask(name, Goal, expression)

    def _ask(self, name: str, kind: type[Invariant | Goal], expression: str | Condition) -> None:
        expression = _condition(expression, _caller())
        for what, value in (("name", name), ("expression", expression)):
            _text(f"{what} of a property", value, _caller())
        self.asked.append((name, kind, expression, _caller()))

    @not_too_deep()
    def build(self) -> Network:
        """The finished network; raises `ModelError` for anything inconsistent."""
        raw = tuple(builder.build() for builder in self.processes)
        network = Network(
            self.name,
            raw,
            self._initial(raw),
            tuple(self.variables),
            tuple(self.channels),
            tuple(self.functions),
            dict(self.constants),
            rules=self.rules,
            source=self.source,
        )
        resolved = replace(network, processes=tuple(resolve_process(network, process) for process in raw))
        properties = tuple(_property(resolved, *asked) for asked in self.asked)
        finished = replace(resolved, properties=properties)
        validate(finished)
        return finished

    def _initial(self, processes: tuple[Process, ...]) -> tuple[Initial, ...]:
        instances = self.instances or [(process.name, None, {}, 0, process.source) for process in processes]
        counts = {
            process.name: sum(kind == process.name and not name for kind, name, *_ in instances)
            for process in processes
        }
        seen: dict[str, int] = {}
        started: list[Initial] = []
        for kind, name, arguments, priority, source in instances:
            process = next((p for p in processes if p.name == kind), None)
            if process is None:
                raise _locate(unknown_name("process", kind, [p.name for p in processes]), source, kind)
            number = seen.get(kind, 0)
            if name is None:
                seen[kind] = number + 1
            label = name or (kind if counts[kind] == 1 else f"{kind}[{number}]")
            started.append(Initial(kind, label, _fill(process, arguments, source), priority))
        return tuple(started)


def _fill(process: Process, arguments: Mapping[str, int], source: Source) -> tuple[int, ...]:
    names = [parameter.name for parameter in process.parameters]
    for name in arguments:
        if name not in names:
            raise _locate(unknown_name(f"parameter of process '{process.name}'", name, names), source, name)
    missing = [name for name in names if name not in arguments]
    if missing:
        message = f"process '{process.name}' is started without its parameter '{missing[0]}'"
        raise ModelError(message, source, f"give it as in start('{process.name}', {missing[0]}=0)")
    return tuple(arguments[name] for name in names)


def _property(network: Network, name: str, kind: type[Invariant | Goal], text: str, source: Source) -> Property:
    try:
        return kind(name, text, source, expression=Resolver(network).resolve(parse_expression(text)))
    except ModelError as error:
        raise _locate(error, source, text) from None


def resolve_process(network: Network, process: Process) -> Process:
    """Resolves the names in a process that was built from text."""
    edges = tuple(_resolve_edge(network, process, edge) for edge in process.edges)
    resolver = Resolver(network, ProcessScope(process))
    return replace(process, edges=edges, provided=resolver.resolve(process.provided))


def _resolve_edge(network: Network, process: Process, edge: Edge) -> Edge:
    resolver = Resolver(network, ProcessScope(process))
    try:
        return replace(
            edge,
            guard=resolver.resolve(edge.guard),
            sync=_resolve_sync(resolver, edge.sync),
            effect=_resolve_statements(resolver, edge.effect, frozenset())[0],
        )
    except ModelError as error:
        raise _locate(error, edge.source, error.word if error.word in edge.text else edge.text) from None


def _resolve_sync(resolver: Resolver, sync: Synchronisation | None) -> Synchronisation | None:
    match sync:
        case Send():
            values = tuple(resolver.resolve(value) for value in sync.values)
            return replace(sync, channel=resolver.resolve(sync.channel), values=values)
        case Receive():
            patterns = tuple(resolver.pattern(pattern) for pattern in sync.patterns)
            return replace(sync, channel=resolver.resolve(sync.channel), patterns=patterns)
        case _:
            return sync


def _resolve_statements(
    resolver: Resolver, statements: tuple[Statement, ...], bound: frozenset[str]
) -> tuple[tuple[Statement, ...], frozenset[str]]:
    done: list[Statement] = []
    for statement in statements:
        done.append(_resolve_statement(resolver, statement, bound))
        if isinstance(statement, Declare):
            bound = bound | {statement.name}
    return tuple(done), bound


def _resolve_statement(resolver: Resolver, statement: Statement, bound: frozenset[str]) -> Statement:
    go = resolver.resolve
    match statement:
        case Assign(target, value):
            return replace(statement, target=resolver.place(target, bound), value=go(value, bound))
        case Declare(initial=initial):
            return statement if initial is None else replace(statement, initial=go(initial, bound))
        case If(condition, then, otherwise):
            inner = _resolve_statements(resolver, then, bound)[0]
            other = _resolve_statements(resolver, otherwise, bound)[0]
            return replace(statement, condition=go(condition, bound), then=inner, otherwise=other)
        case While(condition, body):
            return replace(
                statement, condition=go(condition, bound), body=_resolve_statements(resolver, body, bound)[0]
            )
        case Assert(condition):
            return replace(statement, condition=go(condition, bound))
        case Do(call):
            resolved = go(call, bound)
            assert isinstance(resolved, Call)
            return replace(statement, call=resolved)
        case Start(arguments=arguments):
            return replace(statement, arguments=tuple(go(argument, bound) for argument in arguments))
        case _:
            return statement
