"""`beeline lts` and `beeline compare`: models as systems of labelled arcs, and what tells two of them apart."""

from pathlib import Path

import pytest
from tests.cli.conftest import MODELS, Beeline

BIT = MODELS.parent / "promela" / "alternating_bit.pml"
ONLY = ("--only", "forth*")


def test_a_model_is_written_and_can_be_read_back(beeline: Beeline, tmp_path: Path) -> None:
    file = tmp_path / "bit.aut"
    done = beeline("lts", BIT, *ONLY, "--minimise", "branching", "--output", file)
    assert (done.code, done.out, done.err) == (0, "", "12 states, 20 arcs (from 100 and 136)\n")
    assert file.read_text().startswith('des (0, 20, 12)\n(0, "forth!0,0", 1)\n')
    assert beeline("lts", file).out == file.read_text()
    assert beeline("compare", file, BIT, *ONLY, "--threads", "2").code == 0


def test_what_only_one_of_two_can_do_is_told(beeline: Beeline, tmp_path: Path) -> None:
    good, late = tmp_path / "good.aut", tmp_path / "late.aut"
    good.write_text('des (0, 2, 3)\n(0, "a", 1)\n(1, "b", 2)\n')
    late.write_text('des (0, 3, 4)\n(0, "a", 1)\n(1, "b", 2)\n(2, "c", 3)\n')
    done = beeline("compare", late, good, "--by", "trace")
    assert done.code == 1
    assert f"a visible word, of {late} and not of {good}:\n\n    a . b . c\n" in done.out
    assert beeline("compare", late, good, "--hide", "c").code == 0
    assert beeline("compare", late, good, "--hide", "c", "--by", "strong").code == 1
    renamed = beeline("lts", late, "--rename", "?=x", "--minimise", "strong")
    assert renamed.out.splitlines()[1:] == ['(0, "x", 1)', '(1, "x", 2)', '(2, "x", 3)']


def test_spaces_in_python_have_their_own_labels(beeline: Beeline) -> None:
    assert '"fill the small jug"' in beeline("lts", MODELS / "jugs.py").out


def test_a_limit_leaves_nothing_behind(beeline: Beeline, tmp_path: Path) -> None:
    file = tmp_path / "never.aut"
    done = beeline("lts", BIT, "--max-states", "10", "--output", file)
    assert (done.code, done.err) == (3, "unknown (state limit: there are more than 10 states)\n")
    assert not file.exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((MODELS.parent / "uppaal" / "fischer_b_3_faulty.xta",), "a model with clocks has no labelled"),
        (("nowhere.aut",), "could not open file"),
        ((BIT, "--rename", "x"), "'x' is not OLD=NEW"),
        ((BIT, "--output", "/nowhere/x.aut"), "could not open file"),
    ],
)
def test_mistakes_are_told(beeline: Beeline, arguments: tuple[object, ...], said: str) -> None:
    done = beeline("lts", *arguments)
    assert done.code == 2
    assert said in done.err
