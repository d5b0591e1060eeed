"""Random Murphi programs: types of all kinds, functions and procedures, rulesets, aliases, loops, values that are
undefined, out of range or out of bounds now and then, assertions, assumptions, covers."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field

from .dice import Dice


@dataclass(frozen=True)
class Kind:
    """A type as it is written; `name` is "int", "bool", "enum", "scalar", "array" or "record"."""

    name: str
    text: str
    low: int = 0
    high: int = 0
    members: tuple[str, ...] = ()
    index: Kind | None = None
    element: Kind | None = None
    fields: tuple[tuple[str, Kind], ...] = ()

    @property
    def simple(self) -> bool:
        return self.name in ("int", "bool", "enum", "scalar")

    @property
    def size(self) -> int:
        """How many scalars it has."""
        if self.index is not None and self.element is not None:
            return self.index.count * self.element.size
        return sum(kind.size for _, kind in self.fields) if self.fields else 1

    @property
    def count(self) -> int:
        return self.high - self.low + 1


BOOL = Kind("bool", "boolean", 0, 1)


@dataclass
class Scope:
    """What can be seen: places that can be written, and values that cannot."""

    places: list[tuple[str, Kind]] = field(default_factory=list)
    values: list[tuple[str, Kind]] = field(default_factory=list)

    def inner(self) -> Scope:
        return Scope(list(self.places), list(self.values))


@dataclass(frozen=True)
class Routine:
    name: str
    parameters: tuple[tuple[bool, Kind], ...]
    returns: Kind | None
    pure: bool


class MurphiWriter(Dice):
    """Writes one program; what may go wrong in it is wanted only now and then."""

    def __init__(self, choose: Callable[[int, int], int]) -> None:
        super().__init__(choose)
        self.errors = self.chance(30)
        self.kinds: list[Kind] = [BOOL]
        self.compound: list[Kind] = []
        self.routines: list[Routine] = []
        self.world = Scope()
        self.lines: list[str] = []
        self.in_rule = False
        self.pure = False  # calls that change something are not allowed here
        self.returning: Kind | None = None

    # Types

    def types(self) -> None:
        self.lines.append("type")
        for _ in range(self.number(1, 2)):
            low = self.pick([0, 0, 1, -1])
            self._type(Kind("int", self.fresh("r"), low, low + self.number(1, 3)), "{0.low} .. {0.high}")
        if self.chance(60):
            members = tuple(self.fresh("e") for _ in range(self.number(2, 3)))
            kind = Kind("enum", self.fresh("enum_t"), 0, len(members) - 1, members)
            self._type(kind, "enum {{ " + ", ".join(members) + " }}")
        if self.chance(60):
            size = self.number(2, 3)
            self._type(Kind("scalar", self.fresh("s"), 0, size - 1), f"scalarset({size})")
        for _ in range(self.number(0, 2)):
            self._compound()

    def _type(self, kind: Kind, text: str) -> None:
        self.lines.append(f"  {kind.text}: {text.format(kind)};")
        (self.kinds if kind.simple else self.compound).append(kind)

    def _compound(self) -> None:
        inner = [*self.kinds, *(kind for kind in self.compound if kind.size < 4)]
        if self.chance(50):
            index, element = self.pick(self.kinds), self.pick(inner)
            kind = Kind("array", self.fresh("a"), index=index, element=element)
            if kind.size <= 6:
                self._type(kind, f"array [{index.text}] of {element.text}")
            return
        fields = tuple((self.fresh("f"), self.pick(inner)) for _ in range(self.number(1, 3)))
        kind = Kind("record", self.fresh("rec"), fields=fields)
        if kind.size <= 6:
            body = " ".join(f"{name}: {part.text};" for name, part in fields)
            self._type(kind, f"record {body} end")

    # Designators and expressions

    def parts(self, text: str, kind: Kind, scope: Scope) -> tuple[str, Kind]:
        """A part of a place, or all of it."""
        while not kind.simple and not self.chance(10):
            if kind.name == "record":
                name, kind = self.pick(kind.fields)
                text = f"{text}.{name}"
            else:
                assert kind.index is not None and kind.element is not None
                text, kind = f"{text}[{self.index(kind.index, scope)}]", kind.element
        return text, kind

    def index(self, kind: Kind, scope: Scope) -> str:
        """A value to index an array by."""
        held = [text for text, other in scope.values if other == kind]
        plain = [text for text, other in scope.places if other == kind]
        literal = self.literal(kind, scope)
        options = [(4 * len(held), "held"), (2 if plain else 0, "plain"), (3 if literal is not None else 0, "literal")]
        if not sum(weight for weight, _ in options):
            return self.no_value(kind)
        match self.weighted(options):
            case "held":
                return self.pick(held)
            case "plain":
                return self.pick(plain)
            case _:
                assert literal is not None
                return literal

    def place(self, scope: Scope, wanted: Kind | None = None) -> tuple[str, Kind] | None:
        """Something that can be assigned, of a type if one is wanted."""
        for _ in range(6):
            if not scope.places:
                return None
            text, kind = self.parts(*self.pick(scope.places), scope)
            if wanted is None or kind == wanted or (wanted.name == "int" and kind.name == "int"):
                return text, kind
        return None

    def literal(self, kind: Kind, scope: Scope) -> str | None:
        match kind.name:
            case "int":
                if self.errors and self.chance(5):
                    return str(kind.high + 1)
                return str(self.number(kind.low, kind.high))
            case "bool":
                return self.pick(["true", "false"])
            case "enum":
                return self.pick(kind.members)
            case _:
                return None

    def of(self, kind: Kind, scope: Scope, depth: int = 1) -> str:
        """A value of a simple type."""
        held = [text for text, other in scope.values if other == kind]
        options: list[tuple[int, str]] = [(3, "literal"), (4, "place"), (3 if held else 0, "held")]
        if depth:
            options += [(3, "computed"), (1, "conditional"), (1, "call")]
        match self.weighted(options):
            case "place":
                found = self.place(scope, kind)
                if found is not None and (found[1] == kind or self.errors):
                    return found[0]
            case "held":
                return self.pick(held)
            case "computed" if kind.name == "int":
                return self.bounded(kind, scope, depth - 1)
            case "computed" if kind.name == "bool":
                return f"({self.condition(scope, depth - 1)})"
            case "conditional":
                branches = f"{self.of(kind, scope, 0)} : {self.of(kind, scope, 0)}"
                return f"({self.condition(scope, 0)} ? {branches})"
            case "call":
                called = self.call(scope, kind)
                if called is not None:
                    return called
        literal = self.literal(kind, scope)
        if literal is not None:
            return literal
        if held:
            return self.pick(held)
        found = self.place(scope, kind)
        return found[0] if found is not None else self.no_value(kind)

    def no_value(self, kind: Kind) -> str:
        """A value of a scalarset where none is at hand."""
        return f"some_{kind.text}()"

    def bounded(self, kind: Kind, scope: Scope, depth: int) -> str:
        """A computed number that mostly stays in range."""
        left, right = self.number_of(scope, depth), self.number_of(scope, 0)
        operator = self.pick(["+", "-", "*"])
        if self.errors and self.chance(30):
            if self.chance(20):
                operator = self.pick(["/", "%"])
            return f"({left} {operator} {right})"
        span = kind.count
        return f"({kind.low} + ((({left} {operator} {right}) % {span}) + {span}) % {span})"

    def number_of(self, scope: Scope, depth: int) -> str:
        ranges = [kind for kind in self.kinds if kind.name == "int"]
        return self.of(self.pick(ranges), scope, depth)

    def condition(self, scope: Scope, depth: int = 1) -> str:
        if depth and self.chance(40):
            word = self.pick(["&", "|", "->"])
            return f"({self.condition(scope, depth - 1)} {word} {self.condition(scope, depth - 1)})"
        match self.weighted(
            [(5, "equal"), (4, "compare"), (2, "place"), (2, "not"), (2, "quantified"), (1, "undefined"), (1, "whole")]
        ):
            case "compare":
                operator = self.pick(["<", "<=", ">", ">="])
                return f"{self.number_of(scope, depth)} {operator} {self.number_of(scope, 0)}"
            case "place":
                return self.of(BOOL, scope, 0)
            case "not":
                return f"!({self.condition(scope, 0)})"
            case "quantified" if depth:
                name, kind, head = self.quantifier()
                inner = scope.inner()
                inner.values.append((name, kind))
                return f"({self.pick(['forall', 'exists'])} {head} do {self.condition(inner, 0)} end)"
            case "undefined":
                found = self.place(scope)
                if found is not None and found[1].simple:
                    return f"isundefined({found[0]})"
            case "whole":
                places = [place for place in scope.places if not place[1].simple]
                if places:
                    text, kind = self.pick(places)
                    other = self.pick([one for one, like in places if like == kind])
                    return f"{text} {self.pick(['=', '!='])} {other}"
            case _:
                pass
        kind = self.pick(self.kinds)
        return f"{self.of(kind, scope, depth)} {self.pick(['=', '!='])} {self.of(kind, scope, 0)}"

    def quantifier(self, of_rules: bool = False) -> tuple[str, Kind, str]:
        """The name, the type and the text of a parameter. Rumur cannot print values of rules' parameters that count."""
        name = self.fresh("q")
        if self.chance(25) and not of_rules:
            low, high = 0, self.number(0, 2)
            return name, Kind("int", "", low, high), f"{name} := {low} to {high}"
        kind = self.pick(self.kinds)
        return name, kind, f"{name}: {kind.text}"

    def call(self, scope: Scope, kind: Kind | None) -> str | None:
        """A call with a value of this type, or of a procedure."""
        known = [one for one in self.routines if one.returns == kind and (one.pure or not self.pure)]
        if not known:
            return None
        routine = self.pick(known)
        arguments: list[str] = []
        for writable, wanted in routine.parameters:
            if writable or not wanted.simple:
                found = [text for text, other in scope.places if other == wanted]
                if not found:
                    return None
                arguments.append(self.pick(found))
            else:
                arguments.append(self.of(wanted, scope, 0))
        return f"{routine.name}({', '.join(arguments)})"

    # Statements

    def block(self, scope: Scope, depth: int, indent: str, most: int = 3) -> list[str]:
        made: list[str] = []
        for _ in range(self.number(1, most)):
            made += self.statement(scope, depth, indent)
        return made

    def statement(self, scope: Scope, depth: int, indent: str) -> list[str]:
        options = [(10, "assign"), (2, "call"), (1, "undefine"), (1, "clear"), (1, "claim"), (1, "copy")]
        if depth:
            options += [(4, "if"), (2, "for"), (1, "while"), (1, "switch"), (2, "alias")]
        if self.in_rule:
            options += [(1, "return")]
        match self.weighted(options):
            case "if":
                return self._if(scope, depth, indent)
            case "for":
                return self._for(scope, depth, indent)
            case "while":
                return self._while(scope, depth, indent)
            case "switch":
                return self._switch(scope, depth, indent)
            case "alias":
                return self._alias(scope, depth, indent)
            case "call":
                called = self.call(scope, None)
                if called is not None:
                    return [f"{indent}{called};"]
            case "undefine" | "clear" as word:
                found = self.place(scope)
                if found is not None and (self.chance(40) or found[1].simple):
                    return [f"{indent}{word} {found[0]};"]
            case "claim":
                return self._claim(scope, indent)
            case "copy":
                return self._copy(scope, indent)
            case "return":
                return [f"{indent}if {self.condition(scope, 0)} then return; end;"]
            case _:
                pass
        return self._assign(scope, indent)

    def _assign(self, scope: Scope, indent: str) -> list[str]:
        found = self.place(scope)
        if found is None or not found[1].simple:
            return []
        return [f"{indent}{found[0]} := {self.of(found[1], scope)};"]

    def _copy(self, scope: Scope, indent: str) -> list[str]:
        places = [place for place in scope.places if not place[1].simple]
        if not places:
            return []
        text, kind = self.pick(places)
        called = self.call(scope, kind) if self.chance(40) else None
        others = [one for one, like in places if like == kind]
        return [f"{indent}{text} := {called or self.pick(others)};"]

    def _if(self, scope: Scope, depth: int, indent: str) -> list[str]:
        made = [f"{indent}if {self.condition(scope)} then", *self.block(scope, depth - 1, indent + "  ", 2)]
        if self.chance(30):
            made += [f"{indent}elsif {self.condition(scope, 0)} then", *self.block(scope, 0, indent + "  ", 1)]
        if self.chance(50):
            made += [f"{indent}else", *self.block(scope, depth - 1, indent + "  ", 2)]
        return [*made, f"{indent}end;"]

    def _for(self, scope: Scope, depth: int, indent: str) -> list[str]:
        name, kind, head = self.quantifier()
        inner = scope.inner()
        inner.values.append((name, kind))
        body = self.block(inner, depth - 1, indent + "  ", 2)
        return [f"{indent}for {head} do", *body, f"{indent}end;"] if body else []

    def _while(self, scope: Scope, depth: int, indent: str) -> list[str]:
        numbers = [place for place in scope.places if place[1].name == "int"]
        if not numbers:
            return []
        text, kind = self.pick(numbers)
        safe = scope.inner()
        safe.places = [place for place in scope.places if place[0] != text]
        body = self.block(safe, 0, indent + "  ", 1) if self.chance(50) else []
        return [
            f"{indent}if !isundefined({text}) then",
            f"{indent}  while {text} < {kind.high} do",
            *(f"  {line}" for line in body),
            f"{indent}    {text} := {text} + 1;",
            f"{indent}  end;",
            f"{indent}end;",
        ]

    def _switch(self, scope: Scope, depth: int, indent: str) -> list[str]:
        kind = self.pick([kind for kind in self.kinds if kind.name in ("int", "enum", "bool")])
        made = [f"{indent}switch {self.of(kind, scope, 0)}"]
        for _ in range(self.number(1, 2)):
            made.append(f"{indent}  case {self.literal(kind, scope)}:")
            made += self.block(scope, 0, indent + "    ", 1)
        if self.chance(50):
            made += [f"{indent}  else", *self.block(scope, 0, indent + "    ", 1)]
        return [*made, f"{indent}end;"]

    def _alias(self, scope: Scope, depth: int, indent: str) -> list[str]:
        found = self.place(scope)
        if found is None:
            return []
        name = self.fresh("al")
        inner = scope.inner()
        inner.places.append((name, found[1]))
        body = self.block(inner, depth - 1, indent + "  ", 2)
        return [f"{indent}alias {name}: {found[0]} do", *body, f"{indent}end;"] if body else []

    def _claim(self, scope: Scope, indent: str) -> list[str]:
        word = self.weighted([(6 if self.errors else 0, "assert"), (2, "assume"), (2, "cover"), (1, "put")])
        if word == "put":
            return [f'{indent}put "x";']
        condition = self.condition(scope, 0)
        if word == "assert":
            condition = f"({condition} | {self.condition(scope, 0)})"
        return [f'{indent}{word} "{self.fresh("c")}" {condition};']

    # Routines

    def routine(self) -> None:
        name = self.fresh("routine")
        kinds = [*self.kinds, *self.compound]
        parameters = tuple((self.chance(25), self.pick(kinds)) for _ in range(self.number(0, 2)))
        returns = self.pick(kinds) if self.chance(60) else None
        pure = returns is not None and self.chance(60) and not any(writable for writable, _ in parameters)
        scope, heads = Scope(), []
        for writable, kind in parameters:
            label = self.fresh("p")
            heads.append(f"{'var ' if writable else ''}{label}: {kind.text}")
            (scope.places if writable else scope.values).append((label, kind))
        if not pure:
            scope.places += self.world.places
        else:
            scope.values += [(text, kind) for text, kind in self.world.places if kind.simple]
        local = self.fresh("v")
        local_kind = returns if returns is not None and not returns.simple else self.pick(kinds)
        scope.places.append((local, local_kind))
        self.in_rule, self.pure = returns is None, pure
        word = "function" if returns is not None else "procedure"
        result = f": {returns.text}" if returns is not None else ""
        self.lines.append(f"{word} {name}({'; '.join(heads)}){result};")
        # Rumur does not look at whether a returned value fits; at whether an assigned one does, both tools look.
        held = self.fresh("held") if returns is not None and returns.name == "int" else ""
        self.lines += ["var", f"  {local}: {local_kind.text};"]
        self.lines += [f"  {held}: {result[2:]};"] if held else []
        self.lines += ["begin", *self._first_values(local, local_kind)]
        self.lines += self.block(scope, 1, "  ", 2)
        if returns is not None:
            value = self.of(returns, scope) if returns.simple else local
            self.lines += [f"  {held} := {value};", f"  return {held};"] if held else [f"  return {value};"]
        self.lines.append("end;")
        self.in_rule = self.pure = False
        self.routines.append(Routine(name, parameters, returns, pure))

    def recursive(self) -> None:
        """A function that calls itself."""
        ranges = [kind for kind in self.kinds if kind.name == "int"]
        kind, name = self.pick(ranges), self.fresh("again")
        self.lines += [
            f"function {name}(n: {kind.text}): {kind.text};",
            "begin",
            f"  if n = {kind.low} then return {self.literal(kind, Scope())}; end;",
            f"  if {name}(n - 1) = {kind.low} then return n; end;",
            f"  return {name}(n - 1);",
            "end;",
        ]
        self.routines.append(Routine(name, ((False, kind),), kind, True))

    def _first_values(self, text: str, kind: Kind, indent: str = "  ") -> list[str]:
        """Assignments that give a variable values, all of it mostly."""
        match kind.name:
            case "record":
                parts = [self._first_values(f"{text}.{name}", part, indent) for name, part in kind.fields]
                return [line for lines in parts for line in lines]
            case "array":
                assert kind.index is not None and kind.element is not None
                name = self.fresh("i")
                body = self._first_values(f"{text}[{name}]", kind.element, indent + "  ")
                return [f"{indent}for {name}: {kind.index.text} do", *body, f"{indent}end;"] if body else []
            case _:
                literal = self.literal(kind, Scope())
                if literal is None:
                    literal = self.no_value(kind)
                if self.chance(4):
                    return [f"{indent}undefine {text};"]
                return [f"{indent}{text} := {literal};"]

    # Rules

    def startstate(self) -> None:
        body = [line for text, kind in self.world.places for line in self._first_values(text, kind)]
        name = f' "{self.fresh("start")}"' if self.chance(70) else ""
        head, tail = [], []
        if self.chance(30):
            label, kind, quantified = self.quantifier(of_rules=True)
            head, tail = [f"ruleset {quantified} do"], ["end;"]
            targets = [text for text, other in self.world.places if other == kind]
            body += [f"  {self.pick(targets)} := {label};"] if targets else []
        self.lines += [*head, f"startstate{name}", "begin", *body, "end;", *tail]

    def rule(self) -> None:
        scope, head, tail = self.world.inner(), [], []
        for _ in range(self.number(0, 2)):
            if self.chance(75):
                name, kind, quantified = self.quantifier(of_rules=True)
                head.append(f"ruleset {quantified} do")
                scope.values.append((name, kind))
            else:
                found = self.place(scope)
                if found is None:
                    continue
                alias = self.fresh("al")
                head.append(f"alias {alias}: {found[0]} do")
                scope.places.append((alias, found[1]))
            tail.append("end;")
        self.pure = True
        guard = self.condition(scope) + " ==>" if self.chance(85) else ""
        self.pure = False
        local: list[str] = []
        if self.chance(30):
            name, kind = self.fresh("v"), self.pick([*self.kinds, *self.compound])
            local = ["var", f"  {name}: {kind.text};"]
            first = self._first_values(name, kind)
            scope.places.append((name, kind))
        else:
            first = []
        self.in_rule = True
        body = self.block(scope, 2, "  ")
        self.in_rule = False
        label = f' "{self.fresh("rule")}"' if self.chance(80) else ""
        self.lines += [*head, f"rule{label} {guard}", *local, "begin", *first, *body, "end;", *tail]

    def claims(self) -> None:
        self.pure = True
        for word, percent in (("invariant", 50), ("cover", 30), ("assume", 10)):
            if not self.chance(percent):
                continue
            condition = self.condition(self.world)
            if word == "invariant" and self.chance(60):
                condition = f"({condition}) | ({self.condition(self.world)})"
            self.lines.append(f'{word} "{self.fresh(word)}" {condition};')
        self.pure = False

    def program(self) -> str:
        self.types()
        self.lines.append("var")
        for _ in range(self.number(2, 4)):
            kind, name = self.pick([*self.kinds, *self.compound]), self.fresh("x")
            self.lines.append(f"  {name}: {kind.text};")
            self.world.places.append((name, kind))
        for kind in self.kinds:
            if kind.name == "scalar":  # there are no names for its values
                self.lines += [
                    f"function some_{kind.text}(): {kind.text};",
                    "begin",
                    f"  for n: {kind.text} do return n; end;",
                    "end;",
                ]
        for _ in range(self.number(0, 2)):
            self.routine()
        if self.chance(25):
            self.recursive()
        for _ in range(self.number(1, 2)):
            self.startstate()
        for _ in range(self.number(1, 4)):
            self.rule()
        self.claims()
        return "\n".join(self.lines) + "\n"


def murphi_of(seed: int) -> str:
    """The program of a seed."""
    return MurphiWriter(random.Random(seed).randint).program()
