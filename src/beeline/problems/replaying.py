"""Replays under limits: who watches is told how far they are, and what is not replayed in time is kept to be looked at
later."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from time import monotonic
from typing import IO, TYPE_CHECKING, Any, TypeVar

from beeline.engine.budget import REPLAYING, LimitReached, current
from beeline.records import Record, replace

if TYPE_CHECKING:
    from beeline.engine import Statistics
    from beeline.model.network import Network
    from beeline.model.property import Property
    from beeline.model.semantics import Move
    from beeline.problems.paths import FoundPath
    from beeline.problems.settings import Settings
    from beeline.trace.replay import Watch

T = TypeVar("T")

UNFINISHED = "replay did not finish"
BETWEEN_LOOKS = 100  # steps
FIRST_LOOK = 0.3  # seconds after which the time for a step can be told
TO_WRITE = 0.8  # the time that a step takes to be written, as a share of what its replay takes; measured: a half


class ReplayUnfinished(Exception):
    """A limit or an interrupt ended a replay; the text is the reason of the result."""


def replayed(settings: Settings, statistics: Statistics, make: Callable[[Watch], T]) -> T:
    """What `make` replays, watched; raises `ReplayUnfinished`."""
    settings.tell(REPLAYING, statistics)
    try:
        return make(_Watcher(settings, statistics))
    except KeyboardInterrupt:
        raise ReplayUnfinished(f"interrupted: {UNFINISHED}") from None
    except (LimitReached, MemoryError) as error:
        budget = current()
        if budget is None or not budget.ends(error):
            raise
        raise ReplayUnfinished(UNFINISHED) from None


class _Watcher:
    """Tells how far a replay is, and ends it while there is still time to write down what was to be replayed."""

    def __init__(self, settings: Settings, statistics: Statistics) -> None:
        self._settings, self._statistics = settings, statistics
        self._began = monotonic()

    def __call__(self, done: int, total: int) -> None:
        if done % BETWEEN_LOOKS:
            return
        if self._settings.progress is not None:
            phase = f"{REPLAYING} {done:,} of {total:,}"
            self._settings.progress(replace(self._statistics, phase=phase))
        budget, spent = current(), monotonic() - self._began
        if budget is not None and done and spent > FIRST_LOOK:
            for_a_step = spent / done
            if budget.left < for_a_step * min(total - done, TO_WRITE * total):
                raise ReplayUnfinished(UNFINISHED)


class Unverified(Record, frozen=True):
    """A path that a search found and that was not replayed in time, as a trace that can be read back."""

    asked: Property
    network: Network
    path: FoundPath
    failed: bool
    reason: str
    moves: Callable[[int], tuple[Move, ...]] | None = None
    """All moves of a step by its number, where more than the first is known."""

    def write(self, file: IO[str]) -> None:
        """Writes it step by step; `beeline improve` reads it and replays it."""
        import json

        head = {"verdict": "unknown", "reason": self.reason, "property": self.asked.name, "unverified": True}
        file.write(json.dumps(head)[:-1] + ', "trace": [')
        for number, step in enumerate(self._steps()):
            file.write(("," if number else "") + "\n" + json.dumps(step))
        file.write("\n]}\n")

    def _steps(self) -> Iterator[dict[str, Any]]:
        from beeline.trace.naming import Naming
        from beeline.trace.replay import show_moves

        naming, state = Naming(self.network), self.path.again()
        for number in range(1, self.path.length + self.failed + 1):
            first = self.path.first_move(number)
            moves = self.moves(number) if self.moves is not None else (first,) if first is not None else ()
            shown = show_moves(self.network, state, moves, number, naming)
            step = {"step": number, "process": shown.process, "action": shown.action, "changes": {}}
            if shown.partners:
                step["partners"] = [{"process": process, "action": action} for process, action in shown.partners]
            if number > self.path.length:
                step["error"] = "not replayed"
            else:
                target = self.path.follow(number, state)
                step["changes"], state = naming.changes(state, target), target
            yield step
