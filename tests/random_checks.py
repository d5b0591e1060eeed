"""Checks of random values, each as two tests: a quick one, and a slow one with many more examples."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import pytest
from hypothesis import given, settings
from hypothesis.strategies import SearchStrategy

T = TypeVar("T")


def few_and_many(
    check: Callable[[T], Any], values: SearchStrategy[T], few: settings | int, many: settings | int
) -> tuple[Callable[[], None], Callable[[], None]]:
    """The two tests; numbers are those of examples."""

    def test(value: T) -> None:
        check(value)

    quick = _settings(few)(given(values)(test))
    slow = pytest.mark.slow(_settings(many)(given(values)(test)))
    return quick, slow


def _settings(examples: settings | int) -> settings:
    return settings(max_examples=examples) if isinstance(examples, int) else examples
