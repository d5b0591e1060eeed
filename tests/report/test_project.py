"""A project's checks run side by side and are held against what was expected."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner, Result

from beeline.cli.project import ProjectError, read_project
from beeline.cli.run_project import exit_code, run_project
from beeline.report.verdicts import Case

GOOD = "byte x; active proctype P() { x = 1; x = 2 }"
BAD = "byte x;\nactive proctype P() {\n  x = 1;\n  assert(x == 0)\n}"


def project(folder: Path, toml: str) -> Path:
    (folder / "good.pml").write_text(GOOD)
    (folder / "bad.pml").write_text(BAD)
    (folder / "beeline.toml").write_text(toml)
    return folder


def run(*arguments: object) -> Result:
    return CliRunner().invoke(run_project, [str(argument) for argument in arguments], standalone_mode=False)


ALL_EXPECTED = """
jobs = 2
[defaults]
max_time = 60

[[model]]
file = "good.pml"
[[model.property]]
ask = "x < 3"
states = 4
[[model.property]]
name = "two"
ask = "E<> x == 2"
expect = "reached"
length = 2

[[model]]
file = "bad.pml"
expect = "violated"
"""


def test_everything_as_expected_exits_with_zero(tmp_path: Path) -> None:
    junit = tmp_path / "report.xml"
    done = run(project(tmp_path, ALL_EXPECTED), "--junit", junit)
    assert done.return_value == 0, done.output
    assert "3 checks, 3 as expected, 0 not" in done.output
    root = ElementTree.parse(junit).getroot()
    assert (root.get("tests"), root.get("failures")) == ("3", "0")


def test_other_verdicts_are_told_with_their_line(tmp_path: Path) -> None:
    sarif = tmp_path / "log.sarif"
    toml = '[[model]]\nfile = "bad.pml"\n[[model]]\nfile = "good.pml"\nexpect = "violated"\n'
    done = run(project(tmp_path, toml), "--sarif", sarif, "--json")
    assert done.return_value == 1
    told = json.loads(done.stdout)
    assert told["ok"] is False
    assert [(case["verdict"], case["expected"]) for case in told["cases"]] == [
        ("violated", "holds"),
        ("holds", "violated"),
    ]
    assert told["cases"][0]["source"]["line"] == 4
    assert len(json.loads(sarif.read_text())["runs"][0]["results"]) == 2


def test_an_unexpected_length_is_not_as_expected(tmp_path: Path) -> None:
    toml = '[[model]]\nfile = "good.pml"\n[[model.property]]\nask = "x < 2"\nexpect = "violated"\nlength = 1\n'
    done = run(project(tmp_path, toml))
    assert done.return_value == 1
    assert "2 steps instead of 1" in done.output


def test_a_model_with_a_mistake_does_not_stop_the_others(tmp_path: Path) -> None:
    toml = '[[model]]\nfile = "none.pml"\n[[model]]\nfile = "good.pml"\n'
    done = run(project(tmp_path, toml), "--jobs", 1)
    assert done.return_value == 2
    assert "no such file" in done.output and "1 as expected, 1 not" in done.output


def test_a_limit_leaves_it_unknown(tmp_path: Path) -> None:
    toml = '[[model]]\nfile = "good.pml"\nmax_states = 1\n'
    assert run(project(tmp_path, toml)).return_value == 3


def test_some_models_can_be_chosen(tmp_path: Path) -> None:
    done = run(project(tmp_path, ALL_EXPECTED), "--only", "*bad*")
    assert done.return_value == 0
    assert "1 check, 1 as expected" in done.output


@pytest.mark.parametrize(
    ("toml", "said"),
    [
        ("", "there is no [[model]]"),
        ("[[model]]\nfle = 'x'", "did you mean 'file'?"),
        ("[[model]]\n", "has no 'file'"),
        ("[[model]]\nfile = 3", "'file' must be a text"),
        ("[[model]]\nfile = 'x'\nmax_time = true", "'max_time' must be a whole number or a number"),
        ("[[model]]\nfile = 'x'\nexpect = 'fine'", "'expect' is 'fine'"),
        ("[[model]]\nfile = 'x'\nmax_memory = 'lots'", "is not a size"),
        ("[[model]]\nfile = 'x'\nexpect = 'holds'\n[[model.property]]\nask = 'y'", "belongs to each"),
        ("[[model]]\nfile = x\n", "beeline.toml:2"),
    ],
)
def test_mistakes_in_the_file_are_named(tmp_path: Path, toml: str, said: str) -> None:
    (tmp_path / "beeline.toml").write_text(toml)
    with pytest.raises(ProjectError) as error:
        read_project(tmp_path)
    assert said in str(error.value)
    assert "beeline.toml" in str(error.value)


def test_options_come_from_defaults_model_and_property(tmp_path: Path) -> None:
    toml = """
    [defaults]
    search = "dfs"
    max_time = 5
    [[model]]
    file = "m.pml"
    max_time = 6
    defines = { N = 3, FAST = true, SLOW = false }
    lossy = true
    [[model.property]]
    ask = "x"
    max_time = 7.5
    """
    (tmp_path / "beeline.toml").write_text(toml)
    (task,) = read_project(tmp_path).tasks
    assert set(task.arguments) == {
        "--search=dfs", "--max-time=7.5", "--property=x", "--lossy", "-DN=3", "-DFAST"
    }  # fmt: skip


def test_the_worst_decides_the_exit_code() -> None:
    def code(*verdicts: tuple[str, str]) -> int:
        return exit_code([Case("m", "p", verdict, reason) for verdict, reason in verdicts])

    fine: Any = ("holds", "")
    assert code(fine) == 0
    assert code(fine, ("unknown", "")) == 3
    assert code(("unknown", ""), ("violated", "")) == 1
    assert code(("violated", ""), ("error", "no such file")) == 2
    assert code(("error", "no such file"), ("error", "internal error: x")) == 4


@pytest.mark.parametrize(
    ("toml", "said"),
    [
        ("[defaults]\nserch = 'bfs'\n[[model]]\nfile = 'x'", ":2:1: [defaults] has no key 'serch'"),
        ("jobs = 'two'\n[[model]]\nfile = 'x'", ":1:1: 'jobs' must be a whole number"),
        ("[[model]]\nfile = 'x'\n\n[[model]]\nfile = 'y'\n  lossy = 1", ":6:3: 'lossy' must be true or false"),
        (
            "[[model]]\nfile = 'x'\n[[model]]\nfile = 'y'\n[[model.property]]\n[[model.property]]\nasks = 'p'",
            ":7:1: [[model.property]] number 2 of [[model]] number 2 has no key 'asks'",
        ),
        ("[[model]]\nfile = 'x'\n[[model.property]]\nexpect = 'fine'", ":4:1: 'expect' is 'fine'"),
        ("[[model]]\nfile = 'x'\n[model.defines]\nN = 1.5", ":3:1: the macros of 'defines' must each be a text"),
        ("[[model]]\nlossy = true", ":1:1: this [[model]] has no 'file'"),
        ("[defaults]\nmax_memory = 'lots'\n[[model]]\nfile = 'x'", ":2:1: 'lots' is not a size"),
        ("[[model]]\nfile = x\n", ":2:8: "),
        ("model = [{ fle = 'x' }]", "[[model]] number 1 has no key 'fle'"),
    ],
)
def test_a_mistake_is_shown_with_its_line(tmp_path: Path, toml: str, said: str) -> None:
    (tmp_path / "beeline.toml").write_text(toml)
    with pytest.raises(ProjectError) as error:
        read_project(tmp_path)
    assert said in str(error.value)


def test_what_fails_is_shown_with_its_counterexample(tmp_path: Path) -> None:
    done = run(project(tmp_path, '[[model]]\nfile = "bad.pml"\n'))
    assert done.return_value == 1
    table = done.output.split("bad.pml, safety: violated, expected holds: assertion failed: x==0")[1]
    assert [line.split()[:3] for line in table.splitlines()[2:5]] == [
        ["step", "process", "action"],
        ["1", "P", "3:"],
        ["2", "P", "4:"],
    ]


LONG = "byte x; active proctype P() { do :: x < 90 -> x++ :: else -> break od; assert(false) }"


def test_long_counterexamples_are_folded_unless_all_is_wanted(tmp_path: Path) -> None:
    (tmp_path / "long.pml").write_text(LONG)
    assert "steps left out: --full shows them" in run(tmp_path / "long.pml").output
    assert "left out" not in run(tmp_path / "long.pml", "--full").output


def test_patterns_name_many_models(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "other.pml").write_text(GOOD)
    project(tmp_path, '[[model]]\nfile = "**/*.pml"\n')
    names = [task.file.relative_to(tmp_path).as_posix() for task in read_project(tmp_path).tasks]
    assert names == ["bad.pml", "deep/other.pml", "good.pml"]
    (tmp_path / "beeline.toml").write_text('[[model]]\nfile = "*.nothing"\n')
    with pytest.raises(ProjectError, match=":2:1: no model fits"):
        read_project(tmp_path)


def test_models_can_be_named_without_a_project(tmp_path: Path) -> None:
    (tmp_path / "good.pml").write_text(GOOD)
    (tmp_path / "two.pml").write_text(GOOD + " ltl low { [] (x < 2) } ltl high { <> (x == 2) }")
    done = run(tmp_path / "*.pml", "--json")
    told = [(Path(case["model"]).name, case["property"], case["ok"]) for case in json.loads(done.stdout)["cases"]]
    assert told == [
        ("good.pml", "safety", True),
        ("two.pml", "assertions", True),
        ("two.pml", "low", False),
        ("two.pml", "high", True),
    ]
    refused = run(tmp_path / "*.dve")
    assert isinstance(refused.exception, ProjectError)


def test_a_job_of_github_gets_annotations_and_a_summary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    summary = tmp_path / "summary.md"
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    done = run(project(tmp_path, '[[model]]\nfile = "bad.pml"\n[[model]]\nfile = "good.pml"\n'))
    commands = [line for line in done.output.splitlines() if line.startswith("::")]
    assert (
        len(commands) == 1 and ",line=4,col=3,title=safety%3A violated::assertion failed: x==0 after 2" in commands[0]
    )
    text = summary.read_text()
    assert text.count("### Beeline: 2 checks, 1 as expected, 1 not") == 1
    assert text.count("<details>") == 1
    json.loads(run(tmp_path, "--json").stdout)  # no annotation beside the object


def test_a_timed_trace_keeps_its_moments(tmp_path: Path) -> None:
    (tmp_path / "late.xta").write_text(
        "clock x; process P() { state a, b; init a; trans a -> b { guard x >= 3; }; } system P;"
    )
    (tmp_path / "late.q").write_text("A[] not P.b")
    lines = [line.split() for line in run(tmp_path / "late.xta").output.splitlines()]
    assert ["step", "at", "process", "action", "changes"] in lines
    assert any(line[:3] == ["1", "3", "P"] for line in lines)
