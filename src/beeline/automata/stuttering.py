"""Whether a formula, or an automaton, can tell a word from its stuttered forms: testing automata and partial-order
reduction must not be used if it can.

The test is exact (Michaud and Duret-Lutz 2015): if two words that differ in repetitions only are told apart, there is a
word that is a stretched form of both. So the automata of the formula and of its negation, each allowed to read a letter
again without moving, have a word in common. For an automaton that comes from no formula, the complement takes the place
of the negation's.
"""

from __future__ import annotations

from collections.abc import Iterable

from beeline.automata.automaton import Automaton
from beeline.automata.complement import complement
from beeline.automata.formula import Formula, is_next_free, propositions
from beeline.automata.graph import Graph
from beeline.automata.letters import Letters
from beeline.automata.parser import LtlError
from beeline.automata.product import is_empty
from beeline.automata.simplify import simplify
from beeline.automata.translate import translate

_Node = tuple[int, int, int]


def is_stutter_invariant(formula: Formula) -> bool:
    """Whether no repetition of letters changes the truth of `formula`.

    >>> from beeline.automata.parser import parse_ltl
    >>> is_stutter_invariant(parse_ltl("p && X !p"))
    False
    >>> is_stutter_invariant(parse_ltl("F (p && X (!p && q))"))
    True
    """
    if is_next_free(formula) or is_next_free(simplify(formula)):
        return True
    names = propositions(formula)
    return not stretched_meet(translate(formula, names), translate(~formula, names))


def accepts_stuttered(automaton: Automaton) -> bool | None:
    """Whether no repetition of letters changes what an automaton accepts; None if that is too much work to find out.

    >>> from beeline.automata.parser import parse_ltl
    >>> accepts_stuttered(translate(parse_ltl("p && X !p"))), accepts_stuttered(translate(parse_ltl("p U q")))
    (False, True)
    """
    other = complement(automaton)
    return None if other is None else not stretched_meet(automaton, other)


def require_stutter_invariant(formula: Formula, purpose: str) -> None:
    """Raises `LtlError` if `formula` is stutter-sensitive; `purpose` says what needs the contrary."""
    if not is_stutter_invariant(formula):
        message = f"`{formula}` can tell a word from one in which a letter is repeated, which {purpose} cannot"
        raise LtlError(message, remedy="write the formula without X, or check it without that option")


def stretched_meet(left: Automaton, right: Automaton) -> bool:
    """Whether a word is a stretched form of a word of `left` and of one of `right`."""
    letters = Letters()
    one, two = with_set(Graph.of(left, letters)), with_set(Graph.of(right, letters))
    parts = letters.classes(guard for graph in (one, two) for row in graph.arcs for guard, _, _ in row)
    # Letters that no guard tells apart are as one letter: a word and its class-wise image are accepted alike.
    options = [
        [[(m, t) for guard, m, t in row if letters.implies(part, guard)] for part in parts]
        for graph in (one, two)
        for row in graph.arcs
    ]
    offset = len(one.arcs)

    def steps(node: _Node) -> Iterable[tuple[int, _Node]]:
        state, other, last = node
        for letter in range(len(parts)):
            first, second = options[state][letter], options[offset + other][letter]
            again = letter == last
            for marks, target in [*first, (0, state)] if again else first:
                for other_marks, other_target in [*second, (0, other)] if again else second:
                    yield marks | other_marks << one.sets, (target, other_target, letter)

    return not is_empty((one.initial, two.initial, -1), steps, one.full | two.full << one.sets)


def with_set(graph: Graph) -> Graph:
    """The graph with at least one acceptance set, so that repeating a letter for ever is not accepting."""
    if graph.sets:
        return graph
    return Graph(graph.letters, graph.initial, [[(g, 1, target) for g, _, target in row] for row in graph.arcs], 1)
