"""Models as tests: a function that returns a model becomes a test that fails with the counterexample."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, ParamSpec, overload

from beeline.checking import Result, check_all

P = ParamSpec("P")


class Violated(AssertionError):
    """An answer that was not expected; `str()` tells it with its trace. `results` are all answers."""

    def __init__(self, message: str, results: tuple[Result, ...]) -> None:
        super().__init__(message)
        self.results = results


@overload
def checks(
    function: Callable[P, Any], *, property: str | None = None, expect: str = "holds", **options: Any
) -> Callable[P, None]: ...
@overload
def checks(
    function: None = None, *, property: str | None = None, expect: str = "holds", **options: Any
) -> Callable[[Callable[P, Any]], Callable[P, None]]: ...
def checks(
    function: Callable[P, Any] | None = None, *, property: str | None = None, expect: str = "holds", **options: Any
) -> Callable[P, None] | Callable[[Callable[P, Any]], Callable[P, None]]:
    """Turns a function that returns a model (a space of your own, a builder, a network, or the path of a file) into a
    test of all that the model asks, or of one `property`. It fails with the counterexample unless every verdict is the
    one that you `expect`. `options` are those of `check`, such as `search` and `limits`.

    >>> from beeline import checks
    >>> @checks
    ... def test_counter():
    ...     class Counter:
    ...         def initial(self): return 0
    ...         def successors(self, state): return [("tick", state + 1)] if state < 3 else []
    ...         def violates(self, state): return state == 2 and "two"
    ...     return Counter()
    >>> test_counter()  # doctest: +IGNORE_EXCEPTION_DETAIL
    Traceback (most recent call last):
    beeline.testing.Violated: safety: violated (two) ...
    """
    if function is None:
        return lambda given: checks(given, property=property, expect=expect, **options)

    @functools.wraps(function)
    def test(*arguments: P.args, **named: P.kwargs) -> None:
        __tracebackhide__ = True
        results = check_all(function(*arguments, **named), None if property is None else [property], **options)
        wrong = [result for result in results if result.verdict != expect]
        if wrong:
            raise Violated("\n\n".join(_told(result, expect) for result in wrong), results)

    return test


def _told(result: Result, expect: str) -> str:
    """An answer and its trace."""
    wanted = "" if expect == "holds" else f", expected: {expect}"
    said = f"{result.property.name}: {result.verdict} ({result.reason}){wanted}"
    if result.trace is None:
        return said
    from beeline.trace.table import to_text

    shortest = ", the shortest possible" if result.shortest else ""
    steps = f"{len(result.trace)} step{'' if len(result.trace) == 1 else 's'}"
    return f"{said}\n\ncounterexample, {steps}{shortest}:\n\n{to_text(result.trace)}"
