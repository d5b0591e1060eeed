"""The complement of a Büchi automaton: of all runs on a word, none is accepting.

All runs are followed at once, as a set of states. From some moment on each state has a rank, which never grows along a
run, and is even behind an accepting edge; the runs must come to stay at odd ranks, so that none takes accepting edges
for ever (Kupferman and Vardi, Weak alternating automata are not that weak, TOCL 2001). It is enough to guess rankings
that are tight: the largest rank stays, and every odd one below it is there (Friedgut, Kupferman and Vardi, Büchi
complementation made tighter, IJFCS 2006).
"""

from __future__ import annotations

from collections.abc import Iterator

from beeline.automata.automaton import Automaton
from beeline.automata.degeneralisation import degeneralise
from beeline.automata.graph import Arc, Graph, merged
from beeline.automata.letters import Letters

_MOST_STATES = 1000
_MOST_WORK = 100_000  # ranks that are tried

Ranking = tuple[tuple[int, int], ...]
"""States with their ranks, sorted by state."""
Followed = tuple[tuple[int, ...], Ranking | None, frozenset[int]]
"""The states that runs are in; their ranks, once they are guessed; and those that have been at even ranks ever since
there was none of these."""


def complement(automaton: Automaton) -> Automaton | None:
    """An automaton of the words that `automaton` does not accept; None if it would be too large.

    >>> from beeline.automata import accepts, parse_ltl, translate
    >>> other = complement(translate(parse_ltl("[]<> p")))
    >>> accepts(other, [{"p"}], [set()]), accepts(other, [], [set(), {"p"}])
    (True, False)
    """
    graph = Graph.of(degeneralise(automaton, state_based=False), Letters())
    made = _Complement(graph).graph()
    return None if made is None else made.automaton(automaton.propositions)


class _Complement:
    def __init__(self, graph: Graph) -> None:
        letters = graph.letters
        self.letters = letters
        self.initial = graph.initial
        self.work = 0
        self.parts = letters.classes(guard for row in graph.arcs for guard, _, _ in row)
        # By letter class and state: targets, and whether the edge is accepting.
        self.moves = [
            [[(target, marks == graph.full) for guard, marks, target in row if letters.implies(part, guard)]
             for row in graph.arcs]
            for part in self.parts
        ]  # fmt: skip

    def graph(self) -> Graph | None:
        start: Followed = ((self.initial,), None, frozenset())
        numbers = {start: 0}
        nodes = [start]
        rows: list[list[Arc]] = []
        for node in nodes:  # grows meanwhile
            row: list[Arc] = []
            accepting = int(node[1] is not None and not node[2])
            for number, part in enumerate(self.parts):
                for target in self._targets(node, number):
                    if target not in numbers:
                        numbers[target] = len(nodes)
                        nodes.append(target)
                    row.append((part, accepting, numbers[target]))
                    if len(nodes) > _MOST_STATES:
                        return None
            if self.work > _MOST_WORK:  # not all rankings were made
                return None
            rows.append(merged(self.letters, row))
        return Graph(self.letters, 0, rows, 1)

    def _targets(self, node: Followed, letter: int) -> Iterator[Followed]:
        states, ranking, even = node
        moves = self.moves[letter]
        following = tuple(sorted({target for state in states for target, _ in moves[state]}))
        if ranking is None:
            yield following, None, frozenset()
            for largest in range(1, 2 * len(following), 2) if following else (0,):
                bounds = dict.fromkeys(following, largest)
                yield from ((following, ranks, frozenset()) for ranks in self._tight(following, bounds, largest))
            return
        bounds = {}
        for state, rank in ranking:
            for target, accepting in moves[state]:
                bound = rank & ~1 if accepting else rank
                bounds[target] = min(bounds.get(target, bound), bound)
        largest = max((rank for _, rank in ranking), default=0)
        ahead = {target for state in even for target, _ in moves[state]} if even else set(following)
        for ranks in self._tight(following, bounds, largest):
            yield following, ranks, frozenset(state for state, rank in ranks if state in ahead and rank % 2 == 0)

    def _tight(self, states: tuple[int, ...], bounds: dict[int, int], largest: int) -> Iterator[Ranking]:
        """Ranks within their bounds such that every odd number up to the largest one is among them."""

        def chosen(place: int, missing: frozenset[int]) -> Iterator[Ranking]:
            self.work += 1
            if len(missing) > len(states) - place or self.work > _MOST_WORK:
                return
            if place == len(states):
                yield ()
                return
            for rank in range(bounds[states[place]] + 1):
                for rest in chosen(place + 1, missing - {rank}):
                    yield ((states[place], rank), *rest)

        yield from chosen(0, frozenset(range(1, largest + 1, 2)) if states else frozenset())
