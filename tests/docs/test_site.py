"""The site: its references say all that the code declares, and its navigation leads to pages."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from tests.docs.shell import Shell

from beeline.cli.listing import listing
from beeline.cli.main import COMMANDS
from beeline.cli.reference import command_line, techniques

ROOT = Path(__file__).parents[2]


def test_the_reference_has_every_command_with_its_options() -> None:
    page = command_line()
    assert re.findall(r"^## beeline (.*)$", page, re.MULTILINE) == list(COMMANDS)
    assert "| `--max-memory SIZE` |" in page
    assert "| `--search NAME` |" in page


def test_the_reference_has_every_technique() -> None:
    page = techniques()
    assert re.findall(r"^### (.*)$", page, re.MULTILINE) == [
        entry["name"]
        for part in ("searches", "stores", "heuristics", "reductions", "shrinking")
        for entry in listing()[part]
    ]
    assert "shortest with an admissible estimate" in page


def test_the_navigation_leads_to_pages() -> None:
    named = re.findall(r": ([\w-]+\.md)$", (ROOT / "mkdocs.yml").read_text(), re.MULTILINE)
    missing = {name for name in named if not (ROOT / "docs" / name).exists()}
    assert missing == {"cli-reference.md", "techniques.md"}, "these are made while the site is built"
    assert len(named) == len(set(named)), "each page stands in the menu once"


def test_every_field_of_a_result_is_described(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    page = (ROOT / "docs" / "json.md").read_text()
    _, printed = Shell(ROOT).run("beeline check models/uppaal/fischer_b_3_faulty.xta --json --explain --graph")
    told = json.loads(printed)
    fields = {*told, *told["states"], *told["trace"][0], *told["history"], *told["automata"], *told["graph"]}
    assert not [field for field in sorted(fields) if f"`{field}`" not in page]
