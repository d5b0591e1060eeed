"""Words of Murphi, and a place among them. Keywords are the same in small and large letters, names are not."""

from __future__ import annotations

import re

from beeline.languages.murphi.errors import SourceText
from beeline.model.reading import SYMBOL, Token, Words

KEYWORD, NAME, NUMBER, STRING = "keyword", "name", "number", "string"

_RESERVED = """
alias array assert begin by case choose clear const do else elsif end endalias endchoose endexists endfor endforall
endfunction endif endprocedure endrecord endrule endruleset endstartstate endswitch endwhile enum error exists for
forall function if invariant ismember isundefined multiset multisetadd multisetcount multisetremove multisetremovepred
of procedure put record return rule ruleset scalarset startstate switch then to type undefine undefined union var while
"""
KEYWORDS = frozenset(_RESERVED.split())
SOFT_WORDS = frozenset(["assume", "cover", "liveness"])
"""Rumur's; in models for CMurphi they may be names. They count as words where one can stand and no name could."""
ANY_CASE = frozenset(["boolean", "true", "false"])
UNSUPPORTED = {
    "real": "real numbers are not supported",
    "externfun": "functions in C are not supported",
    "externproc": "procedures in C are not supported",
    "pctl": "probabilities are not supported",
}

_SPELLING = {
    "≔": ":=", "≥": ">=", "→": "->", "≤": "<=", "≠": "!=", "⇒": "==>", "¬": "!", "∧": "&&", "∨": "||", "÷": "/",
    "−": "-", "∕": "/", "×": "*", "==": "=", "∀": "forall", "∃": "exists",
}  # fmt: skip

_PATTERN = re.compile(
    r"""
    (?P<space>[ \t\r\n\f\v]+|--[^\n]*|/\*.*?\*/)
  | (?P<name>[A-Za-z_][A-Za-z0-9_]*)
  | (?P<real>[0-9]*\.[0-9]+|[0-9]+\.[0-9]+)
  | (?P<number>0[xX][0-9a-fA-F]+|[0-9]+)
  | (?P<string>["“](?:\\.|[^\\"”])*["”])
  | (?P<symbol>==>|:=|\.\.|>=|<=|!=|->|>>|<<|==|&&|\|\||[≔≥→≤≠⇒¬∧∨÷−∕×∀∃]|[-+*/%|^&<>=!~?:;,.(){}\[\]])
    """,
    re.VERBOSE | re.DOTALL,
)


_WORDS = Words(
    _PATTERN,
    unclosed={"/*": ("comment", "*/"), '"': ("string", '"'), "“": ("string", '"')},
    refused={"real": ("real numbers are not supported", "use a subrange of integers")},
    stray='leave it out; texts stand between `"` and `"`, comments begin with `--`',
)


def cut(source: SourceText) -> list[Token]:
    """The words of a text, and one for its end. The text of a keyword is in small letters, that of a string without
    its quotes."""
    return [_token(word.kind, word.text, word.offset, source) for word in _WORDS.cut(source)]


def _token(kind: str, text: str, at: int, source: SourceText) -> Token:
    if kind == "name":
        word = text.lower()
        if word in UNSUPPORTED:
            raise source.error(UNSUPPORTED[word], source.place(at), "describe it by subranges and rules")
        if word in KEYWORDS:
            return Token(KEYWORD, word, at)
        return Token(NAME, word if word in ANY_CASE else text, at)
    if kind == "string":
        return Token(STRING, text[1:-1], at)
    if kind == "symbol":
        text = _SPELLING.get(text, text)
        return Token(KEYWORD if text.isalpha() else SYMBOL, text, at)
    return Token(kind, text, at)
