"""Random small networks for property-based tests: all kinds of synchronisation, data and control in one place."""

from __future__ import annotations

import random

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from beeline.model.expressions import (
    TRUE,
    At,
    Binary,
    Bind,
    Builtin,
    Call,
    ChannelInfo,
    Conditional,
    Expression,
    Field,
    Index,
    Literal,
    Match,
    Numbered,
    Pattern,
    Place,
    Poll,
    Quantified,
    Ref,
    Remote,
    Skip,
    Unary,
)
from beeline.model.network import (
    Channel,
    Edge,
    Function,
    Initial,
    Location,
    Network,
    Parameter,
    Process,
    Receive,
    Rules,
    Send,
    Synchronisation,
    Together,
    Variable,
)
from beeline.model.statements import (
    Assert,
    Assign,
    Declare,
    Do,
    If,
    Return,
    SetPriority,
    Start,
    Statement,
    Terminate,
    While,
)
from beeline.model.types import BIT, BYTE, CHANNEL, ArrayType, IntType, RecordType
from beeline.model.validation import validate
from beeline.records import replace

SMALL = IntType(-1, 3)
RECORD = RecordType("pair", (("first", SMALL), ("rest", ArrayType(BIT, 2))))
VARIABLES = (
    Variable("x", SMALL),
    Variable("y", BYTE, (250,)),
    Variable("a", ArrayType(SMALL, 3)),
    Variable("r", ArrayType(RECORD, 2)),
    Variable("scratch", BIT, hidden=True),
    Variable("table", ArrayType(BYTE, 4), (3, 1, 4, 1)),  # written by nobody
)
CHANNELS = (
    Channel("hand", fields=(SMALL,)),
    Channel("pair", size=2),
    Channel("queue", 2, (BYTE, SMALL)),
    Channel("all", broadcast=True),
)
BUMP = Function(
    "bump",
    (Parameter("by", SMALL), Parameter("cell", SMALL, reference=True)),
    SMALL,
    (
        If(Binary(">", Ref("cell"), Literal(1)), (Return(Literal(0)),)),
        Assign(Ref("cell"), Binary("+", Ref("cell"), Ref("by"))),
        Return(Ref("cell")),
    ),
)
# Reads only, so that guards may call it.
COUNT = Function(
    "count",
    (Parameter("upto", BYTE),),
    SMALL,
    (
        Declare("found", SMALL),
        Declare("j", BYTE),
        While(
            Binary("<", Ref("j"), Binary("min", Ref("upto"), Literal(3))),
            (
                If(Binary(">", Index(Ref("a"), Ref("j")), Literal(0)), (Assign(Ref("found"), Literal(1)),)),
                Assign(Ref("j"), Binary("+", Ref("j"), Literal(1))),
            ),
        ),
        Return(Ref("found")),
    ),
)
KINDS = ("P", "Q")
LOCATIONS = 3


READ: tuple[Expression, ...] = (Ref("x"), Ref("y"), Index(Ref("a"), Literal(1)), ChannelInfo("len", Ref("queue")))
READ_LOCALLY: tuple[Expression, ...] = (Ref("own"), Ref("me"), Builtin("pid"), ChannelInfo("nempty", Ref("post")))
WATCHED: tuple[Expression, ...] = (
    ChannelInfo("full", Ref("queue")),
    At(Numbered("P", Literal(0)), "l1"),
    At(Numbered("Q", None), "both"),
    Remote(Numbered("P", Literal(1)), Ref("own")),
    Remote(Numbered("Q", Literal(1)), Index(Ref("mine"), Literal(1))),
    Builtin("processes"),
    Builtin("last"),
    Poll(Ref("queue"), (Match(Ref("y")),), anywhere=True),
    Poll(Ref("queue"), (Skip(), Match(Ref("x")))),
)


class Sampler:
    """Draws the parts of a network from one source of chance. Plain code: drawing each part through hypothesis
    would take longer than all that is done with the network."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.dynamic = self.chance(2)

    def chance(self, one_in: int) -> bool:
        return self.random.randrange(one_in) == 0

    # Expressions

    def place(self) -> Place:
        """A scalar place of a process that can be written."""
        choice = self.random.randrange(9)
        if choice < 2:
            return Ref("x")
        if choice < 4:
            return Ref("y")
        if choice == 4:
            return Index(Ref("a"), self.index(3))
        if choice == 5:
            return Field(Index(Ref("r"), self.index(2)), "first")
        if choice == 6:
            return Index(Field(Index(Ref("r"), self.index(2)), "rest"), self.index(2))
        own: list[Place] = [Ref("own"), Ref("me"), Ref("scratch"), Index(Ref("mine"), self.index(2))]
        return self.random.choice(own)

    def index(self, size: int) -> Expression:
        """Mostly within the bounds."""
        if self.chance(8):
            return self.value(1)
        if self.chance(2):
            return Literal(self.random.randrange(size))
        return Binary("%", Ref("y"), Literal(size))

    def atom(self, local: bool = True) -> Expression:
        choice = self.random.randrange(10)
        if choice < 3:
            return Literal(self.random.randint(-1, 3))
        if choice < 6:
            return self.random.choice(READ)
        if choice < 8 and local:
            return self.random.choice(READ_LOCALLY)
        return self.random.choice(WATCHED)

    def value(self, depth: int = 2, local: bool = True) -> Expression:
        if depth == 0 or self.chance(3):
            return self.atom(local)
        inner = self.value(depth - 1, local)
        choice = self.random.randrange(8)
        if choice < 4:
            operator = self.random.choice(["+", "-", "*", "&", "|", "^", "<<", ">>", "min", "max", "==", "<", ">="])
            return Binary(operator, inner, self.value(depth - 1, local))
        if choice == 4:
            operator = self.random.choice("/%")
            return Binary(operator, inner, self.atom(local) if self.chance(3) else Literal(3))
        if choice == 5:
            return Unary(self.random.choice("-!~"), inner)
        if choice == 6:
            return Conditional(inner, self.atom(local), self.atom(local))
        if self.chance(3):
            return Index(Ref("table"), Binary("&", inner, Literal(3)))
        if self.chance(3):
            return Call("count", (inner,))
        kind = self.random.choice(["forall", "exists", "sum"])
        return Quantified(kind, "k", 0, 2, Binary("+", Index(Ref("a"), Ref("k")), inner))

    def condition(self, local: bool = True) -> Expression:
        if self.chance(2):
            return TRUE
        operator = self.random.choice(["&&", "||", "imply", "!=", "<=", ">"])
        compared = Binary(operator, self.value(1, local), self.value(1, local))
        return Unary("!", compared) if self.chance(4) else compared

    # Statements

    def statement(self, depth: int = 1) -> Statement:
        choice = self.random.randrange(12 if depth else 9)
        if choice < 4:
            return Assign(self.place(), Binary("&", self.value(1), Literal(3)))
        if choice == 4:
            return Assign(self.place(), self.value(1))
        if choice == 5:
            return Assign(Index(Ref("r"), self.index(2)), Index(Ref("r"), self.index(2)))
        if choice == 6:
            return Assert(Binary("||", self.condition(), Binary("<", Ref("x"), Literal(3))))
        if choice == 7:
            if self.chance(3):
                return Do(Call("bump", (Literal(1), Ref("x"))))
            return self.called() if self.chance(2) else self.called_midway()
        if choice == 8 and self.chance(3):
            return SetPriority(self.atom(), self.atom())
        if choice == 8 and self.dynamic:
            return Start("Q", (Literal(1),)) if self.chance(2) else Start("P", (Ref("me"),), Ref("own"))
        if choice < 10 or not depth:
            return Assign(Ref("y"), Binary("+", Ref("y"), Literal(1)))
        block = tuple(self.statement(depth - 1) for _ in range(self.random.randrange(3)))
        if choice == 10:
            return If(self.condition(), block, tuple(self.statement(0) for _ in range(self.random.randrange(2))))
        return loop(self.random.randrange(3), block)

    def called(self) -> Statement:
        cell = Index(Ref("a"), self.index(3))
        return Assign(
            Index(Ref("a"), Binary("&", Ref("y"), Literal(1))),
            Call("bump", (Binary("&", self.atom(), Literal(1)), cell)),
        )

    def called_midway(self) -> Statement:
        """The call changes what is read before it and after it."""
        call = Call("bump", (Literal(1), Ref("x")))
        total = Binary("-", Binary(self.random.choice("+<"), Ref("x"), call), Ref("x"))
        return Assign(Ref("y"), total) if self.chance(2) else If(total, (Assign(Ref("x"), Literal(0)),))

    # Edges

    def pattern(self) -> Pattern:
        choice = self.random.randrange(4)
        if choice < 2:
            return Bind(self.place())
        return Skip() if choice == 2 else Match(self.random.choice([Literal(0), Literal(1), self.atom()]))

    def synchronisation(self) -> Synchronisation | None:
        value = Binary("&", self.value(1), Literal(1)) if not self.chance(6) else self.value(1)
        pair = Index(Ref("pair"), Literal(0) if self.chance(2) else self.index(2))
        options: list[Synchronisation | None] = [
            Send(Ref("hand"), (value,)),
            Receive(Ref("hand"), (self.pattern(),)),
            Send(pair),
            Receive(pair),
            Send(Ref("queue"), (self.value(1), value), sorted=self.chance(2)),
            Receive(Ref("queue"), (self.pattern(), self.pattern()), anywhere=self.chance(2), keep=self.chance(4)),
            Send(Ref("all")) if self.chance(2) else Receive(Ref("all")),
            Together("go") if self.chance(2) else Together("stop"),
            Send(Ref("post"), (Ref("own"),)) if self.chance(2) else Receive(Ref("post"), (Bind(Ref("own")),)),
            Send(Ref("their"), (Ref("me"),)) if self.chance(2) else Receive(Ref("their"), (Skip(),)),
        ]
        return None if self.chance(3) else self.random.choice(options)

    def edge(self, locations: tuple[Location, ...]) -> Edge:
        source, target = self.random.randrange(LOCATIONS), self.random.randrange(LOCATIONS)
        if locations[source].deterministic and locations[target].deterministic and target <= source:
            target = 0  # an endless deterministic run would take the interpreter a second
        effect = tuple(self.statement() for _ in range(self.random.randrange(3)))
        if self.dynamic and self.chance(8):
            effect = (*effect, Terminate())
        guard = self.condition()
        if self.chance(16):
            guard = Binary("&&", guard, Builtin("timeout"))
        return Edge(
            source,
            target,
            guard,
            self.synchronisation(),
            effect,
            rank=self.random.choice([0, 0, 0, 1, 2]),
            keeps_control=self.chance(4),
            otherwise=self.chance(5),
        )

    def location(self, position: int) -> Location:
        return Location(
            f"l{position}",
            committed=self.chance(10),
            deterministic=position > 0 and self.chance(10),
            end=self.chance(2),
            progress=self.chance(2),
            labels=("both",) if position else (),
        )

    def process(self, name: str) -> Process:
        own = Variable("own", SMALL, expression=Binary("-", Ref("me"), Literal(1)) if self.dynamic else None)
        locations = tuple(self.location(position) for position in range(LOCATIONS))
        return Process(
            name,
            locations,
            tuple(self.edge(locations) for _ in range(self.random.randint(6, 12))),
            parameters=(Variable("me", SMALL),),
            variables=(own, Variable("mine", ArrayType(BIT, 2), (0, 1)), Variable("their", CHANNEL, (4,))),
            channels=(Channel("post", 1, (SMALL,)),),
            provided=Binary("!=", Ref("x"), Literal(2)) if self.chance(5) else TRUE,
        )

    def monitor(self) -> Process:
        edges = [
            Edge(
                self.random.randrange(2),
                self.random.randrange(3),
                self.watched(),
                effect=(Assert(self.condition(False)),) if self.chance(6) else (),
                rank=self.random.randrange(2),
            )
            for _ in range(self.random.randint(2, 4))
        ]
        halted = self.random.randrange(-1, 2)
        return Process(
            "watch", (Location("w0", halted=halted), Location("w1"), Location("done", end=True)), tuple(edges)
        )

    def watched(self) -> Expression:
        asked: list[Expression] = [
            Builtin("enabled", self.atom(False)),
            Builtin("timeout"),
            Unary("!", Builtin("timeout")),
        ]
        return self.random.choice(asked) if self.chance(3) else self.condition(False)

    def network(self) -> Network:
        """A valid network of two kinds and two or three instances."""
        initial = [Initial("P", "P[0]", (0,), 1), Initial("Q", "Q[0]", (1,))]
        if self.chance(2):
            initial.append(Initial("P", "P[1]", (2,), 2))
        processes = tuple(self.process(name) for name in KINDS)
        channels: tuple[Channel, ...] = CHANNELS
        if self.chance(6):
            channels = tuple(replace(channel, priority=self.random.randrange(2)) for channel in CHANNELS)
        monitor = self.monitor() if self.chance(6) else None
        network = Network(
            "random",
            processes,
            tuple(initial),
            VARIABLES,
            channels,
            (BUMP, COUNT),
            rules=Rules(
                lossy=self.chance(3),
                priorities=self.chance(4),
                receivers_first=self.chance(3),
                committed_together=self.chance(3),
                eager_sends=self.chance(2),
                max_processes=4,
                processes_by_number=True,
            ),
        )
        network = network if monitor is None else network.watched_by(monitor)
        validate(network)
        return network


def loop(times: int, body: tuple[Statement, ...]) -> Statement:
    step = Assign(Ref("i"), Binary("+", Ref("i"), Literal(1)))
    turns = While(Binary("<", Ref("i"), Literal(times)), (*body, step))
    return If(TRUE, (Declare("i", BYTE), turns))


def networks() -> SearchStrategy[Network]:
    """Random networks; a failing one is named by its seed."""
    return st.integers(0, 2**32 - 1).map(lambda seed: Sampler(seed).network())
