"""What can be wrong with an UPPAAL file: a mistake in it, or a construct that goes beyond timed automata."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from beeline.model.source import UNKNOWN, ModelError, Source


class UppaalError(ModelError):
    """A mistake in an UPPAAL model or query, with its place in the file."""

    def __init__(self, message: str, source: Source = UNKNOWN, remedy: str = "", context: str = "") -> None:
        self.plain = message  # without where in the model it is
        self.context = context
        super().__init__(f"{message} (in {context})" if context else message, source, remedy)

    def show(self, text: str) -> None:
        """Adds the line of `text` in which the mistake is, unless one is shown already."""
        lines = text.split("\n")
        if not self.excerpt and 0 < self.source.line <= len(lines):
            self.excerpt = lines[self.source.line - 1].rstrip("\r").expandtabs(1)
            self.args = (self._render(),)


class Unsupported(UppaalError):
    """A construct that is legal in UPPAAL but has no meaning for plain timed automata, or none here yet.

    `construct` is its name in a few words, the same for every use of it.
    """

    def __init__(self, construct: str, source: Source = UNKNOWN, remedy: str = "", context: str = "") -> None:
        self.construct = construct
        super().__init__(f"not supported: {construct}", source, remedy, context)


def decode(data: bytes) -> str:
    """The text of a file: UTF-8, or what older editors wrote."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("latin-1")
    return text.replace("\r\n", "\n")


@contextmanager
def pointing(text: str = "", file: str | None = None) -> Iterator[None]:
    """Errors raised inside show the line that they are about: of `text`, which is called `file`, or of the file that
    they name."""
    try:
        yield
    except UppaalError as error:
        error.show(text if error.source.file == file else _text_of(error.source.file))
        raise


def _text_of(file: str) -> str:
    try:
        return decode(Path(file).read_bytes())
    except OSError:
        return ""
