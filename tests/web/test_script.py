"""The page's script at work in Node, with a stand-in for the document."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from tests.web.conftest import HOSTILE, make_result

from beeline.web.page import HERE, build_page

NODE = shutil.which("node")
FAKE = Path(__file__).parent / "fake_document.js"
SOURCES = {"model.pml": [f"line {i}" for i in range(1, 9)]}

needs_node = pytest.mark.skipif(NODE is None, reason="node is not installed: the script is not run")


def node(*arguments: str) -> Any:
    assert NODE is not None
    done = subprocess.run([NODE, *arguments], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture
def at(tmp_path: Path) -> Any:
    """Opens a page for a result, does something on it and returns what that returns."""

    def act(result: dict[str, Any], commands: str) -> Any:
        file = tmp_path / "page.html"
        file.write_text(build_page(result, SOURCES), encoding="utf-8")
        return node(str(FAKE), str(file), commands)

    return act


@needs_node
def test_it_opens_at_the_end_and_steps_back(at: Any, result: dict[str, Any]) -> None:
    shown = at(
        result,
        """
        const end = byId("now").textContent;
        press("ArrowUp"); const before = byId("now").textContent;
        press("Home"); const start = byId("now").textContent;
        const lines = () => byId("state").children[0].children[0].children;
        const state = lines().map((row) => row.textContent);
        press("End"); press("ArrowDown");
        const changed = lines().filter((row) => row.getAttribute("class") === "changed").length;
        return { end, before, start, state, changed, again: byId("now").textContent };
        """,
    )
    assert shown["end"].startswith("step 12 of 12")
    assert shown["before"].startswith("step 11 of 12")
    assert shown["start"] == "initial state"
    assert shown["state"] == ["x0", "q[]", "quiet4"]
    assert shown["changed"] == 2
    assert shown["again"] == shown["end"]


@needs_node
def test_past_the_last_step_of_a_lasso_the_cycle_begins_again(at: Any, result: dict[str, Any]) -> None:
    result["cycle_start"], result["broken_promise"] = 9, "'x == 0' never comes"
    said = at(
        result,
        """
        const met = [byId("details").textContent];
        for (const key of ["ArrowDown", "PageDown", "ArrowUp", "ArrowUp"]) {
          press(key);
          met.push(byId("now").textContent.split(":")[0]);
        }
        met.push(byId("details").textContent, byId("facts").textContent.includes("steps 10 to 12"));
        byId("search").value = "10 -> 11"; byId("search").fire("input");
        press("End"); press("ArrowDown"); met.push(byId("now").textContent.split(":")[0]);
        byId("search").value = "nowhere"; byId("search").fire("input");
        press("End"); press("ArrowDown"); met.push(byId("now").textContent.split(":")[0]);
        return met;
        """,
    )
    assert said[0] == "and so on for ever: as after step 9; 'x == 0' never comes"
    assert said[1:5] == ["step 10 of 12", "step 11 of 12", "step 10 of 12", "step 9 of 12"]
    assert said[5:7] == ["the cycle begins", True]
    assert said[7:] == ["step 11 of 12", "step 12 of 12"]


@needs_node
@pytest.mark.parametrize(("start", "lines"), [(9, 2), (12, 1), (None, 0), (13, 0), ("</script>", 0)])
def test_the_chart_shows_where_the_cycle_begins_and_that_it_goes_back(
    at: Any, result: dict[str, Any], start: Any, lines: int
) -> None:
    result["cycle_start"] = start
    marks = at(
        result,
        """
        const drawn = [...byId("picture").children, ...byId("margin").children];
        const marks = drawn.filter((one) => (one.getAttribute("class") || "").startsWith("cycle"));
        return marks.map((one) => [one.tagName, one.textContent]);
        """,
    )
    said = [text for tag, text in marks if tag == "TEXT"]
    assert len(said) == lines
    assert [tag for tag, _ in marks].count("PATH") == (1 if lines == 2 else 0)
    if lines == 1:
        assert said == ["nothing happens any more, for ever"]


@needs_node
def test_search_and_filters_leave_the_steps_that_fit(at: Any, result: dict[str, Any]) -> None:
    result["trace"][6]["action"] = "something RARE"
    found = at(
        result,
        """
        const by = (id, value) => {
          byId(id).value = value; byId(id).fire("input");
          const said = byId("count").textContent; byId(id).value = ""; byId(id).fire("input"); return said;
        };
        return [by("search", "rare"), by("process", "P1"), by("variable", "x"), by("variable", "none")];
        """,
    )
    assert found == ["1 of 12 steps", "7 of 12 steps", "12 of 12 steps", "0 of 12 steps"]


@needs_node
def test_the_line_of_the_step_is_marked(at: Any, result: dict[str, Any]) -> None:
    assert at(result, 'return [byId("line-6").classList.has("current"), byId("source").children.length]') == [True, 8]


@needs_node
def test_ten_thousand_steps_draw_only_what_is_in_view(at: Any) -> None:
    drawn, height, moved = at(
        make_result(10_000),
        """
        const count = byId("picture").children.length;
        byId("chart").scrollTop = 150000; byId("chart").fire("scroll");
        return [count, byId("rows").style.height, byId("picture").style.top];
        """,
    )
    assert drawn < 300
    assert height == "300000px"
    assert moved == "149700px"


@needs_node
def test_hostile_text_is_text(at: Any, hostile: dict[str, Any]) -> None:
    said = at(
        hostile,
        """
        const tags = new Set();
        const visit = (node) => { if (node.text) return; tags.add(node.tagName); node.children.forEach(visit); };
        for (const id of ["state", "picture", "names", "facts", "details", "source", "process", "why-writes"])
          visit(byId(id));
        return [byId("reason").textContent, byId("property").textContent, [...tags].sort()];
        """,
    )
    assert said[0] == HOSTILE
    assert said[1] == f"{HOSTILE} is fine"
    assert not {"SCRIPT", "IMG", "A", "IFRAME"} & set(said[2])


@needs_node
def test_two_traces_stand_side_by_side(result: dict[str, Any], tmp_path: Path) -> None:
    other = make_result(12)
    other["trace"][3]["action"] = "y = 1"
    del other["trace"][8]
    file = tmp_path / "page.html"
    file.write_text(build_page(result, {}, other), encoding="utf-8")
    commands = """
        const rows = byId("compare-rows").children.map((row) => row.children.map((cell) => cell.textContent));
        const differs = byId("compare-rows").children.map((row) => row.getAttribute("class") === "differs");
        return [byId("panel-compare").hidden, byId("compare-headline").textContent, rows, differs];
    """
    hidden, headline, rows, differs = node(str(FAKE), str(file), commands)
    assert hidden is False
    assert headline.startswith("12 steps here, 11 in the other trace, 10 in both; they part after 3 steps")
    assert rows[0] == ["1 P1: x = x + 1", "1 P1: x = x + 1"]
    assert [row for row, differ in zip(rows, differs, strict=True) if differ] == [
        ["4 P0: x = x + 1", "4 P0: y = 1"],
        ["9 P1: x = x + 1", ""],
    ]


@needs_node
def test_long_traces_are_aligned_at_their_ends() -> None:
    program = (
        f"const {{ aligned }} = require({json.dumps(str(HERE / 'model.js'))});"
        "const steps = (n, w) => Array.from({ length: n }, (_, i) => ({ process: 'P', action: i < 9 ? 'a' : w + i }));"
        "const rows = aligned(steps(5000, 'x'), steps(5000, 'y'));"
        "console.log(JSON.stringify([rows.length, rows.filter(([i, j]) => i !== null && j !== null).length]))"
    )
    assert node("-e", program) == [9991, 9]


@needs_node
def test_a_result_without_a_trace_shows_its_verdict(at: Any, result: dict[str, Any]) -> None:
    result.update(verdict="holds", trace=None, trace_length=None)
    result["graph"] = {"depths": [0, 1], "arcs": [[0, 1]], "bad": [], "path": []}
    shown = at(result, 'return [byId("verdict").textContent, byId("chart").hidden, byId("graph-said").textContent]')
    assert shown == ["holds", True, "2 states, 1 arcs, 1 steps deep, 0 sought"]


@needs_node
def test_the_lights_can_be_turned(at: Any, result: dict[str, Any]) -> None:
    commands = 'const t = () => document.documentElement.getAttribute("data-theme"); press("d"); const a = t();'
    assert at(result, f'{commands} press("d"); return [a, t()]') == ["dark", "light"]


@needs_node
def test_escape_clears_the_filters_and_home_goes_home(at: Any, result: dict[str, Any]) -> None:
    result["trace"][6]["action"] = "something RARE"
    said = at(
        result,
        """
        byId("search").value = "rare"; byId("search").fire("input");
        const narrowed = [byId("count").textContent, byId("clear").hidden];
        press("Escape");
        const whole = [byId("count").textContent, byId("clear").hidden, byId("search").value];
        byId("chart").scrollTop = 90; press("Home");
        return [narrowed, whole, byId("chart").scrollTop, byId("position").textContent];
        """,
    )
    assert said == [["1 of 12 steps", False], ["", True, ""], 0, "0 / 12"]


@needs_node
def test_the_address_leads_to_a_step(at: Any, result: dict[str, Any]) -> None:
    said = at(
        result,
        """
        const first = window.location.hash; press("ArrowUp"); const second = window.location.hash;
        window.location.hash = "#step=3"; window.fire("hashchange");
        return [first, second, byId("position").textContent];
        """,
    )
    assert said == ["#step=12", "#step=11", "3 / 12"]


@needs_node
def test_tabs_show_one_panel_of_each_pane(at: Any, result: dict[str, Any]) -> None:
    result["explanation"] = {"headline": "because", "parts": [], "waits": [], "writes": [], "causes": []}
    said = at(
        result,
        """
        const names = (pane) => byId(`${pane}-tabs`).children.map((tab) => tab.textContent);
        const hidden = () => ["state", "why", "source", "automata"].map((name) => byId(`panel-${name}`).hidden);
        const before = hidden(); openTab("why");
        return [names("upper"), names("lower"), before, hidden(), byId("tab-why").getAttribute("aria-selected")];
        """,
    )
    assert said == [["state", "why"], ["source"], [False, True, False, True], [True, False, False, True], "true"]


def script(call: str) -> Any:
    """What a call of the page's pure functions gives."""
    return node("-e", f"const m = require({json.dumps(str(HERE / 'model.js'))}); console.log(JSON.stringify({call}))")


@needs_node
def test_names_become_a_tree() -> None:
    names = [
        "x",
        "a[0]",
        "a[1]",
        "P",
        "P.mine",
        "P.send.key",
        "P.send.to",
        "w[0].phase",
        "w[0].seen",
        "b[0]",
        "d['k.z']",
    ]
    tree = script(
        f"((f) => f(f, m.treeOf({json.dumps(names)})))((f, node) => node.children.map((one) =>"
        " [one.name, one.path, one.cells, f(f, one)]))"
    )
    assert [row[0] for row in tree] == ["x", "a", "P", "w[0]", "b[0]", "d['k.z']"]
    assert tree[1] == ["a", None, [["[0]", "a[0]"], ["[1]", "a[1]"]], []]
    assert tree[2][3] == [
        ["mine", "P.mine", [], []],
        ["send", None, [["key", "P.send.key"], ["to", "P.send.to"]], []],
    ]
    assert tree[3][2] == [["phase", "w[0].phase"], ["seen", "w[0].seen"]]


@needs_node
def test_time_is_cut_into_spans_and_clocks_into_lines() -> None:
    steps = [
        {"at": "2", "changes": {"P": ["a", "b"], "P.x": ["0", "2"]}, "elapsed": ["P.x"]},
        {"at": "3.5", "changes": {"P.x": ["3.5", "0"]}, "elapsed": []},
        {"at": "4", "changes": {"P": ["b", "c"], "P.x": ["0", "0.5"]}, "elapsed": ["P.x"]},
    ]
    told = json.dumps(steps)
    initial = json.dumps({"P": "a", "P.x": "0"})
    assert script(f"m.spansOf('P', {initial}, {told}, 5)") == [["a", 0, 2], ["b", 2, 4], ["c", 4, 5]]
    assert script(f"m.clocksOf({told})") == ["P.x"]
    assert script(f"m.curveOf('P.x', {initial}, {told}, 5)") == [
        [0, 0], [2, 2], [3.5, 3.5], [3.5, 0], [4, 0.5], [5, 1.5]
    ]  # fmt: skip


@needs_node
def test_places_without_a_name_are_called_by_their_line() -> None:
    assert script("['46#12', 'end', 'x#1'].map(m.placed)") == ["line 46", "end", "x#1"]


@needs_node
def test_states_are_put_together_from_changes_without_the_initial_one() -> None:
    steps = [{"changes": {"x": [str(i), str(i + 1)], **({"y": ["8", None]} if i == 300 else {})}} for i in range(500)]
    program = (
        f"const {{ States }} = require({json.dumps(str(HERE / 'model.js'))});"
        f"const s = new States(null, {json.dumps(steps)});"
        "console.log(JSON.stringify([0, 250, 301, 500].map((n) => [...s.at(n)])))"
    )
    assert node("-e", program) == [
        [["x", "0"], ["y", "8"]],
        [["x", "250"], ["y", "8"]],
        [["x", "301"]],
        [["x", "500"]],
    ]


@needs_node
def test_layers_follow_distances_and_rows_untangle() -> None:
    program = (
        f"const {{ layersOf, ordered }} = require({json.dumps(str(HERE / 'layout.js'))});"
        "const arcs = [[0, 1], [0, 2], [1, 4], [2, 3], [3, 0]];"
        "const layer = layersOf(6, arcs, 0);"
        "console.log(JSON.stringify([layer, ordered(layer, arcs), layersOf(0, [], 0)]))"
    )
    assert node("-e", program) == [[0, 1, 1, 2, 2, 3], [[0], [1, 2], [4, 3], [5]], []]


@needs_node
def test_rules_stand_below_each_other() -> None:
    program = (
        f"const {{ ruled, processes }} = require({json.dumps(str(HERE / 'model.js'))});"
        "const steps = ['take', 'give'].map((name) => ({ process: name, action: 'rule', partners: [] }));"
        "const others = [...steps, { process: 'P', action: 'x++' }];"
        "console.log(JSON.stringify([processes(ruled(steps)), ruled(steps)[1].action, processes(ruled(others))]))"
    )
    assert node("-e", program) == [[""], "give", ["take", "give", "P"]]


@needs_node
def test_rows_in_view_are_found_by_where_they_begin() -> None:
    program = (
        f"const {{ visible, momentOf }} = require({json.dumps(str(HERE / 'model.js'))});"
        "const tops = Array.from({ length: 1000 }, (_, i) => 40 * i);"
        "console.log(JSON.stringify([visible(tops, 30, 20000, 600), visible([], 30, 0, 600), visible(tops, 30, 0, 90),"
        " momentOf({ at: '1/4' }), momentOf({ at: '2.5' }), momentOf({})]))"
    )
    first, nothing, start, *moments = node("-e", program)
    assert first == [490, 526]
    assert nothing == [0, 0]
    assert start == [0, 13]
    assert moments == [0.25, 2.5, 0]
