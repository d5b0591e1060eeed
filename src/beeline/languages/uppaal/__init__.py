"""UPPAAL's timed automata: XML and text models, query files, and their meaning as a Network."""

from __future__ import annotations

from pathlib import Path

from beeline.languages import Language, LoadOptions, register
from beeline.languages.uppaal.errors import Unsupported, UppaalError
from beeline.model.network import Network, Property

__all__ = ["Unsupported", "UppaalError", "ask", "load", "load_text"]


def load(path: str | Path) -> Network:
    """Reads an UPPAAL model: `.xml`, `.xta` or `.ta`, with the queries inside or in a `.q` file beside it."""
    from beeline.languages.uppaal.elaborate import elaborate
    from beeline.languages.uppaal.read import read

    return elaborate(read(path))


def load_text(text: str, file: str = "") -> Network:
    """The network of a model given as text.

    >>> network = load_text("process P() { clock x; state s { x <= 2 }; init s; } system P;")
    >>> network.processes[0].locations[0].name
    's'
    """
    from beeline.languages.uppaal.elaborate import elaborate
    from beeline.languages.uppaal.read import parse

    return elaborate(parse(text, file))


def ask(network: Network, text: str) -> Property:
    """A further query about a network that was loaded from a file, as a property of it.

    Raises UppaalError if the text is no query, or names what the model does not have."""
    from beeline.languages.uppaal import elaborate

    return elaborate.ask(network, text)


def _load(path: Path, options: LoadOptions) -> Network:
    return load(path)


def _ask(network: Network, text: str) -> Property:
    """A query, or just the expression of an invariant as in other languages."""
    queries = ("A[]", "E<>", "A<>", "E[]")
    is_query = text.lstrip().startswith(queries) or "-->" in text
    return ask(network, text if is_query else f"A[] ({text})")


LANGUAGE = register(
    Language(
        "uppaal",
        (".xml", ".xta", ".ta"),
        "UPPAAL's timed automata, with the queries in the file or in a .q file beside it; reachability and deadlock",
        _load,
        "G. Behrmann, A. David, K. G. Larsen: A Tutorial on Uppaal, SFM-RT 2004",
        _ask,
    )
)
