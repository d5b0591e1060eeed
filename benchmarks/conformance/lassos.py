"""Random programs whose runs go on for ever: `spin -t` must be able to replay our lassos, and pan's lassos must become
ours, closed and no longer than they were."""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path

from beeline import Limits, check
from beeline.checking.shorter_lasso import closed, repeated_states, shorter_lasso
from beeline.languages import load
from beeline.model.network import Network
from beeline.model.property import Property
from beeline.model.source import BeelineError, ModelError
from beeline.trace.lasso import trail_of_trace
from beeline.trace.spin import has_cycle, read_spin_trail, to_spin_trail

from .liveness import CYCLES
from .quick import LIMITS, SMALL_TABLE
from .spin import PLAIN_SPIN, Verifier, quick_compiler
from .tool import Beeline

SOUGHT = Limits(time=20, states=50_000)


def lasso_differences(text: str, beeline: Beeline) -> tuple[str, str]:
    """What became of a program (`agrees`, `disagrees`, `rejected`, `without a lasso`), and what is wrong."""
    with tempfile.TemporaryDirectory(prefix="random-promela-") as name:
        model = Path(name) / "model.pml"
        model.write_text(text)
        try:
            network = load(model)
        except ModelError as error:
            return "rejected", str(error)
        assert isinstance(network, Network)
        kinds: set[str] = set()
        for asked in network.properties:
            if not asked.seeks_cycle:
                continue
            try:
                fault = _ours(model, network, asked) or _pans(model, network, asked)
            except BeelineError as error:
                fault = f"{type(error).__name__}: {error}"
            if fault is None:
                continue
            if fault:
                return "disagrees", f"{asked.name}: {fault}"
            kinds.add("agrees")
        return (kinds.pop() if kinds else "without a lasso"), ""


def _ours(model: Path, network: Network, asked: Property) -> str | None:
    """What is wrong with the trail of our lasso; nothing if SPIN replays it, None if there is none."""
    trace = check(network, asked, limits=SOUGHT).trace
    if trace is None or trace.cycle is None:
        return None
    lines = to_spin_trail(trail_of_trace(network, asked, trace), model)
    Path(f"{model}.trail").write_text(lines)
    done = subprocess.run(["spin", "-t", model.name], cwd=model.parent, capture_output=True, text=True, check=False)
    steps = sum(not line.startswith("-") for line in lines.splitlines())
    count = steps or (-2 if lines.splitlines() else 0)  # SPIN tells the number of the last line
    if f"trail ends after {count} steps" not in done.stdout or "not executable" in done.stdout:
        return f"replay: {(done.stdout + done.stderr)[-300:]}"
    return ""


def _pans(model: Path, network: Network, asked: Property) -> str:
    """What is wrong with what we make of pan's lasso; nothing if all is well or pan has none."""
    verifier = Verifier(model.parent, LIMITS)
    flags = (*CYCLES, "-DNP") if asked.kind == "progress" else CYCLES
    if not verifier.generate(model, [], PLAIN_SPIN)[0] or verifier.build("pan", flags, 1024, "-O0", quick_compiler()):
        return ""
    claim = ("-N", asked.name) if asked.kind == "ltl" else ("-E",) if asked.kind == "acceptance" else ()
    trail = Path(f"{model}.trail")
    trail.unlink(missing_ok=True)
    verifier.search("pan", ["-l" if asked.kind == "progress" else "-a", *claim, SMALL_TABLE])
    if not trail.exists() or not has_cycle(trail):
        return ""
    unwatched = asked.watched(network).alone
    given = closed(read_spin_trail(trail, model, unwatched))
    if not repeated_states(network, asked, given):
        return f"pan's lasso of {len(given)} steps is no violation"
    better, _ = shorter_lasso(network, asked, given, SOUGHT)
    return "" if len(better) <= len(given) else f"{len(given)} steps became {len(better)}"
