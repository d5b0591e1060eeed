"""Input languages. Each is a folder (or file) here that registers a `Language`; found by `beeline list`.

All are imported to find the one of a file, so they import their own parts only when they are used."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from beeline.model.network import Network, Property
from beeline.model.source import ModelError, Source
from beeline.properties import find_property
from beeline.records import Record, field
from beeline.spelling import closest


class LoadOptions(Record, frozen=True):
    """What a person may say about how a model is read."""

    defines: Mapping[str, str] = field(default_factory=dict)  # -D NAME=VALUE of the preprocessor
    lossy: bool = False  # sends to full channels lose the message (SPIN's -m)


class Language(Record, frozen=True):
    """One input language. `load` returns a Network, or for the python language possibly a user's own space.

    Promises and limits are shown by `beeline list`."""

    name: str
    suffixes: tuple[str, ...]
    summary: str
    load: Callable[[Path, LoadOptions], Any]
    reference: str = ""
    ask: Callable[[Network, str], Property] | None = None  # reads a property in the language's own syntax


_languages: dict[str, Language] = {}


def register(language: Language) -> Language:
    """Adds a language; called by its module when imported."""
    _languages[language.name] = language
    return language


def languages() -> list[Language]:
    """All languages, in the order of their names."""
    for module in pkgutil.iter_modules(__path__):
        importlib.import_module(f"{__name__}.{module.name}")
    return [_languages[name] for name in sorted(_languages)]


def ask(network: Network, text: str | None) -> Property:
    """The property that `text` names or spells out, in the model's own syntax if its language has one."""
    language = next((found for found in languages() if found.name == network.language), None)
    spelt_out = text is not None and network.property(text) is None and text not in ("safety", "deadlock")
    if text is not None and spelt_out and language is not None and language.ask is not None:
        return language.ask(network, text)
    return find_property(network, text)


def load(path: Path, language: str | None = None, options: LoadOptions | None = None) -> Any:
    """Reads a model file in the language given, or in the one its suffix tells."""
    if not path.is_file():
        what = "this is a folder, not a file" if path.is_dir() else "no such file"
        raise ModelError(what, Source(str(path)), "check the path")
    return _choose(path, language).load(path, options or LoadOptions())


def _choose(path: Path, language: str | None) -> Language:
    known = {found.name: found for found in languages()}
    if language is not None:
        if language not in known:
            close = closest(language, known)
            hint = f"did you mean '{close}'?" if close else f"known: {', '.join(known)}"
            raise ModelError(f"no language called '{language}'", remedy=hint)
        return known[language]
    for found in known.values():
        if path.suffix in found.suffixes:
            return found
    suffixes = ", ".join(suffix for found in known.values() for suffix in found.suffixes)
    raise ModelError(
        f"cannot tell the language of a '{path.suffix}' file",
        Source(str(path)),
        f"use --language, or one of the suffixes {suffixes}",
    )
