"""The models that are measured: six with 10^5 to 10^7 states, and six below 10^5."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[2] / "models" / "promela"


@dataclass(frozen=True, slots=True)
class Model:
    """A model of the project with its macros; `states` is SPIN's count of its whole space."""

    file: str
    macros: tuple[str, ...]
    states: int

    @property
    def path(self) -> Path:
        return FOLDER / self.file

    @property
    def name(self) -> str:
        """How tables call it.

        >>> Model("leader.pml", ("N=8",), 517935).name
        'leader N=8'
        """
        return " ".join([self.path.stem, *self.macros])

    @property
    def options(self) -> list[str]:
        """The macros for either tool."""
        return [f"-D{macro}" for macro in self.macros]


LARGE = (
    Model("peterson.pml", (), 105_432),
    Model("giop.pml", ("N=2", "M=1", "CALLS=1", "FIXED"), 394_389),
    Model("leader.pml", ("N=8",), 517_935),
    Model("cache_coherence.pml", ("N=4",), 585_316),
    Model("pipeline.pml", (), 1_115_534),
    Model("pots.pml", (), 3_719_156),
)

SMALL = (
    Model("needham_schroeder.pml", (), 3_114),
    Model("sliding_window.pml", (), 6_090),
    Model("job_queue.pml", (), 13_894),
    Model("elevator.pml", ("N=7",), 34_964),
    Model("philosophers.pml", ("N=9",), 46_763),
    Model("two_phase_commit.pml", ("CRASH",), 85_615),
)
