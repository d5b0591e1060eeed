"""DVE, the input language of DiVinE and of the BEEM benchmark collection."""

from __future__ import annotations

from pathlib import Path

from beeline.languages import Language, LoadOptions, register
from beeline.languages.dve.elaborate import elaborate
from beeline.languages.dve.errors import DveError
from beeline.languages.dve.goals import find_goals
from beeline.languages.dve.parser import parse_model
from beeline.model.network import Network

__all__ = ["DveError", "load_dve", "read_dve"]


def read_dve(text: str, file: str = "<dve>") -> Network:
    """The network that a DVE text describes.

    >>> read_dve("process P { state a, b; init a; trans a -> b {}; } system async;").processes[0].name
    'P'
    """
    return elaborate(parse_model(text, file), Path(file).stem)


def load_dve(file: str | Path) -> Network:
    """The network of a DVE file. A BEEM instance in its collection gets the collection's goals as properties."""
    path = Path(file)
    return elaborate(parse_model(path.read_text(errors="replace"), str(path)), path.stem, find_goals(path))


def _load(path: Path, options: LoadOptions) -> Network:
    return load_dve(path)


LANGUAGE = register(
    Language(
        "dve",
        (".dve",),
        "DiVinE's language, with the goals of the BEEM collection; asynchronous systems, safety properties",
        _load,
        "R. Pelánek: BEEM, Benchmarks for Explicit Model Checkers, SPIN 2007",
    )
)
