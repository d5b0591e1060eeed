"""Murphi, the language of rule-based systems: as CMurphi 5.4 and Rumur read it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from beeline.engine.budget import doing
from beeline.languages import Language, LoadOptions
from beeline.model.network import Network

__all__ = ["load_murphi", "read_murphi"]


def read_murphi(
    text: str,
    file: str = "<murphi>",
    constants: Mapping[str, str] | None = None,
    deadlock: str = "stuttering",
    undefined: str = "auto",
) -> Network:
    """The network that a Murphi text describes. `constants` are taken instead of those that the text declares;
    `deadlock` says what counts as one (``stuttering``, ``stuck`` or ``off``), `undefined` what it is to copy a variable
    that has no value (``error``, ``copied``, or ``auto`` by what the text has): see docs/murphi.md.

    >>> network = read_murphi('var x: 0..3; startstate x := 0; end; rule "up" x < 3 ==> x := x + 1; end;')
    >>> [process.name for process in network.processes]
    ['startstate', 'up']
    """
    from beeline.languages.murphi.elaborate import Dialect, elaborate
    from beeline.languages.murphi.parser import parse_model

    model = parse_model(text, file)
    doing("elaborating")
    return elaborate(model, Path(file).stem, Dialect(constants or {}, deadlock, undefined))


def load_murphi(
    file: str | Path,
    constants: Mapping[str, str] | None = None,
    deadlock: str = "stuttering",
    undefined: str = "auto",
) -> Network:
    """The network of a Murphi file; see `read_murphi`."""
    path = Path(file)
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        text = path.read_text(encoding="latin-1")
    return read_murphi(text, str(path), constants, deadlock, undefined)


def _load(path: Path, options: LoadOptions) -> Network:
    return load_murphi(path, options.defines, options.deadlock, options.undefined)


LANGUAGE = Language(
    "murphi",
    (".m",),
    "Murphi as CMurphi and Rumur read it: rules, scalarsets, multisets; invariants, assertions, covers, deadlock",
    _load,
    "D. L. Dill: The Murphi Verification System, CAV 1996",
    signs=(r"(?i)\bstartstate\b", r"(?i)\brule\b"),
    read=lambda text, path: read_murphi(text, str(path)),
)
