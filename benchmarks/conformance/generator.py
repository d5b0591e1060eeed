"""Random Promela programs for comparing with SPIN: small, accepted by SPIN, with a small finite state space.

A program is a function of a sequence of choices. `programs()` is a hypothesis strategy that draws a seed of
such a sequence: drawing every choice from hypothesis would give families of near twins. `shrink` makes a
program smaller by leaving out lines.

The programs avoid what `pan` itself leaves undefined: indices out of range, division by zero,
dangling channels and references to processes that have died, blocking inside `d_step`, polls of rendezvous
channels.
"""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Callable, Sequence

from hypothesis import strategies as st

from .dice import Dice

NUMBERS = ("byte", "bit", "bool", "short", "int", "unsigned", "pid")
COLOURS = ("red", "green", "blue")

# Which variables may take a field of a type: `pan` restores a received message from the variables that took it, so
# a variable too small for the value would change the message when the search goes back.
ROOM = {
    "mtype": ("mtype",),
    "bit": ("byte", "short", "int", "pid"),
    "bool": ("byte", "short", "int", "pid"),
    "byte": ("byte", "short", "int", "pid"),
    "short": ("short", "int"),
    "int": ("int",),
}


@dataclasses.dataclass(frozen=True)
class Place:
    """Something that can be assigned: its text, its type, and its size when it is an array."""

    text: str
    type: str
    size: int = 0


@dataclasses.dataclass(frozen=True)
class Channel:
    """A channel as it is written, its capacity and the types of its fields."""

    text: str
    capacity: int
    fields: tuple[str, ...]


@dataclasses.dataclass(frozen=True)
class Proctype:
    """A declared proctype: what `run` needs to know."""

    name: str
    parameters: tuple[str, ...]
    channels: tuple[Channel, ...] = ()


@dataclasses.dataclass
class Scope:
    """What may be used at a point of a program, and where that point is."""

    places: list[Place]
    channels: list[Channel]
    counters: list[str] = dataclasses.field(default_factory=list)
    labels: list[str] = dataclasses.field(default_factory=list)
    within: str = ""
    in_loop: bool = False
    repeats: bool = False
    process: bool = True

    def inner(self, **changes: object) -> Scope:
        """A copy with some facts changed; declarations made inside stay inside."""
        scope = dataclasses.replace(self, places=list(self.places), channels=list(self.channels))
        for name, value in changes.items():
            setattr(scope, name, value)
        return scope


class Writer(Dice):
    """Writes one program."""

    SORTED, RANDOM = 20, 25  # percent of the sends and receives that are not plain

    def __init__(self, choose: Callable[[int, int], int]) -> None:
        super().__init__(choose)
        self.fuel = 0
        self.proctypes: list[Proctype] = []
        self.inlines: list[str] = []
        self.remote: list[str] = []
        self.macro = ""
        self.priorities = False
        self.last = False
        self.desk: Channel | None = None  # of a handshake, at which some processes serve others

    # expressions

    def places_of(self, scope: Scope, kinds: Sequence[str]) -> list[Place]:
        """The places of these types."""
        return [place for place in scope.places if place.type in kinds]

    def index(self, scope: Scope, size: int) -> str:
        """An index that is certainly in range."""
        unsigned = [p.text for p in scope.places if p.type in ("byte", "bit") and not p.size]
        choices = [str(self.number(0, size - 1))]
        if unsigned:
            choices.append(f"{self.pick(unsigned)} % {size}")
        if scope.process:
            choices.append(f"_pid % {size}")
        return self.pick(choices)

    def read(self, scope: Scope, place: Place) -> str:
        """The text that reads or writes a place."""
        return f"{place.text}[{self.index(scope, place.size)}]" if place.size else place.text

    def term(self, scope: Scope) -> str:
        """A number: a constant, a variable, or something that the run-time system knows."""
        places = self.places_of(scope, NUMBERS)
        buffered = [c for c in scope.channels if c.capacity]
        options: list[tuple[int, str]] = [(4, "constant")]
        if places:
            options.append((8, "place"))
        if scope.process:
            options.append((1, "_pid"))
        options.append((1, "_nr_pr"))
        if buffered:
            options.append((1, "len"))
        if self.macro:
            options.append((2, "macro"))
        if self.last:
            options.append((2, "_last"))
        if self.priorities and scope.process:
            options.append((1, "_priority"))
        match self.weighted(options):
            case "macro":
                return f"{self.macro}({self.number(0, 2)} + {self.read(scope, self.pick(places)) if places else 1})"
            case "place":
                return self.read(scope, self.pick(places))
            case "len":
                return f"len({self.pick(buffered).text})"
            case "constant":
                return str(self.weighted([(8, self.number(0, 3)), (1, 255), (1, 7)]))
            case other:
                return other

    def expression(self, scope: Scope, depth: int = 2) -> str:
        """An arithmetic expression whose value stays far from the limits of int."""
        if depth == 0 or not self.chance(50):
            return self.term(scope)
        left, right = self.expression(scope, depth - 1), self.term(scope)
        match self.weighted(
            [
                (5, "+"),
                (4, "-"),
                (1, "*"),
                (1, "/"),
                (2, "%"),
                (1, "&"),
                (1, "|"),
                (1, "^"),
                (1, "<<"),
                (1, ">>"),
                (1, "minus"),
                (1, "~"),
                (2, "?"),
                (1, "truth"),
            ]
        ):
            case "*":
                return f"({left} * {self.number(0, 3)})"
            case "/" | "%" as operator:
                return f"({left} {operator} {self.number(2, 4)})"
            case "<<" | ">>" as operator:
                return f"({left} {operator} {self.number(0, 2)})"
            case "minus":
                return f"(-{left})"
            case "~":
                return f"(~{left})"
            case "?":
                return f"({self.condition(scope, depth - 1, pure=True)} -> {left} : {right})"
            case "truth":
                return f"({self.condition(scope, depth - 1, pure=True)})"
            case operator:
                return f"({left} {operator} {right})"

    def condition(self, scope: Scope, depth: int = 1, pure: bool = False) -> str:
        """A boolean expression without side effects; a pure one may stand in arithmetic: no channel is in it."""
        buffered = [] if pure else [c for c in scope.channels if c.capacity]
        colours = self.places_of(scope, ("mtype",))
        options: list[tuple[int, str]] = [(10, "compare")]
        if depth:
            options += [(2, "not"), (1, "and"), (3, "or")]
        if buffered:
            options += [(2, "room"), (2, "poll")]
        if colours:
            options.append((3, "colour"))
        if self.remote and scope.within != "d_step":
            options.append((3, "remote"))
        match self.weighted(options):
            case "not":
                return f"!({self.condition(scope, depth - 1, pure=True)})"
            case "and":
                parts = [self.condition(scope, depth - 1, pure) for _ in range(2)]
                return f"({' && '.join(parts)})"
            case "or":
                parts = [self.condition(scope, depth - 1, pure) for _ in range(2)]
                return f"({' || '.join(parts)})"
            case "room":
                return f"{self.pick(['empty', 'full', 'nempty', 'nfull'])}({self.pick(buffered).text})"
            case "poll":
                channel = self.pick(buffered)
                return f"{channel.text}{self.pick(['?', '??'])}[{self.patterns(scope, channel, poll=True)}]"
            case "colour":
                place = self.read(scope, self.pick(colours))
                return f"{place} {self.pick(['==', '!='])} {self.pick(COLOURS)}"
            case "remote":
                return self.pick(self.remote)
            case _:
                compare = self.pick(["<=", ">=", "!=", "<", ">", "=="])
                return f"{self.expression(scope, 1)} {compare} {self.term(scope)}"

    # channels

    def fixed(self, place: Place) -> str:
        """A place whose index no receive can change: `pan` goes back wrongly from `c?eval(x),x` and `c?x,a[x]`."""
        return f"{place.text}[{self.number(0, place.size - 1)}]" if place.size else place.text

    def patterns(self, scope: Scope, channel: Channel, poll: bool = False) -> str:
        """The arguments of a receive or of a poll."""
        left = list(scope.places)
        return ",".join(self.pattern(field, left, poll) for field in channel.fields)

    def pattern(self, field: str, left: list[Place], poll: bool) -> str:
        """One argument of a receive or of a poll; a place that it takes is left no more."""
        places = [place for place in left if place.type in ROOM[field]]
        options: list[tuple[int, str]] = [(3, "constant")]
        if places:
            options.append((2 if poll else 8, "place"))
        if not poll:
            options.append((2, "_"))
        options.append((2, "eval"))
        match self.weighted(options):
            case "place":
                place = self.pick(places)
                left.remove(place)
                return self.fixed(place)
            case "constant" if field == "mtype":
                return self.pick(COLOURS)
            case "constant":
                return str(self.number(0, 2))
            case "eval" if places:
                place = self.pick(places)
                left.remove(place)
                return f"eval({self.fixed(place)})"
            case "eval":
                return "eval(1)" if field != "mtype" else self.pick(COLOURS)
            case _:
                return "_"

    def value(self, scope: Scope, field: str, depth: int) -> str:
        """A value for a field of a message."""
        return self.colour(scope) if field == "mtype" else self.expression(scope, depth)

    def send(self, scope: Scope, channel: Channel | None = None, depth: int = 1) -> str:
        """A send on a channel."""
        channel = channel or self.pick(scope.channels)
        values = [self.value(scope, field, depth) for field in channel.fields]
        operator = "!!" if channel.capacity and self.chance(self.SORTED) else "!"
        if len(values) > 1 and self.chance(30):
            return f"{channel.text}{operator}{values[0]}({','.join(values[1:])})"
        return f"{channel.text}{operator}{','.join(values)}"

    def receive(self, scope: Scope, channel: Channel | None = None) -> str:
        """A receive from a channel: plain, random, or a copy that leaves the message."""
        channel = channel or self.pick(scope.channels)
        patterns = self.patterns(scope, channel)
        operator = "??" if channel.capacity and self.chance(self.RANDOM) else "?"
        if channel.capacity and self.chance(15):
            return f"{channel.text}{operator}<{patterns}>"
        return f"{channel.text}{operator}{patterns}"

    def colour(self, scope: Scope) -> str:
        """A value of type mtype."""
        places = self.places_of(scope, ("mtype",))
        if places and self.chance(40):
            return self.read(scope, self.pick(places))
        return self.pick(COLOURS)

    # statements

    def assignment(self, scope: Scope) -> str:
        """An assignment that keeps the values of a variable few."""
        places = self.places_of(scope, (*NUMBERS, "mtype"))
        if not places:
            return "skip"
        place = self.pick(places)
        text = self.read(scope, place)
        if place.type == "mtype":
            return f"{text} = {self.colour(scope)}"
        kinds = [(4, "constant"), (4, "bounded"), (2, "flip")]
        if not scope.repeats or place.type in ("bit", "bool", "unsigned"):
            kinds += [(3, "step"), (4, "free")]
        match self.weighted(kinds):
            case "constant":
                return f"{text} = {self.number(0, 3)}"
            case "step":
                return f"{text}{self.pick(['++', '--'])}"
            case "flip":
                value = f"1 - {text}" if place.type in ("bit", "bool") else f"({text} + 1) % 3"
                return f"{text} = {value}"
            case "free":
                return f"{text} = {self.expression(scope)}"
            case _:
                return f"{text} = ({self.expression(scope)}) % {self.number(2, 3)}"

    def guard(self, scope: Scope) -> str:
        """Something that may block: a condition or, where allowed, a communication."""
        if scope.channels and scope.within != "d_step" and self.chance(50):
            return self.receive(scope) if self.chance(50) else self.send(scope)
        return self.parenthesised(scope)

    def parenthesised(self, scope: Scope) -> str:
        """A condition as a statement."""
        return f"({self.condition(scope)})"

    def run(self, scope: Scope) -> list[str]:
        """Begins another process, while there are few."""
        proctype = self.pick(self.proctypes)
        arguments = [
            self.pick(COLOURS) if kind == "mtype" else self.expression(scope, 1) for kind in proctype.parameters
        ]
        arguments += [channel.text for channel in proctype.channels]
        call = f"run {proctype.name}({', '.join(arguments)})"
        numbers = self.places_of(scope, ("pid", "byte"))
        if self.priorities and self.chance(50):
            call += f" priority {self.number(1, 3)}"
        elif numbers and self.chance(20):
            call = f"{self.read(scope, self.pick(numbers))} = {call}"
        return ["if", f":: _nr_pr < {self.number(3, 4)} -> {call}", ":: else", "fi"]

    def branch(self, scope: Scope, depth: int, word: str) -> list[str]:
        """An if or a do with one to three options."""
        close = {"if": "fi", "do": "od"}[word]
        loops = word == "do"
        inner = scope.inner(in_loop=scope.in_loop or loops, repeats=scope.repeats or loops)
        lines = [word]
        deterministic = scope.within == "d_step"
        with_else = deterministic or self.chance(35)
        for _ in range(self.number(1, 3)):
            if with_else and (deterministic or not inner.channels or self.chance(85)):
                opening = self.parenthesised(inner)
            else:
                opening = self.guard(inner) if with_else else self.opening(inner)
            # `pan` refuses an option that is nothing but a true condition, so loops always do something
            least = int(loops and (opening == "skip" or opening[0] == "("))
            lines += self.option(opening, self.block(inner, depth - 1, self.number(least, 2)))
        if word == "do" and (deterministic or self.chance(60)):
            leaving = "break" if with_else else self.pick(["break", "goto_break"])
            if with_else:
                lines += [":: else -> break"]
            elif leaving == "break":
                lines += [":: break"]
            else:
                lines += [f":: {self.parenthesised(inner)} -> break"]
        elif with_else:
            lines += self.option("else", self.block(inner, depth - 1, self.number(0, 1)))
        elif word == "if" and self.chance(8) and not scope.within:
            lines += [":: timeout"]
        return [*lines, close]

    def opening(self, scope: Scope) -> str:
        """The first statement of an option."""
        write = self.weighted([(2, self.assignment), (3, self.parenthesised), (3, self.guard), (1, None)])
        return write(scope) if write else "skip"

    def option(self, opening: str, body: list[str]) -> list[str]:
        """The lines of one option."""
        if not body:
            return [f":: {opening}"]
        return [f":: {opening} ->", *("    " + line for line in body)]

    def offers(self, scope: Scope) -> list[str]:
        """A loop that sends to the desk, stays as it is, and may be left."""
        inner = scope.inner(in_loop=True, repeats=True)
        lines = ["do", *(f":: {self.send(inner, self.desk, 0)}" for _ in range(self.number(1, 2)))]
        for _ in range(self.number(1, 2)):
            lines += self.option(self.parenthesised(inner), [f"{self.assignment(inner)};", "break"])
        return [*lines, "od"]

    def serves(self, scope: Scope) -> list[str]:
        """A loop that takes what is sent to the desk, each time in an uninterrupted run in which ways part and meet."""
        inner = scope.inner(in_loop=True, repeats=True, within="atomic")
        ways = self.branch(inner, 1, "if")
        ways[-1] += ";"
        first, *rest = self.braces(
            "atomic", [f"{self.receive(inner, self.desk)};", *ways, *self.block(inner, 0, self.number(1, 2))]
        )
        lines = ["do", f":: {first}", *rest]
        if self.chance(50):
            lines += self.option(self.parenthesised(inner), [self.assignment(inner)])
        return [*lines, "od"]

    def deterministic_loop(self, scope: Scope) -> list[str]:
        """A bounded loop, for use inside d_step."""
        counter = self.pick(scope.counters)
        body = self.assignment(scope.inner(in_loop=True, repeats=True))
        return [
            f"{counter} = 0;",
            "do",
            f":: {counter} < {self.number(1, 3)} -> {body}; {counter}++",
            f":: else -> {counter} = 0; break",
            "od",
        ]

    def braces(self, word: str, lines: list[str]) -> list[str]:
        """A block with a word in front."""
        return [f"{word} {{".strip(), *("    " + line for line in lines), "}"]

    def statement(self, scope: Scope, depth: int) -> list[str]:
        """One statement, as lines without the separator."""
        self.fuel -= 1
        options: list[tuple[int, str]] = [(12, "assign"), (1, "skip"), (2, "assert"), (1, "printf")]
        if scope.within != "d_step":
            options += [(1, "guard"), (2, "polite guard")]
            if scope.channels:
                options += [(2, "send"), (2, "receive"), (4, "polite send"), (4, "polite receive")]
            if self.proctypes and scope.within != "unless":
                options.append((1 if scope.in_loop else 3, "run"))
            if scope.labels:
                options.append((1, "goto"))
            if scope.in_loop and scope.within == "":
                options.append((1, "break"))
        if self.inlines:
            options.append((2, "inline"))
        if self.priorities and scope.process and scope.within != "d_step":
            options.append((2, "priority"))
        if depth > 0 and self.fuel > 0:
            options.append((5, "if"))
            if scope.within != "atomic" and scope.within != "d_step":
                options.append((3, "do"))
            if scope.counters:
                deterministic = scope.within == "d_step"
                options += [(2, "bounded")] if deterministic else [(2, "for"), (1, "select"), (1, "for in")]
            if scope.within == "":
                options += [(4, "atomic"), (3, "d_step"), (2, "unless"), (2, "block")]
            elif scope.within == "unless":
                options += [(2, "atomic"), (1, "unless"), (1, "d_step")]
        return self.written(scope, depth, self.weighted(options))

    def written(self, scope: Scope, depth: int, kind: str) -> list[str]:
        """The lines of a statement of a kind."""
        match kind:
            case "assign":
                return [self.assignment(scope)]
            case "assert":
                return [f"assert({self.condition(scope)} || {self.condition(scope)})"]
            case "printf":
                return [f'printf("%d\\n", {self.term(scope)})']
            case "guard":
                return [self.parenthesised(scope)]
            case "send":
                return [self.send(scope)]
            case "receive":
                return [self.receive(scope)]
            case "polite guard":
                return ["if", f":: {self.parenthesised(scope)}", ":: else", "fi"]
            case "polite send" | "polite receive":
                text = self.send(scope) if kind == "polite send" else self.receive(scope)
                instead = self.pick(["skip", "timeout", self.assignment(scope)])
                return ["if", f":: {text}", f":: {instead}", "fi"]
            case "run":
                return self.run(scope)
            case "goto":
                return [f"goto {self.pick(scope.labels)}"]
            case "inline":
                return [f"{self.pick(self.inlines)}({self.term(scope)})"]
            case "if" | "do":
                return self.branch(scope, depth, kind)
            case "bounded":
                return self.deterministic_loop(scope)
            case "for" | "for in":
                counter = self.pick(scope.counters)
                arrays = [p for p in scope.places if p.size and "." not in p.text]
                inner = scope.inner(in_loop=True, repeats=True, within=scope.within or "for")
                inner.counters = [other for other in scope.counters if other != counter]
                body = self.block(inner, depth - 1, self.number(1, 2))
                if kind == "for in" and arrays:
                    return self.braces(f"for ({counter} in {self.pick(arrays).text})", body)
                return self.braces(f"for ({counter} : 0 .. {self.number(0, 2)})", body)
            case "select":
                low = self.number(0, 1)
                return [f"select ({self.pick(scope.counters)} : {low} .. {low + self.number(0, 2)})"]
            case "atomic":
                body = self.block(scope.inner(within="atomic"), depth - 1, self.number(1, 3))
                return self.braces("atomic", body)
            case "d_step":
                inner = scope.inner(within="d_step", labels=[])
                lines = [] if self.chance(70) else [f"{self.parenthesised(inner)};"]
                body = self.block(inner, depth - 1, self.number(1, 3))
                if not lines and _starts_unguarded(body):
                    lines = ["skip;"]  # SPIN would start it between the two halves of a rendezvous
                return self.braces("d_step", [*lines, *body, "; skip"])
            case "unless":
                main = self.block(scope.inner(within="unless"), depth - 1, self.number(1, 3))
                inner = scope.inner(within="unless", channels=[c for c in scope.channels if c.capacity])
                escape = [self.parenthesised(inner), *self.after(self.block(inner, 0, self.number(0, 2)))]
                return [*self.braces("", main), *self.braces("unless", escape)]
            case "block":
                inner = scope.inner()
                name = self.fresh("b")
                inner.places.append(Place(name, "byte"))
                body = self.block(inner, depth - 1, self.number(1, 3))
                return self.braces("", [f"byte {name} = {self.number(0, 2)};", *body])
            case "break":
                return ["break"]
            case "priority":
                return [f"set_priority(_pid, {self.number(1, 3)})"]
            case _:
                return ["skip"]

    def after(self, lines: list[str]) -> list[str]:
        """Lines that follow a first statement."""
        return [";", *lines] if lines else []

    def block(self, scope: Scope, depth: int, count: int) -> list[str]:
        """Several statements, separated."""
        lines: list[str] = []
        for _ in range(count):
            statement = self.statement(scope, depth)
            if lines:
                after_loop = lines[-1] in ("od", "fi", "}") or lines[-1].startswith("select")
                lines[-1] += ";"
                if after_loop and statement[0].startswith("d_step"):
                    lines.append("skip;")  # SPIN takes leaving a loop for a jump into the d_step
                statement = self.labelled(scope, statement)
            lines += statement
        return lines

    def labelled(self, scope: Scope, lines: list[str]) -> list[str]:
        """A statement that is not the first of its block, perhaps with a label."""
        return lines

    # declarations

    def declare(self, kind: str, name: str, initial: bool = True) -> tuple[str, Place]:
        """A declaration of a variable or an array."""
        size = self.number(2, 3) if self.chance(25) else 0
        value = ""
        if initial and self.chance(40):
            chosen = {
                "mtype": self.pick(COLOURS),
                "byte": self.pick(["1", "254"]),
                "short": self.pick(["1", "-1", "32766"]),
                "int": self.pick(["1", "-2", "2147483647"]),
            }
            value = f" = {chosen.get(kind, '1')}"
        brackets = f"[{size}]" if size else ""
        if kind == "unsigned":
            brackets, size = f" : {self.number(2, 3)}", 0
        return f"{kind} {name}{brackets}{value};", Place(name, kind, size)

    def declare_record(self) -> tuple[list[str], list[Place]]:
        """A typedef and a variable of it, perhaps nested, perhaps an array."""
        name, variable = self.fresh("Record"), self.fresh("r")
        first = self.pick(["byte", "bit", "short", "bool"])
        initial = f" = {self.number(1, 3)}" if self.chance(30) else ""
        lines = [f"typedef {name} {{ {first} one{initial}; byte two[2] }}"]
        size = 2 if self.chance(40) else 0
        text = f"{variable}[{self.number(0, 1)}]" if size else variable
        if self.chance(40):
            outer = self.fresh("Record")
            lines.append(f"typedef {outer} {{ {name} part; bit flag }}")
            name, text = outer, f"{text}.part"
        lines.append(f"{name} {variable}{f'[{size}]' if size else ''};")
        return lines, [Place(f"{text}.one", first), Place(f"{text}.two", "byte", 2)]

    def declare_channel(self, capacity: int | None = None) -> tuple[str, list[Channel]]:
        """A channel or an array of two."""
        name = self.fresh("c")
        fields = tuple(
            self.pick(["byte", "bit", "mtype", "short", "bool", "int"])
            for _ in range(self.weighted([(5, 1), (3, 2), (1, 3)]))
        )
        if capacity is None:
            capacity = self.weighted([(4, 1), (2, 2), (0 if self.priorities else 3, 0)])
        typed = ", ".join(fields)
        if self.chance(20):
            text = f"chan {name}[2] = [{capacity}] of {{ {typed} }};"
            return text, [Channel(f"{name}[{i}]", capacity, fields) for i in range(2)]
        return f"chan {name} = [{capacity}] of {{ {typed} }};", [Channel(name, capacity, fields)]

    def proctype(self, outer: Scope, active: bool, number: int, lasting: bool = False) -> list[str]:
        """One proctype; one that is lasting never dies, so that it may be referred to from elsewhere."""
        name = f"P{number}"
        scope = outer.inner()
        parameters: list[tuple[str, str]] = []
        passed: list[Channel] = []
        if not active:
            for kind in [self.pick(["byte", "bit", "short", "mtype"]) for _ in range(self.number(0, 2))]:
                parameters.append((kind, self.fresh("a")))
            if outer.channels and self.chance(40):
                channel = self.pick(outer.channels)
                parameters.append(("chan", self.fresh("h")))
                passed.append(channel)
                scope.channels.append(dataclasses.replace(channel, text=parameters[-1][1]))
        scope.places += [Place(text, kind) for kind, text in parameters if kind != "chan"]
        declarations = []
        for _ in range(self.number(0, 2)):
            kind = self.pick(("byte", "bit", "short", "mtype", "int", "bool", "unsigned", "pid"))
            text, place = self.declare(kind, self.fresh("v"))
            declarations.append(text)
            scope.places.append(place)
        scope.counters = [f"i{number}", f"j{number}"]
        declarations.append(f"byte i{number}, j{number};")
        if self.chance(10):
            channel = Channel(f"l{number}", 1, ("byte",))
            declarations.append(f"chan {channel.text} = [1] of {{ byte }};")
            scope.channels.append(channel)
        if scope.channels and self.chance(15):
            # a variable that holds one channel or another of the same kind
            first = self.pick(scope.channels)
            same = [c for c in scope.channels if (c.capacity, c.fields) == (first.capacity, first.fields)]
            declarations.append(f"chan w{number} = {first.text};")
            scope.channels.append(dataclasses.replace(first, text=f"w{number}"))
            switch = [f"w{number} = {self.pick(same).text};"]
        else:
            switch = []
        label = f"L{number}"
        scope.labels = [label]
        self.fuel = 8
        lines = self.block(scope, 0 if self.desk else 2, self.number(0 if self.desk else 1, 3))
        if lines:
            lines[-1] += ";"
            if self.chance(25) and lines[0] != "{":
                lines[0] = f"end_here{number}: {lines[0]}"
        scope.repeats = True
        if self.desk:
            opening, *rest = self.offers(scope) if number and self.chance(85) else self.serves(scope)
            body = [*declarations, *lines, *switch, f"{label}: {opening}", *rest]
        else:
            rest = self.block(scope, 2, self.number(1, 3))
            body = [*declarations, *lines, f"{label}: i{number} = 0;", *switch, *rest]
        if lasting:
            body[-1] += ";"
            body.append(f"{self.weighted([(5, 'end'), (1, 'stop')])}{number}: (false)")
        copies = self.weighted([(1 if self.desk else 3, 1), (1, 2)])
        front = (f"active [{copies}] " if copies > 1 else "active ") if active else ""
        after = ""
        if self.chance(8):
            remote, self.remote = self.remote, []  # SPIN takes no remote references here
            after = f" provided ({self.condition(outer.inner(process=False))})"
            self.remote = remote
        if self.priorities and active and self.chance(70):
            after = f" priority {self.number(1, 3)}{after}"
        header = f"{front}proctype {name}({'; '.join(f'{kind} {text}' for kind, text in parameters)}){after}"
        if not active:
            kinds = tuple(kind for kind, _ in parameters if kind != "chan")
            self.proctypes.append(Proctype(name, kinds, tuple(passed)))
        return [header, "{", *("    " + line for line in body), "}"]

    def program(self) -> str:
        """A whole program."""
        lines = [f"mtype = {{ {', '.join(COLOURS)} }};"]
        if self.chance(15):
            self.macro = "DOUBLE"
            lines.insert(0, "#define DOUBLE(x) ((x) + (x))")
        self.last = self.chance(6)
        self.priorities = self.chance(12)
        scope = Scope(places=[], channels=[])
        scope.process = False
        for _ in range(self.number(1, 3)):
            kind = self.pick(("byte", "bit", "bool", "mtype", "short", "int", "unsigned", "pid"))
            text, place = self.declare(kind, self.fresh("g"))
            lines.append(text)
            scope.places.append(place)
        if self.chance(25):
            text_lines, places = self.declare_record()
            lines += text_lines
            scope.places += places
        for _ in range(self.weighted([(2, 1), (2, 2), (1, 0)])):
            text, channels = self.declare_channel()
            lines.append(text)
            scope.channels += channels
        if self.chance(25) and not self.priorities:
            text, (self.desk, *_) = self.declare_channel(0)
            lines.append(text)
        scope.process = True
        if self.chance(20):
            name = self.fresh("step")
            lines += self.inline(name, scope)
        passive = self.weighted([(2, 0), (2, 1), (1, 2)])
        for number in range(passive):
            lines += self.proctype(scope, active=False, number=number)
        actives = self.number(2 if self.desk else 1, 3) - passive
        for number in range(passive, passive + max(actives, int(not passive))):
            lasting = not self.chance(30)
            lines += self.proctype(scope, True, number, lasting)
            if lasting and number == passive and self.chance(40):
                self.remote.append(f"P{number}[0]@L{number}")
                self.remote.append(f"P{number}[0]:i{number} == 0")
        if passive:
            lines += self.init(scope)
        if any("_last" in line for line in lines):
            # `pan` keeps it also where no run comes to a statement that reads it.
            lines += ["active proctype Looks()", "{", "    (_last == 0)", "}"]
        return "\n".join(lines) + "\n"

    def inline(self, name: str, scope: Scope) -> list[str]:
        """An inline with a parameter."""
        self.inlines.append(name)
        places = [p for p in self.places_of(scope, NUMBERS) if not p.size]
        target = self.pick(places).text if places else ""
        body = f"{target} = (amount + {self.number(0, 2)}) % 3" if target else "skip"
        return [f"inline {name}(amount)", "{", f"    {body}", "}"]

    def init(self, scope: Scope) -> list[str]:
        """The initial process: begins some of the others, perhaps waits for them."""
        inner = scope.inner(counters=["i99"])
        body = ["byte i99;"]
        runs: list[str] = []
        for _ in range(self.number(1, 2)):
            if runs:
                runs[-1] += ";"
            runs += self.run(inner)
        self.fuel = 3
        body += self.braces("atomic", runs) if self.chance(50) else runs
        extra = self.block(inner, 1, self.number(0, 2))
        body += self.after(extra)
        if self.chance(30):
            body += [";", "(_nr_pr == 1)"]
        return ["init {", *("    " + line for line in body), "}"]


def program_of(seed: int) -> str:
    """The program of a seed."""
    return Writer(random.Random(seed).randint).program()


def _starts_unguarded(body: Sequence[str]) -> bool:
    """Whether a sequence begins with an assertion, a printf, or a selection none of whose options is a condition."""
    if body[0] in ("if", "do"):
        return not any(line.startswith((":: (", ":: else", ":: nfull", ":: nempty")) for line in body)
    return body[0].startswith(("assert", "printf", "printm"))


def shrink(text: str, fails: Callable[[str], bool], tries: int = 400) -> str:
    """A smaller program that still fails: leaves out ever shorter runs of lines as long as that works.

    Most candidates are no programs at all, which SPIN says at once, so it is cheap to try many.

    >>> shrink("one\\ntwo\\nthree\\n", lambda text: "two" in text)
    'two\\n'
    """
    lines = text.splitlines()
    size = max(1, len(lines) // 2)
    while size:
        start, progress = 0, False
        while start < len(lines) and tries > 0:
            candidate = lines[:start] + lines[start + size :]
            tries -= 1
            if fails("\n".join(candidate) + "\n"):
                lines, progress = candidate, True
            else:
                start += 1
        if not progress:
            size //= 2
    return "\n".join(lines) + "\n"


def programs() -> st.SearchStrategy[str]:
    """Texts of random Promela programs."""
    return st.integers(0, 2**48).map(program_of)
