"""From formulas to automata through very weak alternating automata (Gastin and Oddoux 2001; Babiak et al. 2012).

A state of the alternating automaton is a subformula; a transition is a cube of letters and a set of subformulas that
must all hold from the next letter on. A state of the generalised Büchi automaton is such a set. Sets are masks, so that
the product of transitions is a few operations on integers.
"""

from __future__ import annotations

from beeline.automata.formula import Formula, subformulas
from beeline.automata.graph import Arc, Graph, merged
from beeline.automata.letters import Letters
from beeline.model.source import ModelError

Move = tuple[int, int, int]
"""Propositions that must be true, those that must be false, the set of states that follow."""

Step = tuple[int, int, int, int]
"""A move of a set of states, with the promises that it does not keep."""


_MOVES = 5000  # of one state
_WORK = 300_000  # moves of all states: nine conjuncts `G F p` have 262144


class TooLarge(ModelError):
    """The automaton would be larger than wanted."""

    def __init__(self, what: str) -> None:
        super().__init__(f"the automaton of the formula has more than {what}", remedy="check its parts one by one")


class Alternating:
    """The alternating automaton of a formula in negation normal form; it comes into being as it is asked for."""

    def __init__(self, names: tuple[str, ...]) -> None:
        self._bit = {name: 1 << index for index, name in enumerate(names)}
        self._index: dict[Formula, int] = {}
        self._moves: dict[Formula, list[Move]] = {}
        self.formulas: list[Formula] = []
        self.promises: list[int] = []  # the states that must not be stayed in for ever, by index

    def state(self, formula: Formula) -> int:
        """The index of the state of a formula."""
        index = self._index.get(formula)
        if index is None:
            index = self._index[formula] = len(self.formulas)
            self.formulas.append(formula)
            if formula.kind in ("U", "F", "M"):
                self.promises.append(index)
        return index

    def conjuncts(self, formula: Formula) -> int:
        """The set of states that together stand for a formula."""
        if formula.kind == "true":
            return 0
        parts = formula.children if formula.kind == "and" else (formula,)
        return sum(1 << self.state(part) for part in set(parts))

    def moves(self, formula: Formula) -> list[Move]:
        found = self._moves.get(formula)
        if found is None:
            found = self._moves[formula] = _undominated(self._found(formula))
        return found

    def used_by_promises(self) -> Move:
        """The propositions and states in the moves of the promises: what decides whether a promise is kept."""
        true = false = following = 0
        for index in self.promises:  # grows meanwhile
            for move in self.moves(self.formulas[index]):
                true, false, following = true | move[0], false | move[1], following | move[2]
        return true, false, following

    def _found(self, formula: Formula) -> list[Move]:
        parts = formula.children
        match formula.kind:
            case "true":
                return [(0, 0, 0)]
            case "false":
                return []
            case "atom":
                return [(self._bit[formula.name], 0, 0)]
            case "not":
                return [(0, self._bit[parts[0].name], 0)]
            case "X":
                return [] if parts[0].kind == "false" else [(0, 0, self.conjuncts(parts[0]))]
            case "or":
                return [move for part in parts for move in self.moves(part)]
            case "and":
                result = [(0, 0, 0)]
                for part in parts:
                    if len(result) > _MOVES:
                        raise TooLarge(f"{_MOVES} transitions at one state")
                    result = _undominated(_product(result, self.moves(part)))
                return result
        # Where the letter alone fulfils the formula, nothing is gained by waiting.
        fulfilled = self._literal(parts[-1 if formula.kind in "FUW" else 0]) if formula.kind != "G" else (0, 0)
        again = [(fulfilled[1], fulfilled[0], 1 << self.state(formula))]
        match formula.kind:
            case "F":
                return self.moves(parts[0]) + again
            case "G":
                return _product(self.moves(parts[0]), again)
            case "U" | "W":
                return self.moves(parts[1]) + _product(self.moves(parts[0]), again)
        return _product(self.moves(parts[1]), self.moves(parts[0]) + again)  # R, M

    def _literal(self, formula: Formula) -> tuple[int, int]:
        """The proposition that a literal needs true or false, as masks; nothing for other formulas."""
        if formula.kind == "atom":
            return self._bit[formula.name], 0
        return (0, self._bit[formula.children[0].name]) if formula.kind == "not" else (0, 0)


def _covered(formula: Formula) -> set[Formula]:
    """The formulas whose moves are part of every move of `formula`, as those of ``b`` are in ``a R b``."""
    found: set[Formula] = set()
    stack = [formula]
    while stack:
        node = stack.pop()
        parts = node.children if node.kind == "and" else node.children[-1:] if node.kind in ("R", "M", "G") else ()
        found.update(parts)
        stack.extend(parts)
    return found


def _product(left: list[Move], right: list[Move]) -> list[Move]:
    return [
        (true | true_2, false | false_2, following | following_2)
        for true, false, following in left
        for true_2, false_2, following_2 in right
        if not (true | true_2) & (false | false_2)
    ]


def _undominated(moves: list[Move], relevant: Move = (0, 0, 0)) -> list[Move]:
    """Without moves for which another one reads more and asks for less afterwards, and which has the same `relevant`
    parts."""
    kept: dict[Move, list[Move]] = {}
    for move in sorted(set(moves), key=lambda move: (move[2].bit_count(), (move[0] | move[1]).bit_count(), move)):
        true, false, following = move
        group = kept.setdefault((true & relevant[0], false & relevant[1], following & relevant[2]), [])
        if not any(not (t & ~true or f & ~false or n & ~following) for t, f, n in group):
            group.append(move)
    return [move for group in kept.values() for move in group]


def generalised(formula: Formula, names: tuple[str, ...], letters: Letters, limit: int) -> Graph:
    """The transition-based generalised Büchi automaton of a formula in negation normal form.

    Raises `TooLarge` if it has more than `limit` states before any reduction.
    """
    return _Construction(formula, names, letters, limit).graph()


class _Construction:
    def __init__(self, formula: Formula, names: tuple[str, ...], letters: Letters, limit: int) -> None:
        self.alternating = Alternating(names)
        self.letters = letters
        self.limit = limit
        self.work = 0
        self.numbers: dict[int, int] = {}
        self.known: dict[frozenset[Step], int] = {}  # states with the same steps are one
        self.rows: list[list[Step]] = []
        self.initial = self._number(self._steps(self.alternating.moves(formula)))

    def graph(self) -> Graph:
        targets: list[list[int]] = []
        for row in self.rows:  # grows meanwhile
            targets.append([self._state(following) for _, _, following, _ in row])
        full = (1 << len(self.alternating.promises)) - 1
        arcs: list[list[Arc]] = [
            merged(
                self.letters,
                (
                    (self.letters.cube(step[0], step[1]), full & ~step[3], target)
                    for step, target in zip(*pair, strict=True)
                ),
            )
            for pair in zip(self.rows, targets, strict=True)
        ]
        return Graph(self.letters, self.initial, arcs, len(self.alternating.promises))

    def _needed(self, formulas: int) -> int:
        """A set without states that others cover; promises stay, since it matters that they were made."""
        known = self.alternating.formulas
        covered = set().union(*(_covered(known[index]) for index in _bits(formulas)))
        return sum(
            1 << index
            for index in _bits(formulas)
            if known[index] not in covered or any(node.kind in ("F", "U", "M") for node in subformulas(known[index]))
        )

    def _state(self, formulas: int) -> int:
        number = self.numbers.get(formulas)
        if number is None and (needed := self._needed(formulas)) != formulas:
            number = self.numbers[formulas] = self._state(needed)
        if number is None:
            moves: list[Move] = [(0, 0, 0)]
            relevant = self.alternating.used_by_promises()
            for index in _bits(formulas):
                own = self.alternating.moves(self.alternating.formulas[index])
                if len(moves) * len(own) > 4 * _MOVES:
                    raise TooLarge(f"{_MOVES} transitions at one state")
                moves = _undominated(_product(moves, own), relevant)
            self.work += len(moves)
            if self.work > _WORK:
                raise TooLarge(f"{_WORK} transitions")
            number = self.numbers[formulas] = self._number(self._steps(moves))
        return number

    def _number(self, steps: list[Step]) -> int:
        key = frozenset(steps)
        number = self.known.get(key)
        if number is None:
            number = self.known[key] = len(self.rows)
            self.rows.append(steps)
            if len(self.rows) > self.limit:
                raise TooLarge(f"{self.limit} states")
        return number

    def _steps(self, moves: list[Move]) -> list[Step]:
        """The moves with their marks, without those for which another one is better in every respect."""
        steps = [(*move, self._broken(*move)) for move in moves]
        steps.sort(key=lambda step: (step[2].bit_count() + step[3].bit_count(), (step[0] | step[1]).bit_count(), step))
        kept: list[Step] = []
        for step in steps:
            true, false, following, broken = step
            if not any(not (t & ~true or f & ~false or n & ~following or b & ~broken) for t, f, n, b in kept):
                kept.append(step)
        return kept

    def _broken(self, true: int, false: int, following: int) -> int:
        """The promises that this step does not keep: made again, though no move in it fulfils them."""
        broken = 0
        for mark, index in enumerate(self.alternating.promises):
            own = 1 << index
            if following & own and not any(
                not (n & own or n & ~following or t & ~true or f & ~false)
                for t, f, n in self.alternating.moves(self.alternating.formulas[index])
            ):
                broken |= 1 << mark
        return broken


def _bits(mask: int) -> list[int]:
    return [index for index in range(mask.bit_length()) if mask >> index & 1]
