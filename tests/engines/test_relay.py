"""`auto` hands a search on, and never loses what it knew before."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from beeline import check
from beeline.engines import Engine, EngineError, find_engine
from beeline.engines.relay import solve
from beeline.problems.make import problem_of
from beeline.records import replace

PHILOSOPHERS = Path(__file__).parents[2] / "models" / "promela" / "philosophers.pml"


def stub(*answers: Any) -> Engine:
    """An engine that gives these answers, one after the other."""
    left = list(answers)

    def give(problem: Any, settings: Any) -> Any:
        answer = left.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    return replace(find_engine("explicit"), solve=give)


@pytest.mark.parametrize("later", ["memory limit", "refused"])
def test_a_violation_that_was_found_is_not_lost(later: str) -> None:
    from beeline.checking import DEFAULTS

    found = replace(check(PHILOSOPHERS), truncated=True)
    unknown = replace(found, verdict="unknown", reason="time limit", trace=None)
    second = EngineError("no") if later == "refused" else replace(unknown, reason=later)
    problem: Any = problem_of
    assert solve(stub(found, unknown), stub(second), problem, DEFAULTS.settings()) is found
    assert solve(stub(unknown, found), stub(second), problem, DEFAULTS.settings()) is found
