"""The time and memory that a command or a call of the library may use, from reading a model to the last report.

A search keeps its limits itself and ends with what it knows. Everything else is watched from outside: `LimitReached` is
raised in the thread that does the work, so that no loop has to look at the clock.

    with spend(limits) as budget:
        doing("parsing")
        ...
"""

from __future__ import annotations

import math
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from time import monotonic
from typing import TYPE_CHECKING, Any, TypeVar

from beeline.engine import core
from beeline.model.source import not_too_deep

if TYPE_CHECKING:
    from beeline.engine.limits import Limits

F = TypeVar("F", bound=Callable[..., Any])

SEARCHING = "searching"
FINISHING = REPLAYING, REPORTING = "replaying", "reporting"

KEEPING = "keeping a checkpoint"
TO_KEEP = 60.0
"""Seconds in which work that has to end may still write a checkpoint."""

SIGNAL = signal.SIGVTALRM
"""By which a watchdog speaks to the main thread: hardly any program uses it for something else."""

TO_WIND_UP = 0.5
"""Seconds in which parts of the work that is over may answer."""

_active = threading.local()
told: list[Callable[[str], None]] = []
"""Called with what the work is about to do."""


class LimitReached(BaseException):
    """A limit was reached outside of a search; `Budget.reason` says which one, and in what.

    It is no `Exception`, just as an interrupt is none: code that handles mistakes must not take it for one."""


def overtime(time: float) -> float:
    """When work other than a search is asked to end: searches end at the limit itself, and should be able to."""
    return 1.02 * time + 0.1


def overtime_to_finish(time: float) -> float:
    """When the replay of what was found, and the reports about it, are asked to end."""
    return 1.04 * time + 0.4


class Budget:
    """What is left of the limits of the work under way in a thread."""

    def __init__(self, limits: Limits, outer: Budget | None) -> None:
        from beeline.engine.limits import default_memory

        self.outer = outer
        self.phase = "reading"
        self._began = monotonic()
        self._time = min(math.inf if limits.time is None else limits.time, math.inf if outer is None else outer.left)
        self._memory = limits.memory if limits.memory is not None else default_memory()
        self._out_of_memory = False
        self._heard: float | None = None
        in_main_thread = threading.current_thread() is threading.main_thread()
        self.watchdog = core.Watchdog(LimitReached, SIGNAL if in_main_thread else None)
        self._ask_at(overtime(self._time))

    @property
    def left(self) -> float:
        """Seconds until the limit."""
        return max(0.0, self._began + self._time - monotonic())

    @property
    def is_spent(self) -> bool:
        """Whether `LimitReached` is, or has been, on its way."""
        return self._out_of_memory or self.watchdog.cause != ""

    @property
    def reason(self) -> str:
        """Which limit was reached, and in what."""
        limit = self.watchdog.cause or ("memory limit" if self._out_of_memory else "time limit")
        return limit if self.phase == SEARCHING else f"{limit} while {self.phase}"

    def seconds(self, given: float | None) -> float | None:
        """A number of seconds, or what is left of the time if that is less."""
        least = min(math.inf if given is None else given, self.left)
        return None if least == math.inf else least

    def covers(self, limits: Limits) -> bool:
        """Whether work under these limits needs no other budget than this one."""
        return limits.time is None or limits.time >= self.left

    def enter(self, phase: str) -> None:
        """From now on the work is of another kind. There is a little more time to show what was found."""
        self.phase = phase
        if phase in FINISHING:
            self._ask_at(overtime_to_finish(self._time) - (monotonic() - self._began))
        elif phase == KEEPING:
            self._ask_at(overtime(self._time) - (monotonic() - self._began) + TO_KEEP)

    def ends(self, error: BaseException) -> bool:
        """Whether an exception says that this budget is spent, and the work has an answer to that. A part of the work
        may answer for a moment; then the work that opened the budget ends."""
        self._out_of_memory |= isinstance(error, MemoryError)
        if self.is_spent and self._heard is None:
            self._heard = monotonic()
            self.watchdog.heard()
        is_part = current() is self
        return self._heard is not None and not (is_part and monotonic() - self._heard > TO_WIND_UP)

    def _ask_at(self, seconds: float) -> None:
        self.watchdog.ask_at(seconds=seconds, memory=self._memory + self._memory // 32)


def current() -> Budget | None:
    """The budget of the work under way in this thread."""
    found: Budget | None = getattr(_active, "budget", None)
    return found


@contextmanager
def spend(limits: Limits | None) -> Iterator[Budget]:
    """Around work that these limits bound, as a part of the work under way if there is some."""
    from beeline.engine.limits import Limits

    limits, outer = limits or Limits(), current()
    if outer is not None and outer.covers(limits):
        if outer.is_spent:
            raise LimitReached
        yield outer
        return
    budget = Budget(limits, outer)
    with _listening(), budget.watchdog, not_too_deep():
        _active.budget = budget
        try:
            yield budget
        finally:
            _active.budget = outer


@contextmanager
def _listening() -> Iterator[None]:
    """Has the signal by which the watchdog speaks to the main thread raise `LimitReached` there."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(SIGNAL, _raise)
    try:
        yield
    finally:
        # One that is still on its way must not end the process, which is what the default would do.
        signal.signal(SIGNAL, signal.SIG_IGN if before in (None, signal.SIG_DFL) else before)


def _raise(number: int, frame: object) -> None:
    """Ignores a signal that arrives after its budget was closed."""
    budget = current()
    while budget is not None:
        if budget.is_spent:
            raise LimitReached
        budget = budget.outer


def bounded(unfinished: Callable[..., Any]) -> Callable[[F], F]:
    """Makes a function with an argument `limits` keep them in all that it does; if they end it, the answer is what
    `unfinished` makes of the reason and the arguments."""

    def decorate(function: F) -> F:
        @wraps(function)
        def keep(*arguments: Any, limits: Limits | None = None, **options: Any) -> Any:
            budget = current()
            try:
                with spend(limits) as budget:
                    return function(*arguments, limits=limits, **options)
            except (LimitReached, MemoryError) as error:
                if budget is None or not budget.ends(error):
                    raise
                return unfinished(budget.reason, *arguments, **options)

        kept: Any = keep
        found: F = kept
        return found

    return decorate


def doing(phase: str) -> None:
    """Says what the work under way does from now on, such as parsing."""
    budget = current()
    if budget is not None:
        budget.enter(phase)
    for listener in told:
        listener(phase)
