"""Systems of linear inequalities: solutions satisfy them, and where none is found there is none."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from beeline.timed.linear import Inequality, System

VARIABLES = (1, 2, 3)


@st.composite
def inequalities(draw: st.DrawFn) -> list[Inequality]:
    factors = st.dictionaries(st.sampled_from(VARIABLES), st.integers(-2, 2).filter(bool), min_size=1)
    one = st.builds(Inequality, factors, st.integers(-4, 6), st.booleans())
    return draw(st.lists(one, min_size=1, max_size=7))


def holds(inequality: Inequality, values: Mapping[int, Any]) -> bool:
    total = sum(factor * values[variable] for variable, factor in inequality.sum.items())
    return bool(total < inequality.bound if inequality.strict else total <= inequality.bound)


def solution_by_elimination(system: list[tuple[tuple[int, ...], int, bool]]) -> bool:
    """Whether ``factors * x <= bound`` (strict or not) can be satisfied, by taking out one variable after another
    (Fourier and Motzkin)."""
    for at in range(len(VARIABLES)):
        above = [one for one in system if one[0][at] > 0]
        below = [one for one in system if one[0][at] < 0]
        system = [one for one in system if one[0][at] == 0]
        for (upper, high, strict), (lower, low, also) in product(above, below):
            p, q = upper[at], -lower[at]
            mixed = tuple(q * u + p * v for u, v in zip(upper, lower, strict=True))
            system.append((mixed, q * high + p * low, strict or also))
        system = list(dict.fromkeys(system))
    return all(bound > 0 or (bound == 0 and not strict) for _, bound, strict in system)


@settings(max_examples=400)
@given(inequalities())
def test_a_system_is_solved_exactly_if_it_can_be(given_inequalities: list[Inequality]) -> None:
    system = System()
    for inequality in given_inequalities:
        system.add(inequality)
    rows = [(tuple(one.sum.get(v, 0) for v in VARIABLES), one.bound, one.strict) for one in given_inequalities]
    rows += [(tuple(-int(v == own) for v in VARIABLES), 0, False) for own in VARIABLES]
    found = system.solve()
    assert found == solution_by_elimination(rows)
    if found:
        values = dict(zip(VARIABLES, system.values(VARIABLES), strict=True))
        assert all(value >= 0 for value in values.values())
        assert all(holds(one, dict(values)) for one in given_inequalities)


@settings(max_examples=200)
@given(inequalities(), inequalities())
def test_a_copy_goes_its_own_way(first: list[Inequality], second: list[Inequality]) -> None:
    system = System()
    for inequality in first:
        system.add(inequality)
    possible = system.solve()
    before = system.values(VARIABLES) if possible else []
    other = system.copy()
    for inequality in second:
        other.add(inequality)
    both, again = other.solve(), System()
    for inequality in [*first, *second]:
        again.add(inequality)
    assert both == again.solve() or not possible
    assert not possible or system.values(VARIABLES) == before
