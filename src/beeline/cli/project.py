"""`beeline.toml`: the models of a project, what is asked of them, limits, and expected answers."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from pathlib import Path

import msgspec

from beeline.engine.limits import parse_size
from beeline.model.source import ModelError, Source
from beeline.records import Record, field
from beeline.spelling import closest

VERDICTS = {
    "holds": "holds",
    "unreachable": "violated",
    "violated": "violated",
    "reached": "holds",
    "unknown": "unknown",
}


class ProjectError(ModelError):
    """A mistake in `beeline.toml`."""


class SearchOptions(Record, frozen=True, forbid_unknown_fields=True):
    """How to search: in `[defaults]`, in a model and in a property; the innermost wins."""

    search: str | None = None
    reduce: str | None = None
    shrink: str | None = None
    match: str | None = None
    seed: int | None = None
    threads: int | None = None
    store: str | None = None
    max_time: int | float | None = None
    max_memory: int | str | None = None
    max_states: int | None = None
    max_depth: int | None = None
    certify: bool | None = None


class PropertyTable(SearchOptions, frozen=True, forbid_unknown_fields=True):
    """A `[[model.property]]`."""

    name: str | None = None
    ask: str | None = None
    expect: str | None = None
    length: int | None = None
    states: int | None = None


class ModelTable(SearchOptions, frozen=True, forbid_unknown_fields=True):
    """A `[[model]]`."""

    file: str | None = None
    language: str | None = None
    defines: dict[str, str | int | bool] = field(default_factory=dict)
    lossy: bool = False
    claim: str | None = None
    deadlock: str | None = None
    undefined: str | None = None
    expect: str | None = None
    property: list[PropertyTable] = field(default_factory=list)


class ProjectTable(Record, frozen=True, forbid_unknown_fields=True):
    """The whole file."""

    defaults: SearchOptions = SearchOptions()
    model: list[ModelTable] = field(default_factory=list)
    jobs: int | None = None


class Task(Record, frozen=True):
    """One check of a project: what the command line says, and what is expected of it."""

    file: Path
    name: str
    arguments: tuple[str, ...]
    expected: str = "holds"
    asked: bool = False  # one question, and not all that the model asks
    length: int | None = None
    states: int | None = None
    max_time: float | None = None
    has_memory: bool = False


class Project(Record, frozen=True):
    """All checks of a project, in the order of the file."""

    file: Path
    tasks: tuple[Task, ...]
    jobs: int | None = None


def read_project(place: Path) -> Project:
    """Reads `beeline.toml` in a folder, or a file of another name. Raises `ProjectError`."""
    file = place / "beeline.toml" if place.is_dir() else place
    try:
        text = file.read_text(encoding="utf-8")
    except FileNotFoundError:
        remedy = "`beeline init FOLDER` writes an example"
        raise ProjectError("no such file", Source(str(file)), remedy) from None
    except OSError as error:
        raise ProjectError(str(error.strerror), Source(str(file))) from None
    except UnicodeDecodeError as error:
        raise ProjectError(str(error), Source(str(file)), "save it as UTF-8") from None
    return _Reader(file, text).project()


def read_projects(places: Sequence[str]) -> Project:
    """The checks of several projects, or of models by their paths or patterns, of which all that they ask is to
    hold."""
    tasks: list[Task] = []
    jobs: int | None = None
    for place in places:
        path = Path(place)
        if path.is_dir() or path.suffix == ".toml":
            project = read_project(path)
            tasks += project.tasks
            jobs = jobs or project.jobs
        else:
            files = [file for file in matching(Path(), place) if file.exists()]
            if not files:
                remedy = "name a folder with a beeline.toml, a model, or a pattern such as 'models/*.pml'"
                raise ProjectError("there is no such model or folder", Source(place), remedy)
            tasks += [Task(file, "", ()) for file in files]
    return Project(Path(places[0]), tuple(tasks), jobs)


def matching(folder: Path, pattern: str) -> list[Path]:
    """The models that a pattern fits, in order; a name without one, whether there is such a file or not."""
    if (folder / pattern).exists() or not any(letter in pattern for letter in "*?["):
        return [folder / pattern]
    from glob import glob

    from beeline.languages import languages

    suffixes = {suffix for language in languages() for suffix in language.suffixes}
    found = sorted(glob(pattern, root_dir=folder, recursive=True))
    return [folder / name for name in found if Path(name).suffix in suffixes and (folder / name).is_file()]


class _Reader:
    def __init__(self, file: Path, text: str) -> None:
        self.file = file
        self.lines = text.splitlines()
        self.text = text

    def project(self) -> Project:
        content = self._decoded()
        if not content.model:
            raise self._wrong("there is no [[model]]", "", remedy='add one: [[model]] with file = "NAME"')
        tasks: list[Task] = []
        for number, model in enumerate(content.model):
            tasks += self._model(model, content.defaults, f"model[{number}]")
        if content.jobs is not None and content.jobs < 1:
            raise self._wrong("'jobs' must be 1 or more", "jobs")
        return Project(self.file, tuple(tasks), content.jobs)

    def _decoded(self) -> ProjectTable:
        try:
            content = tomllib.loads(self.text)
        except tomllib.TOMLDecodeError as error:
            message, _, place = str(error).partition(" (at line ")
            line, column = (int(number) for number in re.findall(r"\d+", place)) if place[:1].isdigit() else (0, 0)
            raise self._at(message, line, column) from None
        try:
            return msgspec.convert(content, ProjectTable)
        except msgspec.ValidationError as error:
            raise self._explained(str(error)) from None

    def _model(self, model: ModelTable, defaults: SearchOptions, where: str) -> list[Task]:
        if model.file is None:
            raise self._wrong("this [[model]] has no 'file'", where, remedy='add file = "NAME"')
        if model.expect is not None and model.property:
            remedy = "move it to each [[model.property]]"
            raise self._wrong(
                "'expect' belongs to each [[model.property]] where there are some", where + ".expect", remedy
            )
        default = model.expect or "holds"
        files = matching(self.file.parent, model.file)
        if not files:
            raise self._wrong(f"no model fits '{model.file}'", f"{where}.file", "check the pattern")
        asked = [(one, f"{where}.property[{number}]") for number, one in enumerate(model.property)]
        return [
            self._task(file, model, one, default, defaults, place)
            for file in files
            for one, place in asked or [(PropertyTable(), where)]
        ]

    def _task(
        self,
        file: Path,
        model: ModelTable,
        asked: PropertyTable,
        default: str,
        defaults: SearchOptions,
        where: str,
    ) -> Task:
        options = {
            name: value
            for one in (defaults, model, asked)
            for name in SearchOptions.__struct_fields__
            if (value := getattr(one, name)) is not None
        }
        if asked.states is not None:
            options.setdefault("search", "bfs")  # the size of the whole space, which a directed search need not see
            options.setdefault("shrink", "none")
        certify = options.pop("certify", False)
        arguments = [f"--{name.replace('_', '-')}={value}" for name, value in options.items()]
        if certify:
            arguments.append("--certify")
        if asked.ask is not None:
            arguments.append(f"--property={asked.ask}")
        if model.language is not None:
            arguments.append(f"--language={model.language}")
        if model.lossy:
            arguments.append("--lossy")
        if model.claim is not None:
            arguments.append(f"--claim={self.file.parent / model.claim}")
        arguments += [
            f"--{name}={value}" for name in ("deadlock", "undefined") if (value := getattr(model, name)) is not None
        ]
        for name, value in model.defines.items():
            if value is not False:
                arguments.append(f"-D{name}" + ("" if value is True else f"={value}"))
        if isinstance(options.get("max_memory"), str):
            self._check_size(
                options["max_memory"], [f"{table}.max_memory" for table in (where, where.split(".")[0], "defaults")]
            )
        expected = asked.expect or default
        if expected not in VERDICTS:
            remedy = f"use one of {', '.join(VERDICTS)}"
            raise self._wrong(f"'expect' is '{expected}', which is no verdict", f"{where}.expect", remedy)
        return Task(
            file,
            asked.name or asked.ask or "",
            tuple(arguments),
            VERDICTS[expected],
            asked.ask is not None,
            asked.length,
            asked.states,
            options.get("max_time"),
            "max_memory" in options,
        )

    def _check_size(self, text: str, places: list[str]) -> None:
        try:
            parse_size(text)
        except ValueError as error:
            place = next((place for place in places if self._line(place, exactly=True)), places[0])
            raise self._wrong(str(error), place) from None

    # Mistakes

    def _explained(self, message: str) -> ProjectError:
        """msgspec's error, in words for people."""
        what, _, path = message.partition(" - at `$")
        path = path.rstrip("`").removeprefix(".")
        if unknown := re.search(r"unknown field `(.*)`", what):
            known, key = _keys(path), unknown[1]
            close = closest(key, known)
            remedy = f"did you mean '{close}'?" if close else f"known: {', '.join(known)}"
            return self._wrong(f"{_shown(path)} has no key '{key}'", f"{path}.{key}".removeprefix("."), remedy)
        if path.endswith(".defines[...]"):
            kinds = "a text, a whole number, or true or false"
            return self._wrong(f"the macros of 'defines' must each be {kinds}", path.removesuffix("[...]"))
        wanted = re.findall(r"\w+", what.partition(",")[0].removeprefix("Expected"))
        names = " or ".join(_KINDS[kind] for kind in _KINDS if kind in wanted)
        key = path.rpartition(".")[2]
        told = f"'{key}' must be {names}" if key else what
        return self._wrong(told, path)

    def _wrong(self, what: str, path: str, remedy: str = "") -> ProjectError:
        return self._at(what, self._line(path), 0, remedy)

    def _at(self, what: str, line: int, column: int, remedy: str = "") -> ProjectError:
        excerpt = self.lines[line - 1] if 0 < line <= len(self.lines) else ""
        if excerpt and not column:
            column = len(excerpt) - len(excerpt.lstrip()) + 1
        return ProjectError(what, Source(str(self.file), line, column), remedy, excerpt)

    def _line(self, path: str, *, exactly: bool = False) -> int:
        """The line of a key such as ``model[1].expect``, or else of the table that it is in; 0 if neither is found, as
        in tables that are written within one line."""
        counts: dict[str, int] = {}
        table, best = "", 0
        for number, line in enumerate(self.lines, start=1):
            if header := re.fullmatch(r"\s*\[\[?([\w.\s]+)\]\]?\s*(?:#.*)?", line):
                table = _numbered(header[1].replace(" ", ""), line.lstrip().startswith("[["), counts)
                if table == path.rpartition(".")[0] or table == path:
                    best = number
            elif (found := re.match(r"\s*\"?([\w-]+)\"?\s*=", line)) and _joined(table, found[1]) == path:
                return number
        return 0 if exactly else best


_KINDS = {
    "str": "a text",
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "array": "a list of tables",
    "object": "a table",
}
"""msgspec's words for kinds of values, and ours."""


def _keys(path: str) -> tuple[str, ...]:
    """What the table at a path may say."""
    if "property[" in path:
        return PropertyTable.__struct_fields__
    if path == "defaults":
        return SearchOptions.__struct_fields__
    return ModelTable.__struct_fields__ if path else ProjectTable.__struct_fields__


def _shown(path: str) -> str:
    """A path as people would say it.

    >>> _shown("model[1].property[0]")
    '[[model.property]] number 1 of [[model]] number 2'
    """
    model = re.match(r"model\[(\d+)\]", path)
    asked = re.search(r"property\[(\d+)\]", path)
    if model is None:
        return f"[{path}]" if path else "the file"
    told = f"[[model]] number {int(model[1]) + 1}"
    return told if asked is None else f"[[model.property]] number {int(asked[1]) + 1} of {told}"


def _numbered(name: str, is_list: bool, counts: dict[str, int]) -> str:
    """The path of a table with this header, given how many of each list came before."""
    if is_list:
        counts[name] = counts.get(name, -1) + 1
        if name == "model":
            counts.pop("model.property", None)
    parts = name.split(".")
    prefixes = [".".join(parts[: length + 1]) for length in range(len(parts))]
    return ".".join(
        f"{part}[{counts[prefix]}]" if prefix in counts else part for part, prefix in zip(parts, prefixes, strict=True)
    )


def _joined(table: str, key: str) -> str:
    return f"{table}.{key}" if table else key
