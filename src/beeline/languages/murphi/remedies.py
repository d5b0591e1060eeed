"""What to do about a word that stands where Murphi wants another one: the usual slips, and ends that are missing."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from beeline.languages.murphi.tokens import KEYWORD, NAME
from beeline.model.reading import END, Token

_AT_THE_TOP = ("rule", "startstate", "function", "procedure", "ruleset", "choose", "const", "type", "var")
_OPENING = (*_AT_THE_TOP[:6], "if", "for", "while", "switch", "alias", "record", "forall", "exists")
_ELSEWHERE = {"and": "&", "or": "|", "not": "!", "mod": "%", "div": "/", "xor": "!=", "implies": "->"}
_COMPOUND = {("+", "+"), ("-", "-"), ("+", "="), ("-", "="), ("*", "="), ("/", "=")}
_ARRAY = "an array is written `array [0 .. 2] of boolean`"
_WANTED = {
    "`;`": "end what stands before with `;`",
    "`then`": "write `then` behind the condition",
    "`do` or `:`": "write `do` in front of what is repeated",
    "`==>`": "write `==>` between the guard of a rule and its body",
    "`of`": _ARRAY,
    "`[`": _ARRAY,
    "`)`": "close the parenthesis that was opened before",
    "`]`": "close the bracket that was opened before",
    "`}`": "put `,` between the members",
    "`:`": "a declaration is written `name : type`, a constant `NAME : value`",
    "`:` or `:=`": "write `i: type` or `i := first to last`",
    "`..`": "a subrange is written `0 .. 3`, other types by their names",
    "`:=`": "assign with `:=`",
    "`end` or `endswitch`": "write `case value:` in front of each part",
    "`end` or `endforall`": "end the quantifier with `end`",
    "`end` or `endexists`": "end the quantifier with `end`",
    "`begin`": "write `begin` behind the declarations",
    "an expression": "a value is missing here",
    "a text in quotes": 'write the text between `"` and `"`',
    "a statement": "write a statement, or `end`",
    "a declaration, a function or a rule": "these stand outside of rules and functions; check the `end` before",
}


def remedy(wanted: str, tokens: Sequence[Token], position: int, line: Callable[[Token], int]) -> str:
    """What helps where `wanted` is expected and the token at a position is found; `line` tells where one stands.

    >>> from beeline.languages.murphi.errors import SourceText
    >>> from beeline.languages.murphi.tokens import cut
    >>> tokens = cut(SourceText("m.m", "rule x = 1 and y = 2"))
    >>> remedy("`==>`", tokens, 4, lambda token: 1)
    'write `&`'
    """
    found = tokens[position]
    before = tokens[position - 1] if position else found
    after = tokens[min(position + 1, len(tokens) - 1)]
    if found.text == "/" and after.text == "/":
        return "a comment begins with `--`, or stands between `/*` and `*/`"
    for token in (found, before):
        if token.kind == NAME and token.text.lower() in _ELSEWHERE:
            return f"write `{_ELSEWHERE[token.text.lower()]}`"
    if found.text == ">" and before.end == found.offset and before.text in ("=", "<"):
        return "write `==>` behind a guard, `>=` to compare" if before.text == "=" else "write `!=`"
    if wanted == "`:=`" and (found.text, after.text) in _COMPOUND:
        return f"write `{before.text} := {before.text} {found.text} 1`"
    if (found.text == "==>" and wanted == "`;`") or (before.text == "->" and found.text == "begin"):
        return "a guard is one condition: compare with `=`, and write `==>` once behind it"
    if found.text == "{":
        return "a body stands between `begin` and `end`"
    if found.text == ":=" and wanted.startswith("a declaration"):
        return "variables get their first values in a startstate"
    return _of_blocks(wanted, tokens, position, line) or _WANTED.get(wanted, "")


def _of_blocks(wanted: str, tokens: Sequence[Token], position: int, line: Callable[[Token], int]) -> str:
    """What helps where an end is missing, or one is too many."""
    found = tokens[position]
    if found.text.startswith("end") and found.kind == KEYWORD and wanted.startswith("a declaration"):
        return "there is nothing left to end: leave it out"
    if found.kind != END and not (found.kind == KEYWORD and found.text in _AT_THE_TOP):
        return ""
    opened: list[int] = []
    for number in range(position):
        token = tokens[number]
        if token.kind != KEYWORD:
            continue
        if token.text in _OPENING:
            opened.append(number)
        elif token.text.startswith("end") and opened:
            opened.pop()
    if not opened:
        return ""
    last = tokens[opened[-1]]
    behind_else = last.text == "if" and tokens[opened[-1] - 1].text == "else"
    ending = "write `elsif`, or end it by itself" if behind_else else "write one"
    return f"the `{last.text}` in line {line(last)} has no `end`: {ending}"
