"""Timed steps that are asked for by their moves are those of a list of all, and invariants that are looked at when they
begin to count and cease to are those that are looked at all the time."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from random import Random

import pytest
from tests.languages.uppaal.timed_models import Shape, make_model, make_stopping, to_xta

from beeline.languages.uppaal import load_text
from beeline.model.semantics import Move
from beeline.model.source import BeelineError
from beeline.timed.invariants import Invariants
from beeline.timed.semantics import TimedSemantics, TimedState, TimedStep

BATCHES = 4
NETWORKS = 250  # of each batch
STEPS = 8
DELAYS = [Fraction(0), Fraction(0), Fraction(1, 2), Fraction(1), Fraction(2), Fraction(7, 2)]


def semantics_of(seed: int) -> TimedSemantics | None:
    dice = Random(seed)
    shape = Shape(priorities=seed % 4 == 1, differences=seed % 4 == 2)
    made = make_stopping(dice, priorities=seed % 8 == 0) if seed % 4 == 0 else make_model(dice, shape)
    try:
        return TimedSemantics(load_text(to_xta(made)))
    except BeelineError:
        return None


def near(
    state: TimedState, semantics: TimedSemantics, moves: tuple[Move, ...], dice: Random
) -> Iterator[tuple[Move, ...]]:
    pid = dice.randrange(len(state.discrete.processes))
    kind = state.discrete.processes[pid].kind
    other = Move(pid, kind, dice.randrange(max(1, len(semantics.timed.discrete.processes[kind].edges))))
    yield (other,)
    yield (*moves, other)
    yield (moves[0], other)
    yield moves[:-1]
    yield moves[::-1]


def told(step: TimedStep) -> tuple[object, ...]:
    return step.moves, step.target, None if step.error is None else step.error.message


def walk(semantics: TimedSemantics, dice: Random) -> tuple[int, int]:
    """Follows a random run; compares steps asked for by their moves with all steps. Returns how many were possible."""
    state = semantics.initial_state()
    possible = refused = 0
    for _ in range(STEPS):
        if state is None:
            break
        amount = dice.choice(DELAYS)
        state = semantics.delay(state, amount) if semantics.may_delay(state, amount) else state
        listed = {step.moves: told(step) for step in reversed(semantics.steps(state))}
        wrong = [moves for right in listed for moves in near(state, semantics, right, dice)]
        for moves in (*listed, *wrong):
            found = semantics.step(state, moves)
            assert (None if found is None else told(found)) == listed.get(moves)
            possible, refused = possible + (moves in listed), refused + (moves not in listed)
        targets = [step.target for step in semantics.steps(state) if step.target is not None]
        if not targets:
            break
        state = dice.choice(targets)
    return possible, refused


@pytest.mark.parametrize("batch", range(BATCHES))
def test_a_timed_step_is_possible_exactly_if_it_is_listed(batch: int) -> None:
    dice = Random(batch)
    made = [semantics_of(10_000 * batch + seed) for seed in range(NETWORKS)]
    counts = [walk(semantics, dice) for semantics in made if semantics is not None]
    assert sum(possible for possible, _ in counts) > 2 * NETWORKS
    assert sum(refused for _, refused in counts) > 2 * NETWORKS


def kept_at_every_moment(semantics: TimedSemantics, dice: Random) -> bool | None:
    """Whether a random run keeps its invariants, looked at step by step; both ways of looking must agree."""
    state = semantics.initial_state()
    if state is None:
        return None
    invariants = Invariants(semantics, state.discrete)
    plainly = tracked = True
    for _ in range(STEPS):
        amount = dice.choice(DELAYS)
        if not semantics.may_pass(state.discrete, amount):
            amount = Fraction(0)
        later = semantics.delay(state, amount)
        plainly = plainly and semantics.invariant_holds(later)
        steps = [step for step in semantics.steps(later) if step.target is not None]
        if not steps:
            state = later
            break
        step = dice.choice(steps)
        assert step.target is not None
        ceasing, beginning = invariants.follow(step.target.discrete, step.resets)
        tracked = tracked and all(atom.holds(later.clocks) for atom in ceasing)
        tracked = tracked and all(atom.holds(step.target.clocks) for atom in beginning)
        state = step.target
        plainly = plainly and semantics.invariant_holds(state)
    tracked = tracked and all(atom.holds(state.clocks) for atom in invariants.all())
    assert tracked == plainly
    return plainly


def test_invariants_are_kept_if_they_are_when_they_begin_to_count_and_cease_to() -> None:
    dice = Random(1)
    made = [semantics_of(seed) for seed in range(2 * NETWORKS)]
    kept = [kept_at_every_moment(semantics, dice) for semantics in made if semantics is not None]
    assert min(kept.count(True), kept.count(False)) > 20
