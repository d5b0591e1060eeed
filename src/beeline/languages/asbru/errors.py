"""How mistakes in an Asbru file are reported: with the place, the line and a way out."""

from __future__ import annotations

from typing import ClassVar

from beeline.model import reading
from beeline.model.source import ModelError


class AsbruError(ModelError):
    """A mistake in an Asbru file, or something in it that Beeline does not take."""


class SourceText(reading.SourceText, frozen=True, dict=True):
    """The text of an Asbru file."""

    error_class: ClassVar[type[ModelError]] = AsbruError
