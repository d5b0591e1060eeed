"""The number of states of German's protocol up to the names of its clients, as its literature has it."""

from __future__ import annotations

from pathlib import Path

import pytest

from beeline import explore
from beeline.languages.murphi import load_murphi

GERMAN = Path(__file__).resolve().parents[2] / "models" / "murphi" / "german.m"


@pytest.mark.parametrize(
    ("clients", "states", "fired"), [(2, 92, 184), (3, 406, 1285), (4, 1475, 6522), (6, 13_270, 92_973)]
)
@pytest.mark.parametrize("symmetry", ["exact", "auto"])
def test_german_has_the_published_number_of_states(symmetry: str, clients: int, states: int, fired: int) -> None:
    found = explore(load_murphi(GERMAN, {"N": str(clients)}), symmetry=symmetry)
    assert (found.statistics.stored, found.statistics.generated) == (states, fired)
    if symmetry == "exact":
        assert found.represented == {2: 181, 3: 2181, 4: 26_345, 6: 4_084_653}[clients]
