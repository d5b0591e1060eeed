"""DVE, the input language of DiVinE and of the BEEM benchmark collection."""

from __future__ import annotations

import re
from pathlib import Path

from beeline.engine.budget import doing
from beeline.languages import Language, LoadOptions
from beeline.model.network import Network
from beeline.model.property import Property
from beeline.properties import find_property

__all__ = ["load_dve", "read_dve"]


def read_dve(text: str, file: str = "<dve>") -> Network:
    """The network that a DVE text describes.

    >>> read_dve("process P { state a, b; init a; trans a -> b {}; } system async;").processes[0].name
    'P'
    """
    from beeline.languages.dve.elaborate import elaborate
    from beeline.languages.dve.parser import parse_model

    return elaborate(parse_model(text, file), Path(file).stem)


def load_dve(file: str | Path) -> Network:
    """The network of a DVE file. A BEEM instance in its collection gets the collection's goals as properties."""
    from beeline.languages.dve.elaborate import elaborate
    from beeline.languages.dve.goals import find_goals
    from beeline.languages.dve.parser import parse_model

    path = Path(file)
    model = parse_model(path.read_text(errors="replace"), str(path))
    doing("elaborating")
    return elaborate(model, path.stem, find_goals(path))


def _load(path: Path, options: LoadOptions) -> Network:
    return load_dve(path)


def _ask(network: Network, text: str) -> Property:
    """A property in the house's syntax, in which ``P->x`` also stands for the variable x of process P."""

    def variable(match: re.Match[str]) -> str:
        return f"{match[1]}." if match[1] in network.process_index else match[0]

    return find_property(network, re.sub(r"\b([A-Za-z_]\w*)\s*->\s*(?=[A-Za-z_])", variable, text))


LANGUAGE = Language(
    "dve",
    (".dve",),
    "DiVinE's language, with the goals of the BEEM collection; asynchronous systems, safety properties",
    _load,
    "R. Pelánek: BEEM, Benchmarks for Explicit Model Checkers, SPIN 2007",
    _ask,
    (r"^\s*process\s+\w+\s*\{", r"^\s*system\s+a?sync\b"),
    lambda text, path: read_dve(text, str(path)),
)
