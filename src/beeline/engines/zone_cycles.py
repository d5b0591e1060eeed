"""Questions about all runs of timed networks: depth-first on the zone graph, for runs that avoid something for ever."""

from __future__ import annotations

from beeline.engine import Status
from beeline.engine.budget import doing
from beeline.engines.declaration import Engine
from beeline.model.property import Inevitability
from beeline.problems.problem import Problem
from beeline.problems.replaying import ReplayUnfinished, replayed
from beeline.problems.settings import Result, Settings, open_verdict
from beeline.problems.zones import ZoneProblem
from beeline.records import replace
from beeline.timed.runs import PAPER, confined_graph, run_trace, search_for


def accepts(problem: Problem) -> str | None:
    """Questions about endless runs of networks with clocks."""
    if not isinstance(problem.asked, Inevitability):
        return "it answers A<>, E[] and --> alone"
    return None if isinstance(problem, ZoneProblem) else "it takes networks with clocks alone"


def solve(problem: Problem, settings: Settings) -> Result:
    """Looks for a run that avoids what the question says."""
    asked = problem.asked
    assert isinstance(problem, ZoneProblem) and isinstance(asked, Inevitability)
    settings = replace(settings, search=search_for(asked), heuristic=None, threads=1)
    doing("compiling")
    graph = confined_graph(problem.model, asked, problem.zones)
    outcome = settings.run(graph.space, problem.stop, [])
    if outcome.status is not Status.FOUND:
        return settings.result(asked, outcome, [], open_verdict(outcome, settings.search))
    try:
        trace, reason = replayed(
            settings,
            outcome.statistics,
            lambda watch: run_trace(graph, asked, outcome, show_zones=problem.zones.show, watch=watch),
        )
    except ReplayUnfinished as end:
        return settings.result(asked, outcome, [], ("unknown", str(end)))
    return settings.result(asked, outcome, [], ("violated", reason), trace)


SUMMARY = "A<>, E[] and --> on zone graphs: cycles, deadlocks, time without end"
ENGINE = Engine("zone-cycles", SUMMARY, accepts, solve, PAPER)
