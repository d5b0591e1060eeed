"""How mistakes in an SMV file are reported: with the place, the line and a way out."""

from __future__ import annotations

from typing import ClassVar

from beeline.model import reading
from beeline.model.source import ModelError


class SmvError(ModelError):
    """A mistake in an SMV file, or something in it that Beeline does not take."""


class SourceText(reading.SourceText, frozen=True, dict=True):
    """The text of an SMV file."""

    error_class: ClassVar[type[ModelError]] = SmvError
