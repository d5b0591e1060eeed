"""When the steps of a run can happen where clocks are stopped: any delays that satisfy all constraints on the way.

A clock's value is the sum of the delays during which it ran since its last reset, so that constraints are linear
inequalities over delays, no longer ones on the difference of two moments. The zones of a network with stopped clocks
include more than what is reachable: where the inequalities have no solution, the path was no run.
"""

from __future__ import annotations

from fractions import Fraction

from beeline.records import Record, field
from beeline.timed.atoms import Atom
from beeline.timed.linear import Inequality, Sum, System


class StopwatchSchedule(Record, dict=True):
    """Delays of a run under construction; the same questions as for a `Schedule`.

    >>> schedule = StopwatchSchedule(clocks=2)
    >>> schedule.advance([Atom(1, 0, ">=", 2)], (0, 1, 1))
    >>> schedule.advance([Atom(2, 0, ">=", 5)], (0, 0, 1))
    >>> schedule.require([Atom(1, 0, "<=", 2)])
    >>> schedule.solve()
    [Fraction(0, 1), Fraction(2, 1), Fraction(5, 1)]
    """

    clocks: int
    delays: list[int] = field(default_factory=list)  # the variables of delays, 0 where no time passes
    system: System = field(default_factory=System)
    choices: list[list[list[Inequality]]] = field(default_factory=list)  # of each, one list must hold
    _ran: list[tuple[int, ...]] = field(default_factory=list)  # by clock: delays since the last reset while it ran
    _set: list[int] = field(default_factory=list)  # by clock: what it was reset to

    def __post_init__(self) -> None:
        self._ran = [()] * (self.clocks + 1)
        self._set = [0] * (self.clocks + 1)

    def advance(self, atoms: list[Atom], rates: tuple[int, ...] | None) -> None:
        """Adds a moment at which `atoms` hold, before which clocks ran at these rates; without any no time passes."""
        self.delays.append(0)
        if rates is not None:
            self.delays[-1] = delay = len(self.delays)
            for clock, rate in enumerate(rates):
                if rate:
                    self._ran[clock] += (delay,)
        self.require(atoms)

    def reset(self, values: dict[int, int]) -> None:
        """Sets clocks at the present moment."""
        for clock, value in values.items():
            self._ran[clock], self._set[clock] = (), value

    def require(self, atoms: list[Atom]) -> None:
        """Atoms that hold at the present moment."""
        for atom in atoms:
            for inequality in self._inequalities(atom):
                self.system.add(inequality)

    def exclude(self, atoms: list[Atom], silent: list[list[Atom]] | None = None) -> None:
        """At the present moment one of these atoms must fail, or all atoms of one of the `silent` lists hold."""
        options = [self._inequalities(negated) for atom in atoms for negated in atom.negated()]
        for others in silent or []:
            options.append([one for atom in others for one in self._inequalities(atom)])
        self.choices.append(options)

    def _inequalities(self, atom: Atom) -> list[Inequality]:
        total: Sum = dict.fromkeys(self._ran[atom.plus], 1)
        for delay in self._ran[atom.minus]:
            total[delay] = total.get(delay, 0) - 1
        total = {delay: factor for delay, factor in total.items() if factor}
        bound, strict = atom.bound - self._set[atom.plus] + self._set[atom.minus], atom.operator in ("<", ">")
        found: list[Inequality] = []
        if atom.operator in ("<", "<=", "=="):
            found.append(Inequality(total, bound, strict))
        if atom.operator in (">", ">=", "=="):
            found.append(Inequality({delay: -factor for delay, factor in total.items()}, -bound, strict))
        return found

    # Solving

    def copy(self) -> StopwatchSchedule:
        """An independent schedule that is as this one is now."""
        made = StopwatchSchedule(self.clocks, list(self.delays), self.system.copy(), list(self.choices))
        made._ran, made._set = list(self._ran), list(self._set)
        return made

    def solve(self) -> list[Fraction] | None:
        """Moments of a run, or None if it is impossible."""
        return self._solve(self.system, 0)

    def _solve(self, system: System, choice: int) -> list[Fraction] | None:
        if not system.solve():
            return None
        if choice == len(self.choices):
            return self._moments(system)
        for option in self.choices[choice]:
            attempt = system.copy()
            for inequality in option:
                attempt.add(inequality)
            found = self._solve(attempt, choice + 1)
            if found is not None:
                return found
        return None

    def _moments(self, system: System) -> list[Fraction]:
        moments = [Fraction(0)]
        for delay, amount in zip(self.delays, system.values(self.delays), strict=True):
            moments.append(moments[-1] + (amount if delay else 0))
        return moments
