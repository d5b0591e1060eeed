"""The grounded task that several estimates are built on: made once for each check, native, with a limit on its size."""

from __future__ import annotations

from beeline import _native
from beeline.engine.outcome import Found
from beeline.heuristics.declaration import Context, HeuristicError


def grounded(context: Context, name: str) -> tuple[_native.Task, Found]:
    """The task, and the violations that its goals stand for.

    It aims at the property's expression; without one, at whatever makes a step fail. Where no step can fail, the
    estimate speaks for failing steps, too: there are none."""
    program, native = context.compiled(name)
    if (context.goal is None) != (program.tables["goal"] < 0):
        raise AssertionError("the goal that estimates aim at is not the one that was compiled")
    if context.goal is None and context.network is not None and context.network.monitor is None:
        task = context.once(("task", True), lambda: _native.Task(native, True, work=context.effort))
        covers = Found.ERROR
    else:
        task = context.once(("task", False), lambda: _native.Task(native, False, work=context.effort))
        failing = context.once(("task", True), lambda: _native.Task(native, True, work=context.effort))
        covers = Found.GOAL
        if failing.complete and failing.goal_count == task.goal_count:
            covers |= Found.ERROR
    if not task.complete:
        raise HeuristicError(f"{name}: the model has too many steps to list")
    if task.goal_count == 0:
        if context.goal is None:
            raise HeuristicError(f"{name} has nothing to aim at: no expression, and no step that could fail")
        return task, covers
    return task, covers
