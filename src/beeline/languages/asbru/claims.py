"""What is asked of every guideline: structural properties of each plan, and its intentions.

The forms of termination, reachability, conditions without influence and wait states are those of Bäumler et al. (2006),
Fig. 6; of the twelve forms of intentions they give two (Fig. 7), the others are ours: docs/guidelines.md."""

from __future__ import annotations

from collections.abc import Iterator

from beeline.ctl.formula import Formula, atom, negation
from beeline.languages.asbru.guideline import (
    ABORTED,
    ACTIVATED,
    COMPLETED,
    CONSIDERED,
    INACTIVE,
    POSSIBLE,
    RUNNING,
    SELECTED,
    STATES,
    SUSPENDED,
    TERMINATED,
    TICK,
    Guideline,
    Intention,
    Plan,
)
from beeline.languages.asbru.moves import all_of, any_of, is_at
from beeline.model.expressions import Expression, Ref, negate
from beeline.properties.branching import Branching
from beeline.records import Record

STRUCTURAL, MEDICAL = "structural", "medical"
JUDGED = {
    "filter": CONSIDERED, "setup": POSSIBLE, "activate": SELECTED, "suspend": ACTIVATED, "reactivate": SUSPENDED,
    "complete": ACTIVATED, "abort": ACTIVATED,
}  # fmt: skip
"""The state of a plan in which each condition matters."""


class Claim(Record, frozen=True):
    """A question about a plan."""

    plan: str
    group: str
    asked: Branching


class _Atoms:
    """Gathers the propositions of a formula."""

    def __init__(self) -> None:
        self.found: dict[str, Expression] = {}

    def named(self, text: str, expression: Expression) -> Formula:
        self.found[text] = expression
        return atom(text)

    def at(self, plan: Plan, *states: int) -> Formula:
        text = " or ".join(STATES[state] for state in states)
        return self.named(f"{plan.written}={text}", is_at(plan, *states))

    def stable(self) -> Formula:
        return self.named(TICK, Ref(TICK))


def claims(guideline: Guideline) -> list[Claim]:
    """All questions about a guideline, plan by plan."""
    return [claim for plan in guideline.plans for claim in _Claims(guideline, plan).all()]


def _always(part: Formula) -> Formula:
    return Formula("AG", (part,))


def _at_last(part: Formula) -> Formula:
    return Formula("AF", (part,))


def _possibly(part: Formula) -> Formula:
    return Formula("EF", (part,))


def _implies(left: Formula, right: Formula) -> Formula:
    return Formula("implies", (left, right))


def _both(left: Formula, right: Formula) -> Formula:
    return Formula("and", (left, right))


class _Claims:
    def __init__(self, guideline: Guideline, plan: Plan) -> None:
        self.guideline, self.plan = guideline, plan
        self.plans = guideline.by_name

    def all(self) -> Iterator[Claim]:
        yield self.termination()
        yield from self.reachable()
        yield from self.waiting()
        yield from self.influence()
        yield from self.control()
        seen: dict[str, int] = {}
        for intention in self.plan.intentions:
            seen[intention.form] = seen.get(intention.form, 0) + 1
            number = seen[intention.form]
            yield self.intention(intention, intention.form if number == 1 else f"{intention.form}_{number}")

    def claim(self, kind: str, formula: Formula, atoms: _Atoms, group: str = STRUCTURAL) -> Claim:
        name = f"{self.plan.written}.{kind}"
        asked = Branching(
            name,
            str(formula),
            self.plan.source,
            part=group == STRUCTURAL,
            formula=formula,
            atoms=tuple(atoms.found.items()),
        )
        return Claim(self.plan.name, group, asked)

    # Structure

    def termination(self) -> Claim:
        atoms = _Atoms()
        begun = negation(atoms.at(self.plan, INACTIVE))
        return self.claim("termination", _always(_implies(begun, _at_last(atoms.at(self.plan, *TERMINATED)))), atoms)

    def reachable(self) -> Iterator[Claim]:
        for state in (CONSIDERED, POSSIBLE, SELECTED, ACTIVATED, COMPLETED):
            atoms = _Atoms()
            yield self.claim(STATES[state], _possibly(atoms.at(self.plan, state)), atoms)

    def waiting(self) -> Iterator[Claim]:
        """States in which a plan waits are left at last."""
        states = [CONSIDERED, POSSIBLE, SELECTED, ACTIVATED]
        for state in [*states, SUSPENDED] if "suspend" in self.plan.conditions else states:
            atoms = _Atoms()
            waits = atoms.at(self.plan, state)
            left = negation(waits)
            if state == POSSIBLE and "setup" in self.plan.conditions:
                over = any_of([self.plan.conditions["setup"], is_at(self.plan, *TERMINATED)])
                left = atoms.named(f"{self.plan.written} is set up or terminated", over)
            yield self.claim(f"leaves-{STATES[state]}", _always(_implies(waits, _at_last(left))), atoms)

    def influence(self) -> Iterator[Claim]:
        """No condition is always true, or always false, where it matters."""
        for kind, condition in self.plan.conditions.items():
            for wanted, value in (("satisfiable", condition), ("refutable", negate(condition))):
                atoms = _Atoms()
                judged = all_of(is_at(self.plan, JUDGED[kind]), value)
                sign = "" if wanted == "satisfiable" else "not "
                text = f"{self.plan.written}={STATES[JUDGED[kind]]} and {sign}{kind}-condition"
                yield self.claim(f"{kind}-{wanted}", _possibly(atoms.named(text, judged)), atoms)

    def control(self) -> Iterator[Claim]:
        if self.plan.order == "any-order" and self.plan.children:
            atoms = _Atoms()
            running = [is_at(child, *RUNNING) for child in self.plan.children]
            pairs = [all_of(one, other) for i, one in enumerate(running) for other in running[:i]]
            alone = atoms.named(f"at most one subplan of {self.plan.written} runs", negate(any_of(pairs)))
            yield self.claim("exclusive", _always(alone), atoms)
        parent = None if self.plan.parent is None else self.plans[self.plan.parent]
        if parent is not None and parent.retry:
            atoms = _Atoms()
            again = Formula("EX", (atoms.at(self.plan, CONSIDERED),))
            yield self.claim("retried", _possibly(_both(atoms.at(self.plan, ABORTED), again)), atoms)

    # Intentions

    def intention(self, intention: Intention, name: str) -> Claim:
        """States are judged where they are stable; actions happen in between, so that every micro-step counts."""
        atoms, about_state = _Atoms(), intention.condition is not None
        wanted = self.wanted(intention, atoms)
        here, done = atoms.at(self.plan, ACTIVATED), atoms.at(self.plan, COMPLETED)
        if about_state:
            here = _both(here, atoms.stable())
        kept = negation(wanted) if intention.goal == "avoid" else wanted
        if intention.goal == "achieve" and intention.span == "intermediate":
            met = _both(here, wanted)
            begins = atoms.at(self.plan, SELECTED)
            formula = _always(_implies(begins, Formula("AW", (negation(done), met))))
        elif intention.goal == "achieve":
            formula = _always(_implies(done, _at_last(_always(wanted) if about_state else wanted)))
        elif intention.span == "intermediate":
            formula = _always(_implies(here, kept))
        else:
            formula = _always(_implies(done, _always(_implies(atoms.stable(), kept) if about_state else kept)))
        return self.claim(name, formula, atoms, MEDICAL)

    def wanted(self, intention: Intention, atoms: _Atoms) -> Formula:
        if intention.condition is not None:
            return atoms.named(intention.text, intention.condition)
        action = self.plans[intention.action]
        return atoms.at(action, COMPLETED) if intention.goal == "achieve" else atoms.at(action, *RUNNING)
