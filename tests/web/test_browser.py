"""The trace explorer in a real browser: Debian's Chromium, driven by Playwright."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.web.conftest import HOSTILE, make_result

from beeline.web.page import build_page

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: no browser tests")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium here: no browser tests")

ROOT = Path(__file__).parents[2]
BEELINE = [sys.executable, "-c", "from beeline.cli import main; main()"]
WIDTHS = (400, 1000, 1700)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with playwright.sync_playwright() as driver:
        made = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        yield made
        made.close()


class Watched:
    """A page, and what it should never do: complain, talk to somebody, or let a model speak."""

    def __init__(self, browser: Any, **options: Any) -> None:
        self.page = browser.new_page(**{"viewport": {"width": 1200, "height": 900}, **options})
        self.asked: list[str] = []
        self.troubles: list[str] = []
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.on("pageerror", lambda error: self.troubles.append(str(error)))
        self.page.on("console", lambda message: self.troubles.append(message.text))
        self.page.on("dialog", lambda dialog: self.troubles.append(dialog.message))

    def open(self, address: str) -> Any:
        self.page.goto(address)
        return self.page

    def close(self) -> None:
        self.page.close()
        assert not self.troubles
        assert len(self.asked) == 1, "nothing is loaded but the page"


@pytest.fixture
def watched(browser: Any) -> Iterator[Watched]:
    made = Watched(browser)
    yield made
    made.close()


def write(folder: Path, result: dict[str, Any], other: dict[str, Any] | None = None) -> str:
    file = folder / "page.html"
    lines = {"model.pml": [f"line {number}" for number in range(1, 9)]}
    file.write_text(build_page(result, lines, other), encoding="utf-8")
    return file.as_uri()


def beeline(*arguments: str, folder: Path = ROOT) -> str:
    done = subprocess.run([*BEELINE, *arguments], cwd=folder, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode in (0, 1), done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def checked(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Results of real checks: one with messages, one with time, one with wide automata."""
    folder = tmp_path_factory.mktemp("results")
    bit = ("models/promela/alternating_bit.pml", "-D", "FAULTY", "--search", "astar", "--explain")
    asked = {
        "bit": bit,
        "trams": ("models/uppaal/single_track_2_faulty.xta", "--search", "bfs"),
        "towers": ("models/uppaal/hanoi_3.xta",),
    }
    found: dict[str, Path] = {}
    for name, arguments in asked.items():
        found[name] = folder / f"{name}.json"
        found[name].write_text(beeline("check", *arguments, "--json", "--graph"))
    return found


@pytest.fixture(scope="module")
def exported(checked: dict[str, Path]) -> dict[str, str]:
    """The addresses of their pages, each compared with itself."""
    for result in checked.values():
        beeline("view", str(result), "--export", str(result.with_suffix(".html")), "--compare", str(result))
    return {name: result.with_suffix(".html").as_uri() for name, result in checked.items()}


def test_the_address_that_view_prints_opens_the_page(watched: Watched, checked: dict[str, Path]) -> None:
    command = [*BEELINE, "view", str(checked["bit"]), "--no-browser"]
    with subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, text=True) as server:
        try:
            assert server.stderr is not None
            address = server.stderr.readline().strip()
            page = watched.open(address)
            assert (page.inner_text("#verdict"), page.inner_text("h1")) == ("VIOLATED", "safety")
            assert page.inner_text("#now").startswith("step 13 of 13: Receiver")
            page.click("#tab-why")
            assert page.inner_text("#why-headline").startswith("step 13 of Receiver (")
        finally:
            server.terminate()


def test_keys_buttons_and_the_slider_step(watched: Watched, exported: dict[str, str]) -> None:
    page = watched.open(exported["bit"])
    page.click("#tab-state")
    now = page.locator("#now")
    page.keyboard.press("ArrowUp")
    assert now.inner_text().startswith("step 12 of 13")
    page.keyboard.press("Home")
    assert now.inner_text() == "initial state"
    page.click("#next")
    assert now.inner_text() == "step 1 of 13: Sender forth!item,turn"
    assert page.locator("#state tr.changed th").all_inner_texts() == ["forth"]
    assert page.locator("#state summary.changed").all_inner_texts() == ["Sender again → line 23"]
    assert "forth!item(turn)" in page.locator("#source .current").inner_text()
    page.locator("#slider").evaluate("box => { box.value = '6'; box.dispatchEvent(new Event('input')); }")
    assert now.inner_text().startswith("step 6 of 13: Receiver back!got")
    page.click("#tab-why")
    page.click("#why-writes button >> nth=1")
    assert now.inner_text().startswith("step 5 of 13")


def test_a_lasso_goes_round(watched: Watched, tmp_path: Path) -> None:
    (tmp_path / "loop.pml").write_text(
        "byte x; active proctype P() { x = 3; do :: x = 2; x = 3 od } ltl p { <> (x == 4) }"
    )
    told = beeline("check", str(tmp_path / "loop.pml"), "--property", "p", "--json", "--graph", "--explain")
    page = watched.open(write(tmp_path, json.loads(told)))
    assert page.inner_text("#details") == "and so on for ever: as after step 1; 'x==4' never comes"
    assert page.locator("#picture text.cycle").all_text_contents() == ["the cycle begins", page.inner_text("#details")]
    back, first = (
        page.locator("#margin path.back").bounding_box(),
        page.locator('#picture [data-step="2"]').bounding_box(),
    )
    assert back["y"] < first["y"] < back["y"] + back["height"]
    chart, text = page.locator("#chart").bounding_box(), page.locator("#picture text.cycle").last.bounding_box()
    assert text["y"] + text["height"] <= chart["y"] + chart["height"]
    page.keyboard.press("j")
    assert page.inner_text("#now").startswith("step 2 of 3")


def test_automata_light_where_processes_are(watched: Watched, exported: dict[str, str]) -> None:
    page = watched.open(exported["bit"])
    page.click("#tab-automata")
    page.keyboard.press("Home")
    assert page.locator("#automata .lit text").all_text_contents() == ["again", "end", "end"]
    page.keyboard.press("j")
    assert page.locator("#automata path.taken").count() == 1
    assert page.locator("#automata text.taken").all_text_contents() == ["forth!item,turnforth!item,turn"], (
        "and its hint"
    )
    assert page.locator("#automata figcaption").all_inner_texts()[0].split() == ["Sender", "at", "line", "23"]
    assert page.locator("#automata svg").first.get_attribute("aria-label") == "Sender is at line 23, came from again"
    page.select_option("#automata-choice", "moving")
    assert page.locator("#automata figure").count() == 1
    page.click("#tab-source")
    assert page.locator("#source .stands").count() == 3
    assert sorted(page.locator("#source .who").all_inner_texts()) == ["Receiver", "Sender", "Thief"]


def test_a_wide_automaton_is_moved_to_where_its_process_is(watched: Watched, exported: dict[str, str]) -> None:
    page = watched.open(exported["towers"])
    page.click("#tab-automata")
    for step in (5, 21, 40):
        page.evaluate(f"choose({step})")
        panel = page.locator("#panel-automata").bounding_box()
        moved = page.locator("#automata figure").filter(has=page.locator(".edge.taken")).first
        lit = moved.locator(".location.lit").bounding_box()
        assert panel["x"] <= lit["x"] and lit["x"] + lit["width"] <= panel["x"] + panel["width"]
        assert panel["y"] <= lit["y"] and lit["y"] + lit["height"] <= panel["y"] + panel["height"]


def test_the_state_graph_shows_and_chooses_the_step(watched: Watched, exported: dict[str, str]) -> None:
    page = watched.open(exported["bit"])
    page.click("#tab-graph")
    assert page.inner_text("#graph-said") == "104 states, 136 arcs, 49 steps deep, 4 sought"
    page.keyboard.press("Home")
    start = page.locator("#graph-here").bounding_box()
    page.keyboard.press("End")
    end = page.locator("#graph-here").bounding_box()
    assert end["x"] > start["x"]
    page.mouse.click(start["x"] + 6, start["y"] + 6)
    assert page.inner_text("#now") == "initial state"


def test_the_search_is_plotted(watched: Watched, checked: dict[str, Path], exported: dict[str, str]) -> None:
    page = watched.open(exported["bit"])
    page.click("#tab-search")
    assert page.locator("#plots figcaption").all_inner_texts() == [
        "states over time",
        "open list over time",
        "best estimate over time",
        "how often the estimate said so",
    ]
    stored = json.loads(checked["bit"].read_text())["states"]["stored"]
    label = page.locator("#plots svg").first.get_attribute("aria-label")
    assert f"{stored} at" in label and "e+" not in label


def test_time_has_an_axis_to_scale(watched: Watched, checked: dict[str, Path], exported: dict[str, str]) -> None:
    page = watched.open(exported["trams"])
    page.keyboard.press("Home")
    assert page.locator("#margin .moment").all_text_contents()[:3] == ["0", "1", "3"]
    where = {step: float(page.locator(f'#picture [data-step="{step}"]').get_attribute("y")) for step in range(1, 6)}
    steps = json.loads(checked["trams"].read_text())["trace"]
    passed = [float(steps[step]["at"]) - float(steps[step - 1]["at"]) for step in range(1, 5)]
    gaps = [where[step + 1] - where[step] - 30 for step in range(1, 5)]
    assert passed[2] == 2 * passed[0] > 0
    assert gaps == pytest.approx([delay * gaps[0] / passed[0] for delay in passed])


def test_the_step_is_in_view_on_a_small_screen(browser: Any, exported: dict[str, str]) -> None:
    watched = Watched(browser, viewport={"width": 400, "height": 900})
    page = watched.open(exported["trams"])
    for key in ("End", "Home", "ArrowDown", "ArrowDown", "End"):
        page.keyboard.press(key)
    chart, row = page.locator("#chart").bounding_box(), page.locator("#picture .chosen").bounding_box()
    box = page.locator("#picture .action rect").last.bounding_box()
    assert chart["x"] <= box["x"] and box["x"] + box["width"] <= chart["x"] + chart["width"]
    assert chart["y"] <= row["y"] and row["y"] + row["height"] <= chart["y"] + chart["height"] + 1
    watched.close()


def test_search_and_filters(watched: Watched, tmp_path: Path, result: dict[str, Any]) -> None:
    result["trace"][6]["action"] = "something RARE"
    page = watched.open(write(tmp_path, result))
    page.keyboard.press("/")
    page.keyboard.type("rare")
    assert page.inner_text("#count") == "1 of 12 steps"
    assert page.locator("#picture .action").count() == 1
    page.keyboard.press("Escape")
    assert page.input_value("#search") == "" and page.inner_text("#count") == ""
    page.select_option("#process", "P1")
    assert page.inner_text("#count") == "7 of 12 steps"
    page.select_option("#process", "")
    page.fill("#variable", "nothing")
    assert page.inner_text("#count") == "0 of 12 steps"
    page.fill("#variable", "")
    page.fill("#names-filter", "qui")
    assert page.locator("#state th").all_inner_texts() == ["quiet"]
    page.fill("#names-filter", "")
    page.check("#only-changed")
    assert page.locator("#state th").all_inner_texts() == ["x", "q"]


def test_two_traces_are_compared(watched: Watched, tmp_path: Path, result: dict[str, Any]) -> None:
    other = make_result(12)
    del other["trace"][8]
    page = watched.open(write(tmp_path, result, other))
    headline = page.inner_text("#compare-headline")
    assert headline == "12 steps here, 11 in the other trace, 11 in both; they part after 8 steps"
    page.click("#compare-rows .differs button")
    assert page.inner_text("#now").startswith("step 9 of 12")


def test_the_exported_file_needs_no_network(browser: Any, exported: dict[str, str]) -> None:
    watched = Watched(browser, offline=True)
    page = watched.open(exported["bit"])
    assert "they do the same" in page.inner_text("#compare-headline")
    assert page.locator("#picture .message").count() == 3
    assert page.locator("#picture .value").all_text_contents() == ["(0, 0)(0, 0)", "00", "(0, 0)(0, 0)"], "with hints"
    watched.close()


def test_hostile_names_stay_text(watched: Watched, tmp_path: Path, hostile: dict[str, Any]) -> None:
    page = watched.open(write(tmp_path, hostile, hostile))
    for key in ("Home", "ArrowDown", "ArrowDown", "End"):
        page.keyboard.press(key)
    assert page.inner_text("#reason").startswith("</script><script>alert(1)</script>")
    assert page.evaluate("document.scripts.length") == 2
    assert page.locator("img, iframe, a, object, form").count() == 0
    page.click("#tab-automata")
    assert page.locator("#automata-choice option").count() >= 3
    page.click("#tab-why")
    assert page.evaluate("Object.prototype.polluted === undefined && ({}).constructor === Object")
    assert HOSTILE[:30] in page.inner_text("#why-headline")


def test_ten_thousand_steps_stay_fluent(watched: Watched, tmp_path: Path) -> None:
    page = watched.open(write(tmp_path, make_result(10_000)))
    assert page.inner_text("#now").startswith("step 10000 of 10000")
    assert page.locator("#picture .chosen").count() == 1
    for key in ("Home", "PageDown", "ArrowDown"):
        page.keyboard.press(key)
    assert page.inner_text("#now").startswith("step 11 of 10000")
    page.locator("#chart").evaluate("chart => { chart.scrollTop = 150000; }")
    # Scrolling is noticed before the next frame; waiting for a condition would need eval, which the page forbids.
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(0))))")
    assert page.evaluate("parseFloat(document.getElementById('picture').style.top)") > 140_000
    assert page.locator("#picture *").count() < 600, "only what is in view is drawn"
    assert page.evaluate("document.querySelectorAll('*').length") < 2000


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", WIDTHS)
def test_it_fits_and_can_be_read(browser: Any, exported: dict[str, str], width: int, scheme: str) -> None:
    watched = Watched(browser, viewport={"width": width, "height": 900}, color_scheme=scheme)
    page = watched.open(exported["trams"])
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    nameless = """[...document.querySelectorAll("button, input, select, svg[role=img]")].filter((one) =>
        !(one.textContent.trim() || one.getAttribute("aria-label") || one.closest("label"))).map((one) => one.id)"""
    assert page.evaluate(nameless) == []
    assert page.evaluate(CONTRASTS) == []
    watched.close()


# Pairs of colours whose contrast is below what WCAG asks of text (4.5).
CONTRASTS = """(() => {
  const style = getComputedStyle(document.documentElement);
  const pairs_of = (name) => style.getPropertyValue(name).trim().match(/[0-9a-f]{2}/gi);
  const parts = (name) => pairs_of(name).map((hex) => parseInt(hex, 16) / 255);
  const linear = (c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
  const light = (name) => parts(name).map(linear).reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
  const contrast = (a, b) => (Math.max(light(a), light(b)) + 0.05) / (Math.min(light(a), light(b)) + 0.05);
  const pairs = [];
  for (const ink of ["--ink", "--faint", "--good", "--bad", "--open", "--accent"])
    for (const ground of ["--paper", "--box"]) pairs.push([ink, ground]);
  pairs.push(["--ink", "--lit"], ["--faint", "--lit"]);
  return pairs.filter(([a, b]) => contrast(a, b) < 4.5).map((pair) => pair.join(" on "));
})()"""


def test_the_page_can_be_used_with_the_keyboard_alone(watched: Watched, exported: dict[str, str]) -> None:
    page = watched.open(exported["bit"])
    met: list[str] = []
    while len(met) < 80 and "tab-source" not in met:
        page.keyboard.press("Tab")
        met.append(page.evaluate("document.activeElement.id"))
    wanted = [
        "first",
        "previous",
        "next",
        "last",
        "slider",
        "search",
        "process",
        "variable",
        "lights",
        "chart",
        "tab-compare",
        "tab-source",
    ]
    assert [name for name in met if name in wanted] == wanted
    page.focus("#tab-source")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.id") == "tab-automata"
    page.focus("#previous")
    page.keyboard.press("Enter")
    assert page.inner_text("#now").startswith("step 12 of 13")
    page.keyboard.press("d")
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"


@pytest.mark.parametrize("name", ["bit", "trams"])
def test_the_whole_story_fits_one_screen(browser: Any, exported: dict[str, str], name: str) -> None:
    watched = Watched(browser, viewport={"width": 1400, "height": 900})
    page = watched.open(exported[name])
    assert page.evaluate("document.documentElement.scrollHeight") <= 900
    for box in ("#chart", "#upper", "#lower"):
        found = page.locator(box).bounding_box()
        assert found["height"] > 250 and found["y"] + found["height"] <= 900
    watched.close()


def test_names_and_numbers_stay_while_the_chart_is_scrolled(watched: Watched, tmp_path: Path) -> None:
    result = make_result(200)
    for number, step in enumerate(result["trace"]):
        step["process"] = f"process number {number % 12}"
        step["action"] = "a rather long action of a process"
    page = watched.open(write(tmp_path, result))
    page.keyboard.press("Home")
    before = [page.locator(place).bounding_box() for place in ("#corner", "#gutter", "#names")]
    page.locator("#chart").evaluate("chart => { chart.scrollTop = 900; chart.scrollLeft = 500; }")
    after = [page.locator(place).bounding_box() for place in ("#corner", "#gutter", "#names")]
    assert after[0] == before[0]
    assert after[1]["x"] == before[1]["x"] and after[1]["y"] < before[1]["y"]
    assert after[2]["y"] == before[2]["y"] and after[2]["x"] < before[2]["x"]


def test_the_slider_reaches_its_end(watched: Watched, exported: dict[str, str]) -> None:
    page = watched.open(exported["bit"])
    page.focus("#slider")
    page.keyboard.press("Home")
    assert page.inner_text("#position") == "0 / 13"
    page.keyboard.press("End")
    assert page.inner_text("#position") == "13 / 13"
    assert page.evaluate("(box => Number(box.value) === Number(box.max))(document.getElementById('slider'))")


def test_a_link_leads_to_a_step(watched: Watched, exported: dict[str, str]) -> None:
    page = watched.open(f"{exported['bit']}#step=6")
    assert page.inner_text("#now").startswith("step 6 of 13")
    page.keyboard.press("j")
    assert page.url.endswith("#step=7")


def test_time_has_lanes_and_clocks(watched: Watched, exported: dict[str, str]) -> None:
    page = watched.open(exported["trams"])
    lanes = page.locator("#timeline .lane").all_text_contents()
    assert lanes[:3] == ["T0", "T1", "Control"] and "Control.z" in lanes
    assert "crossing" in " ".join(page.locator("#timeline .at").all_text_contents())
    box = page.locator("#timeline").bounding_box()
    page.mouse.click(box["x"] + 100, box["y"] + 60)
    assert page.inner_text("#now").startswith("step 1 of")


def test_boxes_are_as_wide_as_they_must_be(watched: Watched, exported: dict[str, str]) -> None:
    page = watched.open(exported["bit"])
    widths = page.locator("#picture .action rect").evaluate_all("boxes => boxes.map((box) => box.getBBox().width)")
    texts = page.locator("#picture .action text").evaluate_all("boxes => boxes.map((box) => box.getBBox().width)")
    assert all(text < width < text + 30 for width, text in zip(widths, texts, strict=True))


def test_on_paper_everything_is_open(browser: Any, exported: dict[str, str], tmp_path: Path) -> None:
    watched = Watched(browser)
    page = watched.open(exported["bit"])
    page.emulate_media(media="print")
    page.evaluate("() => { dispatchEvent(new Event('beforeprint')); return 0; }")
    for panel in ("state", "why", "compare", "source", "automata", "graph", "search"):
        assert page.locator(f"#panel-{panel}").is_visible(), panel
    assert not page.locator("#controls").is_visible()
    assert page.locator("#picture .action").count() == 13
    page.evaluate("() => { dispatchEvent(new Event('afterprint')); return 0; }")
    assert not page.locator("#panel-graph").is_visible()
    watched.close()


DRAWN = """<?xml version="1.0" encoding="utf-8"?>
<nta><declaration>clock x;</declaration><template><name>Lamp</name>
<location id="id0" x="0" y="0"><name x="-20" y="-40">off</name></location>
<location id="id1" x="200" y="80"><name x="190" y="100">bright</name>
<label kind="invariant" x="190" y="120">x &lt;= 5</label></location>
<init ref="id0"/>
<transition><source ref="id0"/><target ref="id1"/><label kind="guard" x="60" y="10">x &gt;= 2</label>
<label kind="assignment" x="60" y="30">x = 0</label><nail x="120" y="0"/></transition>
</template><system>L = Lamp(); system L;</system>
<queries><query><formula>A[] not L.bright</formula></query></queries></nta>
"""


def test_what_people_drew_in_uppaal_is_drawn_as_they_did(watched: Watched, tmp_path: Path) -> None:
    (tmp_path / "lamp.xml").write_text(DRAWN)
    told = beeline("check", "lamp.xml", "--json", folder=tmp_path)
    (tmp_path / "r.json").write_text(told)
    beeline("view", "r.json", "--export", "r.html", folder=tmp_path)
    page = watched.open((tmp_path / "r.html").as_uri())
    assert page.locator("#tab-automata").get_attribute("aria-selected") == "true"
    off, bright = page.locator("#automata .location").all()
    (x1, y1), (x2, y2) = (
        (float(circle.get_attribute("cx")), float(circle.get_attribute("cy")))
        for circle in (off.locator("circle").first, bright.locator("circle"))
    )
    assert (x2 - x1, y2 - y1) == (200, 80)
    assert page.locator("#automata .note").all_text_contents() == ["x >= 2", "x = 0", "x <= 5"]
    assert page.locator("#automata path.taken").get_attribute("d").startswith("M0 0L120 0L")
    page.click("#tab-source")
    assert "<" not in page.inner_text("#source").replace("<=", "")
    assert "clock x;" in page.inner_text("#source")


def test_the_page_works_in_the_frame_of_an_editor(
    browser: Any, checked: dict[str, Path], exported: dict[str, str]
) -> None:
    watched = Watched(browser)
    outer = watched.page
    outer.set_content('<iframe sandbox="allow-scripts" style="width: 1200px; height: 800px"></iframe>')
    text = checked["bit"].with_suffix(".html").read_text()
    outer.evaluate("(text) => { document.querySelector('iframe').srcdoc = text; }", text)
    page = outer.frame_locator("iframe")
    assert page.locator("#now").inner_text().startswith("step 13 of 13")
    page.locator("#chart").click(position={"x": 200, "y": 200})
    outer.keyboard.press("Home")
    assert page.locator("#now").inner_text() == "initial state"
    page.locator("#next").click()
    assert page.locator("#now").inner_text().startswith("step 1 of 13")
    assert not watched.troubles
    outer.close()
