"""A file without a suffix that tells its language is recognised by what stands in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from beeline import ModelError, load
from beeline.languages import _choose

MODELS = Path(__file__).parents[2] / "models"
FILES = [
    file
    for language, suffixes in (
        ("promela", (".pml",)),
        ("dve", (".dve",)),
        ("murphi", (".m",)),
        ("uppaal", (".xta",)),
        ("python", (".py",)),
    )
    for file in sorted((MODELS / language).iterdir())
    if file.suffix in suffixes
]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_every_model_is_recognised_without_its_suffix(file: Path, tmp_path: Path) -> None:
    nameless = tmp_path / "model"
    nameless.write_text(file.read_text())
    assert _choose(nameless, None).name == file.parent.name


def test_xml_is_recognised(tmp_path: Path) -> None:
    file = tmp_path / "model.txt"
    file.write_text("<?xml version='1.0'?>\n<nta><declaration>clock x;</declaration></nta>")
    assert _choose(file, None).name == "uppaal"


def test_comments_are_no_sign(tmp_path: Path) -> None:
    file = tmp_path / "notes"
    file.write_text("/* proctype P() { } */ // init { }\nnothing")
    with pytest.raises(ModelError, match="cannot tell the language: it has no suffix, and nothing in it is typical"):
        load(file)


def test_a_file_that_could_be_two_things_is_not_guessed(tmp_path: Path) -> None:
    file = tmp_path / "mixed"
    file.write_text("proctype P() { }\nprocess P {\nsystem async;\n")
    with pytest.raises(ModelError, match="it could be dve or promela") as refused:
        load(file)
    assert "--language" in refused.value.remedy
