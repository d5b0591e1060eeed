"""The grounded task that several estimates are built on: made once for each check, native, with a limit on its size."""

from __future__ import annotations

from beeline.engine import core
from beeline.engine.outcome import Found
from beeline.heuristics.alike import is_closed
from beeline.heuristics.declaration import Context, HeuristicError

UNKNOWN = "states that stand for others may have values that none of the model has"


def grounded(context: Context, name: str, parts: bool = False) -> tuple[core.Task, Found]:
    """The task, and the violations that its goals stand for. With `parts` one step may be several operators, each with
    a part of what the step does: for estimates that delete nothing, and sum up nothing that they promise about.

    It aims at the property's expression; without one, at whatever makes a step fail. Where no step can fail, the
    estimate speaks for failing steps, too: there are none."""
    program, native = context.compiled(name)
    if (context.goal is None) != (program.tables["goal"] < 0):
        raise AssertionError("the goal that estimates aim at is not the one that was compiled")

    watched = context.closes_cycles or (context.network is not None and context.network.monitor is not None)
    if context.goal is None and context.network is not None and not watched:
        task, covers = _listed(context, native, True, parts), Found.ERROR
    else:
        task, covers = _without_errors(context, native, parts)
    if not task.complete:
        within = " in its share of time and memory" if task.late else ""
        raise HeuristicError(f"{name}: the model has too many steps to list{within}")
    if context.alike and not context.once("closed", lambda: is_closed(task, context.alike)):
        raise HeuristicError(f"{name}: {UNKNOWN}: leave out --symmetry")
    if task.goal_count == 0 and context.goal is None:
        raise HeuristicError(f"{name} has nothing to aim at: no expression, and no step that could fail")
    return task, covers


def steps(context: Context) -> core.Task | None:
    """The model's steps as facts and operators, whatever is sought; nothing if there are too many to list."""
    if context.native is None:
        return None
    aims_at_errors = context.goal is None
    native = context.native
    task = _listed(context, native, True, False) if aims_at_errors else _without_errors(context, native, False)[0]
    return task if task.complete else None


def _without_errors(context: Context, native: core.Program, parts: bool) -> tuple[core.Task, Found]:
    """The task whose goals are the property's alone: that with errors, less what these are. Only where errors are what
    makes it too large, and a heuristic was named, are the steps listed again without them."""
    task = _listed(context, native, True, parts)
    if task.failure_count == 0:
        return task, Found.GOAL | Found.ERROR
    if task.complete or context.is_optional:
        return context.once(("goals alone", task.apart), task.without_failures), Found.GOAL
    return _listed(context, native, False, parts), Found.GOAL


def _listed(context: Context, native: core.Program, with_errors: bool, parts: bool) -> core.Task:
    def make(apart: bool) -> core.Task:
        seconds, memory = context.share
        return core.Task(native, with_errors, work=context.effort, seconds=seconds, memory=memory, apart=apart)

    task = context.once(("task", with_errors), lambda: make(True))
    return task if parts or not task.apart else context.once(("whole task", with_errors), lambda: make(False))
