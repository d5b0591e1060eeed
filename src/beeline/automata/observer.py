"""The automata of a formula that can watch a run, each as one table: Büchi automata that read a valuation when a state
is left (TLBA) or have one for each state (SLBA), testing automata (TA) and generalised ones (TGTA), which read changes.
"""

from __future__ import annotations

from beeline.automata.automaton import Automaton
from beeline.automata.degeneralisation import degeneralise
from beeline.automata.formula import Formula, propositions
from beeline.automata.parser import LtlError
from beeline.automata.stuttering import require_stutter_invariant
from beeline.automata.testing import (
    ChangeAutomaton,
    StateLabelled,
    generalised_testing_from,
    state_labelled,
    testing_from,
)
from beeline.automata.translate import translate
from beeline.records import Record

TLBA, SLBA, TA, TGTA = KINDS = ("tlba", "slba", "ta", "tgta")
TESTING = (TA, TGTA)
BEFORE, AFTER, CHANGE = "before", "after", "change"
START = -1
"""The state whose moves begin a run; their letter is the first valuation."""
_PROPOSITIONS = 8  # a table has a row for each state and letter

Move = tuple[int, int, int, int]
"""A state, the letter that is read, where it leads, and the acceptance sets that are met (a mask)."""


class Observer(Record, frozen=True):
    """An automaton as a table. It `reads` the valuation before a step, the one after it, or the change.

    `accepting` and `livelock` are states. A run of a testing automaton is accepted if it stays in a livelock state for
    ever without a change, or if by changes it leaves accepting states again and again; that of a generalised one, if
    it meets all of `sets` acceptance sets again and again; any other if it visits accepting states again and again.
    """

    kind: str
    propositions: tuple[str, ...]
    reads: str
    states: int
    moves: tuple[Move, ...]
    accepting: frozenset[int] = frozenset()
    livelock: frozenset[int] = frozenset()
    sets: int = 0

    @property
    def edges(self) -> int:
        """The moves, without those that begin a run and those that only stay because nothing changes."""
        return sum(not (state == START or (self.reads == CHANGE and not letter)) for state, letter, _, _ in self.moves)


def observer(kind: str, formula: Formula) -> Observer:
    """The automaton of this kind for the words that satisfy `formula`. Raises `LtlError` for a formula that a testing
    automaton cannot stand for, and for one with too many propositions."""
    count = len(propositions(formula))
    if count > _PROPOSITIONS:
        message = f"{count} propositions are too many for a table with a row for each valuation"
        raise LtlError(message, remedy=f"use at most {_PROPOSITIONS}, or check without --automaton")
    if kind in TESTING:
        require_stutter_invariant(formula, "a testing automaton")
    if kind == TGTA:
        return _of_changes(TGTA, generalised_testing_from(translate(formula)))
    buchi = degeneralise(translate(formula))
    if kind == TLBA:
        return _of_letters(buchi)
    labelled = state_labelled(buchi)
    return _of_labels(labelled) if kind == SLBA else _of_changes(TA, testing_from(labelled))


def _of_letters(automaton: Automaton) -> Observer:
    letters = range(1 << len(automaton.propositions))
    moves = [(START, letter, automaton.initial, 0) for letter in letters]
    for state, row in enumerate(automaton.edges):
        moves += [(state, letter, edge.target, 0) for edge in row for letter in letters if edge.reads(letter)]
    accepting = frozenset(filter(automaton.is_accepting, range(automaton.states)))
    return Observer(TLBA, automaton.propositions, BEFORE, automaton.states, tuple(moves), accepting)


def _of_labels(automaton: StateLabelled) -> Observer:
    moves = [
        (state, automaton.valuations[target], target, 0)
        for state, targets in [(START, automaton.initial), *enumerate(automaton.successors)]
        for target in targets
    ]
    count = len(automaton.successors)
    return Observer(SLBA, automaton.propositions, AFTER, count, tuple(moves), automaton.accepting)


def _of_changes(kind: str, automaton: ChangeAutomaton) -> Observer:
    moves = [(START, valuation, state, 0) for valuation, state in automaton.initial]
    every = (1 << automaton.sets) - 1
    for state, row in enumerate(automaton.edges):
        moves.append((state, 0, state, every if state in automaton.livelock else 0))
        moves += [(state, edge.change, edge.target, edge.marks) for edge in row]
    return Observer(
        kind,
        automaton.propositions,
        CHANGE,
        len(automaton.edges),
        tuple(moves),
        automaton.accepting,
        automaton.livelock,
        automaton.sets,
    )
