"""Formulas of the mu-calculus on networks: what sets of states say by definition, and evidence that is checked."""

from __future__ import annotations

import os
import random
from collections import Counter
from pathlib import Path

import pytest
from tests.ctl.test_networks import ATOMS, random_formula
from tests.mu.naive import Naive, TooMany, successors_of
from tests.networks import Sampler

from beeline import check
from beeline.compile.program import compile_network
from beeline.ctl.formula import TRUE, Formula, atom
from beeline.engine import Limits
from beeline.languages import load
from beeline.lts.step_labels import StepLabels
from beeline.model.network import Network
from beeline.model.semantics import Semantics
from beeline.model.source import ModelError
from beeline.mu.actions import ANY, Actions, Regular
from beeline.mu.formula import fixpoint, modality, variable
from beeline.properties.modal import Modal, read_modal
from beeline.records import replace

MODELS = Path(__file__).parents[2] / "models"
NETWORKS = int(os.environ.get("BEELINE_MU", "300"))  # BEELINE_MU=5000 asks for a long run
FEW = Limits(states=1500)
Chance = random.Random


def random_actions(chance: Chance, labels: list[str]) -> Actions:
    match chance.randrange(4):
        case 0:
            return ANY
        case 1:
            return Actions("not", (random_actions(chance, labels),))
        case 2:
            return Actions("or", (random_actions(chance, labels), random_actions(chance, labels)))
    return Actions("label", (), f'"{chance.choice(labels).replace(chr(34), "*")}"')


def random_steps(chance: Chance, labels: list[str], depth: int) -> Regular:
    kind = chance.choice(["actions", "actions", "sequence", "choice", "star", "plus", "option"]) if depth else "actions"
    if kind == "actions":
        return Regular("actions", (), random_actions(chance, labels))
    parts = tuple(random_steps(chance, labels, depth - 1) for _ in range(1 + (kind in ("sequence", "choice"))))
    return Regular(kind, parts)


def random_modal(chance: Chance, labels: list[str], bound: tuple[str, ...], depth: int) -> Formula:
    if depth == 0:
        return chance.choice([TRUE, *map(atom, ATOMS), *map(variable, bound), *map(variable, bound)])

    def part(more: tuple[str, ...] = ()) -> Formula:
        return random_modal(chance, labels, bound + more, depth - 1)

    match chance.randrange(8):
        case 0 | 1:
            return modality(chance.choice(["can", "must"]), random_steps(chance, labels, 2), part())
        case 2 | 3:
            return Formula(chance.choice(["and", "or"]), (part(), part()))
        case 4:
            return Formula("not", (random_modal(chance, labels, (), depth - 1),))
    name = f"X{len(bound)}"
    return fixpoint(chance.choice(["mu", "nu"]), name, part((name,)))


def unwatched(network: Network) -> Network:
    return network.alone


def interrupted(network: Network) -> Network:
    """CTL does not look at states in the middle of uninterrupted runs: there are none here."""
    processes = tuple(
        replace(process, edges=tuple(replace(edge, keeps_control=False) for edge in process.edges))
        for process in network.processes
    )
    return replace(network, processes=processes)


def question(network: Network, formula: Formula) -> Modal:
    atoms = dict(read_modal(network, f"mu: {' and '.join(ATOMS)}").atoms)
    return Modal("asked", "asked", formula=formula, atoms=tuple(atoms.items()))


@pytest.mark.parametrize("batch", range(5))
def test_answers_are_those_of_the_definition(batch: int) -> None:
    seen: Counter[str] = Counter()
    for seed in range(batch * NETWORKS // 5, (batch + 1) * NETWORKS // 5):
        network, chance = unwatched(Sampler(seed).network()), random.Random(seed)
        semantics, labels = Semantics(network), StepLabels(compile_network(network))
        try:
            states, arcs, initial = successors_of(labels, semantics, 150)
        except TooMany:
            continue
        known = sorted({label for row in arcs for label, _ in row} | {"tau"})
        formula = random_modal(chance, known, (), 4)
        asked = question(network, formula)
        atoms = dict(asked.atoms)

        def holds(name: str, number: int) -> bool:
            state = states[number]  # noqa: B023
            return state is not None and semantics.holds(atoms[name], state)  # noqa: B023

        true = Naive(arcs, holds).states(formula, {})
        expected = "holds" if true.issuperset(range(initial)) else "violated"
        search = chance.choice(["bfs", "bfs", "dfs", "greedy", "astar"])
        threads = chance.choice([1, 2, 3]) if search == "bfs" else 1
        found = check(network, asked, search=search, threads=threads)
        assert found.verdict == expected, (seed, str(formula), found.reason)
        seen[expected] += 1
        seen["mixed"] += asked.system.alternates
        seen["shared"] += found.threads > 1
        assert (found.threads > 1) == (threads > 1 and not asked.system.alternates)
    assert min(seen[key] for key in ("holds", "violated", "mixed", "shared")) > NETWORKS // 100


def test_operators_of_ctl_mean_what_they_mean_there() -> None:
    verdicts: Counter[str] = Counter()
    for seed in range(NETWORKS):
        network = interrupted(unwatched(Sampler(seed).network()))
        formula = random_formula(random.Random(seed), 3)
        expected = check(network, f"ctl: {formula}", limits=FEW)
        fails = expected.verdict == "violated" and "the formula fails" not in expected.reason
        if expected.verdict == "unknown" or fails:
            continue  # a step that fails violates every formula of CTL
        found = check(network, f"mu: {formula}", limits=FEW)
        if found.verdict != "unknown":
            assert found.verdict == expected.verdict, (seed, str(formula))
            verdicts[found.verdict] += 1
    assert min(verdicts["holds"], verdicts["violated"]) > NETWORKS // 30


ALTERNATING = MODELS / "promela" / "alternating_bit.pml"


@pytest.mark.parametrize(
    ("formula", "verdict", "steps", "cycle"),
    [
        ("nu X. (<-> true and [-] X)", "holds", None, None),
        ('<true*."forth!*"."forth?*".tau*."back!*"> true', "holds", 6, None),
        ('[true*."forth!2,*"] false', "violated", 24, None),
        ('nu X. mu Y. (<"forth!*"> X or <not "forth!*"> Y)', "holds", 3, 0),
        ('nu X. [-] (X and mu Y. (<-> true and [not "back!*"] Y))', "violated", 3, 0),
        ("AG EF turn == 1", "holds", None, None),
    ],
)
def test_the_alternating_bit(formula: str, verdict: str, steps: int | None, cycle: int | None) -> None:
    result = check(ALTERNATING, f"mu: {formula}".replace("turn == 1", "Sender.turn == 1"))
    assert result.verdict == verdict
    if steps is None:
        assert result.trace is None
    else:
        assert result.trace is not None and (len(result.trace), result.trace.cycle) == (steps, cycle)


def test_a_step_that_fails_has_a_label(tmp_path: Path) -> None:
    model = tmp_path / "fails.pml"
    model.write_text("byte x; active proctype P() { x = 1; assert(x == 2) }")
    result = check(model, "mu: [true*.error] false")
    assert result.verdict == "holds"  # a model without channels: labels tell who does what
    result = check(model, "mu: [true*.'*error: *'] false")
    assert result.verdict == "violated" and result.trace is not None and result.trace.steps[-1].error


def test_a_near_violation_is_found_in_few_states() -> None:
    network = load(MODELS / "promela" / "philosophers.pml")
    near = check(network, "mu: [-] false", search="bfs")
    assert near.verdict == "violated" and near.statistics.stored < 10
    assert check(network, "mu: nu X. (<-> true and [-] X)", search="bfs").statistics.stored < 300


def test_estimates_lead_to_states_that_decide() -> None:
    model = MODELS / "promela" / "peterson.pml"
    blind = check(model, "mu: EF critical == 1", search="bfs")
    led = check(model, "mu: EF critical == 1", search="greedy", heuristic="hU")
    assert blind.verdict == led.verdict == "holds" and led.heuristic == "hU"
    assert led.statistics.stored <= blind.statistics.stored


def test_limits_are_kept() -> None:
    result = check(MODELS / "promela" / "peterson.pml", "mu: AG EF critical == 1", limits=Limits(states=1000))
    assert (result.verdict, result.reason) == ("unknown", "state limit")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("mu: nu X. (critcal == 1 and [-] X)", "critcal"),
        ("mu: [a b] true", "`]` is missing here"),
        ("mu: nu X. not X", "odd number of times"),
        ("mu: <a.> true", "a set of labels is missing"),
        ("mu: [not a*.b] Y", "Y"),
        ("mu: <not (a.b)> true", "sets of single steps"),
        ("mu:", "the formula is empty"),
    ],
)
def test_mistakes_are_told(text: str, message: str) -> None:
    with pytest.raises(ModelError, match="--property") as caught:
        check(MODELS / "promela" / "peterson.pml", text)
    assert message in str(caught.value)
