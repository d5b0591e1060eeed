"""A look at the beginning of a space: which cells belong together, and which values they take."""

from __future__ import annotations

from collections import Counter
from random import Random

from beeline.compile.program import Program
from beeline.engine import core
from beeline.records import Record
from beeline.symbolic.order import Net

STATES = 1_000  # that are looked at for values,
MORE_STATES = 20_000  # if these have not had all of them,
STEPS_OF = 300  # and of which the steps are followed
SAMPLES = 20  # states in which processes that step together are asked


class Survey(Record, frozen=True):
    """What was seen. `nets` are sets of cells that a step touches, with the number of kinds of steps that do."""

    nets: Counter[Net]
    values: tuple[tuple[int, int], ...]
    """The lowest and the highest value by cell."""

    def wider(self, cell: int, value: int) -> Survey:
        """The same with room for a value that comes up later, and for others beyond it."""
        low, high = self.values[cell]
        if low <= value <= high:
            return self
        room = 2 * (high - low) + 1
        values = list(self.values)
        values[cell] = (min(low, value, high - room), high) if value < low else (low, max(high, value, low + room))
        return Survey(self.nets, tuple(values))


class TooNarrow(Exception):
    """A cell takes a value for which there are no variables; begin again with more."""

    def __init__(self, cell: int, value: int) -> None:
        super().__init__(f"cell {cell} takes the value {value}")
        self.cell, self.value = cell, value


def look_at(program: Program) -> Survey:
    """Looks at the first states."""
    space = core.ProgramSpace(program.native)
    states = _first_states(space, STATES)
    nets: dict[tuple[int, Net], None] = {}
    # Cells that never change have no variables, and who is in control matters to everyone.
    moving = {cell for cell, kind in enumerate(program.layout.cells) if kind.low < kind.high} - {program.layout.control}
    for words in states[:STEPS_OF]:
        for number in range(len(program.layout.processes)):
            reads, steps = space.local_steps(words, number)
            for step in steps:
                net = moving.intersection(reads) | moving.intersection(cell for cell, _ in step.writes)
                nets[step.action, frozenset(net)] = None
    return Survey(Counter(net for _, net in nets if net), _with_places(program, _values(program, states)))


def look_further(program: Program, survey: Survey) -> Survey:
    """The same with room for the values of many more states."""
    values = _values(program, _first_states(core.ProgramSpace(program.native), MORE_STATES))
    both = zip(survey.values, values, strict=True)
    return Survey(survey.nets, tuple((min(low, least), max(high, most)) for (low, high), (least, most) in both))


def _first_states(space: core.ProgramSpace, most: int) -> list[tuple[int, ...]]:
    """So many states, the nearest ones."""
    found = dict.fromkeys(words for _, _, _, words in space.initial_arcs() if words is not None)
    states = list(found)
    for words in states:
        if len(states) >= most:
            break
        fresh = {arc[3]: None for arc in space.successor_arcs(words)[1] if arc[3] is not None and arc[3] not in found}
        found.update(fresh)
        states += fresh
    return states


def _values(program: Program, states: list[tuple[int, ...]]) -> tuple[tuple[int, int], ...]:
    """The lowest and the highest value of each cell."""
    cells = zip(*(program.native.unpack(words) for words in states), strict=True)
    return tuple((min(column), max(column)) for column in cells)


def look_at_parts(alone: Program) -> Survey:
    """Asks what processes that step together do in some states of any kind. Their cells take all values that they have
    room for: following common steps could take long, since one state may have very many."""
    space, cells = core.ProgramSpace(alone.native), alone.layout.cells
    moving = {cell for cell, kind in enumerate(cells) if kind.low < kind.high}
    random = Random(len(cells))
    samples = [[random.randint(kind.low, kind.high) for kind in cells] for _ in range(SAMPLES)]
    nets: Counter[Net] = Counter()
    for number in range(len(alone.layout.processes)):
        touched: set[int] = set()
        for values in [alone.tables["initial"], *samples]:
            reads, steps = space.local_steps(alone.native.pack(values), number)
            touched |= moving.intersection(reads).union(*({cell for cell, _ in step.writes} & moving for step in steps))
        if touched:
            nets[frozenset(touched)] += 1
    return Survey(nets, tuple((kind.low, kind.high) for kind in cells))


def _with_places(program: Program, values: tuple[tuple[int, int], ...]) -> tuple[tuple[int, int], ...]:
    """Processes may come to each of their locations, and monitors as well: that is asked for everywhere."""
    layout, found = program.layout, list(values)
    cells = {cell for place in layout.processes for cell in (place.tag, place.location)}
    for cell in (cells | {layout.control, layout.monitor}) - {-1}:
        found[cell] = (layout.cells[cell].low, layout.cells[cell].high)
    return tuple(found)
