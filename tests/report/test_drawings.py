"""Drawings of UPPAAL's automata are where people placed them; what is not placed has none."""

from __future__ import annotations

from pathlib import Path

import pytest

from beeline import load
from beeline.report.automata import automata

PLACED = """<nta><declaration>clock x;</declaration><template><name>Lamp</name>
<location id="id0" x="0" y="-8"><name x="5" y="6">off</name></location>
<location id="id1" x="200" y="80"><label kind="invariant" x="1" y="2">x &lt;= 5</label></location>
<branchpoint id="id2" x="50" y="60"/>
<init ref="id0"/>
<transition><source ref="id0"/><target ref="id1"/><label kind="guard" x="9" y="10">x &gt;= 2</label>
<nail x="7" y="8"/></transition>
<transition><source ref="id1"/><target ref="id2"/></transition>
<transition><source ref="id2"/><target ref="id0"/></transition>
</template><system>L = Lamp(); system L;</system></nta>"""


def drawing(folder: Path, text: str) -> object:
    file = folder / "lamp.xml"
    file.write_text(text)
    told = automata(load(file))
    assert told is not None
    return told["kinds"][0]["drawing"]


def test_places_bends_and_labels_are_read(tmp_path: Path) -> None:
    assert drawing(tmp_path, PLACED) == {
        "places": [(0, -8), (200, 80)],
        "names": [(5, 6), None],
        "invariants": [{"text": "x <= 5", "at": (1, 2)}],
        "edges": [
            {"from": 0, "to": 1, "begins": None, "ends": None, "nails": [(7, 8)], "labels": [{"text": "x >= 2", "at":
            (9, 10)}]}, {"from": 1, "to": None, "begins": None, "ends": (50, 60), "nails": [], "labels": []},
            {"from": None, "to": 0, "begins": (50, 60), "ends": None, "nails": [], "labels": []},
        ],
    }  # fmt: skip


@pytest.mark.parametrize("without", ['x="0" y="-8"', 'x="200" y="80"'])
def test_what_is_not_placed_has_no_drawing(tmp_path: Path, without: str) -> None:
    assert drawing(tmp_path, PLACED.replace(without, "")) is None
