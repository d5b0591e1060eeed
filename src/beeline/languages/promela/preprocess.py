"""The C preprocessor in front of Promela, done by the `pcpp` library.

SPIN sends every model through the system's `cpp`; here macros, `#include` and `#if` are handled in-process, and
every piece of the result remembers the line and column of the file a person wrote. A piece that a macro produced
points at the place where the macro was used.
"""

from __future__ import annotations

import io
import os
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pcpp
import pcpp.preprocessor

from beeline.model.source import Source
from beeline.records import Record

from .comments import without_comments
from .errors import PromelaError, read_text


class Piece(Record, frozen=True):
    """A run of text that came from one place."""

    text: str
    source: Source
    from_macro: bool


# C's trigraphs would eat the random receive: `q??<x>` is no brace.
pcpp.preprocessor.trigraph = lambda text: text


_BARE_DIRECTIVE = re.compile(r"^[ \t]*#[ \t]*(?P<directive>define|undef|ifdef|ifndef|if|elif)[ \t]*$", re.MULTILINE)


class _Preprocessor(pcpp.Preprocessor):  # type: ignore[misc]
    """pcpp, with its complaints turned into exceptions."""

    def __init__(self, name: str) -> None:
        super().__init__()
        # pcpp makes file names absolute; they are shown as given, those of included files beside the model's
        folder = re.escape(os.path.join(os.path.dirname(os.path.abspath(name)), ""))
        beside = os.path.join(os.path.dirname(name), "").replace("\\", r"\\")
        self.rewrite_paths: list[tuple[str, str]] = [(folder, beside)]

    def on_file_open(self, is_system_include: bool, includepath: str) -> io.StringIO:
        return io.StringIO(without_comments(read_text(includepath), includepath))

    def on_error(self, file: str, line: int, message: str) -> None:
        raise PromelaError(f"preprocessor: {message}", Source(file, line))

    def on_include_not_found(self, is_malformed: bool, is_system_include: bool, curdir: str, includepath: str) -> None:
        what = "malformed #include" if is_malformed else f"cannot find the included file '{includepath}'"
        raise PromelaError(what, Source(self.source or "<none>", int(self.linemacro or 1)))


def preprocess(path: str | Path, defines: Iterable[str] = (), text: str | None = None) -> list[Piece]:
    """The pieces of the file at `path` (or of `text`, as if it were that file) after preprocessing.

    `defines` are as after `-D` on a command line: `"N=3"` or `"DEBUG"`. Included files are searched for in the
    folder of the including file.
    """
    name = str(path)
    if text is None:
        try:
            text = read_text(path)
        except OSError as problem:
            raise PromelaError(f"cannot read the model: {problem.strerror}", Source(name, 0, 0)) from problem
    text = without_comments(text, name)
    preprocessor = _Preprocessor(name)
    for definition in defines:
        macro, _, value = definition.partition("=")
        preprocessor.define(f"{macro} {value if _ else '1'}")
    bare = _BARE_DIRECTIVE.search(text)
    if bare is not None:
        line = text.count("\n", 0, bare.start("directive")) + 1
        raise PromelaError(
            f"preprocessor: #{bare['directive']} says nothing", Source(name, line), "add what it is about"
        )
    try:
        preprocessor.parse(text, name)
        return _pieces(preprocessor, _Columns({name: text}))
    except (IndexError, KeyError, TypeError, AttributeError, ValueError) as problem:  # how pcpp meets what is malformed
        raise PromelaError("preprocessor: a directive is malformed", Source(name)) from problem


def _pieces(preprocessor: Any, columns: _Columns) -> list[Piece]:
    pieces: list[Piece] = []
    while (token := preprocessor.token()) is not None:
        if token.value:
            origins = getattr(token, "expanded_from", None) or []
            position = columns.locate(token.source, token.lineno, token.lexpos, origins[-1] if origins else None)
            pieces.append(Piece(token.value, position, bool(origins)))
    return pieces


class _Columns:
    """Turns offsets in a file into columns; remembers where the last macro call stood."""

    def __init__(self, texts: dict[str, str]) -> None:
        self._starts: dict[str, list[int]] = {}
        self._lines: dict[str, list[str]] = {}
        for name, text in texts.items():
            self._add(name, text)
        self._last = Source("", 0, 0)

    def _add(self, name: str, text: str) -> None:
        lines = text.split("\n")
        starts, offset = [], 0
        for line in lines:
            starts.append(offset)
            offset += len(line) + 1
        self._starts[name], self._lines[name] = starts, lines

    def locate(self, file: str, line: int, offset: int, macro: str | None) -> Source:
        if file not in self._starts:
            try:
                self._add(file, read_text(file))
            except OSError:
                self._add(file, "")
        starts, lines = self._starts[file], self._lines[file]
        if not 0 < line <= len(lines):
            return Source(file, line)
        same_line = self._last.file == file and self._last.line == line
        if macro is None:
            column = offset - starts[line - 1] + 1
            if not 0 < column <= len(lines[line - 1]) + 1:
                column = self._last.column if same_line else 1
        else:
            start = self._last.column - 1 if same_line else 0
            found = lines[line - 1].find(macro, start)
            column = (found if found >= 0 else start) + 1
        self._last = Source(file, line, column)
        return self._last
