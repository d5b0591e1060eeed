"""Queries: the reachability and liveness forms of UPPAAL's logic; other kinds are recognised and named."""

from __future__ import annotations

import re

from beeline.languages.uppaal.errors import Unsupported, UppaalError
from beeline.languages.uppaal.expressions import ExpressionParser
from beeline.languages.uppaal.syntax import Query
from beeline.languages.uppaal.text import Piece, from_string
from beeline.records import replace

# Beginnings of queries that ask for more than timed automata, and what they are.
_OTHER = (
    (r"strategy\b|saveStrategy\b|loadStrategy\b|.*\bunder\b", "strategies"),
    (r"(E<>\s*)?control(_t\*)?\b|\{.*\}\s*control\b", "games (control)"),
    (r"(minE|maxE|minPr|maxPr)\b", "optimal strategies (minE, maxE)"),
    (r"simulate\b", "simulations (simulate)"),
    (r"Pr\s*[\[(]|Pr\b|Pmax\b", "probability queries (Pr)"),
    (r"E\s*\[[^\]]+\]", "expected values (E[..])"),
    (r"(sup|inf|bounds)\s*(\{|:)", "value ranges (sup, inf, bounds)"),
    (r"sat\s*:", "live sequence charts (sat)"),
    (r"A\s*\[\s*[^\]\s].*\b[UW]\b", "until (A[p U q])"),
    (r"refinement\b|specification\b|consistency\b|implementation\b", "refinement checks"),
)
_PATHS = {("E", "<", ">"): "E<>", ("A", "[", "]"): "A[]", ("E", "[", "]"): "E[]", ("A", "<", ">"): "A<>"}


class QueryParser(ExpressionParser):
    def query(self, text: str) -> Query:
        source = self.token.source
        path = _PATHS.get((self.token.text, self.ahead(1).text, self.ahead(2).text), "")
        if path:
            self.position += 3
            formula = self.expression()
            return Query(text, path, formula, source=source)
        formula = self.expression()
        if self.accept("-->"):
            return Query(text, "-->", formula, self.expression(), source=source)
        raise self.error("a query begins with E<>, A[], E[] or A<>, or has the form p --> q", source)


def parse_query(piece: Piece, comment: str = "") -> Query:
    """Reads one query. One that goes beyond timed automata gives a Query with `refusal` set.

    >>> parse_query(from_string("A[] not deadlock")).path
    'A[]'
    """
    text = " ".join(re.sub(r"//[^\n]*|/\*.*?\*/|\\\s*\n", " ", piece.text, flags=re.DOTALL).split())
    for pattern, kind in _OTHER:
        if re.match(pattern, text):
            start = len(piece.text) - len(piece.text.lstrip())
            return Query(text, "", None, refusal=kind, comment=comment, source=piece.source(start))
    parser = QueryParser(piece)
    try:
        query = parser.query(text)
        parser.expect_end()
    except Unsupported as refusal:
        return Query(text, "", None, refusal=refusal.construct, comment=comment, source=refusal.source)
    return replace(query, comment=comment)


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
        bare = re.sub(r"//[^\n]*|/\*.*?\*/", "", line, flags=re.DOTALL).strip()
        if not bare:
            continue
        marks = tuple((at - start, row, column) for at, row, column in piece.marks if start <= at < end)
        first = piece.source(start)
        marks = ((0, first.line, first.column), *marks)
        found.append(parse_query(Piece(line, file, "query", marks), comment))
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
                raise UppaalError("comment without end", from_string(text).source(at))
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
