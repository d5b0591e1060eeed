"""Random DVE models: channels of all kinds, committed states, ranges that are left, assertions, property processes."""

from __future__ import annotations

import random
from collections.abc import Callable

from .dice import Dice

STATES = ("idle", "busy", "done", "lost")


class DveWriter(Dice):
    """Writes one model; what may go wrong in it (a range, an index, a division) is wanted only now and then."""

    def __init__(self, choose: Callable[[int, int], int]) -> None:
        super().__init__(choose)
        self.errors = self.chance(35)
        self.committed = self.chance(40)
        self.globals: dict[str, int] = {}  # the size of each, 0 for scalars
        self.channels: dict[str, tuple[int, int]] = {}  # capacity and number of values
        self.processes: dict[str, list[str]] = {}  # the states of each

    # expressions

    def index(self, names: dict[str, int], size: int) -> str:
        """An index, which is out of range now and then where errors are wanted."""
        scalars = [name for name, width in names.items() if not width]
        if self.errors and scalars and self.chance(20):
            return self.pick(scalars)
        return str(self.number(0, size - 1))

    def place(self, names: dict[str, int]) -> str:
        """Something that can be assigned."""
        name = self.pick(list(names))
        return f"{name}[{self.index(names, names[name])}]" if names[name] else name

    def term(self, names: dict[str, int]) -> str:
        """A number."""
        if self.chance(60):
            return self.place(names)
        others = [name for name in self.processes if name != "Watch"]
        if others and self.chance(15):
            other = self.pick(others)
            return f"{other}.{self.pick(self.processes[other])}"
        if others and self.chance(10):
            return f"{self.pick(others)}->own"
        return str(self.weighted([(8, self.number(0, 3)), (1, 255), (1, 40)]))

    def expression(self, names: dict[str, int], depth: int = 1) -> str:
        """An arithmetic expression."""
        if not depth or not self.chance(50):
            return self.term(names)
        left, right = self.expression(names, depth - 1), self.term(names)
        operator = self.pick(["+", "-", "*", "&", "|", "^", "%", "/", "<<", ">>", "==", "<"])
        if operator in ("%", "/") and not (self.errors and self.chance(40)):
            right = str(self.number(1, 3))
        if operator in ("<<", ">>", "*"):
            right = str(self.number(0, 2))
        return f"({left} {operator} {right})"

    def condition(self, names: dict[str, int], depth: int = 1) -> str:
        """A boolean expression."""
        if depth and self.chance(35):
            word = self.pick(["and", "or", "imply", "&&", "||"])
            return f"({self.condition(names, depth - 1)} {word} {self.condition(names, depth - 1)})"
        if self.chance(10):
            return f"not ({self.condition(names, 0)})"
        return f"{self.expression(names)} {self.pick(['==', '!=', '<', '<=', '>', '>='])} {self.term(names)}"

    def assignment(self, names: dict[str, int]) -> str:
        """An effect that mostly keeps a variable's values few."""
        place = self.place(names)
        match self.weighted([(3, "constant"), (5, "bounded"), (2, "next"), (1 if self.errors else 0, "free")]):
            case "constant":
                return f"{place} = {self.number(0, 3)}"
            case "next":
                return f"{place} = ({place} + 1) % {self.number(2, 4)}"
            case "free":
                return f"{place} = {self.expression(names, 2)}"
            case _:
                return f"{place} = ({self.expression(names, 2)}) & {self.pick([1, 3])}"

    # parts

    def variables(self, prefix: str, most: int) -> tuple[list[str], dict[str, int]]:
        """Some declarations and the names that they declare."""
        lines, names = [], {}
        for _ in range(self.number(1, most)):
            name, size = self.fresh(prefix), self.number(2, 3) if self.chance(25) else 0
            kind = self.pick(["byte", "int"])
            values = [str(self.number(0, 2)) for _ in range(self.number(1, size or 1))]
            initial = (f" = {{{', '.join(values)}}}" if size else f" = {values[0]}") if self.chance(40) else ""
            lines.append(f"{kind} {name}{f'[{size}]' if size else ''}{initial};")
            names[name] = size
        return lines, names

    def declare_channel(self) -> str:
        """A channel: of a handshake with or without types, or with a buffer."""
        name, count = self.fresh("c"), self.weighted([(2, 1), (1, 2), (1, 0)])
        if self.chance(40):
            self.channels[name] = (0, count)
            return f"channel {name};"
        count, capacity = max(1, count), self.number(0, 2)
        self.channels[name] = (capacity, count)
        return f"channel {{{', '.join(self.pick(['byte', 'int']) for _ in range(count))}}} {name}[{capacity}];"

    def sync(self, names: dict[str, int], own: dict[str, int]) -> str:
        """A send or a receive."""
        channel = self.pick(list(self.channels))
        count = self.channels[channel][1]
        if self.chance(50):
            values = [self.expression(names) for _ in range(count)]
            return f"sync {channel}!{_listed(values)};"
        scalars = [name for name, size in own.items() if not size]
        return f"sync {channel}?{_listed([self.pick(scalars) for _ in range(count)])};"

    def transition(self, states: list[str], names: dict[str, int], own: dict[str, int]) -> str:
        """One transition."""
        parts = [f"guard {self.condition(names)};"] if self.chance(60) else []
        talks = bool(self.channels) and self.chance(45)
        if talks:
            parts.append(self.sync(names, own))
        if self.chance(70):
            # The effects of a handshake stay with the process: where their order matters Beeline refuses the model.
            written = own if talks else names
            effects = [self.assignment(written) for _ in range(self.number(1, 2))]
            parts.append(f"effect {', '.join(effects)};")
        return f" {self.pick(states)} -> {self.pick(states)} {{ {' '.join(parts)} }}"

    def process(self, name: str) -> list[str]:
        """One process."""
        lines, own = self.variables("v", 2)
        own["own"] = 0
        names = {**self.globals, **own}
        states = self.processes[name]
        text = [f"process {name} {{", "byte own;", *lines, f"state {', '.join(states)};", f"init {self.pick(states)};"]
        if self.committed and self.chance(60):
            text.append(f"commit {self.pick(states)};")
        if self.chance(20):
            text.append(f"assert {self.pick(states)}: {self.condition(names)};")
        transitions = [self.transition(states, names, own) for _ in range(self.number(2, 5))]
        return [*text, "trans", ",\n".join(transitions) + ";", "}"]

    def watch(self) -> list[str]:
        """A property process that asks whether a state can be reached."""
        names = self.globals
        return [
            "process Watch {",
            "state fine, odd, bad;",
            "init fine;",
            "accept bad;",
            "trans",
            f" fine -> {self.pick(['fine', 'odd'])} {{ guard {self.condition(names)}; }},",
            f" fine -> odd {{ guard {self.condition(names)}; }},",
            f" odd -> {self.pick(['fine', 'odd'])} {{{self.pick(['', f' guard {self.condition(names)}; '])}}},",
            f" {self.pick(['fine', 'odd'])} -> bad {{ guard {self.condition(names)}; }},",
            " bad -> bad {};",
            "}",
        ]

    def model(self) -> str:
        """A whole model."""
        lines, self.globals = self.variables("g", 3)
        lines += [self.declare_channel() for _ in range(self.number(0, 2))]
        names = [f"P{number}" for number in range(self.number(1, 3))]
        self.processes = {name: list(STATES[: self.number(1, 4)]) for name in names}
        for name in names:
            lines += self.process(name)
        watched = self.chance(30)
        lines += self.watch() if watched else []
        return "\n".join([*lines, f"system async{' property Watch' if watched else ''};"]) + "\n"


def _listed(values: list[str]) -> str:
    return values[0] if len(values) == 1 else f"{{{', '.join(values)}}}" if values else ""


def dve_of(seed: int) -> str:
    """The model of a seed."""
    return DveWriter(random.Random(seed).randint).model()
