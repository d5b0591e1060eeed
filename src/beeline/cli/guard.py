"""A command as a process of its own: signals and limits end it in time, whatever it is doing, and with an answer.

The limits are first kept by the search and by the budget of the work (see `beeline.engine.budget`). This is for what
hears neither: a long call into a library, or memory that is taken in one piece."""

from __future__ import annotations

import os
import resource
import signal
import sys
import time as clocks
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic

from beeline.engine import budget, core
from beeline.engine.limits import Limits, default_memory
from beeline.signals import ending_signals

AFTER_SIGNAL = 2.0
"""Seconds that a command has after Ctrl-C to end with what it knows."""

_began, _bounds, _memory, _patience = monotonic(), Limits(), 0, 0.0
REASON = "(reason)"
"""Stands for the reason in what is said when the process has to be ended."""

MEMORY_FOR_STACKS = 64 * 2**20

_watchdog: core.Watchdog | None = None
answer: int | None = None
"""The exit code that belongs to the answer, once there is one."""


def last_moment(time: float, start: float = 0.0) -> float:
    """Seconds after which a command with this limit is over. Those that its start took, many on a busy machine, belong
    to it as far as work that was asked to end can do so."""
    return max(1.08 * time + 0.9 - start, budget.overtime(time) + 0.4)


def since_start() -> float:
    """Seconds that the process has existed."""
    try:
        ticks = int(Path("/proc/self/stat").read_text().rpartition(")")[2].split()[19])
        return max(0.0, clocks.clock_gettime(clocks.CLOCK_BOOTTIME) - ticks / os.sysconf("SC_CLK_TCK"))
    except (AttributeError, OSError, ValueError, IndexError):
        return 0.0  # a system that does not tell


@contextmanager
def guarded(unknown: int) -> Iterator[None]:
    """Around a command that has the process for itself."""
    global _watchdog, answer
    watchdog = core.Watchdog(budget.LimitReached)
    with watchdog:
        _watchdog, answer = watchdog, None
        budget.told.append(_tell)
        watchdog.end_at(seconds=None, memory=None, after_signal=AFTER_SIGNAL)
        watchdog.set_last_words("", "", unknown)
        signal.set_wakeup_fd(watchdog.signals, warn_on_full_buffer=False)
        signals = ending_signals()
        for number in signals:
            signal.signal(number, signal.default_int_handler)
        try:
            yield
        finally:
            for number in signals:
                signal.signal(number, signal.SIG_IGN)  # it is ending anyway
            signal.set_wakeup_fd(-1)
            budget.told.remove(_tell)
            _watchdog = None


def keep(limits: Limits, words: tuple[str, str], unknown: int, patience: float = 0.0) -> None:
    """From now on the process ends at these limits; `words` are what it says before and after the reason. With
    `patience` it may take so many seconds more to end."""
    global _began, _bounds, _memory, _patience
    _began, _bounds, _patience = monotonic(), limits, patience
    if _watchdog is None:
        return
    _memory = limits.memory if limits.memory is not None else default_memory()
    _end_by(_watchdog, None if limits.time is None else last_moment(limits.time, since_start()))
    _watchdog.set_last_words(*words, unknown)
    _bound_memory(_memory)


def _end_by(watchdog: core.Watchdog, seconds: float | None) -> None:
    watchdog.end_at(
        seconds=None if seconds is None else seconds + _patience,
        memory=_memory + _memory // 12,
        after_signal=AFTER_SIGNAL + _patience,
    )


def _tell(phase: str) -> None:
    """The work enters another phase. What was found is to be shown, however long the start took."""
    if _watchdog is None:
        return
    _watchdog.set_phase(phase)
    if phase in budget.FINISHING and _bounds.time is not None:
        _end_by(_watchdog, last_moment(_bounds.time) - (monotonic() - _began))


def answered() -> None:
    """The answer is out: whatever ends the process now does not take it back."""
    if sys.stdout is not None:
        sys.stdout.flush()
    if _watchdog is not None and answer is not None:
        _watchdog.set_last_words("", "", answer)


def left_for_reports() -> Limits:
    """What reports about an answer may use."""
    time = None if _bounds.time is None else budget.overtime_to_finish(_bounds.time) - (monotonic() - _began)
    return Limits(None if time is None else max(0.0, time - 0.1), _bounds.memory)


def _bound_memory(memory: int) -> None:
    """Has the system refuse more memory than this, before it is taken. Address space that is only reserved does not
    count, but the stacks of threads do; what is refused then is left to the watchdog."""
    try:
        fields = Path("/proc/self/statm").read_text().split()
    except OSError:
        return  # a system where the bound is no bound
    held, data = (int(fields[i]) * resource.getpagesize() for i in (1, 5))
    allowed = data + max(0, memory - held) + memory // 16 + MEMORY_FOR_STACKS
    _, most = resource.getrlimit(resource.RLIMIT_DATA)
    if most == resource.RLIM_INFINITY or allowed < most:
        resource.setrlimit(resource.RLIMIT_DATA, (allowed, most))


def around(text: str) -> tuple[str, str]:
    """What stands before and after the place for the reason."""
    before, _, after = text.partition(REASON)
    return before, after
