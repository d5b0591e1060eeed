"""A thread beside a search that has the model compiled for it."""

from __future__ import annotations

import threading
from types import TracebackType
from typing import Any

from beeline.engine import core
from beeline.model.source import BeelineError

AUTO, BYTECODE, NATIVE = TIERS = ("auto", "bytecode", "native")

LOOK_AFTER = 0.2
"""Seconds that a search runs before it is looked whether its model was compiled before."""

START_AFTER = 2.0
"""Seconds that a search runs before its model is compiled: shorter ones never pay for it."""


class TierError(BeelineError):
    """A tier that is not to be had."""


def check_tier(tier: str) -> str:
    """The tier, if there is one of that name and what it needs; raises `TierError` otherwise.

    >>> check_tier("bytecode")
    'bytecode'
    """
    if tier not in TIERS:
        raise TierError(f"there is no tier '{tier}'; there are: {', '.join(TIERS)}")
    if tier == NATIVE:
        from beeline.jit.provision import unsupported_reason

        if (why := unsupported_reason()) is not None:
            raise TierError(why)
    return tier


class Companion:
    """Has native code made for a space while it is searched: ``with Companion(space, tier) as companion: ..``.

    Without a compiler or a folder for its results the search stays in bytecode. Spaces of other kinds have no tiers.
    """

    def __init__(self, space: Any, tier: str = AUTO, start_after: float = START_AFTER) -> None:
        self.used = BYTECODE
        """The tier in which the search ended, once it has."""
        self._look_after, self._start_after = (
            (0.0, 0.0) if tier == NATIVE else (min(LOOK_AFTER, start_after), start_after)
        )
        self._stop = threading.Event()
        self._done = threading.Event()
        self._thread: threading.Thread | None = None
        if isinstance(space, core.ReducedProgramSpace):
            space = space.inner
        if isinstance(space, core.ProgramSpace) and tier != BYTECODE:
            self._space = space
            self._tier = core.Tier(space.program)
            self._insists = tier == NATIVE
            self._thread = threading.Thread(target=self._work, name="beeline-tier", daemon=True)
        elif tier == NATIVE:
            raise TierError("native code is made for networks without clocks only: choose another --tier")

    def __enter__(self) -> Companion:
        if self._thread is not None:
            self._thread.start()
            self._space.set_tier(self._tier)
            try:
                while self._insists and not self._done.wait(1.0):
                    pass
            except BaseException:
                self._end()
                raise
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, at: TracebackType | None) -> None:
        if self._thread is not None:
            self.used = NATIVE if self._space.is_native else BYTECODE
            self._end()

    def _end(self) -> None:
        assert self._thread is not None
        self._stop.set()
        self._thread.join()
        self._space.set_tier(None)

    def _work(self) -> None:
        try:
            if not self._stop.wait(self._look_after):
                from beeline.jit.provision import provide  # searches that end sooner need not wait for it

                provide(self._tier, self._stop, self._start_after - self._look_after)
        finally:
            self._done.set()
