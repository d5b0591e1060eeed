"""The plan for intensive phototherapy: what was forgotten in it, found and mended, and other checks of whole models."""

from __future__ import annotations

import gc
from itertools import product
from pathlib import Path
from random import Random
from weakref import ref

import pytest
from tests.guidelines.random_guidelines import random_guideline
from tests.guidelines.simulator import value

from beeline import check
from beeline.ctl import Labelling, Structure
from beeline.guidelines import Answer, check_guideline
from beeline.guidelines.chart import chart
from beeline.languages import ask, load
from beeline.languages.asbru import load_guideline, read_asbru, read_guideline
from beeline.languages.asbru.claims import STRUCTURAL, claims
from beeline.languages.asbru.dynamics import system_of
from beeline.languages.asbru.guideline import ACTIVATED, Guideline, Plan
from beeline.languages.asbru.syntax import ABOUT, GOALS, SPANS
from beeline.model.expressions import Expression
from beeline.symbolic.functions import Functions

MODELS = Path(__file__).parents[2] / "models" / "asbru"
INTENTION = "phototherapy-intensive.maintain-intermediate-state"
RETRY = """
parameter bad: boolean
plan treat
plan-body type=any-order, {retry}wait-for one
  drug
  rest
plan drug
conditions
  abort-condition: (bad)
plan-body user-performed
plan rest
conditions
  abort-condition: (bad)
plan-body user-performed
"""
TIMED = """
parameter fever: boolean
plan drug
intentions
  {intention}
conditions
  abort-condition: (fever in [[2h,-],[-,3h],[-,-]] SELF)
plan-body user-performed
"""


def answer(guideline: Guideline, name: str) -> Answer:
    (found,) = check_guideline(guideline, [name]).answers
    return found


def phototherapy() -> tuple[Guideline, Plan]:
    guideline = load_guideline(MODELS / "phototherapy.asbru")
    return guideline, guideline.by_name["phototherapy_intensive"]


def test_the_intention_fails_while_nothing_aborts_the_plan() -> None:
    guideline, plan = phototherapy()
    found = answer(guideline, INTENTION)
    assert (found.verdict, found.triage) == ("violated", "real")
    assert found.run is not None
    last = found.run.states[-1]
    assert last["tick"] == 1
    assert last[plan.name] == ACTIVATED
    assert not value(plan.conditions["abort"], dict(last))


def test_the_forgotten_cases_are_ten_in_two_families() -> None:
    """Of all values of the level, the failure of normal phototherapy and the three signals."""
    guideline, plan = phototherapy()
    intended = plan.intentions[1].condition
    assert intended is not None
    decrease, less, no = (timer.name for timer in guideline.timers)
    forgotten = []
    for intensive, failure, yes, change, worse in product((0, 1), repeat=5):
        world = {"bilirubin": 2 * intensive, "normal_phototherapy_failure": failure}
        world |= {decrease: yes, less: change, no: worse}
        if not holds(intended, world) and not holds(plan.conditions["abort"], world):
            forgotten.append((intensive, failure, yes, change, worse))
    first = [case for case in forgotten if not case[0]]
    second = [case for case in forgotten if case[0]]
    assert len(forgotten) == 10
    assert all(failure and (not yes or less_one) for _, failure, yes, less_one, _ in first)
    assert all(not yes and not worse for _, _, yes, _, worse in second)


def holds(expression: Expression, world: dict[str, int]) -> bool:
    return bool(value(expression, world))


def test_the_mended_plan_keeps_its_intention() -> None:
    mended = load_guideline(MODELS / "phototherapy_mended.asbru")
    assert answer(mended, INTENTION).verdict == "holds"
    network = load(MODELS / "phototherapy_mended.asbru")
    assert check(network, ask(network, INTENTION)).verdict == "holds"


def test_plans_in_any_order_run_one_at_a_time() -> None:
    guideline, _ = phototherapy()
    assert answer(guideline, "regular-treatments.exclusive").verdict == "holds"
    both = "A[] !(drug == activated && rest == activated)"
    for order, verdict in (("any-order", "holds"), ("unordered", "violated")):
        network = read_asbru(RETRY.format(retry="").replace("any-order", order))
        assert check(network, ask(network, both)).verdict == verdict


@pytest.mark.parametrize(("retry", "verdict"), [("", "violated"), ("retry-aborted-subplans=yes, ", "holds")])
def test_only_a_retry_activates_a_plan_again(retry: str, verdict: str) -> None:
    network = read_asbru(RETRY.format(retry=retry))
    again = ask(network, "ctl: EF (drug=aborted && EF drug=activated)")
    assert check(network, again).verdict == verdict
    assert check(network, again, engine="bdd").verdict == verdict


def test_about_twelve_structural_questions_are_asked_of_a_plan() -> None:
    guideline = load_guideline(MODELS / "jaundice.asbru")
    structural = [claim for claim in claims(guideline) if claim.group == STRUCTURAL]
    assert 11 <= len(structural) / len(guideline.plans) <= 13
    assert len(guideline.plans) >= 30


def test_a_spurious_run_is_told_and_refined_away() -> None:
    """Freely chosen, the annotation may be false after it was true; the plan may then still run when it is over."""
    text = TIMED.format(intention="maintain-intermediate-state: (not (fever in [[2h,-],[-,2h],[-,-]] SELF))")
    found = answer(read_guideline(text), "drug.maintain-intermediate-state")
    assert found.verdict == "holds"
    assert found.spurious
    assert set(found.timers) == set(found.spurious)


def test_a_real_run_is_told() -> None:
    text = TIMED.format(intention="maintain-intermediate-state: (not fever)")
    found = answer(read_guideline(text), "drug.maintain-intermediate-state")
    assert (found.verdict, found.triage, found.model) == ("violated", "real", "over-approximation")


@pytest.mark.parametrize("seed", range(25))
def test_refinement_comes_to_the_answers_of_the_exact_model(seed: int) -> None:
    guideline = read_guideline(random_guideline(Random(1000 + seed)))
    asked = claims(guideline)
    atoms = {name: expression for claim in asked for name, expression in claim.asked.atoms}
    exact = Functions(system_of(guideline, [timer.name for timer in guideline.timers]), atoms)
    labelling = Labelling(exact)
    for found in check_guideline(guideline).answers:
        expected = exact.has(labelling.holding(found.claim.asked.formula), exact.start)
        assert (found.verdict == "holds") == expected, found.claim.asked.name


def test_who_leaves_something_undone_is_named() -> None:
    guideline = read_guideline("plan rest plan-body user-performed")
    (found,) = check_guideline(guideline, ["rest.termination"], fair=True).answers
    assert found.verdict == "violated"
    assert found.undone == ("rest",)
    assert found.only_unfair


def test_a_timer_that_a_question_does_not_depend_on_makes_no_run_spurious() -> None:
    text = """
    plan both plan-body type=unordered, wait-for one
      one
      other
    plan one plan-body user-performed
    plan other conditions filter-condition: (false) setup-condition: (true in [[4h,-],[-,-],[-,-]] both)
    plan-body user-performed
    """
    found = answer(read_guideline(text), "one.termination")
    assert found.verdict == "violated"
    assert not found.spurious
    assert found.undone == ("one",)


def test_a_model_is_gone_when_nobody_needs_it() -> None:
    guideline, _ = phototherapy()
    gc.disable()
    try:
        model = Functions(system_of(guideline, []), {})
        left = ref(model)
        del model
        assert left() is None
    finally:
        gc.enable()


@pytest.mark.parametrize("seed", range(6))
def test_chained_fixpoints_are_those_of_all_steps_at_once(seed: int) -> None:
    guideline = read_guideline(random_guideline(Random(2000 + seed)))
    asked = claims(guideline)
    atoms = {name: expression for claim in asked for name, expression in claim.asked.atoms}
    chained = Functions(system_of(guideline, []), atoms)
    for claim in asked[:20]:
        states = chained.where(claim.asked.atoms[0][0])
        assert chained.staying(states) == Structure.staying(chained, states)
        way = chained.without(chained.everything, states)
        assert chained.union(chained.until(way, states)) == chained.union(Structure.until(chained, way, states))


def test_the_chart_has_a_row_for_each_plan_and_parameter() -> None:
    guideline, _ = phototherapy()
    found = answer(guideline, INTENTION)
    assert found.run is not None
    drawn = chart(guideline, found.run)
    assert all(f"\n{name} " in drawn for name in ("phototherapy-intensive", "bilirubin", "TSB-change"))


@pytest.mark.parametrize("form", ["-".join(words) for words in product(GOALS, SPANS, ABOUT)])
def test_every_form_of_intention_can_hold_and_fail(form: str) -> None:
    """Of a plan that must be carried out, and of one that never is."""
    about = ("true", "false") if form.endswith("state") else ("sub", "never")
    text = "plan main intentions {form}: {what} plan-body type=sequential, wait-for sub sub never " \
           "plan sub plan-body type=sequential leaf plan leaf plan-body user-performed " \
           "plan never conditions filter-condition: false plan-body user-performed"  # fmt: skip
    verdicts = [answer(read_guideline(text.format(form=form, what=what)), f"main.{form}").verdict for what in about]
    positive = {"achieve": ["holds", "violated"], "avoid": ["violated", "holds"]}
    if form in ("maintain-intermediate-action", "maintain-overall-action"):
        assert verdicts == ["violated", "violated"]  # an action that is over is not maintained
    elif form == "avoid-overall-action":
        assert verdicts == ["holds", "holds"]
    else:
        assert verdicts == positive.get(form.split("-")[0], ["holds", "violated"])
