"""The earliest moments of a run: they keep all delays, and none could come sooner."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import pairwise, product

from beeline.timed.atoms import Atom
from beeline.timed.longest import NONE, Delay, Length, Moments
from beeline.timed.schedule import Schedule


def by_passes(count: int, delays: list[Delay]) -> list[Length] | None:
    """The same after Bellman and Ford: passes over all delays until nothing changes."""
    lengths: list[Length] = [NONE] * count
    for _ in range(count + 1):
        before = list(lengths)
        for delay in delays:
            whole, small = lengths[delay.earlier]
            lengths[delay.later] = max(lengths[delay.later], (whole + delay.length[0], small + delay.length[1]))
        if lengths[0] > NONE:
            return None
        if lengths == before:
            return lengths
    return None


def random_delay(dice: random.Random, count: int) -> Delay:
    earlier, later = dice.sample(range(count), 2)
    whole = dice.randint(0, 3) if earlier < later else -dice.randint(0, 6)
    return Delay(earlier, later, (whole, dice.randint(0, 1)))


def test_moments_are_those_of_passes_over_all_delays() -> None:
    dice = random.Random(1)
    possible = impossible = 0
    for _ in range(2000):
        count = dice.randint(2, 8)
        delays = [random_delay(dice, count) for _ in range(dice.randint(1, 14))]
        moments, expected = Moments(count), by_passes(count, delays)
        assert (moments.add(delays) is None) == (expected is None)
        if expected is None:
            impossible += 1
            assert (moments.lengths, moments.delays) == ([NONE] * count, [])
        else:
            possible += 1
            assert moments.lengths == expected
    assert min(possible, impossible) > 200


def test_delays_that_are_taken_back_leave_no_trace() -> None:
    dice = random.Random(2)
    for _ in range(500):
        count = dice.randint(2, 8)
        kept = [random_delay(dice, count) for _ in range(4)]
        moments = Moments(count)
        if moments.add(kept) is None:
            continue
        before = list(moments.lengths)
        addition = moments.add([random_delay(dice, count) for _ in range(3)])
        if addition is not None:
            moments.take_back(addition)
        assert (moments.lengths, moments.delays) == (before, kept)


def random_atom(dice: random.Random) -> Atom:
    return Atom(dice.randint(1, 2), 0, dice.choice(["<", "<=", ">=", ">"]), dice.randint(0, 4))


def test_of_each_choice_the_first_way_is_taken_that_leaves_one_for_the_others() -> None:
    dice = random.Random(3)
    solved = refused = 0
    for _ in range(400):
        schedule = Schedule(clocks=2)
        for _ in range(dice.randint(1, 5)):
            schedule.advance([random_atom(dice)] if dice.randrange(2) else [])
            if dice.randrange(3) == 0:
                schedule.exclude([random_atom(dice) for _ in range(dice.randint(1, 3))])
            schedule.reset({dice.randint(1, 2): 0} if dice.randrange(2) else {})
        ways = (Schedule(2, schedule.moments, [[way] for way in one]) for one in product(*schedule.parts))
        expected = next((found for way in ways if (found := way.solve()) is not None), None)
        found = schedule.solve()
        assert (found is None) == (expected is None)
        if found is None or expected is None:
            refused += 1
            continue
        solved += 1
        assert found == expected
    assert min(solved, refused) > 50


def test_a_run_of_many_steps_with_choices_at_each_is_solved() -> None:
    """Were each choice taken in a call of its own, or all later moments moved for it, that would have no end."""
    schedule = Schedule(clocks=2)
    for _ in range(20_000):
        schedule.advance([Atom(1, 0, ">=", 2), Atom(2, 0, "<=", 9)])
        schedule.exclude([Atom(2, 0, "<=", 5)], [[Atom(2, 0, "<=", 5)]])
        schedule.reset({1: 0, 2: 0})
    moments = schedule.solve()
    assert moments is not None
    assert moments[0] == 0
    assert all(Fraction(5) < later - earlier <= 9 for earlier, later in pairwise(moments))
