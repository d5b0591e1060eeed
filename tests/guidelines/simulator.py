"""A second definition of what a guideline does, written from its rules in words, to compare with: plans as objects that
are asked in turn, time annotations judged by looking through the whole history."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

from beeline.languages.asbru.guideline import Annotation, Guideline, Period, Plan
from beeline.model.expressions import Binary, Conditional, Expression, Literal, Ref, Unary
from beeline.model.types import bounds

INACTIVE, CONSIDERED, POSSIBLE, SELECTED, ACTIVATED, SUSPENDED, COMPLETED, ABORTED, REJECTED = range(9)
OVER = {COMPLETED, ABORTED, REJECTED}
World = dict[str, Any]


def value(expression: Expression, world: World) -> int:
    match expression:
        case Literal(number):
            return number
        case Ref(name):
            return int(world[name])
        case Unary("!", part):
            return int(not value(part, world))
        case Conditional(condition, then, otherwise):
            return value(then if value(condition, world) else otherwise, world)
        case Binary(sign, left, right):
            one, other = value(left, world), value(right, world)
            table: dict[str, Callable[[], int]] = {
                "&&": lambda: int(bool(one and other)), "||": lambda: int(bool(one or other)),
                "==": lambda: int(one == other), "!=": lambda: int(one != other), "<": lambda: int(one < other),
                "<=": lambda: int(one <= other), ">": lambda: int(one > other), ">=": lambda: int(one >= other),
                "+": lambda: one + other, "-": lambda: one - other,
                "min": lambda: min(one, other), "max": lambda: max(one, other),
            }  # fmt: skip
            return table[sign]()
    raise AssertionError(expression)


class Simulator:
    """Steps of a guideline whose timers are chosen freely, or with `history` follow the time."""

    def __init__(self, guideline: Guideline) -> None:
        self.guideline = guideline
        self.plans = {plan.name: plan for plan in guideline.plans}

    def start(self) -> World:
        world: World = {"tick": 1, "fresh": 0}
        world.update({parameter.name: parameter.initial for parameter in self.guideline.parameters})
        for plan in self.guideline.plans:
            world[plan.name] = INACTIVE
            if plan.action in ("user-performed", "ask"):
                world[f"{plan.name}_done"] = 0
        world.update({timer.name: 0 for timer in self.guideline.timers})
        return world

    # Questions about plans

    def condition(self, plan: Plan, kind: str, world: World) -> bool:
        if kind in plan.conditions:
            return bool(value(plan.conditions[kind], world))
        if kind == "reactivate":
            return not self.condition(plan, "suspend", world)
        return kind not in ("suspend", "abort")

    def frozen(self, plan: Plan, world: World) -> bool:
        above = plan.parent
        while above is not None:
            if world[above] == SUSPENDED:
                return True
            above = self.plans[above].parent
        return False

    def nothing_more(self, parent: Plan, child: str, world: World) -> bool:
        return world[child] in ({COMPLETED, REJECTED} if parent.retry else OVER)

    def failed_child(self, parent: Plan, child: str, world: World) -> bool:
        return world[child] in ({REJECTED} if parent.retry else {ABORTED, REJECTED})

    def body_done(self, plan: Plan, world: World) -> bool:
        if plan.action in ("user-performed", "ask"):
            return bool(world[f"{plan.name}_done"])
        if not plan.children:
            return True
        if plan.period is not None:
            return "complete" in plan.conditions
        if plan.wait_for == "one":
            return any(world[child] == COMPLETED for child in plan.children)
        if plan.wait_for == "none":
            return all(self.nothing_more(plan, child, world) for child in plan.children)
        needed = plan.children if plan.wait_for == "all" else plan.wait_for
        return all(world[child] == COMPLETED for child in needed)

    def body_failed(self, plan: Plan, world: World) -> bool:
        if not plan.children or plan.period is not None or plan.wait_for == "none":
            return False
        if plan.wait_for == "one":
            return all(self.failed_child(plan, child, world) for child in plan.children)
        needed = plan.children if plan.wait_for == "all" else plan.wait_for
        return any(self.failed_child(plan, child, world) for child in needed)

    def early_move(self, plan: Plan, world: World) -> int | None:
        state, parent = world[plan.name], None if plan.parent is None else self.plans[plan.parent]
        if self.frozen(plan, world) or (parent is not None and world[parent.name] != ACTIVATED):
            return None
        ends = self.condition(plan, "abort", world) or self.body_failed(plan, world)
        if state == SUSPENDED and not ends and self.condition(plan, "reactivate", world):
            return ACTIVATED
        if parent is not None and parent.period is not None and state in OVER and world[parent.period]:
            return CONSIDERED
        if parent is not None and parent.period is None and parent.retry and state == ABORTED:
            return CONSIDERED
        return None

    def move(self, plan: Plan, world: World) -> int | None:
        """Where a plan goes by itself; activation in any order is its parent's business."""
        state, parent = world[plan.name], None if plan.parent is None else self.plans[plan.parent]
        if parent is not None:
            above = world[parent.name]
            if above in (INACTIVE, CONSIDERED, POSSIBLE, SELECTED):
                return INACTIVE if state != INACTIVE else None
            if above in OVER:
                return {ACTIVATED: ABORTED, SUSPENDED: ABORTED, CONSIDERED: REJECTED, POSSIBLE: REJECTED,
                        SELECTED: REJECTED}.get(state)  # fmt: skip
            if above == SUSPENDED:
                return None
        if self.frozen(plan, world):
            return None
        if state == INACTIVE:
            if parent is not None and parent.order == "sequential":
                earlier = parent.children[: parent.children.index(plan.name)]
                return CONSIDERED if all(self.nothing_more(parent, one, world) for one in earlier) else None
            return CONSIDERED
        if state == CONSIDERED:
            return POSSIBLE if self.condition(plan, "filter", world) else REJECTED
        if state == POSSIBLE:
            return SELECTED if self.condition(plan, "setup", world) else None
        if state == SELECTED:
            if not self.condition(plan, "activate", world) or (parent is not None and parent.order == "any-order"):
                return None
            if parent is not None and parent.order == "parallel":
                others = [world[one] for one in parent.children if one != plan.name]
                return None if {INACTIVE, CONSIDERED, POSSIBLE} & set(others) else ACTIVATED
            return ACTIVATED
        if state in (ACTIVATED, SUSPENDED):
            if self.condition(plan, "abort", world) or self.body_failed(plan, world):
                return ABORTED
            if state == ACTIVATED and self.body_done(plan, world) and self.condition(plan, "complete", world):
                return COMPLETED
            if state == ACTIVATED and self.condition(plan, "suspend", world):
                return SUSPENDED
        return None

    def candidates(self, plan: Plan, world: World) -> list[str]:
        """Subplans in any order of which one may begin."""
        if plan.order != "any-order" or world[plan.name] != ACTIVATED:
            return []
        if any(world[child] in (ACTIVATED, SUSPENDED) for child in plan.children):
            return []
        if plan.children and self.frozen(self.plans[plan.children[0]], world):
            return []
        return [
            child
            for child in plan.children
            if world[child] == SELECTED and self.condition(self.plans[child], "activate", world)
        ]

    # Steps

    def steps(self, world: World) -> Iterator[World]:
        if world["tick"]:
            yield from self.macro_steps(world)
        elif world["fresh"]:
            for plan in self.guideline.plans:
                target = self.early_move(plan, world)
                if target is not None:
                    yield from self.moved(plan, target, world)
                    return
            yield world | {"fresh": 0}
        else:
            yield from self.micro_steps(world)

    def micro_steps(self, world: World) -> Iterator[World]:
        for plan in self.guideline.plans:
            target = self.move(plan, world)
            if target is not None:
                yield from self.moved(plan, target, world)
                return
        for plan in self.guideline.plans:
            beginning = self.candidates(plan, world)
            if beginning:
                for child in beginning:
                    yield from self.moved(self.plans[child], ACTIVATED, world)
                return
        yield world | {"tick": 1}

    def moved(self, plan: Plan, target: int, world: World) -> Iterator[World]:
        after = world | {plan.name: target}
        before = world[plan.name]
        if f"{plan.name}_done" in world and target in (INACTIVE, ABORTED, COMPLETED):
            after[f"{plan.name}_done"] = 0
        if target == COMPLETED and plan.assigns is not None:
            after[plan.assigns.variable] = value(plan.assigns.value, world)
        uncertain = []
        for timer in self.guideline.timers:
            if isinstance(timer, Period):
                again = timer.child == plan.name and target == CONSIDERED
                if again or (timer.plan == plan.name and target in (INACTIVE, ABORTED, COMPLETED, REJECTED)):
                    after[timer.name] = 0
            elif isinstance(timer, Annotation) and timer.plan == plan.name:
                if before == SELECTED and target == ACTIVATED:
                    uncertain += [timer.name] * self.may_begin_true(timer)
                elif before in (ACTIVATED, SUSPENDED) and target not in (ACTIVATED, SUSPENDED):
                    after[timer.name] = 0
        for values in product((0, 1), repeat=len(uncertain)):
            yield after | dict(zip(uncertain, values, strict=True))

    def may_begin_true(self, timer: Annotation) -> bool:
        return timer.monitor.may_start_true

    def macro_steps(self, world: World) -> Iterator[World]:
        free: dict[str, list[int]] = {}
        after = world | {"tick": 0, "fresh": 1}
        for plan in self.guideline.plans:
            if world[plan.name] == ACTIVATED and not self.frozen(plan, world):
                if plan.action == "user-performed":
                    free[f"{plan.name}_done"] = [0, 1]
                elif plan.action == "ask":
                    after[f"{plan.name}_done"] = 1
        asked = {
            plan.asks
            for plan in self.guideline.plans
            if plan.asks and world[plan.name] == ACTIVATED and not self.frozen(plan, world)
        }
        for parameter in self.guideline.parameters:
            if parameter.read or parameter.name in asked:
                low, high = bounds(parameter.type)
                free[parameter.name] = list(range(low, high + 1))
        for timer in self.guideline.timers:
            if isinstance(timer, Period):
                if world[timer.plan] == ACTIVATED and world[timer.child] in OVER:
                    free[timer.name] = [0, 1]
            elif isinstance(timer, Annotation) and (timer.plan is None or world[timer.plan] in (ACTIVATED, SUSPENDED)):
                free[timer.name] = [0, 1]
        for values in product(*free.values()):
            yield after | dict(zip(free, values, strict=True))

    def reachable(self, most: int) -> set[tuple[tuple[str, int], ...]] | None:
        """All states, or None if there are more than `most`."""
        start = self.start()
        seen = {tuple(sorted(start.items()))}
        waiting = [start]
        while waiting:
            for after in self.steps(waiting.pop()):
                key = tuple(sorted(after.items()))
                if key not in seen:
                    if len(seen) == most:
                        return None
                    seen.add(key)
                    waiting.append(after)
        return seen
