"""Which models are compared: the Promela files of a folder, and the macros that some of them ask for."""

from __future__ import annotations

import dataclasses
import hashlib
import os
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

from .spin import without_comments

ROOT = Path(__file__).resolve().parents[2]
SHARED_VARIABLE = "BEELINE_SHARED_MODELS"
OWN_MODELS = ROOT / "models" / "promela"

_PROMELA = {".pml", ".prom", ".pr", ".prm", ".pm", ".promela", ".spin", ".p", ".sumo"}
_OTHER = {
    ".dve",
    ".mdve",
    ".xml",
    ".csv",
    ".txt",
    ".md",
    ".h",
    ".ltl",
    ".never",
    ".q",
    ".tck",
    ".pddl",
    ".toml",
    ".old",
    ".ta",
    ".tests",
}
_EMBEDDED_C = re.compile(r"\bc_(?:code|decl|expr|state|track)\b")
_INCLUDE = re.compile(r'^\s*#\s*include\s*["<]([^">]+)[">]', re.M)


@dataclasses.dataclass(frozen=True)
class Model:
    """One file with one set of macros; `name` is how tables call it."""

    path: Path
    name: str
    macros: tuple[str, ...] = ()
    claim: Path | None = None  # a file to be read behind it

    def text(self) -> str:
        """The file as it stands."""
        return self.path.read_text(encoding="utf-8", errors="replace")

    @property
    def embedded_c(self) -> bool:
        """Whether the file or one of its includes uses `c_code` and its kin."""
        return any(_EMBEDDED_C.search(without_comments(text)) for _, text in sources(self.path))

    @property
    def never(self) -> bool:
        """Whether a never claim is written out; claims made from `ltl` blocks do not count."""
        return any(re.search(r"\bnever\b", without_comments(text)) for _, text in sources(self.path))

    def digest(self) -> str:
        """A name for the content: the file, all that it includes, and the macros."""
        sum_ = hashlib.sha256()
        for name, text in sources(self.path):
            sum_.update(f"{name}\0{text}\0".encode())
        sum_.update("\0".join(self.macros).encode())
        return sum_.hexdigest()[:24]


def sources(path: Path) -> Iterator[tuple[str, str]]:
    """The file and every file that it includes, each once, as (name relative to the first, text)."""
    first = path.resolve()
    waiting, seen = [first], {first}
    while waiting:
        current = waiting.pop()
        try:
            text = current.read_text(encoding="utf-8", errors="replace")
        except OSError:
            continue
        yield os.path.relpath(current, first.parent), text
        for name in _INCLUDE.findall(text):
            included = (current.parent / name).resolve()
            if included not in seen:
                seen.add(included)
                waiting.append(included)


def is_promela(path: Path) -> bool:
    """Whether a file is taken for Promela: by its suffix, else by a process declaration in it."""
    if path.suffix in _PROMELA:
        return True
    if path.suffix.lower() in _OTHER or path.name.lower().startswith(("readme", "makefile", "license")):
        return False
    text = path.read_text(encoding="utf-8", errors="replace")
    return re.search(r"\b(?:proctype\s+\w+|init\s*\{)", without_comments(text)) is not None


def shared_folder(given: str | None = None) -> Path:
    """The folder of public models: as given, else from the environment, else beside the project."""
    return Path(given or os.environ.get(SHARED_VARIABLE) or ROOT.parent / "shared" / "models")


def shared_models(folder: Path) -> Iterator[Model]:
    """Every Promela file under a folder, with the macros that `macros.toml` gives it."""
    known = tomllib.loads((Path(__file__).parent / "macros.toml").read_text())
    for path in sorted(folder.rglob("*")):
        if path.is_file() and is_promela(path):
            name = path.relative_to(folder).as_posix()
            for macros in known.get(name, {}).get("macros", [[]]):
                yield Model(path, " ".join([name, *macros]), tuple(macros))


def explanations() -> dict[str, str]:
    """Why the tools differ on some models, by name."""
    known = tomllib.loads((Path(__file__).parent / "explained.toml").read_text())
    return {name: entry["why"] for name, entry in known.items()}


def own_models(folder: Path = OWN_MODELS) -> Iterator[Model]:
    """Every model of the project with the parameters that `answers.toml` records, or with its defaults."""
    answers = tomllib.loads(text) if (text := _read_if_there(folder / "answers.toml")) else {}
    recorded: dict[str, list[tuple[str, ...]]] = {}
    for answer in answers.get("answer", []):
        recorded.setdefault(answer["model"], []).append(tuple(answer["macros"]))
    for path in sorted(folder.glob("*.pml")):
        for macros in recorded.get(path.name, [()]):
            yield Model(path, " ".join([f"promela/{path.name}", *macros]), macros)


def _read_if_there(path: Path) -> str:
    return path.read_text(encoding="utf-8") if path.exists() else ""
