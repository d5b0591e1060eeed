"""A second, cruder judge: clock values on a grid of thirds, for two clocks that invariants keep bounded.

With n clocks, steps of 1/(n + 1) are enough to visit every order of fractions, also where differences are compared.
"""

from __future__ import annotations

from tests.languages.uppaal.timed_models import Bound, Edge, Model

STEP = 3  # parts of a time unit


def reachable(model: Model) -> set[tuple[tuple[int, ...], int]]:
    """Reachable locations and variable; handshakes only, no priorities."""
    start = ((0,) * len(model.automata), 0, (0,) * model.clocks)
    if not _invariant(model, start[0], start[2]):
        return set()
    seen = {start}
    waiting = [start]
    while waiting:
        locations, variable, clocks = waiting.pop()
        following = list(_actions(model, locations, variable, clocks))
        kinds = [model.automata[number].locations[at].kind for number, at in enumerate(locations)]
        later = tuple(value + 1 for value in clocks)
        if not any(kinds) and _invariant(model, locations, later):
            following.append((locations, variable, later))
        for state in following:
            if state not in seen:
                seen.add(state)
                waiting.append(state)
    return {(locations, variable) for locations, variable, _ in seen}


def _holds(bound: Bound, clocks: tuple[int, ...]) -> bool:
    value = clocks[bound.clock] - (0 if bound.other is None else clocks[bound.other])
    constant = bound.constant * STEP
    return {
        "<": value < constant,
        "<=": value <= constant,
        "==": value == constant,
        ">=": value >= constant,
        ">": value > constant,
    }[bound.operator]


def _invariant(model: Model, locations: tuple[int, ...], clocks: tuple[int, ...]) -> bool:
    return all(
        _holds(bound, clocks)
        for number, at in enumerate(locations)
        for bound in model.automata[number].locations[at].invariant
    )


def _actions(
    model: Model, locations: tuple[int, ...], variable: int, clocks: tuple[int, ...]
) -> list[tuple[tuple[int, ...], int, tuple[int, ...]]]:
    def enabled(number: int, edge: Edge) -> bool:
        return (
            edge.source == locations[number]
            and edge.variable_guard in (None, variable)
            and all(_holds(bound, clocks) for bound in edge.guard)
        )

    committed = [n for n, at in enumerate(locations) if model.automata[n].locations[at].kind == "commit"]
    joint: list[list[tuple[int, Edge]]] = []
    for number, automaton in enumerate(model.automata):
        for edge in automaton.edges:
            if edge.direction == "?" or not enabled(number, edge):
                continue
            if edge.channel is None:
                joint.append([(number, edge)])
                continue
            for other, partner in enumerate(model.automata):
                for answer in partner.edges:
                    heard = answer.direction == "?" and answer.channel == edge.channel
                    if other != number and heard and enabled(other, answer):
                        joint.append([(number, edge), (other, answer)])
    found = []
    for moves in joint:
        if committed and not any(number in committed for number, _ in moves):
            continue
        places, value, times = list(locations), variable, list(clocks)
        for number, edge in moves:
            places[number] = edge.target
            for clock, reset in edge.resets_at(value):
                times[clock] = reset * STEP
            value = value if edge.variable_update is None else edge.variable_update
        if _invariant(model, tuple(places), tuple(times)):
            found.append((tuple(places), value, tuple(times)))
    return found
