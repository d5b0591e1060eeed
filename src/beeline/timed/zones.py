"""Zones in plain Python, for the few that traces need: read from the engine, shown, taken apart into atoms.

The native engine has its own, fast ones. Bounds are pairs (constant, 0 or 1): "less than" is 0, "at most" is 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from beeline.timed.atoms import Atom

Bound = tuple[int, int] | None  # None: no bound
AT_MOST_ZERO = (0, 1)


class Zone:
    """A non-empty set of clock values, tight."""

    def __init__(self, dimension: int, bounds: list[list[Bound]]) -> None:
        self.dimension = dimension
        self.bounds = bounds

    @staticmethod
    def of(atoms: Iterable[Atom], dimension: int) -> Zone | None:
        """All clock values that satisfy the atoms; None if there are none.

        >>> zone = Zone.of([Atom(1, 0, "<=", 3), Atom(2, 1, ">", 1)], 3)
        >>> zone.show(["0", "x", "y"])
        'y > 1, x <= 3, x - y < -1'
        """
        bounds: list[list[Bound]] = [[None] * dimension for _ in range(dimension)]
        for at in range(dimension):
            bounds[at][at] = AT_MOST_ZERO
            bounds[0][at] = AT_MOST_ZERO
        zone = Zone(dimension, bounds)
        for atom in atoms:
            if atom.operator in ("<", "<=", "=="):
                zone._lower(atom.plus, atom.minus, (atom.bound, int(atom.operator != "<")))
            if atom.operator in (">", ">=", "=="):
                zone._lower(atom.minus, atom.plus, (-atom.bound, int(atom.operator != ">")))
        return zone if zone._close() else None

    @staticmethod
    def read(numbers: Sequence[int], dimension: int) -> Zone:
        """A zone as the engine writes it."""
        none = 2**31 - 1
        flat: list[Bound] = [None if number == none else (number >> 1, number & 1) for number in numbers]
        rows = [flat[row * dimension : (row + 1) * dimension] for row in range(dimension)]
        return Zone(dimension, rows)

    def of_first(self, dimension: int) -> Zone:
        """What is left of it for the first clocks."""
        return Zone(dimension, [row[:dimension] for row in self.bounds[:dimension]])

    def _lower(self, plus: int, minus: int, bound: tuple[int, int]) -> None:
        known = self.bounds[plus][minus]
        if known is None or bound < known:
            self.bounds[plus][minus] = bound

    def _close(self) -> bool:
        every = range(self.dimension)
        for via in every:
            for plus in every:
                first = self.bounds[plus][via]
                if first is None:
                    continue
                for minus in every:
                    second = self.bounds[via][minus]
                    if second is not None:
                        self._lower(plus, minus, (first[0] + second[0], first[1] & second[1]))
        return all((self.bounds[at][at] or AT_MOST_ZERO) >= AT_MOST_ZERO for at in every)

    def atoms(self) -> list[Atom]:
        """Atoms that say the same, without those that only say that clocks are not negative."""
        found: list[Atom] = []
        for plus, row in enumerate(self.bounds):
            for minus, bound in enumerate(row):
                if plus != minus and bound is not None and not (plus == 0 and bound == AT_MOST_ZERO):
                    found.append(Atom(plus, minus, "<=" if bound[1] else "<", bound[0]))
        return [atom for atom in found if not self._is_implied(atom)]

    def _is_implied(self, atom: Atom) -> bool:
        """Whether a bound on a difference only says what the two clocks' own bounds say."""
        if atom.plus == 0 or atom.minus == 0:
            return False
        above, below = self.bounds[atom.plus][0], self.bounds[0][atom.minus]
        if above is None or below is None:
            return False
        return (above[0] + below[0], above[1] & below[1]) == self.bounds[atom.plus][atom.minus]

    def show(self, names: Sequence[str]) -> str:
        """For people: ``x <= 3, y - x > 1``."""
        parts: list[str] = []
        for atom in self.atoms():
            if atom.plus == 0:
                parts.append(f"{names[atom.minus]} {atom.operator.replace('<', '>')} {-atom.bound}")
            else:
                left = names[atom.plus] if atom.minus == 0 else f"{names[atom.plus]} - {names[atom.minus]}"
                parts.append(f"{left} {atom.operator} {atom.bound}")
        return ", ".join(parts) or "true"
