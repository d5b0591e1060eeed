"""A bounded part of the comparison over the public collections: small files about which SPIN was asked before."""

from __future__ import annotations

import pytest
from benchmarks.conformance.compare import compare
from benchmarks.conformance.corpus import Model, shared_folder, shared_models
from benchmarks.conformance.memory import Memory
from benchmarks.conformance.spin import Limits, SpinFacts
from benchmarks.conformance.tool import Beeline, Inside, ToolLimits

SMALL, MANY = 2_000, 60


def small_models() -> list[tuple[Model, SpinFacts]]:
    """At most so many small models, spread over the collections."""
    folder = shared_folder()
    if not folder.is_dir():
        return []
    memory, limits = Memory(), Limits(cpu_s=0)
    known = [(model, facts) for model in shared_models(folder) if (facts := memory.recall(model, limits))]
    small = [pair for pair in known if pair[1].states is not None and pair[1].states <= SMALL]
    return small[:: max(1, len(small) // MANY)]


@pytest.mark.skipif(not shared_folder().is_dir(), reason="no public models beside the project")
def test_small_public_models_agree_with_spin() -> None:
    beeline = Beeline(Inside(), ToolLimits(time_s=20))
    rows = [compare(model, facts, beeline) for model, facts in small_models()]
    assert [row for row in rows if not row.agrees] == []
