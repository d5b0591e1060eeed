"""How mistakes in a Murphi file are reported: with the place, the line and a way out."""

from __future__ import annotations

from typing import ClassVar

from beeline.model import reading
from beeline.model.source import ModelError


class MurphiError(ModelError):
    """A mistake in a Murphi file, or something in it that Beeline does not take."""


class SourceText(reading.SourceText, frozen=True, dict=True):
    """The text of a Murphi file."""

    error_class: ClassVar[type[ModelError]] = MurphiError
