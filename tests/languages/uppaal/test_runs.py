"""``A<> p``, ``E[] p`` and ``p --> q`` on zones, and the region oracle, give the same answers on random networks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random

import pytest
from tests.languages.uppaal.oracle import Oracle, State
from tests.languages.uppaal.timed_models import Bound, Model, Shape, make_model, to_xta

from beeline.checking import check_all
from beeline.languages.uppaal import load_text

EXAMPLES = 150  # for each of the shapes, three questions each
SHAPES = {
    "handshakes": Shape(most_clocks=2, largest=3, channels=("",)),
    "everything": Shape(most_clocks=2, largest=2),
    "broadcasts": Shape(most_clocks=2, largest=2, channels=("broadcast", "urgent broadcast")),
    "priorities": Shape(most_clocks=2, largest=2, priorities=True),
}
DIFFERENCES = Shape(most_clocks=2, largest=2, differences=True, channels=("",))
COMPUTED = Shape(most_clocks=2, largest=2, computed=True)


@dataclass(frozen=True)
class Formula:
    """A condition on states: its text, and what it says of a region."""

    text: str
    holds: Callable[[State], bool]
    bounds: tuple[Bound, ...] = ()


def make_formula(random: Random, model: Model, shape: Shape, unit: int, depth: int = 2) -> Formula:
    kind = random.choice(("place", "place", "variable", "clock", "not", "and", "or"))
    if kind in ("and", "or") and depth:
        one, other = (make_formula(random, model, shape, unit, depth - 1) for _ in range(2))
        every = kind == "and"

        def both(state: State) -> bool:
            return (one.holds(state) and other.holds(state)) if every else (one.holds(state) or other.holds(state))

        return Formula(f"({one.text} {kind} {other.text})", both, one.bounds + other.bounds)
    if kind == "not" and depth:
        inner = make_formula(random, model, shape, unit, depth - 1)
        return Formula(f"not ({inner.text})", lambda state: not inner.holds(state), inner.bounds)
    if kind == "clock":
        clock, operator = random.randrange(model.clocks), random.choice(("<", "<=", "==", ">=", ">"))
        other_clock = None
        if shape.differences and model.clocks > 1 and random.random() < 0.5:
            other_clock = random.choice([one for one in range(model.clocks) if one != clock])
        bound = Bound(clock, operator, random.randint(0, shape.largest), other_clock)
        return Formula(f"({bound.text(unit)})", lambda state: state.region.holds(bound), (bound,))
    if kind == "variable":
        value = random.randint(0, 2)
        return Formula(f"v == {value}", lambda state: state.variable == value)
    number = random.randrange(len(model.automata))
    place = random.randrange(len(model.automata[number].locations))
    return Formula(f"P{number}.s{place}", lambda state: state.locations[number] == place)


def compare(seed: int, shape: Shape, unit: int = 1) -> list[str]:
    """Asks three questions about a random network of zones and of regions; the answers, as reasons."""
    random = Random(seed)
    model = make_model(random, shape)
    p, q = (make_formula(random, model, shape, unit) for _ in range(2))
    queries = [f"A<> {p.text}", f"E[] {p.text}", f"{p.text} --> {q.text}"]
    oracle = Oracle(model, shape.largest)
    start = State((0,) * len(model.automata), 0, oracle.first_region())
    starts = [start] if oracle.reached else []
    promised = [state for state in oracle.reached if p.holds(state)]
    expected = [
        not oracle.some_run_avoids(starts, p.holds),
        oracle.some_run_avoids(starts, lambda state: not p.holds(state)),
        not oracle.some_run_avoids(promised, q.holds),
    ]
    network = load_text(to_xta(model, unit) + "".join(f"\nquery {{ {query} }}" for query in queries))
    results = check_all(network)
    answers = [{"holds": True, "violated": False}.get(result.verdict) for result in results]
    assert answers == expected, (seed, queries, expected, [str(one) for one in results], to_xta(model, unit))
    return [result.reason for result in results]


@pytest.mark.parametrize("name", SHAPES)
def test_zones_and_regions_agree_about_all_runs(name: str) -> None:
    reasons = {reason for seed in range(EXAMPLES) for reason in compare(seed, SHAPES[name])}
    assert reasons >= {"cycle", "Zeno cycle", "time passes for ever", "deadlock", "exhausted", "there is no such run"}


def test_differences_of_clocks_are_told_apart_on_cycles() -> None:
    reasons = {reason for seed in range(EXAMPLES) for reason in compare(seed, DIFFERENCES)}
    assert reasons >= {"cycle", "deadlock", "exhausted"}


@pytest.mark.parametrize("unit", [1, 1_000_000])
def test_bounds_by_variables_and_functions_agree_about_all_runs(unit: int) -> None:
    reasons = {reason for seed in range(EXAMPLES // 2) for reason in compare(seed, COMPUTED, unit)}
    assert reasons >= {"cycle", "deadlock", "exhausted", "there is no such run"}


@pytest.mark.slow
@pytest.mark.parametrize("name", [*SHAPES, "differences", "computed"])
def test_two_thousand_networks_have_the_runs_of_their_regions(name: str) -> None:
    shape = {**SHAPES, "differences": DIFFERENCES, "computed": COMPUTED}[name]
    for seed in range(10_000, 10_400):
        compare(seed, shape)
        compare(seed, replace(shape, most_clocks=1))
