"""Goals of the BEEM collection: found beside the instance, with parameters and macros put in."""

from __future__ import annotations

from pathlib import Path

import pytest

from beeline.languages.dve import load_dve
from beeline.languages.dve.goals import find_goals
from beeline.model.printer import show_expression
from beeline.model.property import Goal

DESCRIPTION = """<?xml version="1.0"?>
<!DOCTYPE model SYSTEM "../model.dtd">
<model>
  <ap><ap-name>collision</ap-name>
      <ap-expression>myloop(i,0,decr(N), `P_`'i.CS', ` + ') &gt; 1</ap-expression></ap>
  <ap><ap-name>full</ap-name><ap-expression>x==LIMIT</ap-expression></ap>
  <ap><ap-name>cs0</ap-name><ap-expression>P_0.CS</ap-expression></ap>
  <property id="1" prop-type="reachability">
    <formula>collision</formula><description>Both are
    in.</description></property>
  <property id="2" prop-type="LTL"><formula>G F cs0</formula></property>
  <property id="3" prop-type="reachability"><formula>full &amp;&amp; !cs0</formula></property>
  <instance id="1"><parameters>N=2</parameters></instance>
  <instance id="2"><parameters>N=2, LIMIT=7</parameters></instance>
</model>
"""
MODEL = """byte x;
process P_0 { state NCS, CS; init NCS; trans NCS -> CS {}; }
process P_1 { state NCS, CS; init NCS; trans NCS -> CS {}; }
system async;
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    generated = tmp_path / "mutex" / "generated_files"
    generated.mkdir(parents=True)
    (tmp_path / "mutex" / "mutex.xml").write_text(DESCRIPTION)
    (tmp_path / "mutex" / "mutex.mdve").write_text("default(N,3)\ndefault(LIMIT, eval(N+1))\n")
    for number in (1, 2):
        (generated / f"mutex.{number}.dve").write_text(MODEL)
    return generated


def goal(file: Path, name: str) -> str:
    found = load_dve(file).property(name)
    assert isinstance(found, Goal)
    return show_expression(found.expression)


def test_goals_carry_the_numbers_of_the_collection(folder: Path) -> None:
    names = [asked.name for asked in load_dve(folder / "mutex.1.dve").properties]
    assert names == ["goal1", "ltl2", "goal3"]


def test_loops_over_processes_are_written_out(folder: Path) -> None:
    assert goal(folder / "mutex.1.dve", "goal1") == "P_0@CS + P_1@CS > 1"


def test_parameters_come_from_the_instance_before_the_defaults(folder: Path) -> None:
    assert goal(folder / "mutex.1.dve", "goal3") == "x == 3 && !P_0@CS"
    assert goal(folder / "mutex.2.dve", "goal3") == "x == 7 && !P_0@CS"


def test_a_goal_keeps_its_description(folder: Path) -> None:
    assert find_goals(folder / "mutex.1.dve")[0].description == "Both are in."


def test_a_file_outside_a_collection_has_no_goals(tmp_path: Path) -> None:
    (tmp_path / "mutex.1.dve").write_text(MODEL)
    assert find_goals(tmp_path / "mutex.1.dve") == []
