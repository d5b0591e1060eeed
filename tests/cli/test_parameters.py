"""A command's options are the fields of a record: names, types, defaults and help texts are there and nowhere else."""

# Without postponed annotations, which would be texts.
from enum import Enum
from typing import Annotated, Any

import click
import pytest
from click.testing import CliRunner

from beeline.checking import Options
from beeline.cli.check import check
from beeline.cli.options import options_of
from beeline.parameters import Parameter, fields_said
from beeline.records import Record


class Shade(Enum):
    DARK = "dark"
    LIGHT = "light"


class Frame(Record, frozen=True):
    width: Annotated[int, Parameter("Of the frame.", "N", "frame-width", most=9)] = 1


class Picture(Record, frozen=True):
    title: Annotated[str | None, Parameter("What is below.", "TEXT")] = None
    in_colour: Annotated[bool, Parameter("Not grey.")] = False
    shade: Annotated[Shade, Parameter(lambda: "Made late.")] = Shade.DARK
    size: Annotated[int | None, Parameter("Bytes.", kind="size")] = None
    frame: Annotated[Frame | None, Frame] = None
    secret: int = 5


def said(*arguments: str, names: tuple[str, ...] = ()) -> Any:
    seen: list[Picture] = []

    @click.command()
    @options_of(Picture, *names, to="picture")
    def draw(picture: Picture) -> None:
        seen.append(picture)

    result = CliRunner().invoke(draw, arguments)
    return seen[0] if seen else result.output


def test_without_options_the_command_gets_the_record_of_defaults() -> None:
    assert said() == Picture()


def test_every_kind_of_field_can_be_said() -> None:
    found = said("--title", "x", "--in-colour", "--shade=light", "--size=2K", "--frame-width=3")
    assert found == Picture("x", True, Shade.LIGHT, 2048, Frame(3))


def test_a_record_inside_is_left_out_as_long_as_nothing_is_said_of_it() -> None:
    assert said("--title=x").frame is None
    assert said("--frame-width=1").frame == Frame(1)  # the default, and said


@pytest.mark.parametrize("wrong", [["--frame-width=10"], ["--shade=red"], ["--secret=1"], ["--size=no"]])
def test_values_outside_of_what_a_field_takes_are_refused(wrong: list[str]) -> None:
    assert "Error" in said(*wrong)


def test_a_command_can_have_some_of_the_fields_only() -> None:
    assert "No such option" in said("--shade=light", names=("title",))


def test_the_help_shows_texts_and_defaults() -> None:
    text = " ".join(said("--help").split())
    assert "--frame-width N Of the frame. [default: 1]" in text
    assert "--shade [dark|light] Made late. [default: dark]" in text


def test_check_has_an_option_for_every_field_that_a_person_may_say() -> None:
    options = {name for parameter in check.params for name in parameter.opts}
    for field in fields_said(Options):
        inside = [field] if field.parameter is not None else list(fields_said(field.type))
        assert {f"--{one.option}" for one in inside} <= options
    unsaid = set(Options.__struct_fields__) - {field.name for field in fields_said(Options)}
    assert unsaid == {"progress", "resumes"}  # the latter is said by `beeline resume`
