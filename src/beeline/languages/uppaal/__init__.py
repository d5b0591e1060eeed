"""UPPAAL's timed automata: XML and text models, query files, and their meaning as a Network."""

from __future__ import annotations

from pathlib import Path

from beeline.languages import Language, LoadOptions, register
from beeline.languages.uppaal.elaborate import ask, load, load_text
from beeline.languages.uppaal.errors import Unsupported, UppaalError
from beeline.model.network import Network, Property

__all__ = ["Unsupported", "UppaalError", "ask", "load", "load_text"]


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
