"""State for state with SPIN: small models, each for one part of the language.

The first line of each file in `states` tells how many states SPIN's verifier stores (`spin -a -o1 -o2 -o3`,
`-DNOREDUCE -DSAFETY -DNOCLAIM`, `./pan -E -A -c0`).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from beeline import explore as explore_natively
from beeline.languages.promela.elaborate import elaborate
from beeline.languages.promela.parser import parse_text

FILES = sorted((Path(__file__).parent / "states").glob("*.pml"))


def names(path: Path) -> str:
    return path.stem


def expected(text: str) -> int:
    found = re.match(r"// SPIN stores (\d+) states", text)
    assert found is not None, "the first line must tell the number of states"
    return int(found.group(1))


@pytest.mark.parametrize("path", FILES, ids=names)
def test_as_many_states_as_spin(path: Path, explore: Callable[..., Any]) -> None:
    text = path.read_text()
    assert explore(text).states == expected(text)


@pytest.mark.parametrize("path", FILES, ids=names)
def test_the_engine_counts_the_same(path: Path) -> None:
    text = path.read_text()
    assert explore_natively(elaborate(parse_text(text))).statistics.stored == expected(text)
