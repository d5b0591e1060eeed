"""When the steps of a run can happen: the earliest moments that satisfy all guards and invariants on the way.

Every constraint on clocks along a fixed sequence of steps is one on the difference of two moments: a clock's value is
the time since it was last reset. The least solution of such a system is that of its longest paths. Strict bounds are
kept exact by counting infinitesimals, which become a small enough fraction at the end.
"""

from __future__ import annotations

from fractions import Fraction

from beeline.records import Record, field
from beeline.timed.atoms import Atom
from beeline.timed.longest import Addition, Delay, Length, Moments

Choice = list[list[Delay]]  # one list of delays must hold


class Schedule(Record, dict=True):
    """Moments of a run under construction: moment 0 is its start, each step adds one.

    >>> schedule = Schedule(clocks=1)
    >>> schedule.advance([Atom(1, 0, ">", 2)])
    >>> schedule.reset({1: 0})
    >>> schedule.advance([Atom(1, 0, ">=", 3)])
    >>> schedule.solve()
    [Fraction(0, 1), Fraction(5, 2), Fraction(11, 2)]
    """

    clocks: int
    moments: int = 1
    parts: list[Choice] = field(default_factory=list)  # in the order of the run
    _since: list[tuple[int, int]] = field(default_factory=list)  # by clock: moment of the last reset, value then

    def __post_init__(self) -> None:
        self._since = [(0, 0)] * (self.clocks + 1)

    def advance(self, atoms: list[Atom], *, at_once: bool = False) -> None:
        """Adds a moment at which `atoms` hold; with `at_once` no time passes before it."""
        self.moments += 1
        now = self.moments - 1
        self._demand([Delay(now - 1, now, (0, 0))])
        if at_once:
            self._demand([Delay(now, now - 1, (0, 0))])
        self.require(atoms)

    def reset(self, values: dict[int, int]) -> None:
        """Sets clocks at the present moment."""
        for clock, value in values.items():
            self._since[clock] = (self.moments - 1, value)

    def require(self, atoms: list[Atom]) -> None:
        """Atoms that hold at the present moment."""
        for atom in atoms:
            self._demand(self.delays(atom))

    def _demand(self, delays: list[Delay]) -> None:
        if not self.parts or len(self.parts[-1]) != 1:
            self.parts.append([[]])
        self.parts[-1][0].extend(delays)

    def exclude(self, atoms: list[Atom], silent: list[list[Atom]] | None = None) -> None:
        """At the present moment one of these atoms must fail, or all atoms of one of the `silent` lists hold."""
        options = [self.delays(negated) for atom in atoms for negated in atom.negated()]
        for others in silent or []:
            options.append([delay for atom in others for delay in self.delays(atom)])
        self.choose(options)

    def choose(self, options: Choice) -> None:
        """One of these lists of delays must hold."""
        self.parts += [options, [[]]]

    def delays(self, atom: Atom) -> list[Delay]:
        """An atom at the present moment as delays between moments."""
        now = self.moments - 1
        moment_plus, value_plus = (now, 0) if atom.plus == 0 else self._since[atom.plus]
        moment_minus, value_minus = (now, 0) if atom.minus == 0 else self._since[atom.minus]
        # plus - minus = (now - moment_plus + value_plus) - (now - moment_minus + value_minus); clock 0 is now - now.
        gap = atom.bound - value_plus + value_minus  # bounds moment_minus - moment_plus
        found: list[Delay] = []
        if atom.operator in (">", ">=", "=="):
            found.append(Delay(moment_plus, moment_minus, (gap, int(atom.operator == ">"))))
        if atom.operator in ("<", "<=", "=="):
            found.append(Delay(moment_minus, moment_plus, (-gap, int(atom.operator == "<"))))
        return found

    # Solving

    def copy(self) -> Schedule:
        """An independent schedule that is as this one is now."""
        made = Schedule(
            self.clocks, self.moments, [*self.parts[:-1], *([*map(list, part)] for part in self.parts[-1:])]
        )
        made._since = list(self._since)
        return made

    def solve(self) -> list[Fraction] | None:
        """The earliest moments, or None if the run is impossible. Of each choice the first way is taken that leaves one
        for all others."""
        moments = Moments(self.moments)
        taken: list[tuple[int, Addition]] = []  # by part: its way, and what that added
        way = 0
        while len(taken) < len(self.parts):
            ways = self.parts[len(taken)]
            added = moments.add(ways[way]) if way < len(ways) else None
            if added is not None:
                taken.append((way, added))
                way = 0
            elif way < len(ways):
                way += 1
            elif taken:
                way, added = taken.pop()
                moments.take_back(added)
                way += 1
            else:
                return None
        return _with_fractions(moments.lengths, moments.delays)


def _with_fractions(lengths: list[Length], delays: list[Delay]) -> list[Fraction]:
    """Infinitesimals as the largest half, quarter, ... that still satisfies every delay."""
    small = Fraction(1, 2)
    for delay in delays:
        whole = lengths[delay.later][0] - lengths[delay.earlier][0] - delay.length[0]
        count = lengths[delay.later][1] - lengths[delay.earlier][1] - delay.length[1]
        while count < 0 and whole + count * small < 0:
            small /= 2
    return [whole + count * small for whole, count in lengths]
