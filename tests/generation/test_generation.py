"""Tests from models: they never blame the specification, and find what is wrong with others."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from beeline.conformance.cases import Next, TestCase, covering, towards
from beeline.conformance.driver import Nonconforming, check_case, run_case
from beeline.conformance.graph import FAIL, INCONCLUSIVE, PASS, complete_graph, distances
from beeline.conformance.ioco import nonconforming
from beeline.conformance.suspension import QUIET, Suspension, suspension_of
from beeline.languages import load
from beeline.lts import TAU, Lts, label_by_event, lts_of
from beeline.mu.parser import parse_runs
from beeline.simulate import NetworkWorld

FOLDER = Path(__file__).parents[2] / "models" / "testing"
MUTANTS = 200


def is_stimulus(label: str) -> bool:
    return label.startswith("?")


def random_lts(chance: random.Random) -> Lts:
    states = chance.randint(2, 7)
    labels = ["?a", "?b", "x", "y", TAU]
    arcs = [(chance.randrange(states), chance.choice(labels), chance.randrange(states)) for _ in range(3 * states)]
    return Lts.of(states, 0, arcs)


def verdicts(case: TestCase, implementation: Suspension) -> set[str]:
    """All verdicts that a test can come to on an implementation, which ignores stimuli that it does not know."""
    found: set[str] = set()
    seen: set[tuple[int, int]] = {(0, 0)}
    waiting = [(0, 0)]

    def reach(following: Next, state: int) -> None:
        if isinstance(following, str):
            found.add(following)
        elif (following, state) not in seen:
            seen.add((following, state))
            waiting.append((following, state))

    while waiting:
        at, state = waiting.pop()
        step = case.states[at]
        if step.outputs is None:
            reach(step.then, implementation.rows[state].get(step.stimulus, state))
        else:
            for label in implementation.outputs(state):
                reach(case.follow(at, label), implementation.rows[state][label])
    return found


def walk_model() -> Suspension:
    world = NetworkWorld(load(FOLDER / "walk.pml"))
    return suspension_of(lts_of(world, label_by_event(world)), lambda label: label.startswith("ask("))


def test_silence_is_rest_or_endless_hidden_work() -> None:
    lts = Lts.of(4, 0, [(0, "?a", 1), (1, "x", 2), (2, TAU, 3), (3, TAU, 2)])
    assert suspension_of(lts, is_stimulus).rows == ({"?a": 1, QUIET: 0}, {"x": 2}, {QUIET: 2})


def test_generated_tests_never_blame_the_specification() -> None:
    chance = random.Random(25)
    purposes = ["-*.x", "-*.?a.(not y)*.x", "-.-.-", "(not x)*.y.-*.x", "-*.quiet.-"]
    with_purpose = 0
    for _ in range(200):
        specification = suspension_of(random_lts(chance), is_stimulus)
        for case in covering(specification, chance.randint(0, 1))[:30]:
            assert FAIL not in verdicts(case, specification) and PASS in verdicts(case, specification)
        graph = complete_graph(specification, parse_runs(chance.choice(purposes).replace("?a", '"?a"')))
        if graph is not None:
            with_purpose += 1
            case = towards(graph)
            assert FAIL not in verdicts(case, specification) and PASS in verdicts(case, specification)
    assert with_purpose > 50


def test_graphs_are_what_their_formula_says() -> None:
    """Every state of a graph leads to acceptance, and every output has a place in every state that waits for one."""
    chance = random.Random(52)
    compared = 0
    for _ in range(200):
        specification = suspension_of(random_lts(chance), is_stimulus)
        graph = complete_graph(specification, parse_runs('-*.x.-*."?a".-*.y'))
        if graph is None:
            continue
        compared += 1
        for state in range(len(graph.rows)):
            if state not in graph.accepting:
                assert any(to is not None for to in graph.rows[state].values())
        arcs = [{label: to for label, to in row.items() if to is not None} for row in graph.rows]
        assert distances(arcs, set(graph.accepting)) == dict(enumerate(graph.distance))
        lts = graph.lts()
        for label, states in (("PASS", graph.accepting), ("INCONCLUSIVE", {len(graph.rows)})):
            assert {source for source, text, to in lts.arcs if text == label and source == to} == states
        assert len(lts.arcs) == sum(map(len, graph.rows)) + len(graph.accepting) + 1
        case = towards(graph)
        for step in case.states:
            assert (step.outputs is None) == bool(step.stimulus)
            if step.outputs is not None:
                assert set(step.outputs.values()) <= {PASS, INCONCLUSIVE, *range(len(case.states))}
    assert compared > 30


def test_possible_acceptance_is_the_same_as_its_greatest_fixpoint() -> None:
    """Joubert and Mateescu's two formulas agree on every state."""
    chance = random.Random(3)
    for _ in range(200):
        arcs = [{str(n): chance.randrange(8) for n in range(chance.randint(0, 3))} for _ in range(8)]
        accepting = {state for state in range(8) if chance.random() < 0.2}
        can = set(distances(arcs, accepting))
        strong = set(range(8))
        while True:
            kept = {s for s in strong if s in can and all(t not in can or t in strong for t in arcs[s].values())}
            if kept == strong:
                break
            strong = kept
        assert strong == can


def mutant(chance: random.Random, specification: Suspension) -> Suspension:
    """The specification with one arc that leads elsewhere, or one output that is another one, or silence."""
    rows = [dict(row) for row in specification.rows]
    state = chance.randrange(len(rows))
    label = chance.choice(sorted(rows[state]))
    if specification.is_stimulus(label) or chance.random() < 0.5:
        rows[state][label] = chance.randrange(len(rows))
    else:
        every = {label for row in rows for label in row if not specification.is_stimulus(label)}
        rows[state][chance.choice(sorted(every - {label}))] = rows[state].pop(label)
    return Suspension(tuple(rows), specification.is_stimulus)


def test_nine_of_ten_mutants_are_killed() -> None:
    specification, chance = walk_model(), random.Random(7)
    cases = covering(specification)
    killed = different = 0
    while different < MUTANTS:
        other = mutant(chance, specification)
        if nonconforming(other, specification) is not None:
            different += 1
            killed += any(FAIL in verdicts(case, other) for case in cases)
    assert killed >= 0.9 * MUTANTS


def test_what_conforms_is_never_killed() -> None:
    specification, chance = walk_model(), random.Random(8)
    cases = covering(specification)
    alike = 0
    for _ in range(400):
        other = mutant(chance, specification)
        if nonconforming(other, specification) is None:
            alike += 1
            assert not any(FAIL in verdicts(case, other) for case in cases)
    assert alike > 0


class Echo:
    def __init__(self, answer: str) -> None:
        self._answer, self._waiting = answer, False

    def stimulate(self, label: str) -> None:
        self._waiting = True

    def observe(self) -> str | None:
        self._waiting, due = False, self._waiting
        return self._answer if due else None


def test_a_failure_says_what_was_allowed() -> None:
    (case,) = covering(suspension_of(Lts.of(2, 0, [(0, "?a", 1), (1, "x", 0)]), is_stimulus), 0)[1:]
    assert run_case(case, Echo("x"))[0] == PASS
    with pytest.raises(Nonconforming, match=r"after \?a: y, allowed: x"):
        check_case(case, Echo("y"))


def test_cases_are_read_as_they_were_written() -> None:
    for case in covering(walk_model(), 0)[:50]:
        assert TestCase.from_object(json.loads(json.dumps(case.as_object()))) == case


@pytest.mark.parametrize(("adapter", "fails"), [("WalkAdapter", False), ("ForgetfulAdapter", True)])
def test_our_walks_conform_and_a_planted_bug_is_found(adapter: str, fails: bool, tmp_path: Path) -> None:
    file = tmp_path / "test_walk.py"
    asked = ["--stimulus", "ask(*)", "--further", "0", "--form", "pytest", "--adapter", f"walk_adapter:{adapter}"]
    run = [sys.executable, "-c", "import beeline.start; beeline.start.command()", "tests"]
    subprocess.run([*run, str(FOLDER / "walk.pml"), "-D", "MOST=2", *asked, "-o", str(file)], check=True)
    where = {**os.environ, "PYTHONPATH": str(FOLDER)}
    found = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", str(tmp_path), str(file)],
        env=where, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert found.returncode == int(fails), found.stdout
    assert ("Nonconforming" in found.stdout) == fails
