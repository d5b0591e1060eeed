"""The models that are measured, by the size of their spaces: below 10^5 states, up to 10^6, and from there on."""

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


SMALL = (
    Model("needham_schroeder.pml", (), 3_114),
    Model("sliding_window.pml", (), 6_090),
    Model("job_queue.pml", (), 13_894),
    Model("elevator.pml", ("N=7",), 34_964),
    Model("philosophers.pml", ("N=9",), 46_763),
    Model("two_phase_commit.pml", ("CRASH",), 85_615),
)

MEDIUM = (
    Model("peterson.pml", (), 105_432),
    Model("giop.pml", ("N=2", "M=1", "CALLS=1", "FIXED"), 394_389),
    Model("leader.pml", ("N=8",), 517_935),
    Model("cache_coherence.pml", ("N=4",), 585_316),
)

LARGE = (
    Model("pipeline.pml", (), 1_115_534),
    Model("sieve.pml", ("N=30",), 1_158_846),
    Model("philosophers_response.pml", ("N=12",), 1_318_912),
    Model("sliding_window.pml", ("N=6",), 1_627_717),
    Model("job_queue.pml", ("N=3", "JOBS=8"), 1_730_724),
    Model("elevator.pml", ("N=12",), 2_019_348),
    Model("leader.pml", ("N=9",), 2_545_718),
    Model("philosophers.pml", ("N=10", "ORDERED"), 3_243_856),
    Model("pots.pml", (), 3_719_156),
    Model("giop.pml", ("N=2", "M=2", "CALLS=1", "FIXED"), 4_413_167),
    Model("two_phase_commit.pml", ("N=5",), 4_425_079),
    Model("counters.pml", ("N=5", "M=24"), 7_962_624),
    Model("cache_coherence.pml", ("N=5",), 8_792_947),
    Model("marriers.pml", ("N=5",), 10_681_394),
    Model("peterson.pml", ("N=4",), 28_042_431),
)
