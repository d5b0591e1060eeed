"""What the statechart of each plan can do in a micro-step; docs/guidelines.md says it in words.

A micro-step is a move of the first plan that has one, in the order of the tree. The conditions of a plan's moves
exclude each other. Within a macro-step a plan only goes forward: restarts, repetitions and reactivations come before
everything else, once for each plan, so that every macro-step comes to an end. Where subplans go in any order, their
parent decides at the end which one of those that are selected is activated."""

from __future__ import annotations

from beeline.languages.asbru import syntax
from beeline.languages.asbru.guideline import (
    ABORTED,
    ACTIVATED,
    COMPLETED,
    CONSIDERED,
    INACTIVE,
    POSSIBLE,
    REJECTED,
    RUNNING,
    SELECTED,
    SELECTING,
    SUSPENDED,
    TERMINATED,
    Guideline,
    Plan,
)
from beeline.model.expressions import FALSE, TRUE, Binary, Expression, Literal, Ref, conjunction, negate
from beeline.records import Record

MOVER = "mover"
"""The choice of who moves: the number of a turn, from 1 on."""


class Move(Record, frozen=True):
    """Where a condition holds, a plan goes to a state; one that is `early` comes before those that are not. `decided`
    by the parent: whose turn it is."""

    condition: Expression
    target: int
    early: bool = False
    decided: Expression = TRUE


class Turn(Record, frozen=True):
    """When somebody may move: the first one of whom that is true does."""

    condition: Expression
    early: bool


def is_at(plan: Plan | str, *states: int) -> Expression:
    """Whether a plan is in one of some states."""
    state = Ref(plan if isinstance(plan, str) else plan.name)
    return any_of([Binary("==", state, Literal(number)) for number in states])


def any_of(parts: list[Expression]) -> Expression:
    """One of `parts`; `FALSE` for none."""
    parts = [part for part in parts if part != FALSE]
    if TRUE in parts:
        return TRUE
    if len(parts) > 2:  # a tree, so that it is not nested deeply
        half = len(parts) // 2
        return Binary("||", any_of(parts[:half]), any_of(parts[half:]))
    return FALSE if not parts else parts[0] if len(parts) == 1 else Binary("||", parts[0], parts[1])


def all_of(*parts: Expression) -> Expression:
    """All of `parts`."""
    return FALSE if FALSE in parts else conjunction([part for part in parts if part != TRUE])


def turn_of(plan: Plan) -> str:
    """The choice of which subplan of a plan in any order is next."""
    return f"{plan.name}_turn"


def done_of(plan: Plan) -> str:
    """The variable that says that the user has done what a plan is about."""
    return f"{plan.name}_done"


class Moves:
    """The moves of all plans of a guideline."""

    def __init__(self, guideline: Guideline) -> None:
        self._plans = guideline.by_name
        self.turns: list[Turn] = []
        self.of: dict[str, list[Move]] = {}
        """The moves of each plan, as they are in its turn."""
        raw = {plan.name: self._moves(plan) for plan in guideline.plans}
        for early in (True, False):
            for plan in guideline.plans:
                self._own_turn(plan, [move for move in raw[plan.name] if move.early == early and move.decided == TRUE])
        for plan in guideline.plans:
            if plan.order == syntax.ANY_ORDER:
                self._decide(plan, raw)

    def _own_turn(self, plan: Plan, moves: list[Move]) -> None:
        if moves:
            self._take_turn(moves[0].early, [(plan.name, move) for move in moves])

    def _decide(self, parent: Plan, raw: dict[str, list[Move]]) -> None:
        """The turn in which a plan lets one of its subplans begin."""
        moves = [(child, move) for child in parent.children for move in raw[child] if move.decided != TRUE]
        if moves:
            self._take_turn(False, moves)

    def _take_turn(self, early: bool, moves: list[tuple[str, Move]]) -> None:
        self.turns.append(Turn(any_of([move.condition for _, move in moves]), early))
        now = Binary("==", Ref(MOVER), Literal(len(self.turns)))
        for name, move in moves:
            chosen = Move(all_of(now, move.decided, move.condition), move.target, move.early)
            self.of.setdefault(name, []).append(chosen)

    def condition(self, plan: Plan, kind: str) -> Expression:
        """One of its conditions, or what stands for it where none is given."""
        if kind in plan.conditions:
            return plan.conditions[kind]
        if kind == "reactivate":
            return negate(self.condition(plan, "suspend"))
        return FALSE if kind in ("suspend", "abort") else TRUE

    def to(self, plan: Plan, *targets: int) -> Expression:
        """Whether a plan goes to one of some states now."""
        return any_of([move.condition for move in self.of.get(plan.name, []) if move.target in targets])

    def frozen(self, plan: Plan) -> Expression:
        """Whether a plan above is suspended: nothing below it moves."""
        above, found = plan.parent, []
        while above is not None:
            found.append(is_at(above, SUSPENDED))
            above = self._plans[above].parent
        return any_of(found)

    def _moves(self, plan: Plan) -> list[Move]:
        if plan.parent is None:
            return self._own_moves(plan, TRUE)
        parent = self._plans[plan.parent]
        unfinished = tuple(state for state in SELECTING if state != INACTIVE)
        over = is_at(parent, *TERMINATED)
        begins = all_of(is_at(parent, *SELECTING), negate(is_at(plan, INACTIVE)))
        return [
            Move(begins, INACTIVE),
            Move(all_of(over, is_at(plan, *RUNNING)), ABORTED),
            Move(all_of(over, is_at(plan, *unfinished)), REJECTED),
            *self._own_moves(plan, all_of(is_at(parent, ACTIVATED), negate(self.frozen(plan)))),
        ]

    def _own_moves(self, plan: Plan, free: Expression) -> list[Move]:
        """What a plan does by itself while its parent runs."""

        def asks(kind: str) -> Expression:
            return self.condition(plan, kind)

        def given(state: int, *conditions: Expression) -> Expression:
            return all_of(is_at(plan, state), *conditions, free)

        setup = asks("setup")
        ends = any_of([asks("abort"), self.failed(plan)])
        completes = all_of(self.done(plan), asks("complete"))
        again = self.again(plan)
        decided, activate = self.decided(plan), all_of(asks("activate"), self.signal(plan))
        moves = [
            Move(given(INACTIVE, self.considered(plan)), CONSIDERED),
            Move(given(CONSIDERED, asks("filter")), POSSIBLE),
            Move(given(CONSIDERED, negate(asks("filter"))), REJECTED),
            Move(given(POSSIBLE, setup), SELECTED),
            Move(given(SELECTED, activate), ACTIVATED, decided=decided),
            Move(given(ACTIVATED, ends), ABORTED),
            Move(given(ACTIVATED, negate(ends), completes), COMPLETED),
            Move(all_of(is_at(plan, *again), self.restarts(plan), free) if again else FALSE, CONSIDERED, early=True),
        ]
        if "suspend" in plan.conditions:
            moves += [
                Move(given(ACTIVATED, negate(ends), negate(completes), asks("suspend")), SUSPENDED),
                Move(given(SUSPENDED, ends), ABORTED),
                Move(given(SUSPENDED, negate(ends), asks("reactivate")), ACTIVATED, early=True),
            ]
        return [move for move in moves if move.condition != FALSE]

    # What the parent's control says

    def considered(self, plan: Plan) -> Expression:
        """The signal `consider`."""
        if plan.parent is None or self._plans[plan.parent].order != syntax.SEQUENTIAL:
            return TRUE
        parent = self._plans[plan.parent]
        earlier = parent.children[: parent.children.index(plan.name)]
        return all_of(*(self.over(parent, child) for child in earlier))

    def signal(self, plan: Plan) -> Expression:
        """The signal `activate`."""
        if plan.parent is None:
            return TRUE
        parent = self._plans[plan.parent]
        match parent.order:
            case syntax.PARALLEL:
                others = [child for child in parent.children if child != plan.name]
                return all_of(*(negate(is_at(child, INACTIVE, CONSIDERED, POSSIBLE)) for child in others))
            case syntax.ANY_ORDER:
                return self.nobody_runs(parent)
        return TRUE

    def decided(self, plan: Plan) -> Expression:
        """Whether the parent has decided for this one; true where it need not."""
        parent = None if plan.parent is None else self._plans[plan.parent]
        if parent is None or parent.order != syntax.ANY_ORDER:
            return TRUE
        return Binary("==", Ref(turn_of(parent)), Literal(parent.children.index(plan.name) + 1))

    def nobody_runs(self, parent: Plan) -> Expression:
        return negate(any_of([is_at(child, *RUNNING) for child in parent.children]))

    def may_take_turn(self, plan: Plan) -> Expression:
        """Whether a subplan of a plan in any order could be activated now."""
        assert plan.parent is not None
        parent = self._plans[plan.parent]
        free = all_of(is_at(parent, ACTIVATED), negate(self.frozen(plan)))
        return all_of(is_at(plan, SELECTED), self.nobody_runs(parent), self.condition(plan, "activate"), free)

    def again(self, plan: Plan) -> tuple[int, ...]:
        """The states from which a plan may be considered once more."""
        parent = None if plan.parent is None else self._plans[plan.parent]
        if parent is None or not (parent.retry or parent.period):
            return ()
        return TERMINATED if parent.period is not None else (ABORTED,)

    def restarts(self, plan: Plan) -> Expression:
        assert plan.parent is not None
        period = self._plans[plan.parent].period
        return TRUE if period is None else Binary("==", Ref(period), TRUE)

    # How the body ends

    def over(self, parent: Plan, child: str) -> Expression:
        """Whether nothing more is to be expected of a subplan."""
        return is_at(child, COMPLETED, REJECTED) if parent.retry else is_at(child, *TERMINATED)

    def lost(self, parent: Plan, child: str) -> Expression:
        return is_at(child, REJECTED) if parent.retry else is_at(child, ABORTED, REJECTED)

    def needed(self, plan: Plan) -> tuple[str, ...]:
        """The subplans that must all be completed."""
        if isinstance(plan.wait_for, tuple):
            return plan.wait_for
        return plan.children if plan.wait_for == "all" else ()

    def done(self, plan: Plan) -> Expression:
        """Whether the body has done what the plan needs."""
        if plan.action in ("user-performed", "ask"):
            return Binary("==", Ref(done_of(plan)), TRUE)
        if plan.period is not None:
            return TRUE if "complete" in plan.conditions else FALSE
        if plan.wait_for == "one" and plan.children:
            return any_of([is_at(child, COMPLETED) for child in plan.children])
        if plan.wait_for == "none":
            return all_of(*(self.over(plan, child) for child in plan.children))
        return all_of(*(is_at(child, COMPLETED) for child in self.needed(plan)))

    def failed(self, plan: Plan) -> Expression:
        """Whether the body cannot do it any more."""
        if not plan.children or plan.period is not None:
            return FALSE
        if plan.wait_for == "one":
            return all_of(*(self.lost(plan, child) for child in plan.children))
        return any_of([self.lost(plan, child) for child in self.needed(plan)])
