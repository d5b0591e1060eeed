"""How representatives of alike states are found, from what is declared or known of a network; or why they are not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from beeline.compile.layout import Layout
from beeline.compile.program import Program
from beeline.engine import core
from beeline.model.network import Network
from beeline.model.property import Property
from beeline.problems.settings import Folded
from beeline.records import replace
from beeline.symmetry import Symmetry
from beeline.timed.tables import TimedProgram

if TYPE_CHECKING:
    from beeline.por.tables import Exchange
    from beeline.symmetry.found import Symmetries
    from beeline.symmetry.network_tables import NetworkTables


def folded(program: Program, symmetry: Symmetry | None, asked: Property | None, counts: bool = False) -> Folded:
    """How representatives of a program's states are found, or why they are not. With `counts`, those that are the only
    ones tell how many states they stand for."""
    if symmetry is None:
        return Folded()
    if not program.network.rules.opened:
        return _Processes(program.network, program.layout, program.native, symmetry).folded(asked)
    from beeline.symmetry.tables import symmetry_tables, unsupported_reason

    reason = unsupported_reason(program.network, asked)
    if reason is not None:
        return Folded(note=f"off: {reason}")
    return _fold(program.native, symmetry, symmetry_tables(program.network), counts=counts and symmetry.most == 0)


def folded_zones(
    program: TimedProgram, native: core.Program, symmetry: Symmetry | None, asked: Property | None
) -> Folded:
    """The same for states with zones."""
    if symmetry is None:
        return Folded()
    from beeline.timed.text import clock_variables, written_down

    timed = program.timed
    if timed.discrete.monitor is not None or (asked is not None and (asked.asks_runs or asked.seeks_cycle)):
        return Folded(note="off: it asks about runs of a model with clocks")
    numbers, cells = clock_variables(timed.clocks), [cell for (cell,) in program.rows["clock_cells"]]
    return _Processes(written_down(timed), program.layout, native, symmetry, numbers, cells).folded(asked)


def _fold(
    native: core.Program,
    symmetry: Symmetry,
    tables: dict[str, Any],
    note: str = "",
    counts: bool = False,
    moves: tuple[Exchange, ...] = (),
) -> Folded:
    made = core.fold(native, tables, symmetry.most, counts)
    return Folded(made, symmetry.name, note, counts, core.fold(native, tables), tables, moves)


class _Processes:
    """A network whose processes may be alike. What starts them may differ, so that states may be alike of which only
    some can be reached: representatives do not tell how many they stand for."""

    def __init__(
        self,
        network: Network,
        layout: Layout,
        native: core.Program,
        symmetry: Symmetry,
        numbers: tuple[tuple[int, str], ...] = (),
        clocks: list[int] | None = None,
    ) -> None:
        self.network, self.layout, self.native, self.symmetry = network, layout, native, symmetry
        self.numbers, self.clocks = numbers, clocks or []

    def folded(self, asked: Property | None) -> Folded:
        from beeline.symmetry.code import Unfoldable
        from beeline.symmetry.found import find_symmetries
        from beeline.symmetry.network_tables import NetworkTables

        try:
            found = find_symmetries(self.network, () if asked is None else asked.expressions, self.numbers)
        except Unfoldable as error:
            return Folded(note=f"off: {error}")
        if len(found.configuration) > len(self.layout.processes):
            return Folded(note="off: there is no room for all processes")
        tables = NetworkTables(found, self.layout, self.clocks)
        return replace(self._by(found, tables), exchanges=tables.exchanges())

    def _by(self, found: Symmetries, tables: NetworkTables) -> Folded:
        from beeline.symmetry.network_tables import MOST_MEMBERS

        sets = tables.by_sets(found.sets) if found.sets is not None else None
        if sets is not None:
            return _fold(self.native, self.symmetry, sets, str(found), moves=found.moves)
        group = found.group.within(MOST_MEMBERS)
        if group.order == 1:
            return Folded(note=f"off: {found.group.order:,} permutations are too many to look at each")
        some = "" if group.order == found.group.order else f", of which {group.order:,} are looked at"
        members = tables.by_members(group.members())
        whole = _fold(self.native, self.symmetry, members, f"{found}{some}", moves=found.moves)
        if self.symmetry.most != 1:
            return whole
        descending = {**tables.by_members(group.generators), "descends": 1}
        return replace(_fold(self.native, self.symmetry, descending, whole.note), classes=whole.classes)
