"""The text format: processes with states and transitions, and the lines that compose the system."""

from __future__ import annotations

from beeline.languages.uppaal.branches import joined
from beeline.languages.uppaal.declarations import DeclarationParser
from beeline.languages.uppaal.errors import Unsupported
from beeline.languages.uppaal.lexer import Kind
from beeline.languages.uppaal.queries import listed
from beeline.languages.uppaal.syntax import (
    Binary,
    Declaration,
    Declarator,
    Document,
    Edge,
    Expression,
    Location,
    Query,
    Synchronisation,
    Template,
    TypeExpression,
)
from beeline.languages.uppaal.text import Piece, from_string
from beeline.model.source import Source
from beeline.records import replace


class ProcessParser(DeclarationParser):
    """Parses whole `.xta` and `.ta` files, and the labels of XML files."""

    def __init__(self, piece: Piece, *, old: bool = False) -> None:
        super().__init__(piece, old=old)
        self.notes: list[tuple[str, Source]] = []

    def declaration(self) -> list[Declaration] | None:
        if self.at("process"):
            return [self.usable_process()]
        return super().declaration()

    def usable_process(self) -> Template:
        """A process, or if it goes beyond timed automata just its name: it may never be used."""
        start, piece = self.position, self.piece
        try:
            return self.process()
        except Unsupported as refusal:
            self.goto(start + 1)
            self.piece = piece
            name = self.advance().text
            while not self.at("{") and not self.at_end():
                self.advance()
            self.skip_braces()
            return Template(name, (), (), (), "", (), refusal.source, refusal.construct)

    def process(self) -> Template:
        self.expect("process")
        name = self.expect_name("the name of a process")
        piece = self.piece
        self.piece = piece.within(f"process {name.text}")
        parameters: tuple[Declarator, ...] = ()
        if self.accept("("):
            parameters = self.parameters()
            self.expect(")", where="after the parameters")
        self.expect("{")
        declarations = self.declarations()
        locations = self.states()
        initial = ""
        edges: list[Edge] = []
        points: set[str] = set()
        while not self.accept("}"):
            if self.accept("init"):
                initial = self.location_name({place.key for place in locations})
                self.expect(";")
            elif self.accept("commit"):
                locations = self.mark(locations, committed=True)
            elif self.accept("urgent"):
                locations = self.mark(locations, urgent=True)
            elif self.accept("trans"):
                edges = self.transitions({place.key for place in locations} | points)
            elif self.accept("branchpoint"):
                points |= self.branch_points()
            else:
                raise self.unexpected("'init', 'commit', 'urgent' or 'trans'")
        if not initial:
            raise self.error(f"process {name.text} has no initial state", name.source)
        made = joined(edges, frozenset(points), self.piece.context)
        self.piece = piece
        return Template(name.text, parameters, tuple(declarations), tuple(locations), initial, made, name.source)

    def branch_points(self) -> set[str]:
        found = {self.expect_name("the name of a branch point").text}
        while self.accept(","):
            found.add(self.expect_name("the name of a branch point").text)
        self.expect(";", where="after the branch points")
        return found

    def states(self) -> list[Location]:
        self.expect("state", where="before the names of the states")
        found: list[Location] = []
        while True:
            token = self.expect_name("the name of a state")
            invariant: Expression | None = None
            if self.accept("{"):
                if not self.at(";"):
                    invariant = self.conjunction()
                if self.accept(";"):
                    self.rate()
                self.expect("}", where="after an invariant")
            found.append(Location(token.text, token.text, invariant, source=token.source))
            if not self.accept(","):
                break
        self.expect(";", where="after the states")
        return found

    def rate(self) -> None:
        """An exponential rate: it shapes the distribution of delays, not which delays are possible."""
        self.notes.append(("exponential rates are ignored", self.token.source))
        self.expression()
        if self.accept(":"):
            self.expression()

    def location_name(self, known: set[str]) -> str:
        token = self.expect_name("the name of a state")
        if token.text not in known:
            raise self.error(f"there is no state {token.text}", token.source)
        return token.text

    def mark(self, locations: list[Location], *, committed: bool = False, urgent: bool = False) -> list[Location]:
        known = {place.key for place in locations}
        while True:
            name = self.location_name(known)
            locations = [
                replace(place, committed=place.committed or committed, urgent=place.urgent or urgent)
                if place.key == name
                else place
                for place in locations
            ]
            if not self.accept(","):
                break
        self.expect(";")
        return locations

    def transitions(self, ends: set[str]) -> list[Edge]:
        found: list[Edge] = []
        origin = ""
        while True:
            source = self.token.source
            if not self.at("->", "-u->"):
                origin = self.location_name(ends)
            if not self.at("->", "-u->"):
                raise self.unexpected("'->'")
            controllable = self.advance().text == "->"
            target = self.location_name(ends)
            self.expect("{")
            found.append(self.edge_body(Edge(origin, target, controllable=controllable, source=source)))
            if not self.accept(","):
                break
        self.expect(";", where="after the transitions")
        return found

    def edge_body(self, edge: Edge) -> Edge:
        while not self.accept("}"):
            if self.accept("select"):
                edge = replace(edge, select=self.selections())
            elif self.accept("guard"):
                edge = replace(edge, guard=self.conjunction())
            elif self.accept("sync"):
                edge = replace(edge, sync=self.synchronisation())
            elif self.accept("assign"):
                edge = replace(edge, updates=self.expression_list())
            elif self.accept("probability"):
                edge = replace(edge, weights=(self.expression(),))
            else:
                raise self.unexpected("'select', 'guard', 'sync' or 'assign'")
            self.expect(";")
        return edge

    def selections(self) -> tuple[tuple[str, TypeExpression], ...]:
        found: list[tuple[str, TypeExpression]] = []
        while True:
            name = self.expect_name("the name of the selected value").text
            self.expect(":")
            found.append((name, self.type_expression()))
            if not self.accept(","):
                return tuple(found)

    def conjunction(self) -> Expression:
        """A guard or invariant; in UPPAAL 3.x a comma stands for `and`."""
        condition = self.expression()
        while comma := self.accept(","):
            condition = Binary("&&", condition, self.expression(), comma.source)
        return condition

    def synchronisation(self) -> Synchronisation:
        source = self.token.source
        channel = self.postfix(self.primary())
        if not self.at("!", "?"):
            raise self.refuse("synchronisation without ! or ? (CSP style)", source)
        return Synchronisation(channel, self.advance().text, source)

    # system

    def system(self) -> tuple[tuple[str, int, Source], ...]:
        """``system A, B < C;``: the processes with their priorities, and what may follow the line."""
        self.expect("system", where="before the list of processes")
        found: list[tuple[str, int, Source]] = []
        level = 0
        while True:
            token = self.expect_name("the name of a process")
            found.append((token.text, level, token.source))
            if self.accept("<"):
                level += 1
            elif not self.accept(","):
                break
        self.expect(";", where="after the list of processes")
        while self.at("progress", "gantt"):
            self.notes.append((f"the {self.token.text} section is ignored", self.token.source))
            self.advance()
            self.skip_braces()
        return tuple(found)

    def skip_braces(self) -> None:
        """Passes over ``{ .. }`` with what is nested in it."""
        self.expect("{")
        depth = 1
        while depth:
            if self.at_end():
                raise self.unexpected("'}'")
            depth += {"{": 1, "}": -1}.get(self.advance().text, 0)

    def queries(self) -> list[Query]:
        """``query { .. }`` blocks at the end of a file."""
        found: list[Query] = []
        while self.at("query") and self.ahead(1).text == "{":
            self.advance()
            start = self.token.offset + 1
            self.skip_braces()
            text = self.piece.text[: self.tokens[self.position - 1].offset]
            blank = "".join(letter if letter == "\n" else " " for letter in text[:start])
            found.append(listed(replace(self.piece, text=blank + text[start:], context="query")))
        return found


def parse_xta(text: str, file: str = "", *, old: bool = False) -> Document:
    """The syntax tree of a text file; `old` reads UPPAAL 3.x (`.ta`)."""
    parser = ProcessParser(from_string(text, file), old=old)
    declarations = parser.declarations()
    if parser.token.kind is Kind.END:
        raise parser.error("there is no 'system' line")
    system = parser.system()
    queries = parser.queries()
    parser.expect_end()
    return Document(file, tuple(declarations), system, tuple(queries), tuple(parser.notes))
