"""DVE, the input language of DiVinE and of the BEEM benchmark collection."""

from __future__ import annotations

from pathlib import Path

from beeline.languages.dve.elaborate import elaborate
from beeline.languages.dve.errors import DveError
from beeline.languages.dve.goals import find_goals
from beeline.languages.dve.parser import parse_model
from beeline.model.network import Network

__all__ = ["DveError", "load_dve", "read_dve"]


def read_dve(text: str, file: str = "<dve>") -> Network:
    """The network that a DVE text describes.

    >>> read_dve("byte x; process P { state a; init a; trans a -> a { effect x = 1; }; } system async;").name
    '<dve>'
    """
    return elaborate(parse_model(text, file), Path(file).stem)


def load_dve(file: str | Path) -> Network:
    """The network of a DVE file. Of a BEEM instance in its collection the goals are added as ``goal1``, ``goal2`` .."""
    path = Path(file)
    return elaborate(parse_model(path.read_text(errors="replace"), str(path)), path.stem, find_goals(path))
