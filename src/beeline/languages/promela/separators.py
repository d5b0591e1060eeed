"""Semicolons that may be left out: where SPIN puts one in by itself, so do we.

Within a proctype, claim or typedef a line that ends in something that can end a statement is closed by a semicolon
if the next line does not continue it; a closing brace and `else` are followed by one in any case. Further
separators are harmless: the parser skips repeated ones.
"""

from __future__ import annotations

from .tokens import Token

_ENDS_A_STATEMENT = frozenset(
    ["}", ")", "]", "od", "fi", "else", "break", "name", "number", "++", "--", "true", "false", "skip", "timeout"]
)
_CONTINUES_AFTER_BRACE = frozenset(
    ["proctype", "init", "never", "::", "fi", "od", "}", "unless", ";", "->", "end", ","]
)
_OPENS_A_SEQUENCE = frozenset({"proctype", "D_proctype", "init", "never", "trace", "notrace", "typedef"})


def insert_separators(tokens: list[Token]) -> list[Token]:
    """The tokens with the semicolons that SPIN would add."""
    result: list[Token] = []
    waiting = False  # saw the head of a unit with a body
    braces = parentheses = 0
    for token in tokens:
        last = result[-1] if result else None
        if last is not None and _needs_semicolon(last, token, braces > 0 and parentheses == 0):
            result.append(Token(";", ";", token.source, inlined=token.inlined))
        result.append(token)
        match token.kind:
            case "(":
                parentheses += 1
            case ")":
                parentheses -= 1
            case "{" if braces or waiting:
                braces += 1
                waiting = False
            case "}" if braces:
                braces -= 1
            case kind if kind in _OPENS_A_SEQUENCE:
                waiting = True
    return result


def _needs_semicolon(last: Token, token: Token, in_sequence: bool) -> bool:
    if last.kind == "}":
        return token.kind not in _CONTINUES_AFTER_BRACE
    if last.kind == "else":
        return token.kind not in (";", "->", "fi")
    if not (in_sequence and token.new_line):
        return False
    return last.kind in _ENDS_A_STATEMENT and token.kind not in (";", "->")
