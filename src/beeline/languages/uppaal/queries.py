"""Queries: reachability, liveness and the ranges of values; other kinds are recognised and named."""

from __future__ import annotations

import re

from beeline.languages.uppaal.errors import Unsupported, UppaalError
from beeline.languages.uppaal.expressions import ExpressionParser
from beeline.languages.uppaal.syntax import Boolean, Expression, Query
from beeline.languages.uppaal.text import Piece, from_string
from beeline.model.source import Source
from beeline.records import replace

# Beginnings of queries that ask for more than timed automata, and what they are.
_OTHER = (
    (r"strategy\b|saveStrategy\b|loadStrategy\b|.*\bunder\b", "strategies"),
    (r"(E<>\s*)?control(_t\*)?\b|\{.*\}\s*control\b", "games (control)"),
    (r"(minE|maxE|minPr|maxPr)\b", "optimal strategies (minE, maxE)"),
    (r"simulate\b", "simulations (simulate)"),
    (r"Pr\s*[\[(]|Pr\b|Pmax\b", "probability queries (Pr)"),
    (r"E\s*\[[^\]]+\]", "expected values (E[..])"),
    (r"sat\s*:", "live sequence charts (sat)"),
    (r"A\s*\[\s*[^\]\s].*\b[UW]\b", "until (A[p U q])"),
    (r"(ltl|mu|hoa)\s*:|ctl\s*[\[:]", "formulas of other logics (ltl, ctl, mu, hoa); A<>, E[] and --> ask about runs"),
    (r"refinement\b|specification\b|consistency\b|implementation\b", "refinement checks"),
)
_PATHS = {("E", "<", ">"): "E<>", ("A", "[", "]"): "A[]", ("E", "[", "]"): "E[]", ("A", "<", ">"): "A<>"}


_RANGES = ("sup", "inf", "bounds")
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)


class QueryParser(ExpressionParser):
    def query(self, text: str, bare: bool) -> Query:
        source = self.token.source
        path = _PATHS.get((self.token.text, self.ahead(1).text, self.ahead(2).text), "")
        if path:
            self.goto(self.position + 3)
            return Query(text, path, self.expression(), source=source)
        if self.at(*_RANGES) and self.ahead(1).text in ("{", ":"):
            return self.range(text)
        formula = self.expression()
        if self.accept("-->"):
            return Query(text, "-->", formula, self.expression(), source=source)
        if bare:
            return Query(text, "A[]", formula, source=source)
        raise self.error("a query begins with E<>, A[], E[], A<>, sup, inf or bounds, or has the form p --> q", source)

    def range(self, text: str) -> Query:
        """``sup{p}: e, f``: the range of values in the states with p, or in all states."""
        token = self.advance()
        states: Expression = Boolean(True, token.source)
        if self.accept("{"):
            states = self.expression()
            self.expect("}", where="after the condition on states")
        self.expect(":", where=f"before what {token.text} is asked of")
        return Query(text, token.text, states, values=self.expression_list(), source=token.source)


def plain_text(written: str) -> str:
    """What was written without comments and line ends."""
    return " ".join(re.sub(r"\\\s*\n", " ", _COMMENT.sub(" ", written)).split())


def parse_query(piece: Piece, comment: str = "", *, bare: bool = False) -> Query:
    """Reads one query. One that goes beyond timed automata gives a Query with `refusal` set.

    With `bare` a condition alone is read as an invariant.

    >>> parse_query(from_string("A[] not deadlock")).path
    'A[]'
    """
    text = plain_text(piece.text)
    for pattern, kind in _OTHER:
        if re.match(pattern, text):
            return Query(text, "", None, refusal=kind, comment=comment, source=_start(piece))
    parser = QueryParser(piece)
    try:
        query = parser.query(text, bare)
        parser.expect_end()
    except Unsupported as refusal:
        return Query(text, "", None, refusal=refusal.construct, comment=comment, source=refusal.source)
    return replace(query, comment=comment)


def listed(piece: Piece, comment: str = "") -> Query:
    """A query among others: a mistake in it is kept with it, so that the others are answered."""
    try:
        return parse_query(piece, comment)
    except UppaalError as error:
        return Query(plain_text(piece.text), "", None, mistake=error.plain, comment=comment, source=error.source)


def _start(piece: Piece) -> Source:
    """Where a query begins, after comments and white space."""
    blank = _COMMENT.sub(lambda found: " " * len(found.group()), piece.text)
    return piece.source(len(blank) - len(blank.lstrip()))


def parse_queries(text: str, file: str = "") -> tuple[Query, ...]:
    """Reads a query file: one query to a line, longer ones continued with a backslash or inside brackets.

    A comment before a query belongs to it.
    """
    piece = from_string(text, file, "query file")
    found: list[Query] = []
    comment = ""
    for start, end in _lines(text):
        line = text[start:end]
        said = [re.sub(r"^\s*\*?", "", row).strip() for row in _comments(line)]
        if said:
            comment = " ".join(row for row in said if row)
        if not plain_text(line):
            continue
        marks = tuple((at - start, row, column) for at, row, column in piece.marks if start <= at < end)
        first = piece.source(start)
        marks = ((0, first.line, first.column), *marks)
        found.append(listed(Piece(line, file, "query", marks), comment))
        comment = ""
    return tuple(found)


def _comments(line: str) -> list[str]:
    rows: list[str] = []
    for match in re.finditer(r"//([^\n]*)|/\*(.*?)\*/", line, re.DOTALL):
        rows.extend((match.group(1) or match.group(2) or "").splitlines())
    return rows


def _lines(text: str) -> list[tuple[int, int]]:
    """Spans of logical lines: a newline inside a comment, brackets or after a backslash does not end one."""
    spans: list[tuple[int, int]] = []
    start = depth = at = 0
    while at < len(text):
        if text.startswith("/*", at):
            close = text.find("*/", at)
            if close < 0:
                break
            at = close + 2
            continue
        if text.startswith("//", at):
            close = text.find("\n", at)
            at = len(text) if close < 0 else close
            continue
        if match := re.compile(r"\\[ \t]*\r?\n").match(text, at):
            at = match.end()
            continue
        letter = text[at]
        depth += {"(": 1, "{": 1, ")": -1, "}": -1}.get(letter, 0)
        at += 1
        if letter == "\n" and depth <= 0:
            spans.append((start, at))
            start, depth = at, 0
    if text[start:].strip():
        spans.append((start, len(text)))
    return spans
