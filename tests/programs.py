"""Programs that tests write themselves."""

from __future__ import annotations

from pathlib import Path

from beeline.languages import load
from beeline.model.network import Network


def promela(folder: Path, text: str) -> Network:
    """The network of a Promela program, whose file is put into the folder."""
    path = folder / "model.pml"
    path.write_text(text)
    network = load(path)
    assert isinstance(network, Network)
    return network
