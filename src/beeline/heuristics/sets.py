"""Heuristics that are made with sets of states, for searches that look at states one by one."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from time import monotonic
from typing import TYPE_CHECKING

from beeline.compile.program import compile_network
from beeline.engine import Limits, default_memory
from beeline.heuristics.declaration import Context, Estimator, Heuristic, HeuristicError, Options
from beeline.heuristics.grounding import UNKNOWN

if TYPE_CHECKING:
    from beeline.symbolic.quest import Quest
    from beeline.symbolic.table import Table

PACKAGE = "oxidd"
SHARE_OF_MEMORY = 4  # one part in so many


def as_estimator(context: Context, heuristic: Heuristic, options: Options) -> Estimator:
    """The heuristic that a module of `beeline.symbolic` makes, as a table for the engine."""
    program, native = context.compiled(heuristic.name)
    if context.closes_cycles or not context.stop:
        raise HeuristicError(f"{heuristic.name} aims at states, not at cycles")
    if program.network.assumes or program.network.rules.stuttering:
        raise HeuristicError(f"{heuristic.name} knows no assumptions, and no steps that are none")
    if context.alike:
        raise HeuristicError(f"{heuristic.name}: {UNKNOWN}: leave out --symmetry")
    if find_spec(PACKAGE) is None:
        raise HeuristicError(f"{heuristic.name} needs the package {PACKAGE}: install beeline[symbolic]")
    from beeline.symbolic.ended import Ended
    from beeline.symbolic.room import with_room
    from beeline.symbolic.table import TooLarge

    sought = [] if context.goal is None else [context.goal]
    asked = compile_network(program.network, None, len(program.layout.processes), values=sought)
    limits = Limits(
        memory=(context.memory or default_memory()) // SHARE_OF_MEMORY,
        time=None if context.deadline is None else max(0.0, context.deadline - monotonic()),
    )
    try:
        table = with_room(asked, context.stop, limits, lambda quest: _table(quest, heuristic, options))
    except (Ended, MemoryError, TooLarge):
        raise HeuristicError(f"{heuristic.name}: it takes more than its share of time or memory") from None
    return Estimator(
        heuristic.name, table.native(native), heuristic.promises, context.stop, f"{len(table.rows):,} rows"
    )


def _table(quest: Quest, heuristic: Heuristic, options: Options) -> Table:
    from beeline.symbolic.advance import learn_in_advance
    from beeline.symbolic.table import table_of

    targets = quest.targets(learn_in_advance(quest.system, quest.meter))
    distances = import_module(f"beeline.symbolic.{heuristic.sets}").distances(quest, targets, *options.values())
    return table_of(distances, quest.system.encoding)
