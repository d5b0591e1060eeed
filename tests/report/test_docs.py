"""The pages about reports, the viewer and the guides say what the program does."""

from __future__ import annotations

import re
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from beeline.checking import check as run_check
from beeline.cli import check, run_project, view
from beeline.cli.project import MODEL, OPTIONS, PROJECT, PROPERTY, VERDICTS

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = ("ci.md", "viewer.md", "spin-users.md", "uppaal-users.md", "tlaplus-users.md", "complaints.md")
COMMANDS: dict[str, click.Command] = {"check": check.check, "run": run_project.run_project, "view": view.view}


def test_every_key_of_the_project_file_is_documented() -> None:
    text = (DOCS / "ci.md").read_text()
    for key in {*OPTIONS, *MODEL, *PROPERTY, *PROJECT}:
        assert f"`{key}`" in text or f"[{key}]" in text, key
    assert all(f'"{word}"' in text for word in VERDICTS)


@pytest.mark.parametrize("page", PAGES)
def test_options_in_the_pages_exist(page: str) -> None:
    for name, rest in re.findall(r"beeline (check|run|view)\b([^`|\n]*)", (DOCS / page).read_text()):
        known = {text for option in COMMANDS[name].params for text in option.opts}
        for option in re.findall(r"(?<!\S)--[a-z-]+", rest.split(" | ")[0]):
            assert option in known, f"{page}: beeline {name} {option}"


@pytest.mark.parametrize("page", PAGES)
def test_links_between_pages_lead_somewhere(page: str) -> None:
    for target in re.findall(r"\]\(([^)#:]+\.md)(?:#[^)]*)?\)", (DOCS / page).read_text()):
        assert (DOCS / target).is_file(), target


def test_the_explanation_in_the_page_is_what_comes_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    block = re.search(r"\$ beeline check (.*)\n\.\.\.\n((?:.*\n)+?)```", (DOCS / "viewer.md").read_text())
    assert block is not None
    done = CliRunner().invoke(check.check, block[1].split(), standalone_mode=False)
    assert done.output.endswith(block[2])


def test_the_space_for_tlaplus_users_works(tmp_path: Path) -> None:
    block = re.search(r"```python\n(.*?)```", (DOCS / "tlaplus-users.md").read_text(), re.DOTALL)
    assert block is not None
    (tmp_path / "jugs.py").write_text(block[1])
    result = run_check(tmp_path / "jugs.py")
    assert result.trace is not None and len(result.trace) == 6
