"""Questions about cycles on which `pan` is known to be wrong: found out by asking `pan` itself once more, or by
replaying the cycle that it tells."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

from beeline.checking.shorter_lasso import closed, repeated_states
from beeline.languages import load
from beeline.model.network import Network
from beeline.model.property import Property
from beeline.trace.spin import has_cycle, read_spin_trail
from beeline.trace.trail import TrailError

from .quick import LIMITS, SMALL_TABLE
from .spin import PLAIN_SPIN, Verifier

OTHER_ORDERS = ("-DT_REVERSE", "-DREVERSE")


def missed(text: str, flags: tuple[str, ...], options: tuple[str, ...]) -> str:
    """Why `pan` says that no cycle is there: it finds one when it takes steps in another order. Its search for fair
    cycles misses some in programs whose processes end while others go on."""
    with tempfile.TemporaryDirectory(prefix="random-promela-") as name:
        verifier = _verifier(text, Path(name))
        for order in OTHER_ORDERS:
            if verifier is None or verifier.build("other", (*flags, order), vector=1024, optimise="-O0"):
                return ""
            if verifier.search("other", [*options, SMALL_TABLE]).verdict == "violated":
                return "pan finds the cycle in another order"
    return ""


def invented(text: str, asked: Property, flags: tuple[str, ...], options: tuple[str, ...]) -> str:
    """Why `pan` tells a cycle where none is: in programs that mention `timeout` it looks at states of rest twice, and
    the run that it tells does not lead back, or does not violate what was asked."""
    if not re.search(r"\btimeout\b", text):
        return ""
    with tempfile.TemporaryDirectory(prefix="random-promela-") as name:
        verifier = _verifier(text, Path(name))
        model = Path(name) / "model.pml"
        if verifier is None or verifier.build("pan", flags, vector=1024, optimise="-O0"):
            return ""
        verifier.search("pan", [*options, SMALL_TABLE])
        network = load(model)
        assert isinstance(network, Network)
        return "" if _violates(network, asked, model) else "the run that pan tells is no cycle"


def _violates(network: Network, asked: Property, model: Path) -> bool:
    """Whether the run beside the model, as SPIN replays it, comes back and violates what is asked."""
    trail = Path(f"{model}.trail")
    if not has_cycle(trail):
        return False
    try:
        given = read_spin_trail(trail, model, asked.watched(network).alone)
        return given.cycle is not None and bool(repeated_states(network, asked, closed(given)))
    except TrailError:
        return False


def _verifier(text: str, folder: Path) -> Verifier | None:
    (folder / "model.pml").write_text(text)
    verifier = Verifier(folder, LIMITS)
    return verifier if verifier.generate(folder / "model.pml", [], PLAIN_SPIN)[0] else None
