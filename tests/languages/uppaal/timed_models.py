"""Small timed networks as plain data: what the oracle interprets, what hypothesis generates, and their `.xta` text."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from hypothesis import strategies as st


@dataclass(frozen=True)
class Bound:
    """``clock operator constant``, or with `other` ``clock - other operator constant``.

    `form` says how the right side is written: as a number, or as the number and something that depends on `v`.
    """

    clock: int
    operator: str
    constant: int
    other: int | None = None
    form: str = "number"

    def text(self, unit: int = 1) -> str:
        left = f"x{self.clock}" if self.other is None else f"x{self.clock} - x{self.other}"
        number = self.constant * unit
        right = {
            "number": f"{number}",
            "variable": f"{unit} * v + {number}",
            "function": f"later({number})",
            "table": f"delays[v] + {number}",
        }[self.form]
        return f"{left} {self.operator} {right}"

    def at(self, variable: int) -> Bound:
        """The bound for a value of `v`, written as a number."""
        return self if self.form == "number" else Bound(self.clock, self.operator, self.value(variable), self.other)

    def value(self, variable: int) -> int:
        return self.constant + MORE[self.form][variable]


# What is added for each value of `v`, and the declarations that say so in a model. Zones are widened beyond the largest
# value of the function's type, which is therefore no larger than it must be.
MORE = {"number": (0, 0, 0), "variable": (0, 1, 2), "function": (2, 1, 3), "table": (1, 0, 2)}
DECLARATIONS = """const int UNIT = {unit};
typedef int[0, 8 * UNIT] time_t;
const time_t delays[3] = {{ UNIT, 0, 2 * UNIT }};
time_t later(time_t base) {{
    time_t total = base;
    int i;
    if (v == 0) return base + 2 * UNIT;
    for (i = 1; i < 2 * v; i++) total += UNIT;
    return total;
}}"""


@dataclass(frozen=True)
class Location:
    invariant: tuple[Bound, ...] = ()
    kind: str = ""  # "", "urgent" or "commit"
    rates: tuple[tuple[int, int | None], ...] = ()  # of clocks; None: 1 where v == 1, else 0


@dataclass(frozen=True)
class Edge:
    source: int
    target: int
    guard: tuple[Bound, ...] = ()
    variable_guard: int | None = None  # v == this
    channel: int | None = None
    direction: str = ""
    resets: tuple[tuple[int, int | None], ...] = ()  # of clocks; None: to v
    variable_update: int | None = None  # v = this

    def resets_at(self, variable: int) -> tuple[tuple[int, int], ...]:
        """The resets for a value of `v`, which is changed after them."""
        return tuple((clock, variable if value is None else value) for clock, value in self.resets)


@dataclass(frozen=True)
class Automaton:
    locations: tuple[Location, ...]
    edges: tuple[Edge, ...]


@dataclass(frozen=True)
class Model:
    """Automata over shared clocks and one variable in 0..2. Channel kinds: "", "broadcast", "urgent", both."""

    clocks: int
    channels: tuple[str, ...]
    automata: tuple[Automaton, ...]
    priorities: tuple[int, ...] = ()  # of the automata, in order and not falling; none: no priorities

    @property
    def bounds(self) -> list[Bound]:
        """All that clocks are compared with."""
        bounds = [bound for a in self.automata for place in a.locations for bound in place.invariant]
        return bounds + [bound for a in self.automata for edge in a.edges for bound in edge.guard]

    @property
    def largest(self) -> int:
        """The greatest constant that a clock is compared with or set to."""
        values = [2 if value is None else value for a in self.automata for edge in a.edges for _, value in edge.resets]
        return max([abs(bound.value(v)) for bound in self.bounds for v in range(3)] + values, default=0)


def to_xta(model: Model, unit: int = 1) -> str:
    """The model as text that UPPAAL would read, with every constant multiplied by the unit of time."""
    lines = ["int[0,2] v;"]
    if any(bound.form in ("function", "table") for bound in model.bounds):
        lines.append(DECLARATIONS.format(unit=unit))
    if model.clocks:
        lines.append("clock " + ", ".join(f"x{clock}" for clock in range(model.clocks)) + ";")
    for number, kind in enumerate(model.channels):
        lines.append(f"{kind} chan c{number};".strip())
    for number, automaton in enumerate(model.automata):
        lines += _process(number, automaton, unit)
    names = [f"P{number}" for number in range(len(model.automata))]
    system = names[0]
    for number in range(1, len(names)):
        higher = model.priorities and model.priorities[number] > model.priorities[number - 1]
        system += (" < " if higher else ", ") + names[number]
    return "\n".join([*lines, f"system {system};"])


def _process(number: int, automaton: Automaton, unit: int) -> list[str]:
    states: list[str] = []
    for at, location in enumerate(automaton.locations):
        parts = [bound.text(unit) for bound in location.invariant]
        parts += [f"x{clock}' == {'(v == 1)' if rate is None else rate}" for clock, rate in location.rates]
        invariant = " && ".join(parts)
        states.append(f"s{at} {{ {invariant} }}" if invariant else f"s{at}")
    lines = [f"process P{number}() {{", f"state {', '.join(states)};"]
    for kind in ("commit", "urgent"):
        marked = [f"s{at}" for at, location in enumerate(automaton.locations) if location.kind == kind]
        if marked:
            lines.append(f"{kind} {', '.join(marked)};")
    lines.append("init s0;")
    edges: list[str] = []
    for edge in automaton.edges:
        guards = [bound.text(unit) for bound in edge.guard]
        guards += [f"v == {edge.variable_guard}"] if edge.variable_guard is not None else []
        updates = [f"x{clock} = {f'{unit} * v' if value is None else value * unit}" for clock, value in edge.resets]
        updates += [f"v = {edge.variable_update}"] if edge.variable_update is not None else []
        parts = [f"guard {' && '.join(guards)};"] if guards else []
        parts += [f"sync c{edge.channel}{edge.direction};"] if edge.channel is not None else []
        parts += [f"assign {', '.join(updates)};"] if updates else []
        edges.append(f"s{edge.source} -> s{edge.target} {{ {' '.join(parts)} }}")
    if edges:
        lines.append("trans " + ",\n  ".join(edges) + ";")
    return [*lines, "}"]


# Generation


@dataclass(frozen=True)
class Shape:
    """What a random model may contain."""

    most_clocks: int = 3
    largest: int = 4
    channels: tuple[str, ...] = ("", "broadcast", "urgent", "urgent broadcast")
    priorities: bool = False
    differences: bool = False  # guards on differences of clocks; all clocks are then bounded by invariants
    computed: bool = False  # bounds that depend on the variable, and clocks set to it


def models(shape: Shape = Shape()) -> st.SearchStrategy[Model]:  # noqa: B008  # immutable
    """Models of at most three automata. Drawn by seed, so that most of them do something before they stop."""
    return st.integers(0, 2**32 - 1).map(lambda seed: make_model(Random(seed), shape))


def make_model(random: Random, shape: Shape) -> Model:
    clocks = random.randint(1, shape.most_clocks)
    channels = tuple(random.choice(shape.channels) for _ in range(random.randint(1, 2)))
    count = random.randint(1, 3)
    automata = tuple(_automaton(random, shape, clocks, channels) for _ in range(count))
    levels: tuple[int, ...] = ()
    if shape.priorities:
        steps = [random.randint(0, 1) for _ in range(count)]
        levels = tuple(sum(steps[1 : at + 1]) for at in range(count))
    return Model(clocks, channels, automata, levels)


def _automaton(random: Random, shape: Shape, clocks: int, channels: tuple[str, ...]) -> Automaton:
    size = random.randint(2, 4)
    locations: list[Location] = []
    for _ in range(size):
        kind = random.choice(("", "", "", "", "", "", "", "urgent", "commit"))
        invariant: tuple[Bound, ...] = ()
        if shape.differences:
            invariant = tuple(Bound(clock, "<=", shape.largest) for clock in range(clocks))
        elif random.random() < 0.35:
            clock, operator = random.randrange(clocks), random.choice(("<", "<="))
            invariant = (_bound(random, shape, clock, operator, random.randint(1, shape.largest)),)
        locations.append(Location(invariant, kind))
    edges = [_edge(random, shape, clocks, channels, random.randrange(at), at) for at in range(1, size)]
    edges += [
        _edge(random, shape, clocks, channels, random.randrange(size), random.randrange(size))
        for _ in range(random.randint(1, 2 * size))
    ]
    random.shuffle(edges)
    return Automaton(tuple(locations), tuple(edges))


def _bound(random: Random, shape: Shape, clock: int, operator: str, constant: int, other: int | None = None) -> Bound:
    form = random.choice(list(MORE)) if shape.computed and other is None else "number"
    return Bound(clock, operator, constant, other, form)


def _edge(random: Random, shape: Shape, clocks: int, channels: tuple[str, ...], source: int, target: int) -> Edge:
    channel = random.randrange(len(channels)) if random.random() < 0.4 else None
    direction = random.choice("!?") if channel is not None else ""
    guard: list[Bound] = []
    if channel is None or "urgent" not in channels[channel]:
        for _ in range(random.choice((0, 0, 1, 1, 2))):
            clock, operator = random.randrange(clocks), random.choice(("<", "<=", "==", ">=", ">"))
            other = None
            constant = random.randint(0, shape.largest)
            if shape.differences and clocks > 1 and random.random() < 0.5:
                other = random.choice([one for one in range(clocks) if one != clock])
                constant = random.randint(-shape.largest, shape.largest)
            guard.append(_bound(random, shape, clock, operator, constant, other))
    values = (0, 0, 0, 1, *((None, None) if shape.computed else ()))
    resets = {clock: random.choice(values) for clock in range(clocks) if random.random() < 0.3}
    return Edge(
        source,
        target,
        tuple(guard),
        random.choice((None, None, None, 0, 1, 2)),
        channel,
        direction,
        tuple(resets.items()),
        random.choice((None, None, 0, 1, 2)),
    )


# Networks that stop clocks


def make_stopping(random: Random, priorities: bool = False) -> Model:
    """One or two automata over three clocks that give rates to them; little keeps them from moving."""
    channels = (random.choice(("", "broadcast", "urgent")),)
    count = random.randint(1, 2)
    automata = tuple(_stopping_automaton(random, channels, alone=count == 1) for _ in range(count))
    return Model(3, channels, automata, (0, 1)[:count] if priorities else ())


def _stopping_automaton(random: Random, channels: tuple[str, ...], alone: bool) -> Automaton:
    size = random.randint(2, 4)
    locations = tuple(_stopping_place(random) for _ in range(size))
    ways = [(at, (at + 1) % size) for at in range(size)]
    ways += [(random.randrange(size), random.randrange(size)) for _ in range(random.randint(0, 3))]
    return Automaton(locations, tuple(_stopping_edge(random, channels, alone, *way) for way in ways))


def _stopping_place(random: Random) -> Location:
    rates = tuple((clock, random.choice((0, 0, None, 1))) for clock in range(3) if random.random() < 0.45)
    invariant = (Bound(random.randrange(3), random.choice(("<=", "<=", "<")), random.randint(2, 3)),)
    kind = random.choice(("", "", "", "", "", "", "", "urgent", "commit"))
    return Location(invariant if random.random() < 0.5 else (), kind, rates)


def _stopping_edge(random: Random, channels: tuple[str, ...], alone: bool, source: int, target: int) -> Edge:
    sends = not alone and random.random() < 0.2
    guard: list[Bound] = []
    for _ in range(random.choice((0, 1, 1, 2)) if not (sends and channels[0] == "urgent") else 0):
        operator = random.choice(("<", "<=", "==", ">=", ">=", ">"))
        guard.append(Bound(random.randrange(3), operator, random.randint(1, 3)))
    resets = tuple((clock, 0) for clock in range(3) if random.random() < 0.2)
    update = random.randint(0, 2) if random.random() < 0.4 else None
    direction = random.choice("!?") if sends else ""
    return Edge(source, target, tuple(guard), None, 0 if sends else None, direction, resets, update)
