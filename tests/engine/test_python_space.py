"""Spaces that users write as Python classes."""

import gc
import weakref
from collections.abc import Iterator
from typing import Any

import pytest

from beeline.engine import Found, Status, python_space, user_path, user_reason
from beeline.searches.runner import run

Pour = tuple[int, int]


class Jugs:
    """Jugs of three and five litres; wanted are four."""

    def initial(self) -> Pour:
        return (0, 0)

    def successors(self, state: Pour) -> Iterator[tuple[str, Pour]]:
        small, large = state
        yield "fill small", (3, large)
        yield "fill large", (small, 5)
        yield "empty small", (0, large)
        yield "empty large", (small, 0)
        moved = min(small, 5 - large)
        yield "small to large", (small - moved, large + moved)
        moved = min(large, 3 - small)
        yield "large to small", (small + moved, large - moved)

    def violates(self, state: Pour) -> str | bool:
        return state[1] == 4 and "four litres"


def test_a_shortest_path_comes_back_in_the_users_terms() -> None:
    space = python_space(Jugs())
    outcome = run(space)
    assert outcome.status is Status.FOUND
    assert outcome.found is Found.GOAL
    path = user_path(space, outcome)
    assert len(path) == 7
    assert path[0].state == (0, 0)
    assert path[0].label is None
    assert path[1].label == "fill large"
    assert path[-1].state[1] == 4
    assert user_reason(space, outcome) == "four litres"


def test_exploring_counts_states_and_arcs() -> None:
    statistics = run(python_space(Jugs()), stop=Found.NOTHING).statistics
    assert (statistics.stored, statistics.generated, statistics.goals) == (16, 96, 2)


class Line:
    """0, 1, 2, ... up to an end."""

    end = 5

    def initial(self) -> int:
        return 0

    def successors(self, state: int) -> list[int]:
        return [state + 1] if state < self.end else []


def test_no_successors_is_no_violation_unless_the_class_says_so() -> None:
    assert run(python_space(Line())).status is Status.EXHAUSTED

    class Strict(Line):
        deadlock_is_violation = True

    outcome = run(python_space(Strict()))
    assert outcome.found is Found.DEADLOCK
    assert len(outcome.path) == 6


def test_states_without_labels_may_be_pairs_of_numbers() -> None:
    class Pairs(Line):
        def initial(self) -> Any:
            return (0, 0)

        def successors(self, state: Any) -> Any:
            return [(state[0] + 1, state[1])] if state[0] < 3 else []

    assert run(python_space(Pairs())).statistics.stored == 4


def test_a_state_that_looks_like_a_label_must_be_explained() -> None:
    class Ambiguous:
        def initial(self) -> Any:
            return ("start", 0)

        def successors(self, state: Any) -> Any:
            return [("end", 1)]

    with pytest.raises(TypeError, match="labelled"):
        run(python_space(Ambiguous()))

    class Plain(Ambiguous):
        labelled = False

    assert run(python_space(Plain())).statistics.stored == 2

    class Always(Ambiguous):
        labelled = True

    space = python_space(Always())
    assert run(space).statistics.stored == 2
    assert space.state(1) == 1
    assert space.label(1) == "end"


def test_an_iterator_gives_several_initial_states() -> None:
    class Several(Line):
        def initial(self) -> Any:
            return iter([3, 4, 3])

    assert run(python_space(Several())).statistics.stored == 3


def test_objects_without_the_methods_are_refused() -> None:
    with pytest.raises(TypeError, match="initial"):
        python_space(object())  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="successors"):
        python_space(type("Half", (), {"initial": lambda self: 0})())
    with pytest.raises(TypeError, match="violates"):
        python_space(type("Odd", (Line,), {"violates": 3})())


class Failing(Line):
    def __init__(self, where: str, error: Exception) -> None:
        self.where = where
        self.error = error

    def initial(self) -> int:
        if self.where == "initial":
            raise self.error
        return 0

    def successors(self, state: int) -> list[int]:
        if self.where == "successors" and state == 3:
            raise self.error
        return super().successors(state)

    def violates(self, state: int) -> bool:
        if self.where == "violates" and state == 3:
            raise self.error
        return False


@pytest.mark.parametrize("search", ["bfs", "dfs", "random-dfs", "iddfs"])
@pytest.mark.parametrize("where", ["initial", "successors", "violates"])
def test_exceptions_of_user_code_come_through_as_they_are(where: str, search: str) -> None:
    error = LookupError("mine")
    with pytest.raises(LookupError, match="mine") as caught:
        run(python_space(Failing(where, error)), search)
    assert caught.value is error


def test_a_space_can_be_searched_again_after_an_exception() -> None:
    model = Failing("violates", LookupError("mine"))
    space = python_space(model)
    with pytest.raises(LookupError):
        run(space)
    with pytest.raises(LookupError):
        run(space)
    model.where = ""
    assert run(space).statistics.stored == 6


@pytest.mark.parametrize("bad", [[[]], 3, [{}]])
def test_successors_that_are_no_states_raise_type_errors(bad: Any) -> None:
    class Bad(Line):
        def successors(self, state: int) -> Any:
            return bad

    with pytest.raises(TypeError):
        run(python_space(Bad()))


def test_numbers_that_no_state_has_raise_index_errors() -> None:
    space = python_space(Line())
    for ask in (space.state, space.label):
        with pytest.raises(IndexError):
            ask(10)
    with pytest.raises(IndexError):
        space.successor_arcs([10])
    with pytest.raises(ValueError, match="words"):
        space.successor_arcs([0, 0])


def test_a_space_serves_one_search_at_a_time() -> None:
    class Greedy(Line):
        space: Any = None

        def successors(self, state: int) -> Any:
            run(self.space)

    model = Greedy()
    model.space = python_space(model)
    with pytest.raises(RuntimeError, match="being searched"):
        run(model.space)


def test_a_space_and_its_model_are_collected_together() -> None:
    class Holder(Line):
        space: Any = None

    model = Holder()
    model.space = python_space(model)
    run(model.space)
    gone = weakref.ref(model)
    del model
    gc.collect()
    assert gone() is None


def test_estimates_are_numbers_of_steps_or_none() -> None:
    class Guess(Line):
        def estimate(self, state: int) -> Any:
            return {0: 5, 1: None, 2: -1, 3: "x"}[state]

    space = python_space(Guess())
    run(space)
    assert space.has_estimate
    assert space.estimate(0) == 5
    assert space.estimate(1) is None
    with pytest.raises(ValueError, match="estimate"):
        space.estimate(2)
    with pytest.raises(TypeError):
        space.estimate(3)
