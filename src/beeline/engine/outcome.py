"""The outcome of a search, and its statistics."""

from __future__ import annotations

import enum
from collections.abc import Sequence
from functools import cached_property

from beeline.engine import core
from beeline.records import Record, replace, show


class Status(enum.StrEnum):
    """How a search ended. All but the first two are limits: they leave the question open."""

    EXHAUSTED = "exhausted"
    FOUND = "found"
    TIME = "time"
    MEMORY = "memory"
    STATES = "states"
    DEPTH = "depth"
    GAVE_UP = "gave up"
    INTERRUPTED = "interrupted"
    DISK = "disk"


class Found(enum.Flag):
    """What a search looks for, and what it found."""

    NOTHING = 0
    GOAL = core.GOAL
    ERROR = core.ERROR
    DEADLOCK = core.DEADLOCK
    CYCLE = core.CYCLE

    ANYTHING = GOAL | ERROR | DEADLOCK


class Statistics(Record, frozen=True):
    """What a search counted; `memory` is the engine's peak in bytes, the process's own needs not included.

    `frontier` counts the states that wait to be expanded. `estimates` says how often the first heuristic said 0, 1, 2,
    and so on (its last entry counts everything above), `best_estimate` the least it said. `phase` is what is being
    done, for progress lines. `disk` is what files took at the peak, `disk_read` and `disk_written` what was moved, all
    in bytes."""

    stored: int = 0
    expanded: int = 0
    generated: int = 0
    reopened: int = 0
    evaluated: int = 0
    dead_ends: int = 0
    deadlocks: int = 0
    errors: int = 0
    goals: int = 0
    transient: int = 0
    depth: int = 0
    shortest: int = 0
    frontier: int = 0
    memory: int = 0
    seconds: float = 0.0
    best_estimate: int | None = None
    estimates: tuple[int, ...] = ()
    phase: str = ""
    disk: int = 0
    disk_read: int = 0
    disk_written: int = 0

    def __repr__(self) -> str:
        return show(self, "estimates")

    @property
    def bytes_per_state(self) -> float:
        """Bytes of engine memory for each stored state, table and bookkeeping included."""
        return self.memory / self.stored if self.stored else 0.0

    @property
    def rate(self) -> float:
        """Stored states per second."""
        return self.stored / self.seconds if self.seconds > 0 else 0.0

    def joined(self, other: Statistics) -> Statistics:
        """What this search and another after it counted together; the rest is the other's."""
        sums = (
            "stored",
            "expanded",
            "generated",
            "reopened",
            "evaluated",
            "dead_ends",
            "transient",
            "seconds",
            "disk_read",
            "disk_written",
        )
        return replace(
            other,
            depth=max(self.depth, other.depth),
            memory=max(self.memory, other.memory),
            disk=max(self.disk, other.disk),
            **{name: getattr(self, name) + getattr(other, name) for name in sums},
        )

    @classmethod
    def of(cls, native: core.Statistics) -> Statistics:
        """Return the statistics that the engine counted, as a Python value."""
        return cls(
            native.stored,
            native.expanded,
            native.generated,
            native.reopened,
            native.evaluated,
            native.dead_ends,
            native.deadlocks,
            native.errors,
            native.goals,
            native.transient,
            native.depth,
            native.shortest,
            native.frontier,
            native.memory,
            native.seconds,
            None if native.best_estimate < 0 else native.best_estimate,
            tuple(native.estimates),
            "searching",
            native.disk,
            native.disk_read,
            native.disk_written,
        )


class Sample(Record, frozen=True):
    """What a search had counted at a moment of its run."""

    seconds: float
    stored: int
    frontier: int
    best_estimate: int | None
    memory: int


class Step(Record, frozen=True):
    """One state of a path, packed, and the action that led to it (0 for an initial state)."""

    action: int
    state: tuple[int, ...]


class FailedStep(Record, frozen=True):
    """The last step of a path to a run-time error: it has an action and a reason, but no state after it."""

    action: int
    detail: int


class Ending:
    """How a search ended: `status`, what was `found`, and the `statistics`."""

    def __init__(self, status: Status, found: Found, statistics: Statistics, proven: bool = False) -> None:
        self.status = status
        self.found = found
        self.statistics = statistics
        self.proven = proven
        """Nothing shorter is left, if the heuristic that the search went by never says too much."""
        self.tier = "bytecode"
        """How the steps were found when the search ended: bytecode or native."""
        self.history: tuple[Sample, ...] = ()
        """How the counters went: at most about a hundred moments, the last at the end of the run."""
        self.threads = 1
        """How many threads shared the work."""
        self.raced = 0
        """How many searches did so side by side, each its own way; 0 if there was no race."""
        self.winner = ""
        """The one of these that was first to know the answer."""
        self.omission = 0.0
        """The probability that a state was missed, by a store that may."""
        self.truncated = False
        """A limit or an interrupt came before all was done for a shorter path than the one found."""
        self.cause = ""
        """Why it ended, where no status says it."""

    @property
    def complete(self) -> bool:
        """Whether the whole space was searched."""
        return self.status is Status.EXHAUSTED

    def __repr__(self) -> str:
        what = f" {self.found.name}" if self.found else ""
        return f"<Outcome {self.status}{what}: {self.statistics.stored} states in {self.statistics.seconds:.2f} s>"


class Outcome(Ending):
    """What the native engine says of a search, with the `path` to what was found."""

    def __init__(self, native: core.Outcome, tier: str = "bytecode") -> None:
        super().__init__(Status(native.status), Found(native.found), Statistics.of(native.statistics), native.proven)
        self.native = native
        self.tier = tier
        self.cycle: int | None = None if native.cycle < 0 else native.cycle
        """The position in the path of the state at which the cycle begins, if the path is a lasso."""
        self.since: int = native.since
        """The position of the state from which on something is promised that never comes."""
        self.threads = native.threads
        self.raced = native.raced
        self.winner = native.winner
        self.omission = native.omission
        self.words: int = native.words
        """How many words a stored state has."""
        self.truncated = native.truncated
        self.history = tuple(
            Sample(seconds, stored, frontier, None if best < 0 else best, memory)
            for seconds, stored, frontier, best, memory in native.history
        )

    @cached_property
    def path(self) -> list[Step]:
        """The states from an initial one to what was found; empty if nothing was."""
        return [Step(action, state) for action, state in self.native.path]

    def cost(self, weights: Sequence[int]) -> int:
        """What the path costs, given the weights of actions."""
        failing = [self.native.error_action] if Found.ERROR in self.found else []
        taken = [*self.native.actions[1:], *failing]
        return sum(weights[action] if action < len(weights) else 1 for action in taken)

    @property
    def failed_step(self) -> FailedStep | None:
        """The step that ended in a run-time error, if that is what was found."""
        if Found.ERROR not in self.found:
            return None
        return FailedStep(self.native.error_action, self.native.error_detail)
