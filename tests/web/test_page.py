"""The page is one file, reaches nothing, and holds what models say as data only."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from tests.web.conftest import HOSTILE

from beeline.cli.check import check
from beeline.cli.view import view
from beeline.web import page as pages
from beeline.web.page import ResultError, build_page, embed, read_result, read_sources


class Elements(HTMLParser):
    """The elements of a page as a browser would see them."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[str] = []
        self.scripts: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.inside = ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs
        self.inside = tag
        if tag == "script":
            self.scripts.append("")

    def handle_endtag(self, tag: str) -> None:
        self.inside = ""

    def handle_data(self, data: str) -> None:
        if self.inside == "script":
            self.scripts[-1] += data


def test_the_page_is_one_file_without_addresses(result: dict[str, Any]) -> None:
    text = build_page(result)
    elements = Elements(text)
    assert not {"link", "img", "iframe", "object", "base", "form"} & set(elements.tags)
    assert not [name for name, _ in elements.attributes if name in ("src", "href", "action")]
    assert not [name for name, _ in elements.attributes if name.startswith("on")]
    assert set(re.findall(r"https?://[^\"' ]+", text)) == {"http://www.w3.org/2000/svg"}


def test_hostile_text_stays_inside_the_data(hostile: dict[str, Any]) -> None:
    plain = Elements(build_page({"verdict": "holds"}))
    attacked = Elements(build_page(hostile, {HOSTILE: [HOSTILE]}, hostile))
    assert attacked.tags == plain.tags
    data, script = attacked.scripts
    assert script == plain.scripts[1]
    assert json.loads(data) == {
        "result": hostile,
        "sources": {HOSTILE: [HOSTILE]},
        "other": hostile,
        "messages": [["q", "7", 0, 1]],
    }


def test_data_has_no_character_that_matters_to_markup() -> None:
    text = embed([HOSTILE, "&amp;"])
    assert not set("<>&\u2028") & set(text)
    assert json.loads(text) == [HOSTILE, "&amp;"]


def test_the_policy_allows_this_script_and_style_alone(result: dict[str, Any]) -> None:
    text = build_page(result)
    script = Elements(text).scripts[1]
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    found = re.search(r'Content-Security-Policy" content="([^"]+)"', text)
    assert found is not None
    policy = found[1]
    assert policy.startswith("default-src 'none'; ")
    assert f"script-src 'sha256-{digest}'" in policy
    assert "unsafe" not in policy and "http" not in policy


def test_the_script_makes_no_markup_and_asks_nobody() -> None:
    for name in pages.SCRIPTS:
        text = (pages.HERE / name).read_text(encoding="utf-8")
        for word in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "Function(", "fetch(",
                     "XMLHttpRequest", "WebSocket", "import(", "setTimeout(", "</", "<!--"):  # fmt: skip
            assert word not in text, f"{word} in {name}"


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"verdict": "holds", "trace": 3}',
                                  '{"verdict": "x", "trace": [{"changes": {"x": 1}}]}'])  # fmt: skip
def test_what_is_no_result_is_refused(text: str) -> None:
    with pytest.raises(ResultError):
        read_result(text, "r.json")


def test_an_improved_trace_can_be_looked_at(result: dict[str, Any]) -> None:
    improved = {"property": "safety", "length_before": 20, "note": "", "trace": result["trace"]}
    found = read_result(json.dumps(improved), "r.json")
    assert (found["verdict"], found["trace_length"]) == ("violated", 12)


def test_a_result_cannot_name_files_elsewhere(
    result: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inside, outside = tmp_path / "inside", tmp_path / "secret.pml"
    inside.mkdir()
    outside.write_text("secret")
    (inside / "model.pml").write_text("one\ntwo\n")
    (inside / "notes.txt").write_text("private")
    (inside / "link.pml").symlink_to(outside)
    monkeypatch.chdir(inside)
    files = ["model.pml", "../secret.pml", str(outside), "/etc/passwd", "notes.txt", "link.pml"]
    for step, file in zip(result["trace"], files, strict=False):
        step["source"]["file"] = file
    assert read_sources(result) == {"model.pml": ["one", "two"]}
    assert read_sources(result, [outside]).keys() >= {"model.pml"}


def test_view_exports_what_check_wrote(tmp_path: Path) -> None:
    model, told, out = tmp_path / "m.pml", tmp_path / "result.json", tmp_path / "out.html"
    model.write_text("byte x;\nactive proctype P() { x = 1; assert(x == 0) }\n")
    done = CliRunner().invoke(check, [str(model), "--json", "--explain"], standalone_mode=False)
    told.write_text(done.stdout)
    shown = CliRunner().invoke(view, [str(told), "--export", str(out), "--source", str(model)], standalone_mode=False)
    assert shown.return_value == 0, shown.output
    data = json.loads(Elements(out.read_text()).scripts[0])
    assert data["result"]["trace_length"] == 2
    assert data["sources"][str(model)][0] == "byte x;"


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    done = CliRunner().invoke(view, [str(tmp_path / "none.json")], standalone_mode=False)
    assert isinstance(done.exception, ResultError)
    assert "No such file" in str(done.exception)


def test_check_can_show_the_page_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    served: list[str] = []
    monkeypatch.setattr("beeline.cli.view.serve", served.append)
    model = tmp_path / "m.pml"
    model.write_text("byte x;\nactive proctype P() { x = 1; assert(x == 0) }\n")
    CliRunner().invoke(check, [str(model), "--view", "--explain"], standalone_mode=False)
    (text,) = served
    data = json.loads(Elements(text).scripts[0])
    assert data["result"]["explanation"]["parts"][0]["text"] == "x == 0"
    assert data["sources"][str(model)][0] == "byte x;"
    few = ["--search", "bfs", "--max-states", "1"]
    CliRunner().invoke(check, [str(model), "--view", "--property", "x < 9", *few], standalone_mode=False)
    assert len(served) == 1
