"""Small explicit systems, their products with each kind of automaton, and whether a product accepts anything.

The products are written down state by state, and accepting cycles are found by their components: slow, and simple
enough to be believed.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from random import Random

from beeline.automata import Automaton
from beeline.automata.graph import components
from beeline.automata.testing import ChangeAutomaton, StateLabelled
from beeline.records import Record

Node = tuple[int, int]


class Kripke(Record, frozen=True):
    """A system: the propositions that hold in each state (a mask), and where it may go. It starts in state 0."""

    labels: tuple[int, ...]
    successors: tuple[tuple[int, ...], ...]


def random_kripke(
    random: Random, states: int, propositions: int, degree: float, chance: float = 0.5, least: int = 0
) -> Kripke:
    """A system with about `degree` successors for each state; one without any stays where it is."""
    labels = [sum(1 << bit for bit in range(propositions) if random.random() < chance) for _ in range(states)]
    successors = []
    for state in range(states):
        found = {random.randrange(states) for _ in range(random.randint(least, round(2 * degree)))}
        if random.random() < 0.3:  # stuttering steps
            found |= {other for other in random.choices(range(states), k=2) if labels[other] == labels[state]}
        successors.append(tuple(sorted(found)) or (state,))
    return Kripke(tuple(labels), tuple(successors))


class Product(Record, frozen=True):
    """The reachable product: for each node the targets, with marks and whether the step changes no proposition."""

    nodes: tuple[Node, ...]
    arcs: tuple[tuple[tuple[int, int, bool], ...], ...]

    @property
    def size(self) -> tuple[int, int]:
        return len(self.nodes), sum(map(len, self.arcs))


def _explore(initial: Iterable[Node], steps: Callable[[Node], Iterable[tuple[Node, int, bool]]]) -> Product:
    nodes = list(dict.fromkeys(initial))
    numbers: dict[Hashable, int] = {node: index for index, node in enumerate(nodes)}
    arcs = []
    for node in nodes:  # grows meanwhile
        row = []
        for target, marks, still in dict.fromkeys(steps(node)):
            if target not in numbers:
                numbers[target] = len(nodes)
                nodes.append(target)
            row.append((numbers[target], marks, still))
        arcs.append(tuple(row))
    return Product(tuple(nodes), tuple(arcs))


def with_automaton(system: Kripke, automaton: Automaton) -> Product:
    """The usual product: the letter is read in the source."""

    def steps(node: Node) -> Iterable[tuple[Node, int, bool]]:
        state, inner = node
        for edge in automaton.edges[inner]:
            if edge.reads(system.labels[state]):
                for target in system.successors[state]:
                    yield (target, edge.target), edge.marks, False

    return _explore([(0, automaton.initial)], steps)


def with_labelled(system: Kripke, automaton: StateLabelled) -> Product:
    """The product with a state-labelled automaton: labels agree in every state."""

    def steps(node: Node) -> Iterable[tuple[Node, int, bool]]:
        state, inner = node
        for target in system.successors[state]:
            for other in automaton.successors[inner]:
                if automaton.valuations[other] == system.labels[target]:
                    yield (target, other), int(inner in automaton.accepting), False

    return _explore([(0, s) for s in automaton.initial if automaton.valuations[s] == system.labels[0]], steps)


def with_testing(system: Kripke, automaton: ChangeAutomaton) -> Product:
    """The product with a testing automaton, which moves with the changes."""
    full = (1 << automaton.sets) - 1

    def steps(node: Node) -> Iterable[tuple[Node, int, bool]]:
        state, inner = node
        for target in system.successors[state]:
            change = system.labels[state] ^ system.labels[target]
            if not change:
                yield (target, inner), full if inner in automaton.livelock else 0, True
                continue
            for edge in automaton.edges[inner]:
                if edge.change == change:
                    yield (target, edge.target), edge.marks, False

    return _explore([(0, s) for valuation, s in automaton.initial if valuation == system.labels[0]], steps)


def accepts_something(product: Product, full: int) -> bool:
    """Whether a cycle of the product has all marks."""
    for part in _components(product):
        seen, cyclic = 0, False
        for node in part:
            for target, marks, _ in product.arcs[node]:
                if target in part:
                    cyclic = True
                    seen |= marks
        if cyclic and seen == full:
            return True
    return False


def livelock_or_visits(product: Product, automaton: ChangeAutomaton) -> bool:
    """Whether a product with a testing automaton has an accepting run: by its acceptance states, or by a livelock."""
    for part in _components(product):
        visits = any(product.nodes[node][1] in automaton.accepting for node in part)
        moves = any(target in part and not still for node in part for target, _, still in product.arcs[node])
        if visits and moves:
            return True
    return any(
        len(part) > 1 or any(target == node for node in part for target in _still(product, automaton, node))
        for part in components(range(len(product.nodes)), lambda node: _still(product, automaton, node))
    )


def _still(product: Product, automaton: ChangeAutomaton, node: int) -> list[int]:
    if product.nodes[node][1] not in automaton.livelock:
        return []
    return [target for target, _, still in product.arcs[node] if still]


def _components(product: Product) -> Iterable[set[int]]:
    found = components(range(len(product.nodes)), lambda node: [target for target, _, _ in product.arcs[node]])
    return map(set, found)
