"""Sizes, limits and the default memory budget."""

import contextlib
import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beeline.engine import Limits, default_memory, limits, parse_size


@pytest.mark.parametrize(
    ("text", "size"),
    [("1", 1), ("2K", 2048), ("512m", 2**29), ("2G", 2**31), ("2GB", 2**31), ("2 GiB", 2**31), ("0.5T", 2**39)],
)
def test_sizes_are_read_with_binary_units(text: str, size: int) -> None:
    assert parse_size(text) == size


@pytest.mark.parametrize("text", ["", "G", "-1G", "1X", "1e3", "0", "nan", "99999999999T", "1 2"])
def test_what_is_no_size_is_refused_with_a_remedy(text: str) -> None:
    with pytest.raises(ValueError, match="size"):
        parse_size(text)


@given(st.text())
def test_any_text_is_a_size_or_a_value_error(text: str) -> None:
    with contextlib.suppress(ValueError):
        assert parse_size(text) > 0


@pytest.mark.parametrize(
    "bad",
    [{"time": -1}, {"time": math.nan}, {"memory": 0}, {"states": 0}, {"states": -5}, {"depth": -1}, {"depth": 2**32}],
)
def test_limits_out_of_range_are_refused(bad: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="limit"):
        Limits(**bad)


def test_limits_must_be_whole_numbers() -> None:
    with pytest.raises(TypeError):
        Limits(states=1.5)  # type: ignore[arg-type]


def test_the_default_budget_is_a_share_of_what_is_there() -> None:
    assert 2**20 < default_memory() < limits._machine_memory()


def test_the_default_budget_respects_a_control_group(tmp_path: Path) -> None:
    inner = tmp_path / "user" / "job"
    inner.mkdir(parents=True)
    for folder, limit, used in [(tmp_path / "user", "1000000000", "600000000"), (inner, "max", "5000000")]:
        (folder / "memory.max").write_text(limit + "\n")
        (folder / "memory.current").write_text(used + "\n")
        (folder / "memory.stat").write_text("anon 5\ninactive_file 100000000\n")
    free = limits._free_up(str(tmp_path), "/user/job", "memory.max", "memory.current")
    assert free == [500_000_000]
