"""Promela, the language of SPIN: reading models, and turning them into Networks."""

from __future__ import annotations

from pathlib import Path

from beeline.engine.budget import doing
from beeline.languages import Language, LoadOptions
from beeline.model.network import Network


def load(path: Path, options: LoadOptions) -> Network:
    """The Network of the Promela model at `path`."""
    from .elaborate import elaborate
    from .parser import parse_file

    defines = [f"{name}={value}" if value != "" else name for name, value in options.defines.items()]
    model = parse_file(path, defines, options.claim)
    doing("elaborating")
    return elaborate(model, lossy=options.lossy)


def _read(text: str, path: Path) -> Network:
    from .elaborate import elaborate
    from .parser import parse_text

    return elaborate(parse_text(text, str(path)))


LANGUAGE = Language(
    "promela",
    (".pml", ".prom", ".promela", ".pm", ".pr", ".prm", ".spin", ".p"),
    "SPIN's language, all but embedded C; states and steps are those of SPIN's verifier",
    load,
    "G. J. Holzmann, The SPIN Model Checker, Addison-Wesley 2003",
    takes_claims=True,
    signs=(r"\bproctype\s+\w+\s*\(|^\s*init\s*\{",),
    read=_read,
)
