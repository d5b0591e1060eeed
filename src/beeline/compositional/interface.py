"""The assumption of a component whose environment is not known.

`heuristic`: the conjecture is done when it allows all that the property allows. That is quick and may be too strong:
words that break the property and that the component never takes part in are refused as well. `exact`: the conjecture is
compared with the weakest assumption, all sets of states of the component in which a word may end; there can be many.
"""

from __future__ import annotations

from collections import deque

from beeline.compositional.learner import Teacher, learn
from beeline.compositional.membership import Membership
from beeline.compositional.premises import Premises
from beeline.compositional.rules import Effort
from beeline.compositional.systems import Automaton, System, Word, project

MODES = ("exact", "heuristic")


def assumption_of(
    system: System, asked: Automaton, alphabet: frozenset[str], mode: str = MODES[0], learner: str = "lstar"
) -> tuple[Automaton | None, Effort]:
    """What the environment must keep to, and what it took to learn that; None if nothing that it does would help."""
    membership, premises, effort = Membership(system, asked, alphabet), Premises(system), Effort()
    if not membership.allows(()):
        return None, effort

    def heuristic(conjecture: Automaton) -> Word | None:
        effort.conjectures += 1
        word = premises.check(asked, conjecture).word
        if word is not None:
            return project(word, alphabet)
        effort.environments += 1
        missing = Premises(System(system.name, asked.lts(), asked.alphabet)).check(conjecture).word
        return None if missing is None else project(missing, alphabet)

    def exact(conjecture: Automaton) -> Word | None:
        effort.conjectures += 1
        return _difference(membership, conjecture)

    teacher: Teacher = exact if mode == MODES[0] else heuristic
    found = learn(learner, membership, alphabet, teacher)
    effort.queries, effort.most_states = membership.queries, premises.most_states
    return found, effort


def _difference(membership: Membership, conjecture: Automaton) -> Word | None:
    """A shortest word that one of both allows and the other does not."""
    seen, waiting = {(membership.places(()), 0)}, deque[Word]([()])
    while waiting:
        word = waiting.popleft()
        for label in sorted(conjecture.alphabet):
            longer = (*word, label)
            state = conjecture.state_after(longer)
            places = membership.places(longer)
            if (places is None) != (state is None):
                return longer
            if places is not None and state is not None and (places, state) not in seen:
                seen.add((places, state))
                waiting.append(longer)
    return None
