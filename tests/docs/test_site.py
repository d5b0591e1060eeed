"""The site: its references say all that the code declares, and its navigation leads to pages."""

from __future__ import annotations

import json
import re
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest
from tests.docs.shell import Shell

from beeline.cli.listing import listing
from beeline.cli.main import COMMANDS
from beeline.cli.reference import command_line, techniques

ROOT = Path(__file__).parents[2]


def part_of_the_site(name: str) -> Any:
    """A module beside the pages, which is no part of the package."""
    found = spec_from_file_location(name, ROOT / "docs" / f"{name}.py")
    assert found is not None and found.loader is not None
    module = module_from_spec(found)
    found.loader.exec_module(module)
    return module


def test_the_reference_has_every_command_with_its_options() -> None:
    page = command_line()
    assert re.findall(r"^## beeline (.*)$", page, re.MULTILINE) == list(COMMANDS)
    assert "| `--max-memory SIZE` |" in page
    assert "| `--search NAME` |" in page


def test_the_reference_has_every_technique() -> None:
    page = techniques()
    assert re.findall(r"^### (.*)$", page, re.MULTILINE) == [
        entry["name"]
        for part in ("searches", "stores", "heuristics", "reductions", "shrinking", "matching")
        for entry in listing()[part]
    ]
    assert "shortest with an admissible heuristic" in page


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


def test_every_picture_of_a_page_can_be_made_and_every_picture_is_shown() -> None:
    shown = {
        name
        for page in (ROOT / "docs").glob("*.md")
        for name in re.findall(r"\(pictures/([\w-]+)\.png\)", page.read_text())
    }
    assert shown == set(part_of_the_site("pictures").PICTURES)


def test_a_picture_leads_to_itself_or_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("mkdocs", reason="the site's packages are not installed (`make docs` does)")
    site, text = part_of_the_site("site_hooks"), "Look:\n\n![it](pictures/chart.png)\n"
    monkeypatch.setattr(site.pictures, "why_not", lambda: "")
    linked = "Look:\n\n[![it](pictures/chart.png)](pictures/chart.png)\n"
    assert site.on_page_markdown(text, None, None, None) == linked
    monkeypatch.setattr(site.pictures, "why_not", lambda: "there is no browser")
    assert site.on_page_markdown(text, None, None, None) == "Look:\n\n\n"


def test_a_model_that_a_page_links_to_stands_in_it_folded() -> None:
    pytest.importorskip("mkdocs", reason="the site's packages are not installed (`make docs` does)")
    page = part_of_the_site("site_hooks").on_page_markdown(
        "Model: [it](../models/gallery/zune.pml)\n\nText.", None, None, None
    )
    assert page.startswith('??? example "models/gallery/zune.pml"\n\n    ```promela\n    /*\n')
    assert page.endswith("    }\n    ```\n\n\nText.")
