"""Whether a question can tell a run from one in which a state is repeated: then no step may be left out for it."""

from __future__ import annotations

from beeline.automata import Automaton, Edge
from beeline.automata.letters import ALL, NONE, Letters
from beeline.automata.stuttering import accepts_stuttered
from beeline.model import expressions as ir
from beeline.model.network import Edge as Move
from beeline.model.network import Process
from beeline.model.property import Claim, Progress, Property

_BEYOND_A_STATE = frozenset({"timeout", "nonprogress"})


def repetition_reason(asked: Property) -> str:
    """Why a state that is repeated may matter to a question; empty if it cannot. Of claims, their automaton tells."""
    if not isinstance(asked, Claim) or isinstance(asked, Progress):
        return asked.repetition_reason
    automaton = _automaton(asked.watcher)
    closed = None if automaton is None else accepts_stuttered(automaton)
    if closed is None:
        return asked.repetition_reason
    return "" if closed else "the claim can tell a run from one in which a state is repeated"


def _automaton(watcher: Process) -> Automaton | None:
    """What a claim accepts, over the conditions that it asks for, as if each could be true or false whatever the others
    are; None if a word of these is not all that decides."""
    places = watcher.locations
    if watcher.variables or watcher.channels or not watcher.builtins.isdisjoint(_BEYOND_A_STATE):
        return None
    if any(move.effect or move.sync for move in watcher.edges) or any(place.deterministic for place in places):
        return None
    letters, atoms = Letters(), dict[ir.Expression, int]()
    rows: list[tuple[Edge, ...]] = []
    for number, place in enumerate(places):
        leaving = [watcher.edges[position] for position in watcher.leaving[number]]
        functions = [_function(move.guard, letters, atoms) for move in leaving]
        accepting = int(place.accept or place.end)
        if place.end:  # the claim is complete, whatever comes
            rows.append((Edge(letters.cubes(ALL), accepting, number),))
            continue
        rows.append(
            tuple(
                Edge(letters.cubes(possible), accepting, move.target_location)
                for move, possible in zip(leaving, _possible(leaving, functions, letters), strict=True)
                if possible != NONE
            )
        )
    names = tuple(f"p{index}" for index in range(len(atoms)))
    return Automaton(names, watcher.initial, tuple(rows), 1, state_based=True)


def _possible(moves: list[Move], functions: list[int], letters: Letters) -> list[int]:
    """When each of the moves from a place can be taken: those that are ranked before it, or stand before an
    `otherwise`, must not be."""
    found = []
    for place, (move, function) in enumerate(zip(moves, functions, strict=True)):
        before = (
            other
            for index, (rival, other) in enumerate(zip(moves, functions, strict=True))
            if rival.rank < move.rank or (move.otherwise and rival.rank == move.rank and index < place)
        )
        found.append(letters.without(function, letters.any(before)))
    return found


def _function(condition: ir.Expression, letters: Letters, atoms: dict[ir.Expression, int]) -> int:
    match condition:
        case ir.Literal(value=value):
            return ALL if value else NONE
        case ir.Unary(operator="!", operand=inner):
            return letters.complement(_function(inner, letters, atoms))
        case ir.Binary(operator="&&" | "||" as operator, left=left, right=right):
            join = letters.both if operator == "&&" else letters.either
            return join(_function(left, letters, atoms), _function(right, letters, atoms))
    return letters.variable(atoms.setdefault(condition, len(atoms)))
