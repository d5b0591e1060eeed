"""Random formulas and lasso words; the tests use them, too."""

from __future__ import annotations

from random import Random

from beeline.automata import FALSE, TRUE, Formula

_UNARY = ("not", "X", "F", "G")
_BINARY = ("and", "or", "implies", "iff", "U", "R", "W", "M")

Word = tuple[list[frozenset[str]], list[frozenset[str]]]


def random_formula(random: Random, size: int, names: tuple[str, ...]) -> Formula:
    """A formula of `size` nodes."""
    if size <= 1:
        chance = random.random()
        return TRUE if chance < 0.03 else FALSE if chance < 0.06 else Formula.atom(random.choice(names))
    if size == 2 or random.random() < 0.35:
        return Formula(random.choice(_UNARY), (random_formula(random, size - 1, names),))
    left = random.randint(1, size - 2)
    parts = random_formula(random, left, names), random_formula(random, size - 1 - left, names)
    return Formula(random.choice(_BINARY), parts)


def random_word(random: Random, names: tuple[str, ...]) -> Word:
    """A prefix of up to four letters and a cycle of one to four."""

    def letters(count: int) -> list[frozenset[str]]:
        return [frozenset(name for name in names if random.random() < 0.5) for _ in range(count)]

    return letters(random.randint(0, 4)), letters(random.randint(1, 4))


def stretched(random: Random, word: Word) -> Word:
    """The word with some letters repeated, and perhaps the cycle unrolled."""
    prefix, cycle = word

    def repeated(letters: list[frozenset[str]]) -> list[frozenset[str]]:
        return [letter for letter in letters for _ in range(random.choice((1, 1, 2, 3)))]

    if random.random() < 0.5:
        prefix = prefix + cycle
    return repeated(prefix), repeated(cycle)
