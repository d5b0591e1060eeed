"""Learns assumptions as automata, by an algorithm of the library AALpy."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from typing import Any

from beeline.compositional.membership import Membership
from beeline.compositional.systems import Automaton, Word
from beeline.lts import minimised

PACKAGE = "aalpy"
LEARNERS = ("lstar", "kv", "lsharp")
"""L* (Angluin 1987) with the counterexamples of Rivest and Schapire, its tree (Kearns and Vazirani 1994), and L#
(Vaandrager, Garhewal, Rot and Wissmann 2022)."""

Teacher = Callable[[Automaton], Word | None]
"""Given a conjecture: a word about which it is wrong; None if it will do."""


def is_installed() -> bool:
    return find_spec(PACKAGE) is not None


def learn(learner: str, membership: Membership, alphabet: frozenset[str], teacher: Teacher) -> Automaton:
    """The smallest automaton for what the teacher accepts; the environment is allowed to do nothing at all."""
    if not alphabet:
        teacher(found := Automaton(({},), alphabet))  # the only conjecture that there is where nothing can be seen
        return found
    from aalpy.learning_algs import run_KV, run_Lsharp, run_Lstar

    letters = sorted(alphabet)
    queries = _Queries(membership)
    run = {"lstar": run_Lstar, "kv": run_KV, "lsharp": partial(run_Lsharp, separation_rule="SepSeq")}[learner]
    options = {"automaton_type": "dfa", "print_level": 0, "cache_and_non_det_check": False}
    return smallest(_automaton(run(letters, queries, _Conjectures(membership, alphabet, teacher), **options), alphabet))


class _Queries:
    """Membership as the library asks for it."""

    def __init__(self, membership: Membership) -> None:
        self._membership = membership
        self.num_queries = self.num_steps = self.num_cached_queries = 0

    def query(self, word: Word) -> list[bool]:
        """The answers for all beginnings of a word."""
        self.num_queries += 1
        ends = range(1, len(word) + 1) if word else (0,)
        return [self._membership.allows(tuple(word[:end])) for end in ends]


class _Conjectures:
    """The teacher as the library asks it."""

    def __init__(self, membership: Membership, alphabet: frozenset[str], teacher: Teacher) -> None:
        self._membership, self._alphabet, self._teacher = membership, alphabet, teacher
        self.num_queries = self.num_steps = 0

    def find_cex(self, hypothesis: Any) -> Word | None:
        """The shortest beginning of the teacher's word about which the hypothesis is wrong: it may accept words of
        which it refuses a beginning, which the conjecture does not."""
        self.num_queries += 1
        word = self._teacher(_automaton(hypothesis, self._alphabet))
        if word is None:
            return None
        state = hypothesis.initial_state
        for position, label in enumerate(word):
            state = state.transitions[label]
            if state.is_accepting != self._membership.allows(word[: position + 1]):
                return word[: position + 1]
        raise AssertionError("the teacher's word tells nothing new")


def smallest(automaton: Automaton) -> Automaton:
    """The automaton with the fewest states that accepts the same."""
    lts = minimised(automaton.lts(), "strong")
    rows: list[dict[str, int]] = [{} for _ in range(lts.states)]
    for source, label, target in lts.arcs:
        rows[source][label] = target
    return Automaton(tuple(rows), automaton.alphabet)


def _automaton(hypothesis: Any, alphabet: frozenset[str]) -> Automaton:
    """A learned automaton without the state that refuses everything, states in the order of breadth-first search."""
    first = hypothesis.initial_state
    numbers, order = {first.state_id: 0}, [first]
    rows: list[dict[str, int]] = []
    for state in order:
        row = {}
        for label in sorted(alphabet):
            target = state.transitions[label]
            if target.is_accepting:
                if target.state_id not in numbers:
                    numbers[target.state_id] = len(numbers)
                    order.append(target)
                row[label] = numbers[target.state_id]
        rows.append(row)
    return Automaton(tuple(rows), alphabet)
