"""What can be wrong with an UPPAAL file: a mistake in it, or a construct that goes beyond timed automata."""

from __future__ import annotations

from beeline.model.source import UNKNOWN, ModelError, Source


class UppaalError(ModelError):
    """A mistake in an UPPAAL model or query, with its place in the file."""

    def __init__(
        self, message: str, source: Source = UNKNOWN, remedy: str = "", context: str = "", excerpt: str = ""
    ) -> None:
        self.context = context
        super().__init__(f"{message} (in {context})" if context else message, source, remedy, excerpt)


class Unsupported(UppaalError):
    """A construct that is legal in UPPAAL but has no meaning for plain timed automata, or none here yet.

    `construct` is its name in a few words, the same for every use of it.
    """

    def __init__(self, construct: str, source: Source = UNKNOWN, remedy: str = "", context: str = "") -> None:
        self.construct = construct
        super().__init__(f"not supported: {construct}", source, remedy, context)
