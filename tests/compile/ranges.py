"""Random programs whose variables take values that nothing before them announced: late, negative, far apart."""

from __future__ import annotations

import random

TYPES = {"bool": (0, 1), "byte": (0, 255), "short": (-(2**15), 2**15 - 1), "int": (-(2**31), 2**31 - 1)}
LEAPS = (-1, 0, 1, 2, 3, 7, 8, 100, 255, 256, 300, -2, -201, 32767, -32768, 70_000, -70_000, 2**31 - 1, -(2**31))


class Ranges:
    """A Promela program for each seed: counters that make its space large, and processes that leap."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.variables: dict[str, str] = {}  # with their types

    def program(self) -> str:
        globals_ = [self.declared(f"v{i}") for i in range(self.random.randint(1, 6))]
        counters = [f"n{i}" for i in range(self.random.randint(1, 3))]
        tops = [self.random.choice((3, 5, 9, 20)) for _ in counters]
        leapers = [self.leaper(i, counters, tops) for i in range(self.random.randint(1, 2))]
        lines = [*globals_, *(f"byte {name};" for name in counters), *leapers]
        arms = [f":: {name} < {top} -> {name}++" for name, top in zip(counters, tops, strict=True)]
        lines.append(f"active proctype Count() {{ do {' '.join(arms)} od }}")
        return "\n".join(lines)

    def declared(self, name: str) -> str:
        kind = self.random.choice(list(TYPES))
        self.variables[name] = kind
        start = self.value(kind) if self.random.random() < 0.3 else self.random.choice((0, 1))
        return f"{kind} {name} = {start};"

    def value(self, kind: str) -> int:
        low, high = TYPES[kind]
        return self.random.choice([leap for leap in LEAPS if low <= leap <= high])

    def leaper(self, number: int, counters: list[str], tops: list[int]) -> str:
        copies = self.random.choice((1, 1, 2))
        steps = " ".join(self.step(counters, tops) for _ in range(self.random.randint(1, 5)))
        return f"active [{copies}] proctype Leap{number}() {{ {steps} }}"

    def step(self, counters: list[str], tops: list[int]) -> str:
        name = self.random.choice(list(self.variables))
        effect = f"{name} = {self.value(self.variables[name])};"
        if self.random.random() < 0.6:  # late
            which = self.random.randrange(len(counters))
            effect = f"{counters[which]} >= {self.random.randint(0, tops[which])} -> {effect}"
        return effect
