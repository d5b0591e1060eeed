"""The asymmetric rule, for two components and, applied again and again, for many:

    <A1> M1 <P>,  <A2> M2 <A1>,  ..,  <true> Mn <An-1>   =>   <true> M1 || .. || Mn <P>

The circular rule is the same with the first component once more at the end (Barringer, Giannakopoulou and Pasareanu,
Proof rules for automated compositional verification through learning, 2003): whatever a component does, it can do in
step with a copy of itself.

Assumptions begin with few labels and are given more where a counterexample of the environment harms the component only
because too little of it is seen (Gheorghiu, Giannakopoulou and Pasareanu, Refining interface alphabets for
compositional verification, TACAS 2007).
"""

from __future__ import annotations

from collections.abc import Sequence

from beeline.compositional.learner import Teacher, learn
from beeline.compositional.membership import Membership
from beeline.compositional.rules import Broken, Conclusion, Learned, Rule, labels_of
from beeline.compositional.systems import Automaton, System, Word, along, project


class Chain(Rule):
    """The asymmetric rule for a list of components."""

    def prove(self, systems: Sequence[System], asked: Automaton) -> Conclusion:
        """Assumptions for all components but the last, or a word of all that breaks the property."""
        first, rest = systems[0], systems[1:]
        if not rest:
            return Conclusion(word=self.violation(first, asked))
        return _Level(self, first, rest, asked).prove()


class _Refined(Exception):
    """The alphabet of an assumption was too small."""


class _Level:
    """One component, and the others as its environment."""

    def __init__(self, chain: Chain, system: System, rest: Sequence[System], asked: Automaton) -> None:
        self._chain, self._system, self._rest, self._asked = chain, system, rest, asked
        self._seen_by_rest = labels_of(rest)
        self._interface = (system.alphabet | asked.alphabet) & self._seen_by_rest
        self._alphabet = asked.alphabet & self._seen_by_rest if chain.refines else self._interface
        self._inner: tuple[Learned, ...] = ()

    def prove(self) -> Conclusion:
        while True:
            membership = Membership(self._system, self._asked, self._alphabet)
            try:
                if not membership.allows(()):
                    self._judge((), membership)  # does something that is not seen have to be done first?
                found = learn(self._chain.learner, membership, self._alphabet, self._teacher(membership))
                return Conclusion((Learned(self._system.name, found), *self._inner))
            except _Refined:
                continue
            except Broken as broken:
                return Conclusion(word=broken.word)
            finally:
                self._chain.effort.queries += membership.queries

    def _teacher(self, membership: Membership) -> Teacher:
        def teach(conjecture: Automaton) -> Word | None:
            effort = self._chain.effort
            effort.conjectures += 1
            word = self._chain.violation(self._system, self._asked, conjecture)
            if word is not None:
                return project(word, self._alphabet)
            effort.environments += 1
            found = self._chain.prove(self._rest, conjecture)
            if found.word is None:
                self._inner = found.assumptions
                return None
            return self._judge(found.word, membership)

        return teach

    def _judge(self, word: Word, membership: Membership) -> Word:
        """A word of the environment that the conjecture refuses: it breaks the property, or is harmless though its seen
        part is not, so that more must be seen; else the conjecture is wrong about it."""
        broken = self._chain.violation(self._system, self._asked, along(word, self._seen_by_rest))
        if broken is not None:
            raise Broken(broken)
        seen = project(word, self._alphabet)
        if membership.allows(seen):
            return seen
        self._refine(word, seen)
        raise _Refined

    def _refine(self, word: Word, seen: Word) -> None:
        """Adds the labels where the environment's word first differs from what the component makes of its seen part."""
        harm = self._chain.violation(self._system, self._asked, along(seen, self._alphabet))
        assert harm is not None
        mine, its = project(harm, self._interface), project(word, self._interface)
        length = next((at for at, pair in enumerate(zip(mine, its, strict=False)) if pair[0] != pair[1]), None)
        at = min(len(mine), len(its)) if length is None else length
        added = frozenset((*mine[at : at + 1], *its[at : at + 1])) - self._alphabet
        self._alphabet |= added or self._interface
        self._chain.effort.refinements += 1
