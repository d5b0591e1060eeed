"""The Network: a set of communicating automata, immutable, the one form that every language is brought to.

What a step is, is defined by `beeline.model.semantics`; the docstrings here say it in words.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING

from beeline.model.expressions import TRUE, Builtin, Expression, Pattern, pattern_parts, walk
from beeline.model.source import UNKNOWN, Source
from beeline.model.statements import Assume, Statement, expressions, mapped, nested
from beeline.model.types import Type
from beeline.records import Record, asdict, field, replace

if TYPE_CHECKING:
    from beeline.model.property import Property


class Variable(Record, frozen=True):
    """A named piece of the state. `initial` lists its scalars' first values (if empty: zeros, or what is nearest); a
    process's variable may instead have an `expression`, evaluated in order when the process starts."""

    name: str
    type: Type
    initial: tuple[int, ...] = ()
    expression: Expression | None = None
    hidden: bool = False  # scratch: back to its initial value after each step that leaves no process in control
    source: Source = UNKNOWN


class Channel(Record, frozen=True):
    """A channel, or an array of `size` channels. Channels are numbered from 1 in order of declaration; those of a
    process are made when it starts and their number is kept in a local of the same name.

    Capacity 0 means handshake: a send and a receive happen together. A broadcast channel's send happens with one
    enabled receive of every other process that has one, and never blocks. `fields` are scalar types. Of several steps
    only those on channels of the highest `priority` are possible (steps without a channel have priority 0). Channels of
    an array may have one each, in `priorities`."""

    name: str
    capacity: int = 0
    fields: tuple[Type, ...] = ()
    size: int | None = None
    broadcast: bool = False
    urgent: bool = False
    priority: int = 0
    priorities: tuple[int, ...] = ()
    source: Source = UNKNOWN

    @property
    def elements(self) -> list[Channel]:
        """Its channels, each with its own priority."""
        if not self.priorities:
            return [self] * (self.size or 1)
        return [replace(self, priority=priority, priorities=()) for priority in self.priorities]

    @property
    def every_priority(self) -> tuple[int, ...]:
        return self.priorities or (self.priority,)


class Send(Record, frozen=True):
    """Synchronisation ``channel!values``. On a FIFO channel possible while it is not full; `sorted` inserts before the
    first message that is larger than the values as they are sent, instead of at the end."""

    channel: Expression
    values: tuple[Expression, ...] = ()
    sorted: bool = False


class Receive(Record, frozen=True):
    """Synchronisation ``channel?patterns``: possible if the first message matches, or with `anywhere` some message
    does (the first such is taken). `keep` leaves the message in the channel."""

    channel: Expression
    patterns: tuple[Pattern, ...] = ()
    anywhere: bool = False
    keep: bool = False


class Together(Record, frozen=True):
    """N-ary synchronisation: every live process that has an edge with this label anywhere must move with one."""

    label: str


Synchronisation = Send | Receive | Together


class Location(Record, frozen=True):
    """A control point of a process."""

    name: str
    committed: bool = False  # while some process is at such a location, only steps with such a process are possible
    urgent: bool = False  # time may not pass
    deterministic: bool = False  # never rests here: the first enabled edge follows within the same step
    end: bool = False  # a valid place to stop: a state with all processes at such places is no deadlock
    accept: bool = False
    progress: bool = False
    halted: int = -1  # of a monitor: the location that stands for this one once the network cannot move any more
    labels: tuple[str, ...] = ()  # further names for `At`
    invariant: Expression = TRUE  # over clocks; checked in timed models only
    source: Source = UNKNOWN


class Edge(Record, frozen=True):
    """A transition of one process.

    It is enabled if its guard holds, its synchronisation can happen, and no edge of the same location with a lower
    `rank` is enabled (`unless` puts escapes below, `else` stands above its siblings, or with `otherwise` among them).
    In one step the values to send are evaluated (if the channel has room, or somebody waits for a handshake), then
    received fields are stored, then the effects run: the sender's first, then the receivers' in order of their numbers
    (`Rules` can turn that round). With `keeps_control` the process goes on alone after the step while it can
    (Promela's `atomic`); in a handshake only the receiver's flag counts. A message is sent and received whole.
    """

    source_location: int
    target_location: int
    guard: Expression = TRUE
    sync: Synchronisation | None = None
    effect: tuple[Statement, ...] = ()
    rank: int = 0
    keeps_control: bool = False
    text: str = ""
    source: Source = UNKNOWN
    otherwise: bool = False  # possible only if no edge of this rank that stands before it is
    sets: int = 0  # of a monitor: the acceptance sets that it is in, as bits


class Parameter(Record, frozen=True):
    """A function's parameter; with `reference` the argument is a place that the function may write."""

    name: str
    type: Type
    reference: bool = False


class Function(Record, frozen=True):
    """A function, not recursive. The network's see its variables, a process's see that process's locals too."""

    name: str
    parameters: tuple[Parameter, ...]
    returns: Type | None
    body: tuple[Statement, ...]
    source: Source = UNKNOWN


class Process(Record, frozen=True, dict=True):
    """A kind of process. `parameters` and `variables` are its locals, parameters first."""

    name: str
    locations: tuple[Location, ...]
    edges: tuple[Edge, ...]
    initial: int = 0
    parameters: tuple[Variable, ...] = ()
    variables: tuple[Variable, ...] = ()
    channels: tuple[Channel, ...] = ()
    functions: tuple[Function, ...] = ()
    provided: Expression = TRUE  # the process may begin a move only while this holds; not asked in the middle of a step
    acceptance_sets: int = (
        0  # of a monitor: a run is accepting if its edges meet all; 0: if it meets accepting locations
    )
    source: Source = UNKNOWN

    @cached_property
    def leaving(self) -> tuple[tuple[int, ...], ...]:
        """For each location the positions of the edges that leave it."""
        found: list[list[int]] = [[] for _ in self.locations]
        for position, edge in enumerate(self.edges):
            found[edge.source_location].append(position)
        return tuple(map(tuple, found))

    @cached_property
    def builtins(self) -> frozenset[str]:
        """Names of the builtins that occur in it."""
        roots = [self.provided, *(edge.guard for edge in self.edges)]
        roots += [variable.expression for variable in self.variables if variable.expression is not None]
        statements = [s for function in self.functions for s in nested(function.body)]
        for edge in self.edges:
            statements += nested(edge.effect)
            if isinstance(edge.sync, Send):
                roots += [edge.sync.channel, *edge.sync.values]
            elif isinstance(edge.sync, Receive):
                roots += [edge.sync.channel, *pattern_parts(edge.sync.patterns)]
        return _builtins(roots, statements)


class Initial(Record, frozen=True):
    """A process that is alive at the start; numbers are given in order from 0. Arguments fill scalar parameters."""

    process: str
    name: str
    arguments: tuple[int, ...] = ()
    priority: int = 0


class Rules(Record, frozen=True):
    """Choices in which the languages differ."""

    lossy: bool = False  # a send to a full channel succeeds and the message is lost
    priorities: bool = False  # of all steps only those with the highest priority of a partner are possible
    receivers_first: bool = False  # in a synchronisation the receivers' effects run before the sender's
    committed_together: bool = False  # beside a committed location all partners of a step must be at one, not just one
    eager_sends: bool = False  # the message of a handshake is evaluated, and may fail, even without a receiver
    max_processes: int = 0  # how many can be alive at once; 0: as many as there are at the start
    processes_by_number: bool = False  # `P[2]` in properties means process number 2, not instance "P[2]"
    opened: bool = False  # the steps of process 0 at the start lead to the initial states; nothing lies before them
    stuttering: bool = False  # a state that all steps lead back to is a deadlock
    told_apart: tuple[str, ...] = ()  # why members of interchangeable types may be told apart after all
    stopping: tuple[tuple[str, str], ...] = ()  # quantifiers over such types that an error may end, and the types
    quiet_partners: bool = False  # traces name who begins a step alone: what partners do shows in what changes
    asserting: bool = False  # a step ends where an assertion fails, also where states are counted only


class Network(Record, frozen=True, dict=True):
    """A closed model: variables, channels, kinds of processes, the processes at the start, and properties.

    `watchers` count among the processes although they do not move by themselves, as a claim does in SPIN."""

    name: str
    processes: tuple[Process, ...]
    initial: tuple[Initial, ...]
    variables: tuple[Variable, ...] = ()
    channels: tuple[Channel, ...] = ()
    functions: tuple[Function, ...] = ()
    constants: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))
    constant_sets: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """Of constants that belong to a named set, such as ``mtype:colour`` of Promela, that name."""
    properties: tuple[Property, ...] = ()
    watchers: int = 0
    rules: Rules = Rules()
    language: str = "network"
    source: Source = UNKNOWN

    @property
    def monitor(self) -> Process | None:
        """What watches every step: nothing, if it is the network alone."""
        return None

    @property
    def alone(self) -> Network:
        """The network itself, whether or not it is watched."""
        return self

    @cached_property
    def process_index(self) -> Mapping[str, int]:
        """Position of each process kind by name."""
        return {process.name: position for position, process in enumerate(self.processes)}

    @cached_property
    def instance_numbers(self) -> Mapping[str, int]:
        """Number of each initial instance by name."""
        return {start.name: number for number, start in enumerate(self.initial)}

    @cached_property
    def builtins(self) -> frozenset[str]:
        """Names of the builtins that occur anywhere in the model or its properties."""
        roots = [part for asked in self.properties for part in asked.expressions]
        statements = [s for function in self.functions for s in nested(function.body)]
        processes = (*self.processes, *((self.monitor,) if self.monitor is not None else ()))
        return _builtins(roots, statements).union(*(process.builtins for process in processes))

    @cached_property
    def times_out(self) -> bool:
        """Whether some process waits for a timeout; what the monitor asks does not count."""
        return any("timeout" in process.builtins for process in self.processes)

    @cached_property
    def assumes(self) -> bool:
        """Whether assumptions may rule out steps by what they come to."""
        effects = [edge.effect for process in self.processes for edge in process.edges]
        bodies = [function.body for function in self.every_function]
        return any(isinstance(statement, Assume) for body in (*effects, *bodies) for statement in nested(body))

    @property
    def is_rule_based(self) -> bool:
        """Whether steps open it, assumptions rule out steps, or a step that changes nothing is none."""
        return self.rules.opened or self.rules.stuttering or self.assumes

    @cached_property
    def every_function(self) -> tuple[Function, ...]:
        """Its functions, and those of its processes."""
        return (*self.functions, *(function for process in self.processes for function in process.functions))

    @cached_property
    def channel_count(self) -> int:
        """How many channels the network itself declares."""
        return sum(channel.size or 1 for channel in self.channels)

    def process(self, name: str) -> Process:
        """The process kind called `name`.

        >>> from beeline.model.builder import NetworkBuilder
        >>> builder = NetworkBuilder("one"); _ = builder.process("P").location("here")
        >>> builder.build().process("P").name
        'P'
        """
        return self.processes[self.process_index[name]]

    def property(self, name: str) -> Property | None:
        """The property called `name`, if there is one."""
        return next((asked for asked in self.properties if asked.name == name), None)

    def watched_by(self, monitor: Process) -> Watched:
        """The network and an automaton that takes a step whenever the network does."""
        return Watched(**{**asdict(self.alone), "watchers": 1}, monitor=monitor)

    def with_statements(self, change: Callable[[Statement], Statement]) -> Network:
        """The network with each statement of its edges and functions changed."""

        def in_function(function: Function) -> Function:
            return replace(function, body=mapped(function.body, change))

        def in_process(process: Process) -> Process:
            edges = tuple(replace(edge, effect=mapped(edge.effect, change)) for edge in process.edges)
            return replace(process, edges=edges, functions=tuple(map(in_function, process.functions)))

        functions, processes = map(in_function, self.functions), map(in_process, self.processes)
        return replace(self, functions=tuple(functions), processes=tuple(processes))

    def __str__(self) -> str:
        from beeline.model.printer import show_network

        return show_network(self)


class Watched(Network, frozen=True, dict=True, kw_only=True):
    """A network and the automaton of a question, which watches every step: see `Property.watched`."""

    monitor: Process

    @cached_property
    def alone(self) -> Network:
        return Network(**{name: getattr(self, name) for name in Network.__struct_fields__})


def _builtins(roots: list[Expression], statements: list[Statement]) -> frozenset[str]:
    roots = roots + [part for statement in statements for part in expressions(statement)]
    return frozenset(part.name for root in roots for part in walk(root) if isinstance(part, Builtin))
