"""Random networks in which nothing fails by itself and processes mostly mind their own business, so that there is much
to leave out, and rare states to ask for."""

from __future__ import annotations

import random

from beeline.model.expressions import (
    TRUE,
    At,
    Binary,
    Bind,
    Builtin,
    ChannelInfo,
    Expression,
    Index,
    Instance,
    Literal,
    Match,
    Pattern,
    Place,
    Poll,
    Ref,
    Remote,
    Skip,
    conjunction,
    negate,
)
from beeline.model.network import (
    Channel,
    Edge,
    Initial,
    Location,
    Network,
    Process,
    Receive,
    Rules,
    Send,
    Synchronisation,
    Together,
    Variable,
)
from beeline.model.semantics import Semantics
from beeline.model.statements import Assert, Assign, If, Statement, Terminate
from beeline.model.types import ArrayType, IntType, Overflow
from beeline.model.validation import validate
from beeline.records import replace

SMALL = IntType(0, 3, Overflow.WRAP)
GLOBALS = (
    Variable("x", SMALL),
    Variable("y", SMALL),
    Variable("a", ArrayType(SMALL, 4)),
    Variable("s", SMALL, hidden=True),
)
CHANNELS = (
    Channel("one", 1, (SMALL,)),
    Channel("two", 2, (SMALL, SMALL)),
    Channel("pair", size=2),
    Channel("hand", fields=(SMALL,)),
    Channel("all", broadcast=True),
)
COMPARISONS = ("==", "!=", "<", ">=")


class LooselyCoupledSampler:
    """Draws networks of two to four processes from one source of chance."""

    longest_walk = 25  # to a rare state

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.privacy = self.random.randint(1, 4)
        self.with_control = self.chance(3)
        self.with_ranks = self.chance(3)
        self.with_ends = self.chance(4)
        self.with_timeout = self.chance(6)

    def chance(self, one_in: int) -> bool:
        return self.random.randrange(one_in) == 0

    # Expressions

    def index(self) -> Expression:
        if self.chance(2):
            return Ref("me")
        some: list[Expression] = [Literal(self.random.randrange(4)), Ref("x")]
        return self.random.choice(some)

    def place(self) -> Place:
        if not self.chance(1 + self.privacy):
            return Ref("own")
        shared: list[Place] = [Ref("x"), Ref("y"), Index(Ref("a"), self.index()), Ref("s")]
        return self.random.choice(shared)

    def value(self) -> Expression:
        choice = self.random.randrange(4)
        if choice == 0:
            return Literal(self.random.randrange(4))
        if choice == 1:
            return Binary(self.random.choice("+-^"), self.place(), Literal(1))
        return self.place()

    def condition(self) -> Expression:
        if self.chance(2):
            return TRUE
        parts = [self.comparison() for _ in range(self.random.randint(1, 2))]
        joined = conjunction(parts) if self.chance(2) else Binary("||", parts[0], parts[-1])
        return negate(joined) if self.chance(5) else joined

    def comparison(self) -> Expression:
        choice = self.random.randrange(10)
        if choice == 0:
            return At(Instance(f"P{self.random.randrange(2)}"), f"l{self.random.randrange(3)}")
        if choice == 1:
            return Binary(">", Remote(Instance("P0"), Ref("own")), Literal(1))
        if choice == 2:
            what = self.random.choice(["empty", "nempty", "full", "nfull"])
            return ChannelInfo(what, Ref(self.random.choice(["one", "two"])))
        if choice == 3:
            return Poll(Ref("two"), (Match(self.value()),), anywhere=self.chance(2))
        return Binary(self.random.choice(COMPARISONS), self.place(), Literal(self.random.randrange(4)))

    # Edges

    def statement(self) -> Statement:
        if self.chance(6):
            return If(self.comparison(), (Assign(self.place(), self.value()),))
        return Assign(self.place(), self.value())

    def pattern(self) -> Pattern:
        some: list[Pattern] = [Bind(self.place()), Bind(Ref("own")), Skip(), Match(Literal(self.random.randrange(2)))]
        return self.random.choice(some)

    def synchronisation(self) -> Synchronisation | None:
        if not self.chance(3):
            return None
        pair = Index(Ref("pair"), Literal(0) if self.chance(2) else Binary("&", Ref("me"), Literal(1)))
        low = Binary("&", self.value(), Literal(1))
        some: list[Synchronisation] = [
            Send(Ref("one"), (low,)),
            Receive(Ref("one"), (self.pattern(),)),
            Send(Ref("two"), (low, self.value()), sorted=self.chance(4)),
            Receive(Ref("two"), (self.pattern(), self.pattern()), anywhere=self.chance(3), keep=self.chance(5)),
            Send(pair),
            Receive(pair),
            Send(Ref("hand"), (low,)),
            Receive(Ref("hand"), (self.pattern(),)),
            Send(Ref("all")),
            Receive(Ref("all")),
            Together("go"),
        ]
        return self.random.choice(some)

    def edge(self, locations: tuple[Location, ...]) -> Edge:
        size = len(locations)
        source, target = self.ends(size)
        if locations[source].deterministic and locations[target].deterministic and target <= source:
            target = 0
        guard = self.condition()
        if self.with_timeout and self.chance(5):
            guard = Binary("&&", guard, Builtin("timeout"))
        effect = tuple(self.statement() for _ in range(self.random.randrange(3)))
        if self.with_ends and self.chance(6):
            effect = (*effect, Terminate())
        sync = None if locations[source].deterministic else self.synchronisation()
        rank = self.random.choice([0, 0, 1]) if self.with_ranks else 0
        keeps = self.with_control and self.chance(3)
        return Edge(source, target, guard, sync, effect, rank=rank, keeps_control=keeps)

    def ends(self, size: int) -> tuple[int, int]:
        """Where an edge begins and where it leads."""
        return self.random.randrange(size), self.random.randrange(size)

    def process(self, name: str) -> Process:
        size = self.random.randint(2, 4)
        locations = tuple(
            Location(f"l{i}", end=self.chance(3), deterministic=i == 3 and self.with_control and self.chance(2))
            for i in range(max(3, size))
        )
        edges = [self.edge(locations) for _ in range(self.random.randint(3, 7))]
        edges += [Edge(i, 0) for i, location in enumerate(locations) if location.deterministic]
        provided = Binary("!=", Ref("y"), Literal(2)) if self.chance(8) else TRUE
        own = (Variable("own", SMALL),)
        return Process(
            name, locations, tuple(edges), parameters=(Variable("me", SMALL),), variables=own, provided=provided
        )

    def network(self) -> Network:
        """A network of two kinds; the first instance of each is called P0 and P1."""
        kinds = (self.process("A"), self.process("B"))
        initial = [Initial("A", "P0", (0,)), Initial("B", "P1", (1,))]
        for number in range(2, 2 + self.random.randrange(3)):
            initial.append(Initial(self.random.choice("AB"), f"P{number}", (number % 4,)))
        rules = Rules(lossy=self.chance(6), receivers_first=self.chance(4))
        network = Network("loosely coupled", kinds, tuple(initial), GLOBALS, CHANNELS, rules=rules)
        validate(network)
        return network

    # Questions

    def rare_state(self, network: Network) -> Expression | None:
        """Some facts that hold together at the end of a random walk, and perhaps nowhere else."""
        semantics = Semantics(network)
        state = semantics.initial_states()[0]
        for _ in range(self.random.randint(2, self.longest_walk)):
            targets = [step.target for step in semantics.steps(state) if step.target is not None]
            if not targets:
                break
            state = self.random.choice(targets)
        if len(state.processes) < 2:
            return None
        facts: list[Expression] = [
            Binary("==", Ref("x"), Literal(state.variables[0])),
            Binary("==", Ref("y"), Literal(state.variables[1])),
            Binary("==", Index(Ref("a"), Literal(1)), Literal(state.variables[3])),
            At(Instance("P0"), f"l{state.processes[0].location}"),
            At(Instance("P1"), f"l{state.processes[1].location}"),
            Binary("==", ChannelInfo("len", Ref("two")), Literal(len(state.channels[1]))),
            Binary("==", Remote(Instance("P1"), Ref("own")), Literal(state.processes[1].locals[1])),
        ]
        chosen = self.random.sample(facts, self.random.randint(2, 4))
        if self.chance(3):
            chosen[0] = Binary("||", self.elsewhere(), chosen[0])
        return conjunction(chosen)

    def elsewhere(self) -> Expression:
        """Something that need not hold in the state."""
        here = At(Instance(f"P{self.random.randrange(2)}"), f"l{self.random.randrange(3)}")
        some: list[Expression] = [here, Binary("==", Ref("y"), Literal(self.random.randrange(4)))]
        return self.random.choice(some)


class ForwardSampler(LooselyCoupledSampler):
    """Networks whose processes only go forward. What is left out once does not come again, so that a step forgotten by
    a reduction shows. Their processes wait for each other, or have nothing to do with each other but run unlike the
    others: uninterrupted, when nobody else can go on, or when another edge cannot be taken."""

    longest_walk = 6

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.private = self.chance(2)
        self.special = self.random.choice(["control", "ranks", "timeout", ""])
        self.with_control = self.special == "control"
        self.with_ranks = self.special == "ranks"
        self.with_timeout = self.special == "timeout"

    def place(self) -> Place:
        if self.private and not self.chance(6):
            return Ref("own")
        shared: list[Place] = [Ref("x"), Ref("y"), Index(Ref("a"), Literal(1))]
        return self.random.choice([*shared, Ref("own")])

    def value(self) -> Expression:
        return self.place() if self.chance(4) else Literal(self.random.randrange(2))

    def comparison(self) -> Expression:
        return Binary("==", self.place(), Literal(self.random.randrange(2)))

    def condition(self) -> Expression:
        return TRUE if self.chance(2) else conjunction([self.comparison() for _ in range(self.random.randint(1, 2))])

    def statement(self) -> Statement:
        return Assign(self.place(), self.value())

    def synchronisation(self) -> Synchronisation | None:
        if not self.chance(6 if self.private else 3):
            return None
        bit = Literal(self.random.randrange(2))
        patterns: list[Pattern] = [Bind(self.place()), Match(bit)]
        taken = self.random.choice(patterns)
        channel = Ref(self.random.choice(["hand", "one"]))
        some: list[Synchronisation] = [Send(channel, (bit,)), Receive(channel, (taken,)), Together("go")]
        return self.random.choice(some)

    def ends(self, size: int) -> tuple[int, int]:
        source = self.random.randrange(size - 1)
        return source, self.random.randint(source + 1, size - 1)


def sampler_of(seed: int) -> LooselyCoupledSampler:
    """One of the samplers."""
    return ForwardSampler(seed) if seed % 2 else LooselyCoupledSampler(seed)


def with_watcher(network: Network, wanted: Expression) -> Network:
    """The network with one more process, in which an assertion fails where `wanted` holds."""
    locations = (Location("watching", end=True), Location("seen", end=True))
    edge = Edge(0, 1, wanted, None, (Assert(Literal(0)),))
    watcher = Process("Watcher", locations, (edge,))
    return replace(
        network, processes=(*network.processes, watcher), initial=(*network.initial, Initial("Watcher", "watcher"))
    )
