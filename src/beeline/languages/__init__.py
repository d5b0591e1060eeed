"""Input languages. Each is a folder (or file) here that declares a `LANGUAGE`; found by `beeline list`.

All are imported to find the one of a file, so they import their own parts only when they are used."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from beeline.declared import Folder
from beeline.engine.budget import doing
from beeline.model.network import Network
from beeline.model.property import Property
from beeline.model.source import ModelError, Source, not_too_deep
from beeline.properties import ALWAYS_KNOWN, find_property
from beeline.records import Record, field
from beeline.spelling import closest

MOST_READ = 200_000  # letters of a file that are looked at to tell its language


class LoadOptions(Record, frozen=True):
    """What a person may say about how a model is read."""

    defines: Mapping[str, str] = field(default_factory=dict)  # -D NAME=VALUE of the preprocessor
    lossy: bool = False  # sends to full channels lose the message (SPIN's -m)
    deadlock: str = "stuttering"  # what counts as one in Murphi: also "stuck", or "off"
    claim: str | None = None  # a file whose never claims and formulas belong to the Promela model (SPIN's -N)
    undefined: str = "auto"  # what a copy of a variable without a value is in Murphi: also "error", or "copied"


class Language(Record, frozen=True):
    """One input language. `load` returns a Network, or for the python language possibly a user's own space.

    Promises and limits are shown by `beeline list`."""

    name: str
    suffixes: tuple[str, ...]
    summary: str
    load: Callable[[Path, LoadOptions], Any]
    reference: str = ""
    ask: Callable[[Network, str], Property] | None = None  # reads a property in the language's own syntax
    signs: tuple[
        str, ...
    ] = ()  # patterns of lines, all of which a file in this language has; for those without a suffix
    read: Callable[[str, Path], Network] | None = None  # a text as if it stood in a file; nothing of it is run
    takes_claims: bool = False  # whether claims may stand in a file of their own


_FOLDER = Folder("beeline.languages", "LANGUAGE", Language)


def languages() -> list[Language]:
    """All languages, in the order of their names."""
    return list(_FOLDER.all.values())


def ask(network: Network, text: str) -> Property:
    """The property that `text` names or spells out, in the model's own syntax if its language has one."""
    language = _FOLDER.find(network.language)
    spelt_out = network.property(text) is None and text not in ALWAYS_KNOWN
    if spelt_out and language is not None and language.ask is not None:
        return language.ask(network, text)
    return find_property(network, text)


@not_too_deep()
def read_unsaved(text: str, path: Path) -> Network | None:
    """The network of a text that is about to stand in a file; None if the suffix tells no language, or one of which
    reading a text would run it."""
    chosen = next((found for found in _FOLDER.all.values() if path.suffix in found.suffixes), None)
    return None if chosen is None or chosen.read is None else chosen.read(text, path)


@not_too_deep()
def load(path: Path, language: str | None = None, options: LoadOptions | None = None) -> Any:
    """Reads a model file in the language given, or in the one its suffix tells."""
    if not path.is_file():
        what = "this is a folder, not a file" if path.is_dir() else "no such file"
        raise ModelError(what, Source(str(path)), "check the path")
    chosen = _choose(path, language)
    options = options or LoadOptions()
    if options.claim is not None and not chosen.takes_claims:
        raise ModelError("claims in a file of their own belong to Promela", Source(str(path)), "leave out --claim")
    doing("parsing")
    return chosen.load(path, options)


def _choose(path: Path, language: str | None) -> Language:
    known = _FOLDER.all
    if language is not None:
        if language not in known:
            close = closest(language, known)
            hint = f"did you mean '{close}'?" if close else f"known: {', '.join(known)}"
            raise ModelError(f"no language called '{language}'", remedy=hint)
        return known[language]
    for found in known.values():
        if path.suffix in found.suffixes:
            return found
    return _recognised(path, known)


def _recognised(path: Path, known: Mapping[str, Language]) -> Language:
    """The language that a file without a known suffix is written in, by what stands in it."""
    import re

    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            text = file.read(MOST_READ)
    except OSError as error:
        raise ModelError(error.strerror or "cannot be read", Source(str(path)), "check the path") from None
    plain = re.sub(r"/\*.*?\*/|//[^\n]*", " ", text, flags=re.DOTALL)
    found = [
        one for one in known.values() if one.signs and all(re.search(sign, plain, re.MULTILINE) for sign in one.signs)
    ]
    if len(found) == 1:
        return found[0]
    suffix = f"its suffix '{path.suffix}' is unknown" if path.suffix else "it has no suffix"
    content = f"it could be {' or '.join(one.name for one in found)}" if found else "nothing in it is typical of one"
    remedy = f"say --language with one of {', '.join(known)}"
    raise ModelError(f"cannot tell the language: {suffix}, and {content}", Source(str(path)), remedy)
