"""Reads DVE text into the tree of `syntax.py`."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from beeline.languages.dve import syntax
from beeline.languages.dve.errors import SourceText
from beeline.languages.dve.parse_expressions import ExpressionReader
from beeline.model.reading import alternatives
from beeline.records import replace

T = TypeVar("T")
MOST_ELEMENTS = 2**20
MOST_MESSAGES = 2**16 - 1
"""Of an array or a channel: states with more would not be searched in any time."""
_VARIABLES = ("byte", "const", "int")  # words that begin a declaration of variables


def parse_model(text: str, file: str = "<dve>") -> syntax.Model:
    """The syntax tree of a whole file; raises `DveError` with the place of the first mistake.

    >>> parse_model("process P { state a; init a; } system async;").processes[0].name
    'P'
    """
    with _no_collections():
        return _Parser(SourceText(file, text)).model()


def parse_expression(text: str, file: str = "<expression>") -> syntax.Expression:
    """The tree of one expression, as in a guard.

    >>> parse_expression("P.CS and x != 0").operator
    'and'
    """
    parser = _Parser(SourceText(file, text))
    expression = parser.expression()
    parser.expect_end()
    return expression


@contextmanager
def _no_collections() -> Iterator[None]:
    """Pauses the cycle collector, which would walk the millions of nodes of a big file again and again."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


class _Parser(ExpressionReader):
    """One method for each kind of thing that can be written."""

    def row(self, end: str, read: Callable[[], T]) -> list[T]:
        """What is read once or more, with commas between and `end` behind."""
        found = [read()]
        while self.expect(",", end).text == ",":
            found.append(read())
        return found

    def expressions(self, end: str, read: Callable[[], T]) -> list[T]:
        """A row of what ends in an expression."""
        found = [read()]
        while self.after_expression(",", end).text == ",":
            found.append(read())
        return found

    # The whole

    def model(self) -> syntax.Model:
        variables: list[syntax.Variable] = []
        channels: list[syntax.Channel] = []
        processes: list[syntax.Process] = []
        while self.token.text != "system":
            if self.token.text in _VARIABLES:
                variables += self.variables()
            elif self.accept("channel"):
                channels += self.channels()
            elif self.accept("process"):
                processes.append(self.process())
            else:
                raise self.unexpected(alternatives([*_VARIABLES, "channel", "process", "system"]))
        self.advance()
        mode, named = self.expect("async", "sync"), None
        if self.accept("property"):
            named = self.expect_name()
        self.expect(";")
        self.expect_end()
        return syntax.Model(
            tuple(variables),
            tuple(channels),
            tuple(processes),
            mode.text == "sync",
            None if named is None else named.text,
            self.place(named or mode),
            self.source.file,
            self.source.text,
        )

    # Declarations

    def variables(self) -> list[syntax.Variable]:
        constant = self.accept("const") is not None
        kind = self.expect("byte", "int").text
        return self.row(";", lambda: self.variable(kind, constant))

    def variable(self, kind: str, constant: bool) -> syntax.Variable:
        name, size, initial = self.expect_name(), None, None
        if self.accept("["):
            size = self.expect_number(MOST_ELEMENTS, "this array is too large")
            self.expect("]")
        if self.accept("="):
            initial = self.values()
        return syntax.Variable(name.text, kind, size, initial, constant, self.place(name))

    def values(self) -> tuple[syntax.Expression, ...]:
        """One expression, or several in braces."""
        if self.accept("{"):
            return tuple(self.expressions("}", self.expression))
        return (self.expression(),)

    def channels(self) -> list[syntax.Channel]:
        fields: tuple[str, ...] | None = None
        if self.accept("{"):
            fields = tuple(self.row("}", lambda: self.expect("byte", "int").text))
        return self.row(";", lambda: self.channel(fields))

    def channel(self, fields: tuple[str, ...] | None) -> syntax.Channel:
        name, capacity = self.expect_name(), 0
        if fields is not None:
            self.expect("[")
            capacity = self.expect_number(MOST_MESSAGES, "this channel is too large")
            self.expect("]")
        return syntax.Channel(name.text, fields, capacity, self.place(name))

    # Processes

    def process(self) -> syntax.Process:
        name = self.expect_name()
        variables: list[syntax.Variable] = []
        parts: dict[str, list[Any]] = {}
        readers: dict[str, Callable[[], list[Any]]] = {
            "state": self.states,
            "init": self.initial,
            "commit": self.states,
            "accept": self.accepting,
            "assert": lambda: self.expressions(";", self.assertion),
            "trans": self.transitions,
        }
        self.expect("{")
        while not self.accept("}"):
            what = self.token.text
            if what in _VARIABLES:
                variables += self.variables()
                continue
            if what not in readers:
                raise self.unexpected(alternatives([*sorted([*_VARIABLES, *readers]), "}"]))
            self.advance()
            found = readers[what]()
            if what in parts:
                raise self.source.error(f"`{what}` is given twice in process {name.text}", found[0].at)
            parts[what] = found
        for needed in ("state", "init"):
            if needed not in parts:
                remedy = f"add `{needed} NAME;` to the process"
                raise self.source.error(f"process {name.text} has no `{needed}`", self.place(name), remedy)
        return syntax.Process(
            name.text,
            tuple(variables),
            tuple(parts["state"]),
            parts["init"][0],
            tuple(parts.get("commit", ())),
            tuple(parts.get("accept", ())),
            tuple(parts.get("assert", ())),
            tuple(parts.get("trans", ())),
            self.place(name),
        )

    def states(self) -> list[syntax.StateName]:
        return self.row(";", self.state)

    def initial(self) -> list[syntax.StateName]:
        found = [self.state()]
        self.expect(";")
        return found

    def state(self) -> syntax.StateName:
        name = self.expect_name()
        return syntax.StateName(name.text, self.place(name))

    def accepting(self) -> list[syntax.StateName]:
        if (sets := self.accept("genbuchi", "muller", "rabin", "streett")) is not None:
            remedy = "list the accepting states of one Büchi set: accept NAME, NAME;"
            raise self.source.error(f"acceptance by {sets.text} sets is not supported", self.place(sets), remedy)
        self.accept("buchi")
        return self.states()

    def assertion(self) -> syntax.Assertion:
        name = self.expect_name()
        self.expect(":")
        return syntax.Assertion(name.text, self.expression(), self.place(name))

    # Transitions

    def transitions(self) -> list[syntax.Transition]:
        complete: list[syntax.Transition] = []
        for one in self.row(";", self.transition):
            if not one.source:  # ``-> target {..}`` leaves from where the transition above it left
                if not complete:
                    raise self.source.error("the first transition has no source state", one.at, "write it before `->`")
                one = replace(one, source=complete[-1].source)
            complete.append(one)
        return complete

    def transition(self) -> syntax.Transition:
        origin = None if self.token.text == "->" else self.expect_name()
        if origin is not None and self.token.text == "=>":
            remedy = "write one `->` transition for each outcome if only the possible runs matter"
            raise self.source.error(
                "probabilistic transitions (`=>`) are not supported", self.place(self.token), remedy
            )
        arrow = self.expect("->")
        target, opening = self.expect_name(), self.expect("{")
        guard = self.guard() if self.accept("guard") else None
        sync = self.sync() if self.accept("sync") else None
        effects = self.expressions(";", self.assignment) if self.accept("effect") else []
        if self.token.text != "}":
            raise self.unexpected("`guard`, `sync`, `effect`, in this order, or `}`")
        closing = self.advance()
        text = " ".join(self.source.text[opening.end : closing.offset].split())
        source = "" if origin is None else origin.text
        return syntax.Transition(source, target.text, guard, sync, tuple(effects), text, self.place(origin or arrow))

    def guard(self) -> syntax.Expression:
        condition = self.expression()
        self.after_expression(";")
        return condition

    def sync(self) -> syntax.Sync:
        channel = self.expect_name()
        sends = self.expect("?", "!").text == "!"
        values = () if self.token.text == ";" else self.values()
        self.after_expression(";")
        return syntax.Sync(channel.text, sends, values, self.place(channel))

    def assignment(self) -> syntax.Assignment:
        target = self.reference()
        self.expect("=")
        return syntax.Assignment(target, self.expression(), target.at)
