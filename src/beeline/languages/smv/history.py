"""What formulas ask about steps, remembered in the state after each: who ran, and what the inputs were.

Nothing of it is kept unless it is asked for."""

from __future__ import annotations

from beeline.languages.smv.constraints import Label
from beeline.languages.smv.scopes import Scalar, World
from beeline.languages.smv.types import type_of
from beeline.model import expressions as ir
from beeline.model.network import Variable
from beeline.model.statements import Assign, Statement
from beeline.model.types import EnumType
from beeline.records import Record

RAN, NOBODY = "ran", "nobody"


class Remembered(Record, frozen=True):
    """Something about the last step; `scalar` is the input, or None for who ran."""

    name: str
    place: ir.Place
    values: tuple[int, ...]
    scalar: Scalar | None = None


class History:
    """What is remembered of a model's steps."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._known: dict[Scalar | None, Remembered] = {}

    def ran(self, process: int) -> ir.Expression:
        """Whether a process ran in the step that led here."""
        return ir.Binary("==", self.remembered_process().place, ir.Literal(process + 1))

    def input(self, scalar: Scalar) -> ir.Expression:
        """What an input was in the step that led here."""
        return self.remembered_input(scalar).place

    def remembered_process(self) -> Remembered:
        values = tuple(range(1, len(self._world.processes) + 1))
        return self._known.setdefault(None, Remembered(RAN, ir.Ref(self._free(RAN)), values))

    def remembered_input(self, scalar: Scalar) -> Remembered:
        place = ir.Ref(self._free("last_" + scalar.name.replace(".", "_").replace("[", "_").replace("]", "")))
        return self._known.setdefault(scalar, Remembered(scalar.name, place, scalar.domain, scalar))

    def _free(self, name: str) -> str:
        while name in self._world.main.names or name in self._world.symbols:
            name += "_"
        return name

    def variables(self) -> list[Variable]:
        """The variables that hold it."""
        found = []
        for scalar, one in self._known.items():
            assert isinstance(one.place, ir.Ref)
            if scalar is not None:
                found.append(Variable(one.place.name, type_of(scalar), (scalar.domain[0],)))
                continue
            names = tuple(f"{process.name}" for process in self._world.processes)
            kind = EnumType("process", (NOBODY, *(f"process {name}" for name in names)))
            found.append(Variable(one.place.name, kind, (0,)))
        return found

    def effect(self, label: Label) -> tuple[Statement, ...]:
        """What a step has remembered."""
        if label.opens:
            return ()
        return tuple(
            Assign(one.place, ir.Literal(label.process + 1 if scalar is None else label.input(scalar)))
            for scalar, one in self._known.items()
        )
