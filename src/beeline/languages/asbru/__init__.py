"""Asbru, the language of hierarchical plans for medical guidelines, in the textual form of Bäumler et al. (2006)."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from beeline.engine.budget import doing
from beeline.languages import Language, LoadOptions
from beeline.model.network import Network
from beeline.model.property import Property
from beeline.model.source import ModelError
from beeline.properties import find_property

if TYPE_CHECKING:
    from beeline.languages.asbru.guideline import Guideline

__all__ = ["load_guideline", "read_asbru", "read_guideline"]

EXACT, FREE = TIMES = ("exact", "free")


def read_guideline(text: str, file: str = "<asbru>") -> Guideline:
    """The guideline that a text describes.

    >>> [plan.name for plan in read_guideline("plan treat plan-body wait plan wait plan-body user-performed").plans]
    ['treat', 'wait']
    """
    from beeline.languages.asbru.parser import parse_text
    from beeline.languages.asbru.resolve import resolve

    return resolve(parse_text(text, file), Path(file).stem)


def load_guideline(file: str | Path) -> Guideline:
    """The guideline of a file."""
    return read_guideline(Path(file).read_text(encoding="utf-8", errors="replace"), str(file))


def read_asbru(text: str, file: str = "<asbru>", time: str = EXACT) -> Network:
    """The network of a text. Time annotations follow the time, or with ``free`` are true or false as it comes."""
    from beeline.languages.asbru.network import network_with_questions

    guideline = read_guideline(text, file)
    doing("elaborating")
    return network_with_questions(guideline, [timer.name for timer in guideline.timers] if time == EXACT else [])


def _load(path: Path, options: LoadOptions) -> Network:
    defines = dict(options.defines)
    time = defines.pop("time", EXACT)
    if time not in TIMES or defines:
        raise ModelError("an Asbru model takes one definition, `time`", remedy="say -D time=exact or -D time=free")
    return read_asbru(path.read_text(encoding="utf-8", errors="replace"), str(path), time)


def _ask(network: Network, text: str) -> Property:
    """A property in the house's syntax, in which names may be written as in the guideline, and ``=`` for ``==``."""
    from beeline.languages.asbru.guideline import ir_name

    known = {variable.name for variable in network.variables}

    def name(match: re.Match[str]) -> str:
        return ir_name(match[0]) if ir_name(match[0]) in known or _is_value(network, ir_name(match[0])) else match[0]

    named = re.sub(r"[A-Za-z_]\w*(?:-\w+)*\**", name, text)
    return find_property(network, re.sub(r"(?<![=!<>])=(?![=>])", "==", named))


def _is_value(network: Network, name: str) -> bool:
    return any(name in getattr(variable.type, "members", ()) for variable in network.variables)


LANGUAGE = Language(
    "asbru",
    (".asbru",),
    "medical guidelines as trees of plans; structural properties and intentions, time exact or free",
    _load,
    "Bäumler, Balser, Dunets, Reif and Schmitt: Verification of medical guidelines by model checking, SPIN 2006",
    _ask,
    (r"^\s*plan\s+[\w-]+", r"^\s*plan-body\b"),
    lambda text, path: read_asbru(text, str(path)),
)
