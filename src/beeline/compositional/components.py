"""The components of a network as systems: each alone, with an environment that takes part in every handshake.

What the environment may send is what other components can send, found by looking at them in turn until nothing new
appears. `atomic` and committed locations are left out: they keep others from moving, which a component alone cannot
tell. So a component can do all that it can do in the network, and perhaps more.
"""

from __future__ import annotations

from collections.abc import Callable

from beeline.compositional.division import Division
from beeline.compositional.systems import System
from beeline.lts import TAU, Lts, TooManyStates
from beeline.lts.explore import label_by_event
from beeline.lts.lts import Arc
from beeline.model.evaluate import Context, evaluate
from beeline.model.expressions import Expression, Index, Literal, Ref, Skip
from beeline.model.network import Edge, Initial, Location, Network, Process, Receive, Send
from beeline.model.scope import Scope
from beeline.model.semantics import Semantics
from beeline.model.state import Draft, State
from beeline.model.steps import Step
from beeline.records import Record, replace
from beeline.simulate import NetworkWorld
from beeline.trace.naming import Naming
from beeline.trace.replay import show_step

IDLE, ENVIRONMENT = "beeline idle", "beeline environment"
Message = tuple[int, tuple[int, ...]]
"""The number of a channel, and the values."""
Sent = dict[int, set[tuple[int, tuple[int, ...]]]]
"""By channel: which component may send which values."""
Seen = Callable[[int], None]


class Doing(Record, frozen=True):
    """What a step of a component is: its text, and for a handshake with the environment the message and whether the
    component sends it."""

    text: str
    message: Message | None = None
    sends: bool = False


class Component(Record, frozen=True):
    """What a component does in an environment that takes part in all."""

    states: int
    arcs: tuple[tuple[int, Doing, int], ...]


class Components:
    """The systems of a network's components."""

    def __init__(self, network: Network, division: Division, most: int | None = None, seen: Seen | None = None) -> None:
        self._network, self._division, self._most, self._seen = network, division, most, seen
        self._label = label_by_event(NetworkWorld(network))
        self._parts = self._all_parts()
        self._names = self._named()
        self._text_of = {name: key[2] for key, name in self._names.items()}
        self.labels = sorted(self._text_of)
        self._between = {name for key, name in self._names.items() if key[0] != key[1]}

    def systems(self, wanted: Callable[[str], bool]) -> list[System]:
        """The components; what one does alone is hidden unless it is `wanted`."""
        return [self._system(number, part, wanted) for number, part in enumerate(self._parts)]

    def label_of(self, step: Step, text: str) -> str:
        """What the systems call a step of the whole network with this text."""
        takes_part = [
            number for move in step.moves for number, own in enumerate(self._division.components) if move.pid in own
        ]
        return self._names.get((takes_part[0], takes_part[-1], text), TAU) if takes_part else TAU

    def is_between(self, label: str) -> bool:
        """Whether several components take part in a label."""
        return label in self._between

    def text_of(self, label: str) -> str:
        """What a label of the systems is in the network."""
        return self._text_of.get(label, label)

    def _all_parts(self) -> list[Component]:
        sent: Sent = {channel: set() for channel in self._division.between}
        found: list[Component | None] = [None] * len(self._division.components)
        stale = set(range(len(found)))
        while stale:
            number = min(stale)
            stale.discard(number)
            found[number] = part = self._explored(number, sent)
            for channel, values in {doing.message for _, doing, _ in part.arcs if doing.message and doing.sends}:
                if (number, values) not in sent[channel]:
                    sent[channel].add((number, values))
                    stale |= {other for other in range(len(found)) if other != number and self._hears(other, channel)}
        return [part for part in found if part is not None]

    def _hears(self, number: int, channel: int) -> bool:
        return any(
            use.process in self._division.components[number] and not use.sends
            for use in self._division.between[channel]
        )

    def _explored(self, number: int, sent: Sent) -> Component:
        network = self._alone(number, sent)
        semantics, naming, scope = Semantics(network), Naming(network), Scope(network)
        outside = len(network.initial) - 1
        first = semantics.initial_states()[0]
        numbers, order = {first: 0}, [first]
        arcs: list[tuple[int, Doing, int]] = []
        failed: list[tuple[int, Doing]] = []
        for state in order:
            for step in semantics.steps(state):
                doing = self._doing(network, naming, scope, state, step, outside)
                if step.target is None:
                    failed.append((numbers[state], Doing(doing.text)))
                    continue
                if step.target not in numbers:
                    numbers[step.target] = len(numbers)
                    order.append(step.target)
                    self._count(len(numbers))
                arcs.append((numbers[state], doing, numbers[step.target]))
        arcs += [(source, doing, len(numbers)) for source, doing in failed]
        return Component(len(numbers) + bool(failed), tuple(dict.fromkeys(arcs)))

    def _count(self, states: int) -> None:
        if self._most is not None and states > self._most:
            raise TooManyStates(self._most)
        if self._seen is not None:
            self._seen(states)

    def _doing(self, network: Network, naming: Naming, scope: Scope, before: State, step: Step, outside: int) -> Doing:
        text = self._label(show_step(network, before, step, 1, naming))
        if all(move.pid != outside for move in step.moves):
            return Doing(text)
        sender = step.moves[0]  # who sends comes first
        sync = network.processes[sender.kind].edges[sender.edge].sync
        assert isinstance(sync, Send)
        context = Context(scope, Draft(before), sender.pid)
        channel, values = evaluate(sync.channel, context), tuple(evaluate(value, context) for value in sync.values)
        return Doing(text, (channel, values), sender.pid != outside)

    def _alone(self, number: int, sent: Sent) -> Network:
        """The network with all other processes idle, and one more that stands for them."""
        own = self._division.components[number]
        idle = Process(IDLE, (Location("idle", end=True),), ())
        initial = tuple(
            start if at in own else Initial(IDLE, start.name) for at, start in enumerate(self._network.initial)
        )
        processes = (*map(_loosened, self._network.processes), idle, self._environment(number, sent))
        return replace(
            self._network,
            processes=processes,
            initial=(*initial, Initial(ENVIRONMENT, "environment")),
            properties=(),
            rules=replace(self._network.rules, max_processes=0),
        )

    def _environment(self, number: int, sent: Sent) -> Process:
        channels, own = Scope(self._network).channel_kinds, self._division.components[number]
        edges: list[Edge] = []
        for channel, uses in sorted(self._division.between.items()):
            inside = {use.sends for use in uses if use.process in own}
            across = {use.sends for use in uses if use.process not in own}
            place = _element(self._network, channel)
            if False in inside and True in across:
                messages = sorted({values for sender, values in sent[channel] if sender != number})
                edges += [Edge(0, 0, sync=Send(place, tuple(map(Literal, values)))) for values in messages]
            if True in inside and False in across:
                fields = channels[channel - 1].fields
                edges.append(Edge(0, 0, sync=Receive(place, tuple(Skip() for _ in fields))))
        return Process(ENVIRONMENT, (Location("ready", end=True),), tuple(edges))

    def _named(self) -> dict[tuple[int, int, str], str]:
        """Labels of what components do together or alone, by who sends, who receives and the text. Where a text does
        not tell who takes part, the label does."""
        keys: dict[str, list[tuple[int, int, str]]] = {}
        receivers: dict[Message, list[int]] = {}
        for number, part in enumerate(self._parts):
            for message in {doing.message for _, doing, _ in part.arcs if doing.message and not doing.sends}:
                receivers.setdefault(message, []).append(number)
        for number, part in enumerate(self._parts):
            for doing in dict.fromkeys(doing for _, doing, _ in part.arcs):
                if doing.text == TAU or (doing.message is not None and not doing.sends):
                    continue
                others = [number] if doing.message is None else receivers.get(doing.message, [])
                others = [other for other in others if doing.message is None or other != number]
                keys.setdefault(doing.text, []).extend((number, other, doing.text) for other in others)
        names = {}
        for text, found in keys.items():
            distinct = list(dict.fromkeys(found))
            for key in distinct:
                sender, receiver = (self._division.names[one] for one in key[:2])
                place = f"in {sender}" if key[0] == key[1] else f"from {sender} to {receiver}"
                names[key] = text if len(distinct) == 1 else f"{text} {place}"
        return names

    def _system(self, number: int, part: Component, wanted: Callable[[str], bool]) -> System:
        arcs: list[Arc] = []
        for source, doing, target in part.arcs:
            arcs += [(source, label, target) for label in self._labels(number, doing, wanted)]
        shared = {name for key, name in self._names.items() if number in key[:2] and key[0] != key[1]}
        return System.of(self._division.names[number], Lts.of(part.states, 0, arcs), shared)

    def _labels(self, number: int, doing: Doing, wanted: Callable[[str], bool]) -> list[str]:
        if doing.message is None:
            name = self._names.get((number, number, doing.text), TAU)
            return [name if wanted(name) else TAU]
        at = 0 if doing.sends else 1
        return [name for key, name in self._names.items() if key[at] == number != key[1 - at] and key[2] == doing.text]


def _loosened(process: Process) -> Process:
    """A process that never keeps others from moving."""
    edges = tuple(replace(edge, keeps_control=False) for edge in process.edges)
    return replace(
        process, edges=edges, locations=tuple(replace(location, committed=False) for location in process.locations)
    )


def _element(network: Network, number: int) -> Expression:
    """The channel with a number, as an expression."""
    following = 1
    for channel in network.channels:
        if number < following + (channel.size or 1):
            place = Ref(channel.name)
            return place if channel.size is None else Index(place, Literal(number - following))
        following += channel.size or 1
    raise AssertionError(number)
