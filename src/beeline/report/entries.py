"""How processes came to be where they must not be together, when time-outs happened, and which labels a cycle
passes."""

from __future__ import annotations

from collections.abc import Iterator

from beeline.model.expressions import At, Expression, walk
from beeline.model.network import Location, Network
from beeline.model.property import Acceptance, Progress, Property
from beeline.model.state import State
from beeline.report.ending import End
from beeline.report.explanation import Entry, Part
from beeline.trace.trace import Trace, show_place

MOST_TIMEOUTS = 3
ENDED = "-end-"  # what is written for the end of a process
STEPS_LOOKED_AT = 300  # at the end of a trace, for time-outs


def entries(end: End, expression: Expression) -> Iterator[Entry]:
    """If several processes are where an expression asks about: the step by which each came there, and what its guard
    saw. For a violated mutual exclusion these are the guards that let both in."""
    inside = dict.fromkeys(name for part in walk(expression) if isinstance(part, At) for name in end.standing(part))
    if len(inside) < 2:
        return
    came = {
        name: step
        for name, location in inside
        for step in end.trace.steps
        if step.changes.get(name, ("", ""))[1] == location
    }
    for name, location in sorted(inside, key=lambda pair: came[pair[0]].number if pair[0] in came else 0):
        if name in came:
            step = came[name]
            guard = tuple(end.guard_parts(step.number, name))
            yield Entry(name, location, step.number, step.action, guard, step.source)


def timeouts(end: End) -> Iterator[Entry]:
    """The last time-outs of a trace, and what everybody else was waiting for."""
    if end.network.language != "promela":
        return
    recent = [step for step in end.trace.steps[-STEPS_LOOKED_AT:] if "timeout" in step.action.split()]
    for step in recent[-MOST_TIMEOUTS:]:
        there = end.after(step.number - 1).waits()
        waits = [wait for wait in there if wait.process != step.process]
        parts = tuple(
            Part(f"{wait.process} at {show_place(wait.location)}: {action}", False, {}, when=missing)
            for wait in waits
            for action, missing in wait.ways
            if action != ENDED
        )
        yield Entry(step.process, "", step.number, step.action, parts, step.source)


def labels_in_cycle(network: Network, asked: Property, trace: Trace) -> tuple[Part, ...]:
    """The accept labels that the cycle of a trace passes, or the progress labels that it does not."""
    if trace.cycle is None or not isinstance(asked, (Acceptance, Progress)):
        return ()
    repeated = trace.states[trace.cycle :]
    if isinstance(asked, Progress):
        places = {(pid, place) for pid, place in _places(network, repeated) if place.progress}
        known = [place for kind in network.processes for place in kind.locations if place.progress]
        return tuple(Part(f"passes {_label(place)}", any(place == one for _, one in places), {}) for place in known)
    met = dict.fromkeys(place for _, place in _places(network, repeated) if place.accept)
    return tuple(Part(f"passes {_label(place)}", True, {}) for place in met)


def _places(network: Network, states: tuple[State, ...]) -> Iterator[tuple[int, Location]]:
    for state in states:
        for pid, process in enumerate(state.processes):
            yield pid, network.processes[process.kind].locations[process.location]


def _label(place: Location) -> str:
    return f"{place.name} (line {place.source.line})" if place.source.line else place.name
