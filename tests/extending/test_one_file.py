"""What docs/extend.md promises: whatever is added is one file, and the files that its table names are there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar

import pytest

from beeline import (
    Network,
    NetworkBuilder,
    check,
    engines,
    heuristics,
    languages,
    por,
    preprocessing,
    searches,
    stores,
    symmetry,
)
from beeline.checking import check_all
from beeline.cli.listing import listing
from beeline.declared import Folder
from beeline.engines import EngineError, all_engines, registry
from beeline.model.expressions import Expression
from beeline.model.property import Property
from beeline.preprocessing import ShrinkingError, techniques
from beeline.properties import find_property

ORACLE = '''
"""An engine that knows some answers by heart."""

from beeline.engine import Statistics
from beeline.engines.declaration import Engine
from beeline.problems.settings import Result

KNOWN = {"x < 2": "violated", "x < 9": "holds"}


def accepts(problem):
    return None if problem.asked.name in KNOWN else "its answer is not known by heart"


def solve(problem, settings):
    return Result(KNOWN[problem.asked.name], "by heart", problem.asked, "none", Statistics())


ENGINE = Engine("oracle", "answers by heart", accepts, solve, automatic=False)
'''


def counter() -> Network:
    builder = NetworkBuilder("counter")
    builder.variable("x", 0, 3)
    builder.process("P").location("s").edge("s", "s", guard="x < 3", effect="x++")
    return builder.build()


@pytest.fixture
def oracle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """One more file in the folder of engines."""
    add_file(monkeypatch, engines, registry, tmp_path, "oracle", ORACLE)
    yield


@pytest.mark.usefixtures("oracle")
def test_an_engine_is_one_file_that_declares_itself() -> None:
    assert {"explicit", "oracle"} <= set(all_engines())
    assert "oracle" in [one["name"] for one in listing()["engines"]]
    assert [check(counter(), text, engine="oracle").reason for text in ("x < 2", "x < 9")] == ["by heart"] * 2
    assert check(counter(), "x < 2").reason == "invariant violated", "auto does not pick it"


@pytest.mark.usefixtures("oracle")
def test_a_refusal_says_why_and_which_engine_would_take_it() -> None:
    with pytest.raises(EngineError, match=r"does not take 'x < 3': its answer is not known by heart.*explicit"):
        check(counter(), "x < 3", engine="oracle")


def test_an_engine_that_does_not_exist_is_refused_with_those_that_do() -> None:
    with pytest.raises(EngineError, match="did you mean explicit"):
        check(counter(), "x < 3", engine="explict")


ROOT = Path(__file__).parents[2]


PATHS = r"`((?:src|native|tests)/[\w./]+)`"


@pytest.mark.parametrize(("page", "least"), [("extend.md", 14), ("add-a-search.md", 10)])
def test_pages_name_files_that_are_there_and_have_what_they_tell(page: str, least: int) -> None:
    text = (ROOT / "docs" / page).read_text()
    named = re.findall(PATHS, text)
    assert len(named) >= least
    assert [path for path in named if not (ROOT / path).exists()] == []
    told = re.findall(r"`(\w+)` in " + PATHS, text)
    assert told
    assert [name for name, path in told if name not in (ROOT / path).read_text()] == []


def test_a_native_search_is_in_the_files_that_the_page_names_and_in_no_others() -> None:
    named = re.findall("^- " + PATHS + "$", (ROOT / "docs" / "add-a-search.md").read_text(), re.MULTILINE)
    sources = [*(ROOT / "src").rglob("*.py"), *(ROOT / "native").rglob("*.?pp")]
    written = {
        str(path.relative_to(ROOT)) for path in sources if re.search("(?i)iterative_?deepening", path.read_text())
    }
    assert {path for path in written if not path.startswith("native/tests/")} == set(named)


def add_file(
    monkeypatch: pytest.MonkeyPatch, package: ModuleType, holder: Any, folder: Path, name: str, text: str
) -> None:
    """One more file in the folder of a package whose techniques `holder` finds."""
    (folder / f"{name}.py").write_text(text)
    monkeypatch.setattr(package, "__path__", [*package.__path__, str(folder)])
    known = holder._FOLDER
    monkeypatch.setattr(holder, "_FOLDER", Folder(known._package, known._constant, known._kind))


HEURISTIC = '''
"""One step everywhere."""

from beeline.heuristics.declaration import Heuristic, Promises
from beeline.heuristics.formula import Formula
from beeline.model.expressions import Literal


def build(context, options):
    formula = Formula(context, "always-one")
    return formula.build(formula.value(Literal(1)), safe=True)


HEURISTIC = Heuristic("always-one", "one step everywhere", "no paper", Promises(safe=True), build)
'''


def test_a_heuristic_is_one_file_that_declares_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    add_file(monkeypatch, heuristics, heuristics.registry, tmp_path, "always_one", HEURISTIC)
    assert "always-one" in [one["name"] for one in listing()["heuristics"]]
    result = check(counter(), "x < 2", search="greedy", heuristic="always-one")
    assert (result.verdict, result.heuristic, result.statistics.best_estimate) == ("violated", "always-one", 1)


SEARCH = '''
"""Depth-first searches whose bound grows by two."""

from beeline.searches.declaration import Promises, Search

SEARCH = Search(
    "by-twos",
    "deeper by two",
    "no paper",
    Promises(shortest=False, complete=True),
    call=lambda space, request, options, guide: space.iterative_deepening(request, 2),
)
'''


def test_a_search_is_one_file_that_declares_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    add_file(monkeypatch, searches, searches.registry, tmp_path, "by_twos", SEARCH)
    assert "by-twos" in [one["name"] for one in listing()["searches"]]
    result = check(counter(), "x < 2", search="by-twos")
    assert (result.verdict, result.search, result.shortest) == ("violated", "by-twos", False)


LANGUAGE = '''
"""Models that are one number: a counter up to it."""

from beeline import NetworkBuilder
from beeline.languages import Language


def load(path, options):
    builder = NetworkBuilder("counter")
    builder.variable("x", 0, 9)
    builder.process("P").location("s").edge("s", "s", guard=f"x < {int(path.read_text())}", effect="x++")
    return builder.build()


LANGUAGE = Language("number", (".number",), "a counter", load)
'''


def test_a_language_is_one_file_that_declares_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    add_file(monkeypatch, languages, languages, tmp_path, "number", LANGUAGE)
    assert "number" in [one["name"] for one in listing()["languages"]]
    (tmp_path / "three.number").write_text("3")
    assert check(languages.load(tmp_path / "three.number"), "x < 3").verdict == "violated"


FORGETFUL = '''
"""A table of a thousand bits, which misses nearly everything."""

from beeline.stores.declaration import Store, Use

STORE = Store(
    "forgetful",
    "a thousand bits",
    "no paper",
    exact=False,
    uses={"bfs": Use(lambda space, request, options, guide: space.breadth_first_bitstate(request, 10))},
)
'''


def test_a_store_is_one_file_that_declares_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    add_file(monkeypatch, stores, stores.registry, tmp_path, "forgetful", FORGETFUL)
    assert "forgetful" in [one["name"] for one in listing()["stores"]]
    result = check(counter(), "x < 9", search="bfs", store="forgetful")
    assert (result.verdict, result.store, result.shortest) == ("unknown", "forgetful", False)


REDUCTION = '''
"""Ample sets under another name."""

from beeline.por.declaration import AMPLE, Reduction

REDUCTION = Reduction("enough", "the steps of one process, where they are enough", "no paper", AMPLE)
'''


def test_a_reduction_is_one_file_that_declares_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    add_file(monkeypatch, por, por.registry, tmp_path, "enough", REDUCTION)
    assert "enough" in [one["name"] for one in listing()["reductions"]]
    result = check(with_bystander(), "x < 2", search="dfs", reduce="enough", shrink="none")
    assert (result.verdict, result.reduction) == ("violated", "enough:stack")


SYMMETRY = '''
"""Representatives that are the best of three."""

from beeline.symmetry.declaration import Symmetry

SYMMETRY = Symmetry("of-three", "the best of three", "no paper", most=3)
'''


def test_a_symmetry_is_one_file_that_declares_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    add_file(monkeypatch, symmetry, symmetry.registry, tmp_path, "of_three", SYMMETRY)
    assert "of-three" in [one["name"] for one in listing()["symmetries"]]
    assert check(counter(), "x < 2", search="bfs", symmetry="of-three").verdict == "violated"


TECHNIQUE = '''
"""Takes out bystanders."""

from beeline.preprocessing.declaration import Technique
from beeline.preprocessing.layer import NOBODY, Layer, without


def apply(touching, asked):
    network = touching.network
    gone = [number for number, start in enumerate(network.initial) if start.process == "Bystander"]
    smaller = without(network, dict.fromkeys(gone, NOBODY))
    return Layer("bystanders", network, smaller, asked, ("Bystander",)) if gone else None


TECHNIQUE = Technique("bystanders", "takes out bystanders", "no paper", ("the same verdicts",), apply, "unseen", False)
'''


def with_bystander() -> Network:
    builder = NetworkBuilder("two")
    builder.variable("x", 0, 3)
    builder.process("P").location("s").edge("s", "s", guard="x < 3", effect="x++")
    builder.process("Bystander").location("a").location("b").edge("a", "b").edge("b", "a")
    return builder.build()


def test_a_way_to_make_models_smaller_is_one_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ShrinkingError, match="dead-variables"):
        check(with_bystander(), "x < 2", shrink="bystanders")
    add_file(monkeypatch, preprocessing, techniques, tmp_path, "bystanders", TECHNIQUE)
    assert "bystanders" in [one["name"] for one in listing()["shrinking"]]
    whole, smaller = (check(with_bystander(), "x < 9", search="bfs", shrink=how) for how in ("none", "bystanders"))
    assert smaller.shrinking.by_technique == (("bystanders", ("Bystander",)),)
    assert (whole.verdict, smaller.verdict) == ("holds", "holds")
    assert whole.statistics.stored == 2 * smaller.statistics.stored


class Never(Property, frozen=True, kw_only=True):
    """No reachable state satisfies `expression`: a kind of question that nobody but this file knows."""

    expression: Expression
    kind: ClassVar[str] = "never"

    @property
    def sought(self) -> Expression:
        return self.expression

    @property
    def expressions(self) -> tuple[Expression, ...]:
        return (self.expression,)


def test_a_kind_of_question_is_one_class() -> None:
    network = counter()

    def never(text: str) -> Never:
        sought = find_property(network, f"E<> {text}").sought
        assert sought is not None
        return Never(text, expression=sought)

    top, beyond = check_all(network, [never("x == 3"), never("x == 4")])
    assert (top.verdict, len(top.trace or ()), beyond.verdict) == ("violated", 3, "holds")


class Steps:
    """A space: up by one or by two."""

    def initial(self) -> int:
        return 0

    def successors(self, state: int) -> list[tuple[str, int]]:
        return [("one", state + 1), ("two", state + 2)] if state < 6 else []

    def violates(self, state: int) -> bool:
        return state == 5


class Without:
    """A wrapper: another space without the steps of one label; all else is forwarded in one line."""

    def __init__(self, space: Any, label: str) -> None:
        self.space, self.label = space, label

    def __getattr__(self, name: str) -> Any:
        return getattr(self.space, name)

    def successors(self, state: Any) -> list[tuple[str, Any]]:
        return [(label, target) for label, target in self.space.successors(state) if label != self.label]


@pytest.mark.parametrize(("label", "length"), [("one", None), ("two", 5), ("three", 3)])
def test_a_wrapper_of_a_space_forwards_all_but_what_it_changes(label: str, length: int | None) -> None:
    trace = check(Without(Steps(), label), search="bfs").trace
    assert (None if trace is None else len(trace)) == length
