"""Pictures of results: what is read, what is drawn where, and that the page and the files are well-formed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from benchmarks.picture import Axis, Chart
from benchmarks.plots.__main__ import draw, markdown
from benchmarks.plots.results import NoResults, chosen, read
from benchmarks.plots.shapes import compared, curves, family_of, ratios, run_by_all, scatter, solved_within
from defusedxml.ElementTree import fromstring

SVG = "{http://www.w3.org/2000/svg}"


def answer(states: int, seconds: float) -> dict[str, Any]:
    return {"verdict": "violated", "states": {"expanded": states}, "time_s": seconds}


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    """Three sizes of a family by two configurations, of which one fails on the largest."""
    records = {f"arbiter {size} | bfs": answer(10**size, 0.1 * size) for size in (2, 3)}
    records["arbiter 4 | bfs"] = {"verdict": "unknown"}
    records |= {f"arbiter {size} | greedy <h>": answer(10 * size, 0.0) for size in (2, 3, 4)}
    (tmp_path / "directed-x.json").write_text(json.dumps(records))
    return tmp_path


def test_runs_without_an_answer_and_runs_that_were_not_made_differ(kept: Path) -> None:
    results = read(kept, "directed-x")
    assert results["states"]["bfs"] == {"arbiter 2": 100, "arbiter 3": 1000, "arbiter 4": None}
    assert results["seconds"]["greedy <h>"]["arbiter 4"] == 1e-3  # zero has no logarithm
    assert list(chosen(results, "none*", "bfs")["states"]) == ["bfs"]
    some: dict[str, dict[str, float | None]] = {"a": {"x": 1.0, "y": None}, "b": {"y": 3.0, "z": 4.0}}
    assert run_by_all(some) == {"a": {"y": None}, "b": {"y": 3.0}}
    assert compared(some, "a", "b") == [(None, 3.0)]


def test_lines_of_the_other_harnesses_are_read(tmp_path: Path) -> None:
    runs = [
        {"key": "A2 | astar | hAA:5 | 10.0", "explored": 7, "length": 3, "build_s": 1.0, "search_s": 2.0},
        {"key": "A2 | bfs | None | 10.0", "explored": 9, "length": None, "build_s": 0.0, "search_s": 9.0},
        {"part": "search", "model": "leader N=8", "taken": {"pan": [3, 1, 2], "beeline": [1, 1, 1]}},
    ]
    (tmp_path / "abstraction.jsonl").write_text("\n".join(map(json.dumps, runs)))
    results = read(tmp_path, "abstraction")
    assert results["states"] == {"astar hAA:5": {"A2": 7}, "bfs": {"A2": None}}
    assert results["seconds"]["astar hAA:5"] == {"A2": 3.0}
    assert results["seconds"]["pan"] == {"leader N=8": 2}


def test_a_wrong_name_is_told_with_those_that_exist(kept: Path) -> None:
    with pytest.raises(NoResults, match="there are: directed-x"):
        read(kept, "directed-y")


def test_families_are_found_by_their_size() -> None:
    assert family_of("fischer A 15") == ("fischer A", 15)
    assert family_of("philosophers N=8") == ("philosophers", 8)
    assert family_of("frogs.1 goal2") is None
    figures: dict[str, dict[str, float | None]] = {
        "bfs": {"a 4": 9.0, "a 2": 1.0, "a 3": None, "b 1": 1.0},
        "dfs": {"a 3": 5.0},
    }
    assert curves(figures) == {"a": {"bfs": [(2, 1.0), (4, 9.0)], "dfs": [(3, 5.0)]}}


def test_ratios_are_over_what_both_answer(kept: Path) -> None:
    found = next(one for one in ratios(read(kept, "directed-x"), "bfs") if one.configuration != "bfs")
    assert (found.measure, found.run, found.answered, found.both) == ("states", 3, 3, 2)
    assert found.mean == pytest.approx((20 / 100 * 30 / 1000) ** 0.5)


def test_a_cactus_counts_upwards() -> None:
    assert solved_within([5, 1, 5]) == [(1, 1), (5, 2), (5, 3)]


def test_what_only_one_answers_lies_on_the_border() -> None:
    chart = scatter("states", "bfs", "greedy", [(100.0, 10.0), (None, 50.0)])
    assert chart.series == {"instances": [(100.0, 10.0), (200.0, 50.0)]}
    assert chart.edges == (200.0,)


def test_a_chart_has_a_line_or_a_dot_for_each_point(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="`make plots` installs it")
    points = [(1.0, 2.0), (3.0, 4.0), (5.0, 1.0)]
    Chart("a < b", Axis("x"), Axis("y", logarithmic=True), {"one": points, "two": points}).write(tmp_path / "lines.svg")
    dots = Chart("dots", Axis("x"), Axis("y"), {"one": points}, dots=True, joined=False, diagonal=True, edges=(2.0,))
    dots.write(tmp_path / "dots.svg", png=False)
    assert {file.name for file in tmp_path.iterdir()} == {"lines.svg", "lines.png", "dots.svg"}
    lines = parts(tmp_path / "lines.svg")
    assert {"series-0", "series-1"} <= set(lines) and lines["series-0"].findall(f"{SVG}path")
    assert len(lines) and not list(lines["series-0"].iter(f"{SVG}use")), "no dots"
    assert len(list(parts(tmp_path / "dots.svg")["series-0"].iter(f"{SVG}use"))) == len(points)
    before = (tmp_path / "dots.svg").read_text()
    dots.write(tmp_path / "dots.svg", png=False)
    assert (tmp_path / "dots.svg").read_text() == before, "the same chart is the same file"


def parts(file: Path) -> dict[str, Any]:
    """The named parts of a picture."""
    return {part.get("id", ""): part for part in fromstring(file.read_text()).iter(f"{SVG}g")}


def test_the_page_shows_every_picture(kept: Path) -> None:
    pytest.importorskip("matplotlib", reason="`make plots` installs it")
    results = read(kept, "directed-x")
    pictures = draw("directed-x", results, "bfs", kept / "plots", png=False)
    assert sorted(file.name for file in pictures) == sorted(
        f"{measure}-{kind}.svg"
        for measure in ("states", "seconds")
        for kind in ("cactus", "bfs-greedy__h_", "over-size-arbiter")
    )
    text = (kept / "plots" / "index.html").read_text()
    assert all(file.is_file() and f'src="{file.name}"' in text for file in pictures) and "greedy &lt;h&gt;" in text
    told = markdown(results, "bfs", pictures, kept)
    assert "| greedy <h> | states | 3 of 3 | 2 | 0.0775 |" in told
    assert all(f"(plots/{file.name})" in told for file in pictures)
