"""SPIN on the same models: `pan` built with and without its own reduction."""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from .measure import Model, explore_all
from .report import relation, table

MODELS = (
    Model("alternating_bit"),
    Model("cache_coherence"),
    Model("elevator"),
    Model("giop", (("FIXED", "1"),)),
    Model("job_queue"),
    Model("leader", (("N", "6"),)),
    Model("marriers", (("N", "4"), ("FIXED", "1"))),
    Model("needham_schroeder", (("FIXED", "1"),)),
    Model("peterson"),
    Model("philosophers", (("N", "8"), ("ORDERED", "1"))),
    Model("sliding_window"),
    Model("two_phase_commit"),
)
_STORED = re.compile(r"(\d+) states, stored")
_TIME = re.compile(r"elapsed time ([\d.]+) seconds")


def is_present() -> bool:
    return shutil.which("spin") is not None and shutil.which("gcc") is not None


def stored_states(model: Model, reduced: bool) -> tuple[int, float] | None:
    """States that `pan -c0 -n` stores in a search for safety, and its seconds; None if it does not get through."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(model.path, folder)
        flags = [f"-D{key}={value}" for key, value in model.defines]
        subprocess.run(["spin", *flags, "-a", model.path.name], cwd=folder, capture_output=True, check=False)
        build = [
            "gcc",
            "-O2",
            "-DSAFETY",
            "-DVECTORSZ=4096",
            *(() if reduced else ("-DNOREDUCE",)),
            "-o",
            "pan",
            "pan.c",
        ]
        if subprocess.run(build, cwd=folder, capture_output=True, check=False).returncode:
            return None
        pan = [str(Path(folder) / "pan"), "-c0", "-n", "-m1000000"]
        try:
            done = subprocess.run(pan, cwd=folder, capture_output=True, text=True, timeout=60, check=False)
        except subprocess.TimeoutExpired:
            return None
    stored, seconds = _STORED.search(done.stdout), _TIME.search(done.stdout)
    if stored is None or "max search depth too small" in done.stdout:
        return None
    return int(stored[1]), float(seconds[1]) if seconds is not None else 0.0


def beside() -> str:
    """Each tool's reduction against its own plain search."""
    rows: list[list[object]] = []
    shares: list[tuple[Model, float, float]] = []
    for model in MODELS:
        network = model.network()
        found = [stored_states(model, reduced) for reduced in (False, True)]
        ours = [explore_all(network, "dfs", way).statistics for way in ("none", "stubborn")]
        shown = [f"{each[0]} ({each[1]:.2f} s)" if each is not None else "-" for each in found]
        shown += [f"{each.stored} ({each.seconds:.2f} s)" for each in ours]
        plain, reduced = found
        if plain is None or reduced is None:
            rows.append([model, *shown, "-", "-"])
            continue
        shares.append((model, reduced[0] / plain[0], ours[1].stored / ours[0].stored))
        rows.append([model, *shown, *(f"{share:.3f}" for share in shares[-1][1:])])
    weaker = [f"{model}, {own:.3f} and {other:.3f}" for model, other, own in shares if own > other]
    return table(
        "Beside SPIN",
        "Stored states and seconds of the whole space, depth first: `pan` with `-DNOREDUCE` and as it is (statements\n"
        "merged), ours without and with `stubborn`; and what each reduction leaves of its tool's plain space.",
        ["model", "pan", "pan reduced", "ours", "ours stubborn", "pan leaves", "ours leaves"],
        rows,
        relation(
            f"At least as strong a reduction as SPIN's on most models (all but {len(weaker)} of {len(shares)})",
            weaker if 2 * len(weaker) >= len(shares) else [],
        ),
    )
