"""Python in the documentation runs, TOML in it can be read, and its links lead somewhere."""

from __future__ import annotations

import contextlib
import io
import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def blocks(language: str) -> list[object]:
    return [
        pytest.param(block, id=f"{page.stem}-{number}")
        for page in PAGES
        for number, block in enumerate(re.findall(rf"^```{language}\n(.*?)^```", page.read_text(), re.DOTALL | re.M))
    ]


@pytest.mark.parametrize("block", blocks("python"))
def test_a_python_block_runs(block: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    with contextlib.redirect_stdout(io.StringIO()):
        exec(compile(block, "<page>", "exec"), {"__name__": "__main__"})


@pytest.mark.parametrize("block", blocks("toml"))
def test_a_toml_block_is_toml(block: str) -> None:
    assert tomllib.loads(block)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_links_lead_somewhere(page: Path) -> None:
    text = page.read_text()
    for target, place in re.findall(r"\]\(([^)#:\s]*)(?:#([^)\s]*))?\)", text):
        found = page.parent / target if target else page
        # Pages and pictures made while the site is built have no file.
        if target in ("cli-reference.md", "techniques.md") or target.startswith("pictures/"):
            continue
        assert found.exists(), f"{page.name}: {target}"
        if place:
            assert place in {anchor(title) for title in re.findall(r"^#+ (.*)$", found.read_text(), re.MULTILINE)}


def anchor(title: str) -> str:
    """What a title is called in a link."""
    kept = re.sub(r"[^\w\s-]", "", title.replace("`", "").lower()).strip()
    return re.sub(r"[\s-]+", "-", kept)
