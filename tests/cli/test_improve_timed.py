"""`beeline improve` says what it does not do, instead of failing in the middle."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cli.conftest import MODELS, Beeline


@pytest.mark.parametrize("asked", ["A[] P(1).x <= 3", "A<> P(1).cs"])
def test_traces_with_clocks_are_not_improved(beeline: Beeline, tmp_path: Path, asked: str) -> None:
    model, trace = MODELS.parent / "uppaal" / "fischer_b_3_faulty.xta", tmp_path / "trace.json"
    trace.write_text(beeline("check", model, "--property", asked, "--json").out)
    assert "with clocks" in beeline("improve", model, trace).err
