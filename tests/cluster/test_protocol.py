"""The protocol by which a search ends, as a model: ours holds, the published one is refuted."""

from __future__ import annotations

from pathlib import Path

import pytest

from beeline.checking import check
from beeline.languages import LoadOptions, load
from beeline.model.network import Network

FOLDER = Path(__file__).parents[2] / "models" / "promela"


def waves(**defines: str) -> Network:
    network: Network = load(FOLDER / "termination_waves.pml", options=LoadOptions(defines))
    return network


@pytest.mark.parametrize(("ranks", "arity", "lines"), [(2, 2, 5), (3, 2, 3), (3, 1, 3), (4, 2, 2)])
def test_two_equal_balanced_waves_end_a_search_only_when_nobody_works(ranks: int, arity: int, lines: int) -> None:
    model = waves(N=str(ranks), ARITY=str(arity), LINES=str(lines))
    assert check(model, search="bfs").verdict == "holds"
    assert check(model, "!ended", search="bfs").verdict == "violated"  # it does end


def test_one_wave_is_not_enough() -> None:
    assert check(waves(ONCE="1"), search="bfs").verdict == "violated"


def test_the_published_protocol_is_refuted_in_thirteen_steps() -> None:
    result = check(load(FOLDER / "eddy_termination.pml"), search="bfs")
    assert (result.verdict, result.shortest) == ("violated", True)
    assert result.trace is not None
    assert len(result.trace) == 13
