"""Reads DVE text into the tree of `syntax.py`."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Any

from lark import Lark, Token, Transformer
from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken

from beeline.languages.dve import syntax
from beeline.languages.dve.errors import DveError, SourceText
from beeline.model.source import Source
from beeline.records import replace

# Weakest first; all associate to the left. These are C's levels, with `imply` below them. DiVinE's grammar puts
# `and` and `or` on one level, and `|`, `&`, `^` on one; see docs/dve.md.
PRECEDENCE = (
    ("imply",),
    ("or",),
    ("and",),
    ("|",),
    ("^",),
    ("&",),
    ("==", "!="),
    ("<", "<=", ">", ">="),
    ("<<", ">>"),
    ("+", "-"),
    ("*", "/", "%"),
)
_LEVEL = {operator: level for level, operators in enumerate(PRECEDENCE) for operator in operators}
_SPELLING = {"&&": "and", "||": "or", "!": "not"}
_ONE_AT_A_TIME = Lock()  # the builder remembers whose text it is building from


def parse_model(text: str, file: str = "<dve>") -> syntax.Model:
    """The syntax tree of a whole file; raises `DveError` with the place of the first mistake.

    >>> parse_model("process P { state a; init a; } system async;").processes[0].name
    'P'
    """
    model = _parse(text, file, "model")
    assert isinstance(model, syntax.Model)
    return model


def parse_expression(text: str, file: str = "<expression>") -> syntax.Expression:
    """The tree of one expression, as in a guard.

    >>> parse_expression("P.CS and x != 0").operator
    'and'
    """
    expression = _parse(text, file, "expression")
    assert not isinstance(expression, syntax.Model)
    return expression


def _parse(text: str, file: str, start: str) -> syntax.Model | syntax.Expression:
    source = SourceText(file, text)
    grammar, builder = _grammar()
    with _ONE_AT_A_TIME, _no_collections():
        builder.source = source
        try:
            return grammar.parse(text, start=start)  # type: ignore[return-value]
        except UnexpectedInput as problem:
            raise _explain(problem, source) from None


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


@cache
def _grammar() -> tuple[Lark, _Builder]:
    """The parser and the builder that it calls at every reduction, so that no intermediate tree is made."""
    text = Path(__file__).with_name("grammar.lark").read_text()
    builder = _Builder(SourceText("", ""))
    starts = ["model", "expression"]
    return Lark(text, parser="lalr", start=starts, maybe_placeholders=True, transformer=builder), builder


class _Builder(Transformer[Any, Any]):
    """One method per rule of the grammar, from its children to its node."""

    def __init__(self, source: SourceText) -> None:
        super().__init__(visit_tokens=False)
        self.source = source

    def at(self, token: Token) -> Source:
        return Source(self.source.file, token.line or 0, token.column or 0)

    # Expressions

    def expression(self, row: list[Any]) -> syntax.Expression:
        if len(row) == 1:
            return row[0]  # type: ignore[no-any-return]
        return self.fold(row)

    def fold(self, row: list[Any]) -> syntax.Expression:
        """Operator precedence on a row ``operand (operator operand)*``, with one stack of each kind."""
        operands: list[syntax.Expression] = [row[0]]
        pending: list[Token] = []

        def apply() -> None:
            right, left, token = operands.pop(), operands.pop(), pending.pop()
            operands.append(syntax.Binary(_spelling(token), left, right, self.at(token)))

        for token, operand in zip(row[1::2], row[2::2], strict=True):
            while pending and _LEVEL[_spelling(pending[-1])] >= _LEVEL[_spelling(token)]:
                apply()
            pending.append(token)
            operands.append(operand)
        while pending:
            apply()
        return operands[0]

    def prefixed(self, parts: list[Any]) -> syntax.Expression:
        return syntax.Unary(_spelling(parts[0]), parts[1], self.at(parts[0]))

    def parenthesis(self, parts: list[Any]) -> syntax.Expression:
        return parts[0]  # type: ignore[no-any-return]

    def number(self, parts: list[Token]) -> syntax.Expression:
        value = int(parts[0])
        if value >= 2**31:
            raise self.source.error("this number does not fit into 32 bits", self.at(parts[0]))
        return syntax.Number(value, self.at(parts[0]))

    def truth(self, parts: list[Token]) -> syntax.Expression:
        return syntax.Number(int(parts[0] == "true"), self.at(parts[0]))

    def reference(self, parts: list[Any]) -> syntax.Reference:
        owner, _, name, index = parts
        process = None if owner is None else str(owner)
        return syntax.Reference(str(name), index, process, self.at(owner or name))

    def in_state(self, parts: list[Token]) -> syntax.Expression:
        return syntax.InState(str(parts[0]), str(parts[1]), self.at(parts[0]))

    # Declarations

    def variables(self, parts: list[Any]) -> list[syntax.Variable]:
        constant, kind, *declared = parts
        return [
            syntax.Variable(str(name), str(kind), size and int(size), initial, constant is not None, self.at(name))
            for name, size, initial in declared
        ]

    def variable(self, parts: list[Any]) -> tuple[Token, Token | None, tuple[syntax.Expression, ...] | None]:
        name, size, initial = parts
        if initial is not None and not isinstance(initial, tuple):
            initial = (initial,)
        return name, size, initial

    def initial_list(self, values: list[syntax.Expression]) -> tuple[syntax.Expression, ...]:
        return tuple(values)

    def channels(self, parts: list[Any]) -> list[syntax.Channel]:
        fields = parts.pop(0) if isinstance(parts[0], tuple) else None
        return [syntax.Channel(str(name), fields, capacity, self.at(name)) for name, capacity in parts]

    def fields(self, kinds: list[Token]) -> tuple[str, ...]:
        return tuple(str(kind) for kind in kinds)

    def plain_channel(self, parts: list[Token]) -> list[Any]:
        return [parts[0], 0]

    def typed_channel(self, parts: list[Token]) -> list[Any]:
        return [parts[0], int(parts[1])]

    # Processes

    def states(self, names: list[Token]) -> tuple[str, list[syntax.StateName]]:
        return "state", [self.state_name(name) for name in names]

    def initial_state(self, names: list[Token]) -> tuple[str, list[syntax.StateName]]:
        return "init", [self.state_name(name) for name in names]

    def committed(self, names: list[Token]) -> tuple[str, list[syntax.StateName]]:
        return "commit", [self.state_name(name) for name in names]

    def accepting(self, names: list[Token]) -> tuple[str, list[syntax.StateName]]:
        return "accept", [self.state_name(name) for name in names]

    def accepting_sets(self, parts: list[Token]) -> None:
        remedy = "list the accepting states of one Büchi set: accept NAME, NAME;"
        raise self.source.error(f"acceptance by {parts[0]} sets is not supported", self.at(parts[0]), remedy)

    def state_name(self, token: Token) -> syntax.StateName:
        return syntax.StateName(str(token), self.at(token))

    def assertions(self, parts: list[syntax.Assertion]) -> tuple[str, list[syntax.Assertion]]:
        return "assert", parts

    def assertion(self, parts: list[Any]) -> syntax.Assertion:
        return syntax.Assertion(str(parts[0]), parts[1], self.at(parts[0]))

    def transitions(self, parts: list[syntax.Transition]) -> tuple[str, list[syntax.Transition]]:
        complete: list[syntax.Transition] = []
        for part in parts:
            if not part.source:  # ``-> target {..}`` leaves from where the transition above it left
                if not complete:
                    raise self.source.error("the first transition has no source state", part.at, "write it before `->`")
                part = replace(part, source=complete[-1].source)
            complete.append(part)
        return "trans", complete

    def transition(self, parts: list[Any]) -> syntax.Transition:
        source, arrow, target, opening, guard, sync, effect, closing = parts
        text = " ".join(self.source.text[opening.end_pos : closing.start_pos].split())
        at = self.at(source or arrow)
        return syntax.Transition(str(source or ""), str(target), guard, sync, effect or (), text, at)

    def probabilistic(self, parts: list[Token]) -> None:
        remedy = "write one `->` transition for each outcome if only the possible runs matter"
        raise self.source.error("probabilistic transitions (`=>`) are not supported", self.at(parts[1]), remedy)

    def guard(self, parts: list[syntax.Expression]) -> syntax.Expression:
        return parts[0]

    def sync(self, parts: list[Any]) -> syntax.Sync:
        _, channel, direction, values = parts
        if values is not None and not isinstance(values, tuple):
            values = (values,)
        return syntax.Sync(str(channel), direction == "!", values or (), self.at(channel))

    def value_list(self, values: list[syntax.Expression]) -> tuple[syntax.Expression, ...]:
        return tuple(values)

    def effect(self, parts: list[syntax.Assignment]) -> tuple[syntax.Assignment, ...]:
        return tuple(parts)

    def assignment(self, parts: list[Any]) -> syntax.Assignment:
        return syntax.Assignment(parts[0], parts[1], parts[0].at)

    def process(self, parts: list[Any]) -> syntax.Process:
        name, *body = parts
        found: dict[str, list[Any]] = {}
        variables: list[syntax.Variable] = []
        for part in body:
            if isinstance(part, list):
                variables.extend(part)
            elif part[0] in found:
                raise self.source.error(f"`{part[0]}` is given twice in process {name}", _place(part[1][0]))
            else:
                found[part[0]] = part[1]
        for needed in ("state", "init"):
            if needed not in found:
                remedy = f"add `{needed} NAME;` to the process"
                raise self.source.error(f"process {name} has no `{needed}`", self.at(name), remedy)
        return syntax.Process(
            str(name),
            tuple(variables),
            tuple(found["state"]),
            found["init"][0],
            tuple(found.get("commit", ())),
            tuple(found.get("accept", ())),
            tuple(found.get("assert", ())),
            tuple(found.get("trans", ())),
            self.at(name),
        )

    # The whole

    def system(self, parts: list[Any]) -> tuple[Token, Token | None]:
        return parts[0], parts[1]

    def model(self, parts: list[Any]) -> syntax.Model:
        *items, (mode, property_process) = parts
        variables: list[syntax.Variable] = []
        channels: list[syntax.Channel] = []
        processes: list[syntax.Process] = []
        for item in items:
            if isinstance(item, syntax.Process):
                processes.append(item)
            elif isinstance(item[0], syntax.Channel):
                channels.extend(item)
            else:
                variables.extend(item)
        return syntax.Model(
            tuple(variables),
            tuple(channels),
            tuple(processes),
            mode == "sync",
            None if property_process is None else str(property_process),
            self.at(property_process or mode),
            self.source.file,
            self.source.text,
        )


def _spelling(token: Token) -> str:
    return _SPELLING.get(token, str(token))


def _place(node: Any) -> Source:
    at = node.at
    assert isinstance(at, Source)
    return at


# Errors

_PLAIN_NAMES = {
    "NAME": "a name",
    "NUMBER": "a number",
    "BYTE": "`byte`",
    "INT": "`int`",
    "$END": "the end of the file",
}


def _explain(problem: UnexpectedInput, source: SourceText) -> DveError:
    position = problem.pos_in_stream or 0
    at = Source(source.file, problem.line, problem.column)
    if source.text.startswith("/*", position) and problem.line > 0:
        return source.error("this comment is never closed", at, "end it with `*/`")
    if isinstance(problem, UnexpectedCharacters):
        return source.error(f"unexpected character `{source.text[position]}`", at)
    assert isinstance(problem, UnexpectedToken)
    found = f"unexpected `{problem.token}`"
    if problem.token.type == "$END":
        lines = source.text.splitlines() or [""]
        at, found = Source(source.file, len(lines), len(lines[-1]) + 1), "the text ends too early"
    return source.error(found, at, _remedy(str(problem.token), set(problem.accepts or problem.expected)))


def _remedy(found: str, expected: set[str]) -> str:
    if found == "=" and "EQUALS" in expected:
        return "compare with `==`; `=` only assigns, in effects"
    if "SEMICOLON" in expected and "EQUALS" in expected:
        return "an operator or `;` is expected here"
    if {"NUMBER", "NAME", "LPAR"} <= expected:
        return "an expression is expected here"
    spelled = {terminal.name: f"`{terminal.pattern.value}`" for terminal in _grammar()[0].terminals}
    wanted = sorted(_PLAIN_NAMES.get(name, spelled.get(name, name)) for name in expected)
    return "expected " + " or ".join(filter(None, [", ".join(wanted[:-1]), *wanted[-1:]]))
