"""Results show themselves in notebooks, and nothing that a model says is markup there."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path

from beeline import NetworkBuilder, check

MODELS = Path(__file__).parents[2] / "models"


class Tags(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.classes: list[str] = []
        self.text = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.classes += [value for name, value in attrs if name == "class" and value is not None]

    def handle_data(self, data: str) -> None:
        self.text += data


def test_a_violation_shows_its_steps() -> None:
    seen = Tags(check(MODELS / "python/philosophers.py")._repr_html_())
    assert seen.tags.count("details") == 5, "the initial state and one for each step"
    assert "4 steps, the shortest possible" in seen.text
    assert "taken[3]: 0 -> 1" in seen.text


def test_a_lasso_says_where_its_cycle_begins() -> None:
    builder = NetworkBuilder("turns")
    builder.variable("x", 0, 2)
    process = builder.process("P").location("a").location("b").location("c")
    process.edge("a", "b", effect="x = 1").edge("b", "c", effect="x = 2").edge("c", "b", effect="x = 1")
    seen = Tags(check(builder, "ltl: <> (x == 3)")._repr_html_())
    assert seen.tags.count("details") == 4
    assert seen.text.index("x = 1") < seen.text.index("the cycle begins") < seen.text.index("x = 2")
    assert "and so on for ever: as after step 1" in seen.text


def test_a_timed_trace_has_moments() -> None:
    seen = Tags(check(MODELS / "uppaal/fischer_b_3_faulty.xta")._repr_html_())
    assert seen.classes.count("moment") == 7


def test_a_property_that_holds_and_a_goal_say_so() -> None:
    builder = NetworkBuilder("counter")
    builder.variable("x", 0, 3)
    builder.process("up").location("run").edge("run", "run", guard="x < 3", effect="x++")
    assert "holds" in Tags(check(builder, "x < 4")._repr_html_()).text
    assert "reached" in Tags(check(builder, "E<> x == 3")._repr_html_()).text


def test_names_are_never_markup() -> None:
    class Odd:
        def initial(self) -> str:
            return "<script>alert(1)</script>"

        def successors(self, state: str) -> list[tuple[str, str]]:
            return [("<img src=x onerror=alert(2)>", "<b>")]

        def violates(self, state: str) -> str | None:
            return "<i>reason</i>" if state == "<b>" else None

    seen = Tags(check(Odd())._repr_html_())
    assert not {"script", "img", "i"} & set(seen.tags)
    assert "<i>reason</i>" in seen.text and "onerror=alert(2)" in seen.text
