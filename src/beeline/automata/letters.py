"""Sets of letters as Boolean functions over propositions, in a canonical form: ordered decision diagrams, which are
numbers here. Variables above the propositions serve for acceptance marks and classes of states.

What automata show to others are cubes: pairs of masks, of the propositions that must be true and of those that must be
false. A letter fits a cube if ``letter & true == true and not letter & false``.
"""

from __future__ import annotations

from collections.abc import Iterable

Cube = tuple[int, int]
Guard = tuple[Cube, ...]
"""A disjunction of cubes; ``()`` is false, ``((0, 0),)`` is true."""

NONE = 0
ALL = 1


class Letters:
    """Functions as numbers: `NONE` and `ALL` are constants, equal functions have equal numbers.

    >>> letters = Letters()
    >>> p, q = letters.variable(0), letters.variable(1)
    >>> letters.cubes(letters.both(p, letters.complement(q)))
    ((1, 2),)
    """

    def __init__(self) -> None:
        self._nodes: list[tuple[int, int, int]] = [(1 << 60, 0, 0), (1 << 60, 1, 1)]  # variable, if false, if true
        self._known: dict[tuple[int, int, int], int] = {}
        self._both: dict[tuple[int, int], int] = {}
        self._either: dict[tuple[int, int], int] = {}
        self._implies: dict[tuple[int, int], bool] = {}
        self._complement: dict[int, int] = {NONE: ALL, ALL: NONE}
        self._cubes: dict[int, Guard] = {}

    def _node(self, variable: int, low: int, high: int) -> int:
        if low == high:
            return low
        key = (variable, low, high)
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = len(self._nodes)
            self._nodes.append(key)
        return found

    def variable(self, index: int) -> int:
        return self._node(index, NONE, ALL)

    def cube(self, true: int, false: int) -> int:
        """The letters with the propositions of `true` and without those of `false`."""
        if true & false:
            return NONE
        result = ALL
        for index in range((true | false).bit_length() - 1, -1, -1):
            if true >> index & 1:
                result = self._node(index, NONE, result)
            elif false >> index & 1:
                result = self._node(index, result, NONE)
        return result

    def of(self, guard: Guard) -> int:
        """The function of a disjunction of cubes."""
        return self.any(self.cube(true, false) for true, false in guard)

    def complement(self, function: int) -> int:
        found = self._complement.get(function)
        if found is None:
            variable, low, high = self._nodes[function]
            found = self._node(variable, self.complement(low), self.complement(high))
            self._complement[function], self._complement[found] = found, function
        return found

    def both(self, left: int, right: int) -> int:
        if left == right or right == ALL:
            return left
        if left == ALL:
            return right
        if left == NONE or right == NONE:
            return NONE
        key = (left, right) if left < right else (right, left)
        found = self._both.get(key)
        if found is None:
            variable, low, high = self._nodes[left]
            other, other_low, other_high = self._nodes[right]
            if variable == other:
                found = self._node(variable, self.both(low, other_low), self.both(high, other_high))
            elif variable < other:
                found = self._node(variable, self.both(low, right), self.both(high, right))
            else:
                found = self._node(other, self.both(left, other_low), self.both(left, other_high))
            self._both[key] = found
        return found

    def either(self, left: int, right: int) -> int:
        if left == right or right == NONE:
            return left
        if left == NONE:
            return right
        if left == ALL or right == ALL:
            return ALL
        key = (left, right) if left < right else (right, left)
        found = self._either.get(key)
        if found is None:
            variable, low, high = self._nodes[left]
            other, other_low, other_high = self._nodes[right]
            if variable == other:
                found = self._node(variable, self.either(low, other_low), self.either(high, other_high))
            elif variable < other:
                found = self._node(variable, self.either(low, right), self.either(high, right))
            else:
                found = self._node(other, self.either(left, other_low), self.either(left, other_high))
            self._either[key] = found
        return found

    def any(self, functions: Iterable[int]) -> int:
        result = NONE
        for function in functions:
            result = self.either(result, function)
        return result

    def without(self, left: int, right: int) -> int:
        return self.both(left, self.complement(right))

    def implies(self, left: int, right: int) -> bool:
        """Whether one set is a subset of another; most that are none are seen to be none early."""
        if left in (right, NONE) or right == ALL:
            return True
        if left == ALL or right == NONE:
            return False
        found = self._implies.get((left, right))
        if found is None:
            variable, low, high = self._nodes[left]
            other, other_low, other_high = self._nodes[right]
            if variable == other:
                found = self.implies(low, other_low) and self.implies(high, other_high)
            elif variable < other:
                found = self.implies(low, right) and self.implies(high, right)
            else:
                found = self.implies(left, other_low) and self.implies(left, other_high)
            self._implies[left, right] = found
        return found

    def holds(self, function: int, letter: int) -> bool:
        """Whether the letter, a mask of true propositions, is in the set."""
        while function > ALL:
            variable, low, high = self._nodes[function]
            function = high if letter >> variable & 1 else low
        return function == ALL

    def some(self, function: int) -> int:
        """One letter of a set that is not empty."""
        letter = 0
        while function > ALL:
            variable, low, high = self._nodes[function]
            if low == NONE:
                letter |= 1 << variable
                function = high
            else:
                function = low
        return letter

    def branches(self, function: int) -> tuple[int, int, int]:
        """The first variable that a function depends on, and what is left of it if that is false, and if it is true."""
        return self._nodes[function]

    def by_prefix(self, function: int, variables: int) -> dict[int, int]:
        """What is left of a function under each letter of the first `variables` variables, with the letters for it."""
        known: dict[int, dict[int, int]] = {}

        def divided(function: int) -> dict[int, int]:
            variable, low, high = self._nodes[function]
            if variable >= variables:
                return {function: ALL}
            if function not in known:
                zero, one = divided(low), divided(high)
                known[function] = {
                    rest: self._node(variable, zero.get(rest, NONE), one.get(rest, NONE)) for rest in {**zero, **one}
                }
            return known[function]

        return divided(function)

    def classes(self, functions: Iterable[int]) -> list[int]:
        """The coarsest partition of all letters of which every given set is a union of parts."""
        parts = [ALL]
        for function in sorted(set(functions)):
            split: list[int] = []
            for part in parts:
                inside = self.both(part, function)
                split.extend([part] if inside in (NONE, part) else [inside, self.without(part, function)])
            parts = split
        return parts

    def cubes(self, function: int) -> Guard:
        """The function as a disjunction of cubes, none of which can be left out or widened (Minato and Morreale)."""
        found = self._cubes.get(function)
        if found is None:
            found = self._cubes[function] = tuple(sorted(self._cover(function, function)[0]))
        return found

    def _cover(self, lower: int, upper: int) -> tuple[list[Cube], int]:
        """Cubes between two functions, and the function that they make."""
        if lower == NONE:
            return [], NONE
        if upper == ALL:
            return [(0, 0)], ALL
        variable = min(self._nodes[lower][0], self._nodes[upper][0])
        lower_0, lower_1 = self._branches(lower, variable)
        upper_0, upper_1 = self._branches(upper, variable)
        only_0, made_0 = self._cover(self.without(lower_0, upper_1), upper_0)
        only_1, made_1 = self._cover(self.without(lower_1, upper_0), upper_1)
        rest = self.either(self.without(lower_0, made_0), self.without(lower_1, made_1))
        common, made = self._cover(rest, self.both(upper_0, upper_1))
        bit = 1 << variable
        cubes = [(true, false | bit) for true, false in only_0] + [(true | bit, false) for true, false in only_1]
        return cubes + common, self._node(variable, self.either(made_0, made), self.either(made_1, made))

    def _branches(self, function: int, variable: int) -> tuple[int, int]:
        own, low, high = self._nodes[function]
        return (low, high) if own == variable else (function, function)
