"""Whether an automaton accepts a word that is a lasso: for tests."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from beeline.automata.automaton import Automaton
from beeline.automata.graph import components


def accepts(automaton: Automaton, prefix: Sequence[Iterable[str]], cycle: Sequence[Iterable[str]]) -> bool:
    """Whether some run on ``prefix cycle cycle ...`` is accepting; letters are sets of true propositions."""
    letters = [automaton.letter(frozenset(letter)) for letter in (*prefix, *cycle)]
    length = len(letters)

    def steps(node: int) -> list[tuple[int, int]]:
        state, position = divmod(node, length)
        following = position + 1 if position + 1 < length else len(prefix)
        edges = automaton.edges[state]
        return [(edge.marks, edge.target * length + following) for edge in edges if edge.reads(letters[position])]

    for component in components([automaton.initial * length], lambda node: [target for _, target in steps(node)]):
        inside = set(component)
        seen, cyclic = 0, False
        for node in component:
            for marks, target in steps(node):
                if target in inside:
                    seen |= marks
                    cyclic = True
        if cyclic and seen == automaton.accepting:
            return True
    return False
