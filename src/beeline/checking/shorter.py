"""Makes a trail shorter: searches another way to its end, or one to an end that is as bad.

Edelkamp, Lluch-Lafuente and Leue, Trail-directed model checking, 2001.
"""

from __future__ import annotations

from beeline.checking import Result, check
from beeline.engine import Limits
from beeline.model.expressions import (
    Binary,
    Builtin,
    ChannelInfo,
    Expression,
    Index,
    Literal,
    Match,
    Numbered,
    Place,
    Poll,
    Ref,
    Remote,
    conjunction,
)
from beeline.model.expressions import Field as FieldOf
from beeline.model.network import Network
from beeline.model.property import Goal, Property
from beeline.model.scope import Scope
from beeline.model.state import State
from beeline.model.types import ArrayType, RecordType, Type, is_scalar
from beeline.records import replace
from beeline.searches import Takes, find
from beeline.trace.trail import Trail, TrailError

TARGETS = {
    "property": "any violation of the property",
    "locations": "a state with all processes at the same locations",
    "state": "a state with the same locations, variables, and lengths and first messages of channels",
}


def search_shorter(
    trail: Trail,
    asked: Property,
    *,
    to: str = "property",
    search: str = "astar",
    heuristic: str | None = "fsm",
    reduce: str = "none",
    limits: Limits | None = None,
) -> Result:
    """What a search says that goes to the trail's end, or to what `to` names instead."""
    end = trail.states[-1]
    if to not in TARGETS:
        raise TrailError(f"there is no target {to!r}; there are: {', '.join(TARGETS)}")
    if to != "property" and trail.steps and trail.steps[-1].error is not None:
        raise TrailError("the trail ends in a failing step, which has no state after it: ask for --to property")
    wanted = asked
    if to != "property":
        same_end = end_expression(trail.network, end, to == "state")
        wrong = asked.sought
        wanted = Goal(to, expression=same_end if wrong is None else conjunction([same_end, wrong]))
    network = trail.network
    if wanted not in network.properties:
        network = replace(network, properties=(*network.properties, wanted))
    directed = find(search).takes is not Takes.NONE
    aimed = heuristic if directed else None
    return check(network, wanted, search=search, heuristic=aimed, reduce=reduce, target=end, limits=limits)


def end_expression(network: Network, end: State, whole: bool) -> Expression:
    """That the processes stand where they stand in `end`, and with `whole` that everything else that a property can
    speak about is as it is there."""
    watched = network.watchers
    parts: list[Expression] = [_equal(Builtin("processes"), len(end.processes) + watched)]
    for pid, process in enumerate(end.processes):
        parts.append(_equal(Builtin("location", Literal(pid)), process.location))
    if whole:
        parts += _variables(network, end) + _channels(network, end)
    return conjunction(parts)


def _equal(left: Expression, value: int) -> Expression:
    return Binary("==", left, Literal(value))


def _variables(network: Network, end: State) -> list[Expression]:
    scope = Scope(network)
    parts: list[Expression] = []
    for slot in scope.slots.values():
        if slot.variable is None or not slot.variable.hidden:
            places = _scalar_places(Ref(slot.name), slot.type)
            parts += [_equal(place, end.variables[slot.offset + i]) for i, place in enumerate(places)]
    for pid, process in enumerate(end.processes):
        kind = network.processes[process.kind].name
        for slot in scope.processes[process.kind].slots.values():
            for i, place in enumerate(_scalar_places(Ref(slot.name), slot.type)):
                remote = Remote(Numbered(kind, Literal(pid)), place)
                parts.append(_equal(remote, process.locals[slot.offset + i]))
    return parts


def _scalar_places(place: Place, kind: Type) -> list[Place]:
    match kind:
        case ArrayType(element, size):
            return [inner for i in range(size) for inner in _scalar_places(Index(place, Literal(i)), element)]
        case RecordType(_, fields):
            return [inner for name, part in fields for inner in _scalar_places(FieldOf(place, name), part)]
        case _:
            return [place] if is_scalar(kind) else []


def _channels(network: Network, end: State) -> list[Expression]:
    """Those of the network; what lies behind the first message of a channel cannot be asked about."""
    parts: list[Expression] = []
    names: list[Expression] = [
        Index(Ref(channel.name), Literal(i)) if channel.size is not None else Ref(channel.name)
        for channel in network.channels
        for i in range(channel.size or 1)
    ]
    for name, messages in zip(names, end.channels, strict=False):
        parts.append(_equal(ChannelInfo("len", name), len(messages)))
        if messages:
            parts.append(Poll(name, tuple(Match(Literal(value)) for value in messages[0])))
    return parts
