"""UPPAAL's timed automata: XML and text models, query files, and their meaning as a Network."""

from __future__ import annotations

from pathlib import Path

from beeline.engine.budget import doing
from beeline.languages import Language, LoadOptions
from beeline.languages.uppaal.errors import Unsupported, UppaalError, pointing
from beeline.model.network import Network
from beeline.model.property import Property

__all__ = ["Unsupported", "UppaalError", "ask", "load", "load_text"]


def load(path: str | Path) -> Network:
    """Reads an UPPAAL model: `.xml`, `.xta` or `.ta`, with the queries inside or in a `.q` file beside it."""
    from beeline.languages.uppaal.elaborate import elaborate
    from beeline.languages.uppaal.read import read

    with pointing():
        document = read(path)
        doing("elaborating")
        return elaborate(document)


def load_text(text: str, file: str = "") -> Network:
    """The network of a model given as text.

    >>> network = load_text("process P() { clock x; state s { x <= 2 }; init s; } system P;")
    >>> network.processes[0].locations[0].name
    's'
    """
    from beeline.languages.uppaal.elaborate import elaborate
    from beeline.languages.uppaal.read import parse

    with pointing(text, file):
        return elaborate(parse(text, file))


def ask(network: Network, text: str) -> Property:
    """A further query about a network that was loaded here, as a property of it; a condition alone is an invariant.

    Raises UppaalError if the text is no query, or names what the model does not have."""
    from beeline.languages.uppaal import elaborate

    with pointing(text, elaborate.ASKED):
        return elaborate.ask(network, text)


def _load(path: Path, options: LoadOptions) -> Network:
    return load(path)


LANGUAGE = Language(
    "uppaal",
    (".xml", ".xta", ".ta"),
    "UPPAAL's timed automata, with the queries in the file or in a .q file beside it",
    _load,
    "G. Behrmann, A. David, K. G. Larsen: A Tutorial on Uppaal, SFM-RT 2004",
    ask,
    (r"<nta\b|^\s*process\s+\w+\s*\([^)]*\)\s*\{(?s:.*)^\s*system\s+[^;]+;",),
    lambda text, path: load_text(text, str(path)),
)
