"""From a file to its syntax tree, whatever the format."""

from __future__ import annotations

from pathlib import Path

from beeline.languages.uppaal.errors import UppaalError, decode
from beeline.languages.uppaal.processes import parse_xta
from beeline.languages.uppaal.queries import parse_queries
from beeline.languages.uppaal.syntax import Document
from beeline.model.source import Source
from beeline.records import replace


def parse(text: str, file: str = "") -> Document:
    """The syntax tree of a model given as text; the format is read off the text and the name's ending.

    >>> parse("process P() { state s; init s; } system P;").system[0][0]
    'P'
    """
    if text.lstrip("\ufeff \t\r\n").startswith("<"):
        from beeline.languages.uppaal.markup import parse_xml

        return parse_xml(text.lstrip("\ufeff"), file)
    return parse_xta(text, file, old=file.endswith(".ta"))


def read(path: str | Path) -> Document:
    """The syntax tree of a model file, with the queries of a `.q` file of the same name beside it."""
    path = Path(path)
    document = parse(_text(path), str(path))
    beside = path.with_suffix(".q")
    if beside != path and beside.is_file():
        return replace(document, queries=(*document.queries, *parse_queries(_text(beside), str(beside))))
    return document


def _text(path: Path) -> str:
    data = path.read_bytes()
    if data.lstrip().startswith(b"<") and b"encoding" in data[:200].lower():
        try:
            data.decode("utf-8-sig")
        except UnicodeDecodeError:
            raise UppaalError("the file is not UTF-8", Source(str(path), 1, 1)) from None
    return decode(data)
