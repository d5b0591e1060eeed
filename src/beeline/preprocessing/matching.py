"""Abstract matching: states count as one that differ only in variables which do not matter where the processes stand.

Besides locals these are globals (`influence.py`). Each state is put in the place of one that all its equals share: what
does not matter has its first value. A step does this where the last process loses its interest in a variable, or writes
it without any. Where others may want the variable, that depends on the places where they are, and the step asks. A
variable that a step could not set back for certain always matters, so that equal states stay equal: there are never
more states than without.
"""

from __future__ import annotations

from itertools import pairwise

from beeline.model.expressions import (
    TRUE,
    At,
    Binary,
    Builtin,
    Expression,
    Instance,
    Literal,
    Ref,
    Unary,
    conjunction,
    walk,
)
from beeline.model.network import Edge, Network, Process, Together
from beeline.model.property import Property
from beeline.model.statements import If, Start, Statement, Terminate, nested
from beeline.preprocessing.choices import INFLUENCE
from beeline.preprocessing.dead_variables import layer_of, local_resets, loses, reset, takes_resets, with_resets
from beeline.preprocessing.declaration import Technique
from beeline.preprocessing.influence import Influence, own_names, started_kinds
from beeline.preprocessing.layer import Layer
from beeline.preprocessing.touching import Touching
from beeline.records import replace

MOST_COMPARISONS = 24
"""A step that would have to compare more places of others does not pay."""


def match_by_influence(touching: Touching, asked: Property) -> Layer | None:
    """The layer in which variables are set back where they do not matter; None if they all matter everywhere, or where
    something is asked that equal states need not answer alike."""
    network = touching.network
    if touching.clock_cells or network.rules.opened or asked.asks_branches or asked.asks_behaviour:
        return None
    matching = _Matching(network, asked)
    processes = tuple(matching.process(kind) for kind in range(len(network.processes)))
    return layer_of(INFLUENCE, network, processes, asked, matching.hidden())


class _Matching:
    """Where which variables of a network are set back."""

    def __init__(self, network: Network, asked: Property) -> None:
        self._network = network
        self._started = started_kinds(network)
        self._ending = any(_ends(edge) for process in network.processes for edge in process.edges)
        shared = () if _starts_in_functions(network) else tuple(one.name for one in network.variables)
        self._influence = Influence(network, asked, shared)
        while kept := self._not_certain():
            shared = tuple(name for name in shared if name not in kept)
            self._influence = Influence(network, asked, shared)

    def process(self, kind: int) -> Process:
        """A process with what does not matter set back; the same one if everything does."""
        process = self._network.processes[kind]
        edges = tuple(with_resets(edge, self._resets(kind, edge)) for edge in process.edges)
        return process if edges == process.edges else replace(process, edges=edges)

    def hidden(self) -> tuple[str, ...]:
        """Names of the variables that are set back somewhere."""
        found: dict[str, None] = {}
        for kind, process in enumerate(self._network.processes):
            for edge in process.edges:
                for name in self._influence.tracked[kind]:
                    if loses(self._influence, kind, edge, name):
                        found[name if name in self._influence.globals else f"{process.name}.{name}"] = None
        return tuple(found)

    def _globals_lost(self, kind: int, edge: Edge) -> list[str]:
        seen = self._influence.tracked[kind]
        return [name for name in self._influence.globals if name in seen and loses(self._influence, kind, edge, name)]

    def _not_certain(self) -> set[str]:
        """Globals that some edge would have to set back and cannot."""
        return {
            name
            for kind, process in enumerate(self._network.processes)
            for edge in process.edges
            for name in self._globals_lost(kind, edge)
            if self._unwanted(kind, edge, name) is None
        }

    def _resets(self, kind: int, edge: Edge) -> tuple[Statement, ...]:
        resets = list(local_resets(self._influence, kind, edge))
        for name in self._globals_lost(kind, edge):
            unwanted = self._unwanted(kind, edge, name)
            assert unwanted is not None
            back = reset(self._influence.globals[name], edge)
            resets.append(back if unwanted == TRUE else If(unwanted, (back,), source=edge.source))
        return tuple(resets)

    def _unwanted(self, kind: int, edge: Edge, name: str) -> Expression | None:
        """When nobody else wants a variable that a process loses at an edge; None if the edge cannot tell."""
        if not takes_resets(edge, self._influence.globals):
            return None
        if not self._influence.is_wanted_by_others(kind, name):
            return TRUE
        # Places of partners may change in the same step; processes that are started take the numbers of others.
        if self._started or not self._is_taken_alone(kind, edge):
            return None
        conditions = [
            self._is_elsewhere(pid, kind, name)
            for other in self._influence.wanted_by(name)
            for pid, one in enumerate(self._network.initial)
            if one.process == self._network.processes[other].name
        ]
        unwanted = conjunction([condition for condition in conditions if condition != TRUE])
        return unwanted if _comparisons(unwanted) <= MOST_COMPARISONS else None

    def _is_taken_alone(self, kind: int, edge: Edge) -> bool:
        if edge.sync is None:
            return True
        if isinstance(edge.sync, Together) or not isinstance(edge.sync.channel, Ref):
            return False
        named = edge.sync.channel.name
        if named in own_names(self._network.processes[kind]):
            return False
        return any(one.name == named and one.capacity > 0 and one.size is None for one in self._network.channels)

    def _is_elsewhere(self, pid: int, mover: int, name: str) -> Expression:
        """Whether a process is not the one that moves, and stands where a variable does not matter to it."""
        kind = next(
            number
            for number, process in enumerate(self._network.processes)
            if process.name == self._network.initial[pid].process
        )
        process = self._network.processes[kind]
        wanting = [number for number, live in enumerate(self._influence.live[kind]) if name in live]
        apart: list[Expression] = []
        if self._ending and wanting[:1] == [0]:
            # A process that has ended counts as being at its first location.
            apart.append(Unary("!", At(Instance(self._network.initial[pid].name), process.locations[0].name)))
            wanting = wanting[1:]
        place = Builtin("location", Literal(pid))
        apart += [_outside(place, first, last) for first, last in _ranges(wanting)]
        elsewhere = conjunction(apart)
        return Binary("||", Binary("==", Builtin("pid"), Literal(pid)), elsewhere) if kind == mover else elsewhere


def _ranges(numbers: list[int]) -> list[tuple[int, int]]:
    """Ascending numbers as the fewest ranges, with both ends."""
    if not numbers:
        return []
    breaks = [(one, other) for one, other in pairwise(numbers) if other != one + 1]
    firsts = [numbers[0], *(other for _, other in breaks)]
    return list(zip(firsts, [*(one for one, _ in breaks), numbers[-1]], strict=True))


def _outside(place: Expression, first: int, last: int) -> Expression:
    if first == last:
        return Binary("!=", place, Literal(first))
    return Binary("||", Binary("<", place, Literal(first)), Binary(">", place, Literal(last)))


def _comparisons(condition: Expression) -> int:
    return sum(isinstance(part, Builtin) and part.name == "location" for part in walk(condition))


def _ends(edge: Edge) -> bool:
    return any(isinstance(statement, Terminate) for statement in nested(edge.effect))


def _starts_in_functions(network: Network) -> bool:
    functions = [*network.functions, *(one for process in network.processes for one in process.functions)]
    return any(isinstance(statement, Start) for one in functions for statement in nested(one.body))


TECHNIQUE = Technique(
    name=INFLUENCE,
    summary="takes states for equal that differ only in what cannot matter any more",
    paper="de la Camara, Gallardo and Merino, SPIN 2006",
    promises=("the same verdicts", "the same length of shortest traces", "never more states"),
    apply=match_by_influence,
    told="not compared where they do not matter",
    automatic=False,
    option="match",
)
