"""JUnit and SARIF reports say what became of each property and where."""

from __future__ import annotations

import json
from html import escape
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

from beeline import check as check_model
from beeline.cli.check import check
from beeline.languages import load
from beeline.model.source import Source
from beeline.report.github import to_summary, workflow_commands
from beeline.report.junit import to_junit
from beeline.report.objects import result_object
from beeline.report.sarif import to_sarif
from beeline.report.verdicts import Case

MODEL = """byte x;
active proctype P() {
    x = 1;
    assert(x == 0)
}
"""
CASES = [
    Case("a.pml", "safe", "holds", "exhausted", 0.5),
    Case("a.pml", "x < 3", "violated", "invariant violated", 0.25, length=2, source=Source("a.pml", 4, 5)),
    Case("b.pml", "bug", "violated", "deadlock", expected="violated"),
    Case("b.pml", "bad <&\x01\"'", "error", "no such file"),
    Case("b.pml", "big", "unknown", "time limit"),
]


def test_junit_has_a_case_for_each_property() -> None:
    root = ElementTree.fromstring(to_junit(CASES))
    assert (root.get("tests"), root.get("failures"), root.get("errors")) == ("5", "2", "1")
    assert [suite.get("name") for suite in root] == ["a.pml", "b.pml"]
    safe, broken = root[0]
    assert [part.tag for part in safe] == ["system-out"] and safe[0].text == "holds: exhausted"
    assert broken.find("failure") is not None and broken.get("line") == "4"
    assert [part.tag for case in root[1] for part in case] == ["system-out", "error", "failure"]


def test_sarif_annotates_the_line() -> None:
    log = json.loads(to_sarif(CASES))
    assert log["version"] == "2.1.0"
    results = log["runs"][0]["results"]
    assert [result["ruleId"] for result in results] == ["violated", "error", "unknown"]
    place = results[0]["locations"][0]["physicalLocation"]
    assert place == {"artifactLocation": {"uri": "a.pml"}, "region": {"startLine": 4, "startColumn": 5}}
    rules = log["runs"][0]["tool"]["driver"]["rules"]
    assert all(rules[result["ruleIndex"]]["id"] == result["ruleId"] for result in results)


def test_check_writes_both(tmp_path: Path) -> None:
    model, junit, sarif = tmp_path / "m.pml", tmp_path / "j.xml", tmp_path / "s.sarif"
    model.write_text(MODEL)
    arguments = [str(model), "--junit", str(junit), "--sarif", str(sarif), "--explain"]
    result = CliRunner().invoke(check, arguments, standalone_mode=False)
    assert result.return_value == 1
    assert "why: step 2" in result.output and "x == 0   false   x = 1" in result.output
    case = ElementTree.fromstring(junit.read_text())[0][0]
    assert case.get("line") == "4" and case.find("failure") is not None
    region = json.loads(sarif.read_text())["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"]
    assert region["startLine"] == 4


LOOP = """byte x = 3;
active proctype P() { x = 3; do :: x = 2; x = 3 od }
ltl p { <> (x == 4) }
"""


@pytest.mark.parametrize(
    ("text", "span", "last"),
    [
        (LOOP, "after 3 steps, repeated for ever from step 2 on", "and so on for ever: as after step 1"),
        (LOOP.replace("x = 3; do", "do"), "after 2 steps, repeated for ever from the start on", "as at the start"),
        (LOOP.replace("do :: x = 2; x = 3 od", "x = 2"), "and at rest for ever", "nothing happens any more, for ever"),
    ],
)
def test_reports_tell_of_a_cycle(tmp_path: Path, text: str, span: str, last: str) -> None:
    model = tmp_path / "m.pml"
    model.write_text(text)
    case = Case.of("m.pml", check_model(load(model), "p"))
    assert f"{span}\n" in json.loads(to_sarif([case]))["runs"][0]["results"][0]["message"]["text"]
    failure = ElementTree.fromstring(to_junit([case]))[0][0].find("failure")
    assert failure is not None and failure.text is not None
    assert failure.text.splitlines()[-2].endswith(last)
    assert failure.text.endswith("'x==4' never comes")


def test_a_report_without_a_folder_is_refused_before_the_search(tmp_path: Path) -> None:
    (tmp_path / "m.pml").write_text(MODEL)
    result = CliRunner().invoke(check, [str(tmp_path / "m.pml"), "--junit", str(tmp_path / "no" / "j.xml")])
    assert result.exit_code == 2
    assert "there is no folder" in result.output


def test_json_carries_the_explanation(tmp_path: Path) -> None:
    (tmp_path / "m.pml").write_text(MODEL)
    result = CliRunner().invoke(check, [str(tmp_path / "m.pml"), "--json", "--explain"], standalone_mode=False)
    told = json.loads(result.stdout)
    part = {"text": "x == 0", "value": False, "reads": {"x": "1"}, "depth": 0, "when": None}
    assert told["explanation"]["parts"][0] == part
    assert told["initial"]["x"] == "0"
    assert told["model"].endswith("m.pml")


RANGED = "clock x; process P() { state a { x <= 7 }, b; init a; trans a -> b { guard x >= 2; }; } system P;"


@pytest.mark.parametrize(
    ("asked", "told", "steps"), [("sup{P.a}: x", "holds: x <= 7", 0), ("E<> P.b", "holds: goal reached", 1)]
)
def test_values_and_witnesses_come_through_every_report(tmp_path: Path, asked: str, told: str, steps: int) -> None:
    model = tmp_path / "m.xta"
    model.write_text(RANGED)
    result = check_model(load(model), asked)
    case = Case.of("m.xta", result)
    (said,) = (element.text or "" for element in ElementTree.fromstring(to_junit([case])).iter("system-out"))
    assert said.splitlines()[0] == told and ("P(" in said or "P " in said) == bool(steps)
    unexpected = Case.of("m.xta", result, expected="violated")
    assert told.partition(": ")[2] in json.loads(to_sarif([unexpected]))["runs"][0]["results"][0]["message"]["text"]
    found = result_object(result)
    assert (len(found["ranges"]), found["trace_length"]) == (1 - steps, steps or None)
    assert escape(told.partition(": ")[2]) in result._repr_html_()


def test_sarif_walks_through_the_trace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("m.pml").write_text(MODEL)
    case = Case.of("m.pml", check_model(load(Path("m.pml"))))
    (result,) = json.loads(to_sarif([case]))["runs"][0]["results"]
    assert result["locations"][0]["physicalLocation"]["region"] == {
        "startLine": 4, "startColumn": 5, "endLine": 4, "endColumn": 19, "snippet": {"text": "assert(x == 0)"}
    }  # fmt: skip
    (flow,) = result["codeFlows"]
    steps = flow["threadFlows"][0]["locations"]
    assert [step["location"]["message"]["text"] for step in steps] == [
        "1. P: x = 1   (x: 0 -> 1)",
        "2. P: assert(x==0)   (! assertion failed: x==0)",
    ]
    assert [step["location"]["physicalLocation"]["region"]["startLine"] for step in steps] == [3, 4]
    assert [step["executionOrder"] for step in steps] == [1, 2]


def test_sarif_follows_its_schema_in_what_it_requires() -> None:
    """Of the standard: what a threadFlowLocation, a location and a region must have and may have."""
    for result in json.loads(to_sarif(CASES))["runs"][0]["results"]:
        assert {"message", "locations"} <= set(result)
        assert result["level"] in ("none", "note", "warning", "error")


def test_what_a_model_says_is_neither_a_command_nor_markup_on_the_page_of_a_job() -> None:
    odd = Case(
        "a,b:c%.pml", "x | `y` <b>\n::error::", "violated", "<script>\n::stop-commands::x", source=Source("a,b", 3)
    )
    (command,) = workflow_commands([odd])
    assert "\n" not in command and command.startswith("::error file=a%2Cb,line=3,title=x | `y` <b>%0A%3A%3Aerror")
    summary = to_summary([odd])
    assert "<script>" not in summary and "<b>" not in summary
    row = next(line for line in summary.splitlines() if line.startswith("| ❌"))
    assert row.count("|") == 9
