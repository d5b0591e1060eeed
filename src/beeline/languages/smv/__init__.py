"""SMV, the language of NuSMV and nuXmv: synchronous systems, with constraints on what comes next."""

from __future__ import annotations

from pathlib import Path

from beeline.engine.budget import doing
from beeline.languages import Language, LoadOptions
from beeline.model.network import Network

__all__ = ["load_smv", "read_smv"]


def read_smv(text: str, file: str = "<smv>") -> Network:
    """The network that an SMV text describes.

    >>> network = read_smv("MODULE main VAR x : 0..3; ASSIGN init(x) := 0; next(x) := (x + 1) mod 4;")
    >>> [variable.name for variable in network.variables]
    ['x']
    """
    from beeline.languages.smv.elaborate import elaborate
    from beeline.languages.smv.parser import parse_model

    model = parse_model(text, file)
    doing("elaborating")
    return elaborate(model, Path(file).stem)


def load_smv(file: str | Path) -> Network:
    """The network of an SMV file."""
    path = Path(file)
    return read_smv(path.read_text(encoding="utf-8-sig", errors="replace"), str(path))


def _load(path: Path, options: LoadOptions) -> Network:
    return load_smv(path)


LANGUAGE = Language(
    "smv",
    (".smv",),
    "SMV as NuSMV reads it: modules, assignments and constraints, processes; CTL, LTL and invariants, fairness",
    _load,
    "K. L. McMillan: Symbolic Model Checking, 1993; A. Cimatti et al.: NuSMV 2, CAV 2002",
    signs=(r"^\s*MODULE\s+main\b", r"^\s*(VAR|IVAR|DEFINE|ASSIGN)\b"),
    read=lambda text, path: read_smv(text, str(path)),
)
