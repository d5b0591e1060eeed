"""How mistakes in a DVE file are reported: with the place, the line and a way out."""

from __future__ import annotations

from collections.abc import Iterable

from beeline.model.source import ModelError, Source
from beeline.records import Record
from beeline.spelling import closest


class DveError(ModelError):
    """A mistake in a DVE file, or something in it that Beeline does not take."""


class SourceText(Record, frozen=True):
    """A file's name and text, from which errors cut their excerpt."""

    file: str
    text: str

    def error(self, message: str, at: Source, remedy: str = "") -> DveError:
        """A `DveError` at `at` that shows the line it is about."""
        lines = self.text.splitlines() if at.file == self.file else []
        excerpt = lines[at.line - 1].replace("\t", " ").rstrip() if 0 < at.line <= len(lines) else ""
        return DveError(message, at, remedy, excerpt)

    def unknown(self, what: str, name: str, known: Iterable[str], at: Source) -> DveError:
        """An error about a name that nothing has, with the nearest known one."""
        candidates = sorted(known)
        close = closest(name, candidates)
        remedy = f"did you mean `{close}`?" if close else f"known: {', '.join(candidates[:12]) or 'none'}"
        return self.error(f"no {what} called `{name}`", at, remedy)
