"""Every file of the public collections is read, or refused for the reason that the documentation gives."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from beeline.languages.uppaal import Unsupported, UppaalError, load
from beeline.languages.uppaal.queries import parse_queries

ROOT = Path(__file__).resolve().parents[3]
FOLDER = ROOT.parent / "shared" / "models"
COLLECTIONS = ("uppaal-models", "utap-models", "ticktac-benchmarks")

pytestmark = pytest.mark.skipif(
    not all((FOLDER / name).is_dir() for name in COLLECTIONS),
    reason="the collections are not there (expected in ../shared/models)",
)


def documented() -> dict[str, tuple[int, int, str]]:
    """The table of the documentation: files, how many are read, and why the others are not."""
    found = {}
    for line in (ROOT / "docs" / "timed-automata.md").read_text().splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) == 4 and cells[0].startswith(tuple(f"`{name}" for name in COLLECTIONS)):
            found[cells[0].strip("`")] = (int(cells[1]), int(cells[2]), cells[3])
    return found


TABLE = documented()


@pytest.mark.slow
def test_the_table_has_every_folder() -> None:
    folders = {str(f.parent.relative_to(FOLDER)) for name in COLLECTIONS for f in (FOLDER / name).rglob("*.xml")}
    assert folders == TABLE.keys()


@pytest.mark.slow
@pytest.mark.parametrize("folder", TABLE)
def test_files_are_read_or_refused_as_documented(folder: str) -> None:
    files = sorted((FOLDER / folder).glob("*.xml"))
    read = 0
    reasons: Counter[str] = Counter()
    for file in files:
        try:
            load(file)
            read += 1
        except Unsupported as refusal:
            assert refusal.source.line > 0
            reasons[refusal.construct] += 1
        except UppaalError:
            reasons["mistake"] += 1
    total, known, why = TABLE[folder]
    assert (len(files), read) == (total, known)
    for reason, count in reasons.items():
        assert reason == "mistake" or f"{reason} ({count})" in why


def test_query_files_are_read() -> None:
    files = [file for name in COLLECTIONS for file in (FOLDER / name).rglob("*.q")]
    assert sum(len(parse_queries(file.read_text(), str(file))) for file in files) >= 60
