"""How mistakes in a DVE file are reported: with the place, the line and a way out."""

from __future__ import annotations

from dataclasses import dataclass

from beeline.model.source import ModelError, Source


class DveError(ModelError):
    """A mistake in a DVE file, or something in it that Beeline does not take."""


@dataclass(frozen=True, slots=True)
class SourceText:
    """A file's name and text, from which errors cut their excerpt."""

    file: str
    text: str

    def error(self, message: str, at: Source, remedy: str = "") -> DveError:
        """A `DveError` at `at` that shows the line it is about."""
        lines = self.text.splitlines()
        excerpt = lines[at.line - 1].replace("\t", " ").rstrip() if 0 < at.line <= len(lines) else ""
        return DveError(message, at, remedy, excerpt)
