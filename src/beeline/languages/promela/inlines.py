"""`inline` definitions, expanded on tokens before parsing, as SPIN does.

A call becomes the body in braces with the arguments' words in place of the parameters: arguments are substituted
as text, not as values, and names in the body mean what they mean at the call.
"""

from __future__ import annotations

from itertools import pairwise

from beeline.records import Record, replace

from .errors import PromelaError
from .tokens import Token

MAX_DEPTH = 16


class Inline(Record, frozen=True):
    name: str
    parameters: tuple[str, ...]
    body: tuple[Token, ...]  # braces included


def expand_inlines(tokens: list[Token]) -> list[Token]:
    """The tokens with definitions taken out and calls replaced."""
    return _Expander(tokens).run()


class _Expander:
    def __init__(self, tokens: list[Token]) -> None:
        self.tokens = tokens
        self.inlines: dict[str, Inline] = {}

    def run(self) -> list[Token]:
        result: list[Token] = []
        position = braces = 0
        while position < len(self.tokens):
            token = self.tokens[position]
            braces += (token.kind == "{") - (token.kind == "}")
            if token.kind == "inline" and braces > 0:
                raise PromelaError("an inline inside braces", token.source, "define it outside of all proctypes")
            if token.kind == "proctype" and self.tokens[position + 1].text in self.inlines:
                raise PromelaError(f"{self.tokens[position + 1]} is an inline and cannot be a proctype", token.source)
            if token.kind == "inline":
                position = self._define(position)
            else:
                position = self._copy(self.tokens, position, result, ())
        return result

    def _define(self, position: int) -> int:
        """Takes in the definition that starts at `position`; returns the position after it."""
        name = self._expect(position + 1, "name", "the name of the inline")
        if name.text in self.inlines:
            raise PromelaError(f"inline '{name.text}' is defined twice", name.source)
        if any(a.kind == "proctype" and b.text == name.text for a, b in pairwise(self.tokens[:position])):
            raise PromelaError(f"'{name.text}' is a proctype and cannot be an inline", name.source)
        self._expect(position + 2, "(", "'('")
        position += 3
        parameters: list[str] = []
        while self.tokens[position].kind != ")":
            if self.tokens[position].kind != ",":
                parameters.append(self._expect(position, "name", "a parameter").text)
            position += 1
        self._expect(position + 1, "{", "'{'")
        end = _matching(self.tokens, position + 1)
        self.inlines[name.text] = Inline(name.text, tuple(parameters), tuple(self.tokens[position + 1 : end + 1]))
        return end + 1

    def _expect(self, position: int, kind: str, what: str) -> Token:
        token = self.tokens[min(position, len(self.tokens) - 1)]
        if token.kind != kind:
            raise PromelaError(f"expected {what} here, found {token}", token.source)
        return token

    def _copy(self, tokens: list[Token], position: int, result: list[Token], active: tuple[str, ...]) -> int:
        """Copies one token, or the expansion of one call, to `result`; returns the position after it."""
        token = tokens[position]
        inline = self.inlines.get(token.text) if token.kind == "name" else None
        is_call = inline is not None and tokens[position + 1].kind == "(" and not _is_field_or_run(result)
        if inline is None or not is_call:
            result.append(token)
            return position + 1
        if inline.name in active:
            raise PromelaError(f"inline '{inline.name}' calls itself", token.source, "inlines cannot be recursive")
        if len(active) >= MAX_DEPTH:
            raise PromelaError("inlines are nested too deeply", token.source)
        arguments, after = _arguments(tokens, position + 1)
        if len(arguments) != len(inline.parameters):
            raise PromelaError(
                f"inline '{inline.name}' takes {len(inline.parameters)} arguments, not {len(arguments)}", token.source
            )
        target = _pop_target(result) if result and result[-1].kind == "=" else None
        body = _substitute(inline, arguments, target, token)
        inner = 0
        while inner < len(body):
            inner = self._copy(body, inner, result, (*active, inline.name))
        return after


def _is_field_or_run(result: list[Token]) -> bool:
    return bool(result) and result[-1].kind in ("run", ".", "proctype", "D_proctype")


def _matching(tokens: list[Token], position: int) -> int:
    """The position of the bracket that closes the one at `position`."""
    opening = tokens[position].kind
    closing = {"{": "}", "(": ")", "[": "]"}[opening]
    depth = 0
    for found in range(position, len(tokens)):
        if tokens[found].kind == opening:
            depth += 1
        elif tokens[found].kind == closing:
            depth -= 1
            if depth == 0:
                return found
    raise PromelaError(f"this '{opening}' is never closed", tokens[position].source, f"add a '{closing}'")


def _arguments(tokens: list[Token], position: int) -> tuple[list[list[Token]], int]:
    """The words of each argument between the parentheses at `position`, and the position after them."""
    end = _matching(tokens, position)
    arguments: list[list[Token]] = []
    current: list[Token] = []
    depth = 0
    for token in tokens[position + 1 : end]:
        depth += (token.kind in "([") - (token.kind in ")]")
        if token.kind == "," and depth == 0:
            arguments.append(current)
            current = []
        else:
            current.append(token)
    if current or arguments:
        arguments.append(current)
    return arguments, end + 1


def _pop_target(result: list[Token]) -> list[Token]:
    """Takes ``place =`` off the end, for ``place = call(...)``; returns the words of the place."""
    position = len(result) - 2
    while position >= 0:
        if result[position].kind == "]":
            while result[position].kind != "[":
                position -= 1
            position -= 1
        if position < 1 or result[position - 1].kind != ".":
            break
        position -= 2
    target = result[position:-1]
    del result[position:]
    return target


def _substitute(inline: Inline, arguments: list[list[Token]], target: list[Token] | None, call: Token) -> list[Token]:
    by_name = dict(zip(inline.parameters, arguments, strict=True))
    body: list[Token] = []
    for number, token in enumerate(inline.body):
        if token.kind == "name" and token.text in by_name and not (body and body[-1].kind == "."):
            given = by_name[token.text]
        elif token.kind == "return":
            if target is None:
                raise PromelaError(
                    f"'return' in an inline that is called without a place for its value ('{inline.name}')",
                    token.source,
                    f"call it as  x = {inline.name}(...)",
                )
            given = [*target, Token("=", "=", token.source)]
        else:
            given = [token]
        first_new_line = call.new_line if number == 0 else token.new_line
        for place, word in enumerate(given):
            body.append(replace(word, new_line=first_new_line and place == 0, inlined=True))
    return body
