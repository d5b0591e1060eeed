"""Minimisation and comparison against definitions that are too slow for anything but small systems."""

from __future__ import annotations

import random
from itertools import product

import pytest

from beeline.lts import EQUIVALENCES, TAU, Lts, compare, minimised
from beeline.lts.formula import Can, Formula, Not, Until

LABELS = ("a", "b", TAU)


def random_lts(dice: random.Random) -> Lts:
    states = dice.randint(1, 5)
    count = dice.randint(0, 2 * states)
    arcs = [(dice.randrange(states), dice.choice(LABELS), dice.randrange(states)) for _ in range(count)]
    return Lts.of(states, dice.randrange(states), arcs)


def closure(lts: Lts, start: int) -> set[int]:
    found = {start}
    while True:
        more = {target for source, label, target in lts.arcs if source in found and label == TAU} - found
        if not more:
            return found
        found |= more


def bisimilar(both: Lts, hides: bool) -> set[tuple[int, int]]:
    """The largest relation in which each step of one state is answered by the other, found by taking pairs away."""
    related = set(product(range(both.states), range(both.states)))

    def answers(one: int, other: int, label: str, target: int) -> bool:
        direct = any(
            source == other and name == label and (target, after) in related for source, name, after in both.arcs
        )
        if not hides:
            return direct
        if label == TAU and (target, other) in related:
            return True
        return any(
            (one, before) in related and name == label and (target, after) in related
            for before in closure(both, other)
            for source, name, after in both.arcs
            if source == before
        )

    while True:
        wrong = {
            (one, other)
            for one, other in related
            if any(source == one and not answers(one, other, label, after) for source, label, after in both.arcs)
        }
        wrong |= {(other, one) for one, other in wrong}
        if not wrong:
            return related
        related -= wrong


def words(lts: Lts, length: int) -> set[tuple[str, ...]]:
    found: set[tuple[str, ...]] = {()}
    last: dict[tuple[str, ...], frozenset[int]] = {(): frozenset(closure(lts, lts.initial))}
    for _ in range(length):
        following: dict[tuple[str, ...], frozenset[int]] = {}
        for word, place in last.items():
            for label in ("a", "b"):
                after = {t for s, name, t in lts.arcs if s in place and name == label}
                if after:
                    following[(*word, label)] = frozenset().union(*(closure(lts, state) for state in after))
        found |= following.keys()
        last = following
    return found


def equivalent(one: Lts, other: Lts, how: str) -> bool:
    if how == "trace":
        length = 9  # enough for these sizes in practice; the formula side is exact
        return words(one, length) == words(other, length)
    both = one.beside(other)
    return (one.initial, one.states + other.initial) in bisimilar(both, how == "branching")


def true_in(lts: Lts, state: int, formula: Formula) -> bool:
    """What a formula means, word by word."""
    match formula:
        case Not(inner):
            return not true_in(lts, state, inner)
        case Can(label, then):
            return any(
                all(true_in(lts, target, one) for one in then)
                for source, name, target in lts.arcs
                if source == state and name == label
            )
        case Until(through, label, then):
            if label == TAU and all(true_in(lts, state, one) for one in then):
                return True
            found, waiting = set[int](), [state]
            while waiting:
                here = waiting.pop()
                if here in found or not all(true_in(lts, here, one) for one in through):
                    continue
                found.add(here)
                for source, name, target in lts.arcs:
                    if source == here and name == label and all(true_in(lts, target, one) for one in then):
                        return True
                    if source == here and name == TAU:
                        waiting.append(target)
            return False


@pytest.mark.parametrize("how", EQUIVALENCES)
def test_comparison_is_that_of_the_definition_and_its_reasons_are_true(how: str) -> None:
    dice = random.Random(how)
    same = 0
    for _ in range(400):
        one, other = random_lts(dice), random_lts(dice)
        difference = compare(one, other, how)
        assert (difference is None) == equivalent(one, other, how), f"{one}\n{other}"
        same += difference is None
        if difference is None:
            continue
        if difference.formula is not None:
            assert true_in(one, one.initial, difference.formula)
            assert not true_in(other, other.initial, difference.formula)
        else:
            word, length = difference.word, len(difference.word)
            has, lacks = (one, other) if difference.by_first else (other, one)
            assert word in words(has, length)
            assert word not in words(lacks, length)
            shorter = length - 1
            assert words(one, shorter) == words(other, shorter), "the word is a shortest one"
    assert 20 < same < 380


@pytest.mark.parametrize("how", EQUIVALENCES)
def test_minimised_systems_are_equivalent_and_cannot_be_smaller(how: str) -> None:
    dice = random.Random(f"minimise {how}")
    for _ in range(300):
        lts = random_lts(dice)
        small = minimised(lts, how)
        assert equivalent(lts, small, how), lts
        assert small.states <= max(1, lts.states) or how == "trace"
        again = minimised(small, how)
        assert (again.states, len(again.arcs)) == (small.states, len(small.arcs))
        if how != "trace":
            pairs = bisimilar(small, how == "branching")
            assert all(left == right for left, right in pairs), "no two states are alike"


def test_branching_bisimulation_keeps_choices_that_hidden_steps_take_away() -> None:
    plain = Lts.of(3, 0, [(0, "a", 1), (0, "b", 2)])
    decides = Lts.of(4, 0, [(0, TAU, 1), (1, "a", 2), (0, "b", 3)])
    assert compare(plain, decides, "trace") is None
    assert str(compare(plain, decides, "branching")) == "E [E [true U <b> true] U <a> true]"
    late = Lts.of(4, 0, [(0, TAU, 1), (1, "a", 2), (1, "b", 3)])
    assert compare(plain, late, "branching") is None
    assert compare(plain, late, "strong") is not None
