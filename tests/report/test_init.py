"""The examples really have a bug, can be mended as they say, and are never written over anything."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from beeline.checking import check
from beeline.cli.doctor import doctor
from beeline.cli.init import LANGUAGES, init, write_example
from beeline.cli.run_project import run_project

MODELS = {
    "promela": "clerks.pml",
    "uppaal": "door.xta",
    "murphi": "line.m",
    "smv": "crossing.smv",
    "asbru": "fever.asbru",
    "python": "lights.py",
}
MENDED = {
    "promela": (
        "    seen = balance;     /* another clerk may come between this statement .. */\n"
        "    balance = seen + 1; /* .. and this one */\n",
        "    atomic { seen = balance; balance = seen + 1 }\n",
    ),
    "uppaal": ("guard x >= WAIT &&", "guard x > WAIT &&"),
    "murphi": ("if line[other] = shared then ", "if line[other] != invalid then "),
    "smv": (
        "light = north_south & east.car = waiting : {north_south, east_west};\n"
        "      light = east_west & north.car = waiting : {north_south, east_west};",
        "light = north_south & east.car = waiting & next(north.car) != crossing : east_west;\n"
        "      light = east_west & north.car = waiting & next(east.car) != crossing : north_south;",
    ),
    "asbru": (
        "[[6h,-],[-,-],[-,-]] SELF) (not allergic))",
        "[[6h,-],[-,-],[-,-]] SELF) (or (allergic) (not allergic)))",
    ),
    "python": (
        'light.edge("red", "ready", guard="!green[1 - me]")',
        'light.edge("red", "green", guard="!green[1 - me]", effect="green[me] = 1")',
    ),
}


def invoke(*arguments: object) -> Result:
    return CliRunner().invoke(init, [str(argument) for argument in arguments], standalone_mode=False)


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_example_has_a_bug_and_can_be_mended(language: str, tmp_path: Path) -> None:
    done = invoke(language, tmp_path / "new" / "folder")
    assert done.exception is None, done.output
    folder = tmp_path / "new" / "folder"
    model = folder / MODELS[language]
    assert str(model) in done.output
    assert check(model).verdict == "violated"
    text = model.read_text()
    wrong, right = MENDED[language]
    assert wrong in text
    model.write_text(text.replace(wrong, right))
    assert check(model).verdict == "holds"


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_project_is_as_expected(language: str, tmp_path: Path) -> None:
    write_example(language, tmp_path)
    done = CliRunner().invoke(run_project, [str(tmp_path)], standalone_mode=False)
    assert done.return_value == 0, done.output


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    (tmp_path / "clerks.pml").write_text("mine")
    done = invoke(tmp_path)
    assert "is there already" in str(done.exception)
    assert (tmp_path / "clerks.pml").read_text() == "mine"
    assert not (tmp_path / "beeline.toml").exists()


def test_unknown_languages_are_named(tmp_path: Path) -> None:
    assert "none of promela, uppaal, murphi, smv, asbru, python" in str(invoke("cobol", tmp_path).exception)


def test_the_doctor_names_everything() -> None:
    done = CliRunner().invoke(doctor, ["--json"], standalone_mode=False)
    assert done.return_value == 0
    findings = {one["name"]: one for one in json.loads(done.stdout)["findings"]}
    assert {"beeline", "python", "native engine", "spin", "gcc", "chromium"} <= set(findings)
    assert all(one["found"] or one["remedy"] for one in findings.values())
    plain = CliRunner().invoke(doctor, [], standalone_mode=False)
    assert "native engine" in plain.output


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_completion_scripts_are_printed(shell: str) -> None:
    program = "import sys; from beeline.cli import main; main(['completion', sys.argv[1]])"
    done = subprocess.run([sys.executable, "-c", program, shell], capture_output=True, text=True, check=False)
    assert done.returncode == 0 and "_BEELINE_COMPLETE" in done.stdout
