"""A formula of the mu-calculus and a network, in a form that can be sent to the ranks that solve their equations."""

from __future__ import annotations

import pickle

from beeline.cluster.directions import pickled
from beeline.cluster.equations import EquationMember, EquationRoot
from beeline.cluster.member import COUNTED, Pace
from beeline.cluster.root import Bounds, Overview, Watch
from beeline.cluster.transport import Transport
from beeline.compile.program import Program
from beeline.engine import Found, Progress, Statistics, Status, core
from beeline.lts.modal_system import parts_of
from beeline.lts.step_labels import StepLabels
from beeline.properties.modal import Modal
from beeline.records import Record, replace

LINE = 4096
"""Questions or answers."""
START_FAILS = "the start fails"


class EquationJob(Record, frozen=True, tag=True):
    """A formula, a network, and how their equations are solved."""

    question: bytes
    """The formula and the program."""
    most_reasons: int
    """Values of a diagnostic that is wanted."""
    memory: int | None = None
    """Bytes of each rank."""
    states: int | None = None
    line: int = LINE
    pace: Pace = Pace()
    tier: str = "bytecode"
    keeper: None = None
    """Nothing is left to go on from."""

    @staticmethod
    def about(asked: Modal, program: Program) -> bytes:
        """A question."""
        return pickled((asked, program))

    def space(self) -> core.ReducedProgramSpace:
        """Whose states the equations are about."""
        return core.ReducedProgramSpace(core.ProgramSpace(self._read()[1].native))

    def member(self, transport: Transport, space: core.ReducedProgramSpace | None = None) -> EquationMember:
        """A rank other than the first."""
        return EquationMember(transport, self._share(transport, space or self.space()), self.pace)

    def root(
        self,
        transport: Transport,
        space: core.ReducedProgramSpace | None = None,
        seconds: float | None = None,
        watch: Watch | None = None,
    ) -> EquationRoot:
        """The first rank, which asks whether the formula holds."""
        share = self._share(transport, space or self.space())
        starts = share.ask()
        root = EquationRoot(transport, share, self.pace, Bounds(seconds, self.states), self.most_reasons, watch)
        if not starts:
            root.stop(Status.GAVE_UP, START_FAILS)
        return root

    def _read(self) -> tuple[Modal, Program]:
        asked, program = pickle.loads(self.question)
        return asked, program

    def _share(self, transport: Transport, space: core.ReducedProgramSpace) -> core.ModalRank:
        asked, program = self._read()
        request = core.Request(stop=Found.NOTHING.value, memory=self.memory, states=self.states)
        parts = parts_of(asked, program, StepLabels(program))
        return core.ModalRank(space.inner, *parts, transport.rank, transport.ranks, self.line, "nearest", request)


def statistics_of(overview: Overview, ranks: int) -> Statistics:
    """All ranks on one line."""
    counted = {name: overview.figures[name] for name in COUNTED}
    return replace(Statistics(seconds=overview.seconds, phase=f"solving on {ranks} ranks"), **counted)


def watching(progress: Progress | None, ranks: int) -> Watch | None:
    """Whoever watches all ranks, for one who watches a search."""
    return None if progress is None else lambda overview: progress(statistics_of(overview, ranks))
