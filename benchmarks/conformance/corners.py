"""Random Promela programs for the corners that `generator` leaves out.

Every program has a few *traits*: nested `unless`, `provided` clauses, priorities, processes that come and go, channels
of channels, records in messages, sorted sends and random receives, remote references, end labels, nested `atomic` and
`d_step`, errors in expressions, numbers whose ranges change, never claims, timeouts, handshakes, and labels of
acceptance and of progress, which must change nothing but what `np_` says. What `pan` itself leaves undefined is left
out here, too, but for errors in expressions: there the verdict counts, not the states.
"""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Callable

from .generator import COLOURS, NUMBERS, Channel, Place, Proctype, Scope, Writer

TRAITS = (
    "unless",
    "provided",
    "priorities",
    "dynamic",
    "letters",
    "records",
    "sorted",
    "remote",
    "ends",
    "nested",
    "errors",
    "ranges",
    "claim",
    "timeout",
    "handshake",
    "marks",
)
# A process that never stops. Where nothing moves, a claim goes on alone, and `pan` leaves out every other such state.
CLOCK = ["bit tick;", "active proctype Clock()", "{", "    do", "    :: tick = 1 - tick", "    od", "}"]
PAIR, LETTER = "Pair", "chan"  # types of fields: a record, a channel


class Corners(Writer):
    """Writes one program with some of the traits."""

    def __init__(self, choose: Callable[[int, int], int], traits: frozenset[str] | None = None) -> None:
        super().__init__(choose)
        count = self.number(2, 5)
        self.traits = frozenset(self.pick(TRAITS) for _ in range(count)) if traits is None else traits
        self.SORTED, self.RANDOM = (60, 60) if self.has("sorted") else (20, 25)
        self.priorities = self.has("priorities")
        self.gauges: list[Place] = []  # variables with large values, to be read only
        self.marks: list[str] = []  # labels inside the proctype that is being written
        self.letters: list[Channel] = []  # channels that others carry

    def has(self, trait: str) -> bool:
        """Whether the program has a trait."""
        return trait in self.traits

    # expressions

    def index(self, scope: Scope, size: int) -> str:
        """An index, which is out of range now and then where errors are wanted."""
        places = [p.text for p in scope.places if p.type in NUMBERS and not p.size]
        if self.has("errors") and places and self.chance(30):
            return self.pick(places)
        return super().index(scope, size)

    def expression(self, scope: Scope, depth: int = 2) -> str:
        """An arithmetic expression, which divides by zero now and then where errors are wanted."""
        if self.has("errors") and depth and self.chance(12):
            return f"({self.term(scope)} {self.pick(['/', '%'])} {self.term(scope)})"
        return super().expression(scope, depth)

    def condition(self, scope: Scope, depth: int = 1, pure: bool = False) -> str:
        """A condition, perhaps about a number with a changing range or about silence."""
        if self.gauges and self.chance(12):
            return f"{self.pick(self.gauges).text} {self.pick(['<', '>='])} {self.number(-20, 300)}"
        if self.has("timeout") and scope.process and scope.within in ("", "unless") and not pure and self.chance(5):
            return "timeout"
        return super().condition(scope, depth, pure)

    # messages

    def pattern(self, field: str, left: list[Place], poll: bool) -> str:
        """One argument of a receive or of a poll; neither a record nor its parts are taken twice."""
        known = list(left)
        text = self.part(field, left, poll) if field in (PAIR, LETTER) else super().pattern(field, left, poll)
        for taken in (place.text.split(".")[0] for place in known if place not in left):
            left[:] = [place for place in left if place.text.split(".")[0] != taken]
        return text

    def part(self, field: str, left: list[Place], poll: bool) -> str:
        """The argument for a record or a channel."""
        places = [place for place in left if place.type == field]
        if field == PAIR:
            place = self.pick(places)
            left.remove(place)
            return place.text
        if places and not poll and self.chance(70):
            place = self.pick(places)
            left.remove(place)
            return place.text
        return f"eval({self.pick(self.letters).text})" if self.chance(50) or poll else "_"

    def value(self, scope: Scope, field: str, depth: int) -> str:
        """A value for a field of a message."""
        if field in (PAIR, LETTER):
            known = [place.text for place in scope.places if place.type == field]
            return self.pick(known + ([letter.text for letter in self.letters] if field == LETTER else []))
        return super().value(scope, field, depth)

    # statements

    def statement(self, scope: Scope, depth: int) -> list[str]:
        """One statement, as lines without the separator."""
        self.fuel -= 1
        kinds = self.inside_d_step(scope, depth) if scope.within == "d_step" else self.kinds(scope, depth)
        return self.written(scope, depth, self.weighted(kinds))

    def inside_d_step(self, scope: Scope, depth: int) -> list[tuple[int, str]]:
        """What may stand in a d_step, with weights."""
        found = [(8, "assign"), (1, "skip"), (1, "assert"), (2, "sure send"), (2, "sure receive")]
        if depth > 0 and self.fuel > 0:
            found += [(3, "if"), (1, "jump")]
            found += [(1, "bounded")] if scope.counters else []
            found += [(1, "inner atomic"), (1, "inner d_step")] if self.has("nested") else []
        return found

    def kinds(self, scope: Scope, depth: int) -> list[tuple[int, str]]:
        """What may stand elsewhere, with weights."""
        found = [(9, "assign"), (1, "skip"), (2, "assert"), (1, "printf"), (1, "guard"), (3, "polite guard")]
        if scope.channels:
            found += [(2, "send"), (2, "receive"), (4, "polite send"), (4, "polite receive")]
        if self.proctypes:
            found.append((1 if scope.in_loop else 3, "run"))
        if scope.labels or self.marks:
            found.append((1, "goto"))
        if scope.in_loop:
            found.append((1, "break"))
        if self.priorities and scope.process:
            found.append((3, "priority"))
        if self.has("timeout"):
            found.append((1, "wait"))
        if depth > 0 and self.fuel > 0:
            nested = 2 if self.has("nested") else 1
            found += [(4, "if"), (1, "block"), (2 * nested, "atomic"), (2 * nested, "d_step")]
            found += [(2, "for"), (1, "select")] if scope.counters else []
            found += [(6 if self.has("unless") else 1, "unless")]
            found += [(3, "do")] if scope.within != "atomic" else []
        return found

    def written(self, scope: Scope, depth: int, kind: str) -> list[str]:
        """The lines of a statement of a kind."""
        match kind:
            case "wait":
                return ["timeout"]
            case "goto":
                return [f"goto {self.pick([*scope.labels, *self.marks])}"]
            case "sure send" | "sure receive":
                return self.sure(scope, kind)
            case "jump":
                mark = self.fresh("D")
                return [
                    f"if :: {self.parenthesised(scope)} -> goto {mark} :: else fi;",
                    f"{self.assignment(scope)};",
                    f"{mark}: {self.assignment(scope)}",
                ]
            case "inner atomic" | "inner d_step":
                return self.braces(kind.split()[1], self.block(scope.inner(), depth - 1, self.number(1, 2)))
            case "d_step":
                return self.braces("d_step", self.d_step(scope, depth))
            case "unless":
                return self.unless(scope, depth)
            case _:
                return super().written(scope, depth, kind)

    def sure(self, scope: Scope, kind: str) -> list[str]:
        """A send or receive that cannot block, for use inside a d_step."""
        channels = [c for c in scope.channels if c.capacity and not {PAIR, LETTER} & set(c.fields)]
        if not channels:
            return ["skip"]
        channel = self.pick(channels)
        if kind == "sure send":
            return [f"if :: nfull({channel.text}) -> {self.send(scope, channel, 1)} :: else fi"]
        return [f"if :: nempty({channel.text}) -> {channel.text}?{','.join('_' for _ in channel.fields)} :: else fi"]

    def d_step(self, scope: Scope, depth: int) -> list[str]:
        """The lines of a d_step: something that can begin or not, and what follows."""
        inner = scope.inner(within="d_step", labels=[], in_loop=False)
        buffered = [c for c in scope.channels if c.capacity]
        heads = [(3, "skip"), (3, self.parenthesised(inner)), (2, self.assignment(inner))]
        if scope.channels:
            heads.append((2, self.receive(scope)))
        if buffered:
            heads.append((2, self.send(scope, self.pick(buffered))))
        return [f"{self.weighted(heads)};", *self.block(inner, depth - 1, self.number(1, 3))]

    def unless(self, scope: Scope, depth: int) -> list[str]:
        """A statement that can be left for another one, several deep."""
        inner = scope.inner(within=scope.within or "unless")
        ways_out = self.calm(inner) if self.has("unless") else inner
        word = self.weighted([(5, ""), (1, "atomic"), (1, "d_step")])
        if word == "d_step":
            lines = self.braces(word, self.d_step(inner, depth - 1))
        else:
            within = "atomic" if word else inner.within
            lines = self.braces(word, self.block(inner.inner(within=within), depth - 1, self.number(1, 3)))
        lines = [*lines, *self.braces("unless", self.escape(ways_out, depth - 1))]
        while self.has("unless") and self.chance(35):
            lines = [*self.braces("", lines), *self.braces("unless", self.escape(ways_out, depth - 1))]
        return lines

    def calm(self, scope: Scope) -> Scope:
        """Without handshakes: one that fails after another way out was possible makes `pan` go on in the body, too."""
        return scope.inner(channels=[channel for channel in scope.channels if channel.capacity])

    def escape(self, scope: Scope, depth: int) -> list[str]:
        """What a statement is left for: a guard, and what follows it."""
        opening = "timeout" if self.has("timeout") and self.chance(15) else self.guard(scope)
        if self.has("unless") and depth > 0 and self.chance(20):
            return [*self.braces("", [opening]), *self.braces("unless", [self.guard(scope)])]
        if self.chance(15):
            calm = self.calm(scope)
            return ["if", f":: {self.guard(calm)}", f":: {self.parenthesised(calm)} -> {self.assignment(calm)}", "fi"]
        return [opening, *self.after(self.block(scope, 0, self.number(0, 2)))]

    def labelled(self, scope: Scope, lines: list[str]) -> list[str]:
        """A statement, perhaps with a label: one at which it may end, or one to jump to."""
        if scope.within == "d_step" or lines[0].startswith("d_step"):
            return lines
        if self.has("ends") and self.chance(15):
            label = self.fresh("end_")
        elif self.has("marks") and self.chance(20):
            label = self.fresh(self.pick(["progress_", "progress_", "accept_"]))
        elif scope.repeats and self.chance(10):
            label = self.fresh("M")
            self.marks.append(label)
        else:
            return lines
        return [f"{label}: {lines[0]}", *lines[1:]]

    # declarations

    def proctype(self, outer: Scope, active: bool, number: int, lasting: bool = False) -> list[str]:
        """One proctype; one that is lasting never dies, so that it may be referred to from elsewhere."""
        scope, self.marks = outer.inner(), []
        parameters: list[tuple[str, str]] = []
        if not active:
            parameters = [(self.pick(["byte", "bit", "mtype"]), self.fresh("a")) for _ in range(self.number(0, 2))]
            scope.places += [Place(text, kind) for kind, text in parameters]
            self.proctypes.append(Proctype(f"P{number}", tuple(kind for kind, _ in parameters)))
        declarations = self.locals(scope, number, lasting)
        scope.labels = [f"L{number}"]
        if lasting and active and self.has("remote") and self.chance(30):
            self.remote.append(f"P{number}:i{number} {self.pick(['==', '<', '!='])} {self.number(0, 2)}")
        self.fuel = 7
        first = self.block(scope, 2, self.number(1, 2))
        first[-1] += ";"
        scope.repeats = True
        rest = self.block(scope, 3 if self.has("nested") or self.has("unless") else 2, self.number(1, 2))
        body = [*declarations, *first, f"L{number}: {self.pick(['skip', f'i{number} = 0'])};", *rest]
        if lasting:
            body[-1] += ";"
            body.append(f"{self.weighted([(5, 'end'), (1, 'stop')])}{number}: (false)")
        typed = "; ".join(f"{kind} {text}" for kind, text in parameters)
        front = "active " if active else ""
        if active and not lasting and self.chance(25):
            front = "active [2] "
        return [f"{front}proctype P{number}({typed}){self.clauses(outer, active)}", *self.braces("", body)]

    def clauses(self, outer: Scope, active: bool) -> str:
        """What stands behind the parameters of a proctype."""
        text = ""
        if self.priorities and active and self.chance(70):
            text += f" priority {self.number(1, 3)}"
        if self.has("provided") and self.chance(60):
            remote, self.remote = self.remote, []  # SPIN takes no remote references here
            text += f" provided ({self.condition(outer.inner(process=False))})"
            self.remote = remote
        return text

    def locals(self, scope: Scope, number: int, lasting: bool) -> list[str]:
        """The declarations of a proctype."""
        scope.counters = [f"i{number}", f"j{number}"]
        lines = [f"byte i{number}, j{number};"]
        for _ in range(self.number(0, 2)):
            kind = self.pick(("byte", "bit", "short", "mtype", "int", "bool", "unsigned", "pid"))
            text, place = self.declare(kind, self.fresh("v"))
            lines.append(text)
            scope.places.append(place)
        if self.has("records"):
            lines.append(f"{PAIR} m{number};")
            scope.places += [Place(f"m{number}", PAIR), Place(f"m{number}.one", "byte"), Place(f"m{number}.two", "bit")]
        if self.letters:
            letter = self.letters[0]
            lines.append(f"chan h{number} = {self.pick(self.letters).text};")
            scope.places.append(Place(f"h{number}", LETTER))
            scope.channels.append(dataclasses.replace(letter, text=f"h{number}"))
            if lasting and self.chance(40):  # a channel of a process that never dies
                lines.append(f"chan own{number} = [{letter.capacity}] of {{ {', '.join(letter.fields)} }};")
                scope.channels.append(dataclasses.replace(letter, text=f"own{number}"))
                scope.places.append(Place(f"own{number}", "fixed " + LETTER))
        return lines

    def globals(self, scope: Scope) -> list[str]:
        """The global declarations."""
        lines = [f"mtype = {{ {', '.join(COLOURS)} }};"]
        for _ in range(self.number(1, 3)):
            kind = self.pick(("byte", "bit", "bool", "mtype", "short", "int", "unsigned", "pid"))
            text, place = self.declare(kind, self.fresh("g"))
            lines.append(text)
            scope.places.append(place)
        if self.has("records"):
            lines += [f"typedef {PAIR} {{ byte one; bit two }}", f"{PAIR} pair;"]
            scope.places += [Place("pair", PAIR), Place("pair.one", "byte"), Place("pair.two", "bit")]
        for _ in range(self.number(0, 2)):
            text, channels = self.declare_channel()
            lines.append(text)
            scope.channels += channels
        if self.has("letters"):
            lines += self.declare_letters(scope)
        if self.has("records"):
            fields = self.pick([(PAIR,), (PAIR, "byte"), ("mtype", PAIR)])
            lines += self.one_more(scope, fields)
        if self.has("handshake") and not self.priorities:
            text, channels = self.declare_channel(0)
            lines.append(text)
            scope.channels += channels
        return lines

    def declare_letters(self, scope: Scope) -> list[str]:
        """Two channels of a kind, and one that carries such channels."""
        capacity = 1 if self.priorities else self.number(0, 2)
        fields = self.pick([("byte",), ("bit", "byte")])
        self.letters = [Channel(self.fresh("c"), capacity, fields) for _ in range(2)]
        scope.channels += self.letters
        lines = [f"chan {c.text} = [{capacity}] of {{ {', '.join(fields)} }};" for c in self.letters]
        return lines + self.one_more(scope, self.pick([(LETTER,), (LETTER, "byte"), ("mtype", LETTER)]))

    def one_more(self, scope: Scope, fields: tuple[str, ...]) -> list[str]:
        """One channel with these fields."""
        channel = Channel(self.fresh("c"), 1 if self.priorities else self.number(0, 2), fields)
        scope.channels.append(channel)
        return [f"chan {channel.text} = [{channel.capacity}] of {{ {', '.join(fields)} }};"]

    def gauge(self) -> list[str]:
        """A process that takes a number through ranges of different sizes."""
        kind = self.pick(["byte", "short", "int"])
        place = Place(self.fresh("gauge"), kind)
        self.gauges.append(place)
        stride, top = self.number(1, 7), self.number(40, 250)
        low, high = {"byte": (0, 255), "short": (-(2**15), 2**15 - 1), "int": (-(2**31), 2**31 - 1)}[kind]
        first = self.pick(["", f" = {self.number(-9, 9)}"]) if kind != "byte" else ""
        return [
            f"{kind} {place.text}{first};",
            f"active proctype Gauge{place.text}()",
            *self.braces(
                "",
                [
                    f"{kind} past;",
                    "do",
                    f":: {place.text} < {top} -> {self.pick([f'past = {place.text};', ''])}",
                    f"    {place.text} = {place.text} + {stride}",
                    ":: else -> break",
                    "od;",
                    f"{place.text} = {self.number(low, high)};",
                    f"past = {place.text} - {self.number(0, 3)}",
                ],
            ),
        ]

    # claims

    def claim(self, scope: Scope) -> list[str]:
        """A never claim: some places, ways between them, and a way out."""
        inner = scope.inner(process=False)
        labels = [self.pick([self.fresh("T"), self.fresh("end_T")]) if self.chance(50) else self.fresh("T")]
        labels += [self.fresh("T") for _ in range(self.number(0, 2))]
        lines: list[str] = []
        for label in labels:
            word = self.pick(["do", "if"])
            ways = [self.way(inner, labels, word == "do") for _ in range(self.number(1, 2))]
            if self.chance(60):
                ways.append(":: else" + (f" -> goto {self.pick(labels)}" if word == "if" or self.chance(30) else ""))
            lines += [f"{label}: {word}", *ways, {"do": "od;", "if": "fi;"}[word]]
        lines.append(self.pick(["skip", f"({self.condition(inner)})"]))
        return ["never", *self.braces("", lines)]

    def way(self, scope: Scope, labels: list[str], in_loop: bool) -> str:
        """One option of a claim."""
        guards = [(6, self.parenthesised(scope)), (1, "skip"), (1, "timeout"), (1, "_nr_pr > 2")]
        if self.has("marks"):
            guards.append((4, self.pick(["(np_)", "(!np_)", f"(np_ && {self.condition(scope)})"])))
        guard = self.weighted(guards)
        then = [(4, f" -> goto {self.pick(labels)}"), (1, f" -> assert({self.condition(scope)})")]
        then += [(1, f" -> {self.parenthesised(scope)}"), (2, " -> break" if in_loop else " -> skip")]
        if self.chance(20) and guard != "timeout":  # there `pan` has processes miss the timeout
            return f":: atomic {{ {guard} -> {self.pick(['skip', f'assert({self.condition(scope)})'])} }}"
        if self.has("nested") and self.chance(40) and guard != "timeout":
            return f":: d_step {{ {guard} -> {self.inside_claim(scope)} }}"
        return f":: {guard}{self.weighted(then)}"

    def inside_claim(self, scope: Scope) -> str:
        """What follows the guard of a `d_step` in a claim: some of it may fail, or block."""
        first, second = self.condition(scope), self.condition(scope)
        return self.pick(
            [
                "skip",
                f"assert({first})",
                f"if :: ({first}) -> assert({second}) :: else fi",
                f"if :: ({first}) :: ({second}) -> skip :: else -> skip fi",
                f"do :: ({first}) -> break :: else -> assert({second}); break od",
            ]
        )

    # programs

    def program(self) -> str:
        """A whole program."""
        scope = Scope(places=[], channels=[], process=False)
        self.last = self.chance(4) and not self.has("dynamic")  # a proctype that nobody starts may be its only reader
        lines = [f"/* {', '.join(sorted(self.traits))} */", *self.globals(scope)]
        ticks = self.has("claim") and self.chance(60)
        if ticks:
            lines += CLOCK
        if self.has("ranges"):
            lines += self.gauge()
        scope.process = True
        passive = self.number(1, 2) if self.has("dynamic") else int(self.chance(15))
        for number in range(passive):
            lines += self.proctype(scope, active=False, number=number)
        first = len(self.gauges) + ticks  # process numbers are given in the order of declaration
        for number in range(passive, max(passive + 1, self.number(1, 3))):
            lasting = (self.has("remote") or self.has("letters")) and self.chance(80)
            lines += self.proctype(scope, True, number, lasting)
            if lasting and self.has("remote") and first >= 0:
                self.remote += [f"P{number}[{first}]@L{number}", f"P{number}@L{number}"]
                self.remote.append(f"P{number}[{first}]:i{number} == {self.number(0, 2)}")
            first = first + 1 if lasting and first >= 0 else -1
        if passive:
            lines += self.init(scope)
        if self.has("claim"):
            lines += self.claim(scope)
        return "\n".join(lines) + "\n"

    def init(self, scope: Scope) -> list[str]:
        """The initial process: begins others one after another, perhaps when earlier ones have gone."""
        if not self.has("dynamic") or self.chance(30):
            return super().init(scope)
        call = super().run(scope)[1].split("-> ", 1)[1]
        most, wait = self.number(2, 3), self.number(2, 3)
        lines = [
            "byte i99;",
            f"do :: i99 < {most} -> atomic {{ (_nr_pr <= {wait}) -> {call}; i99++ }} :: else -> break od;",
            self.pick(["skip", f"(_nr_pr == {self.number(1, 2)})"]),
        ]
        if self.chance(40):
            lines[-1] += ";"
            lines += super().run(scope)
        return ["init", *self.braces("", lines)]


def corner_of(seed: int, traits: frozenset[str] | None = None) -> str:
    """The program of a seed."""
    return Corners(random.Random(seed).randint, traits).program()
