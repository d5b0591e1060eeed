"""`beeline.toml`: the models of a project, what is asked of them, limits, and expected answers."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from beeline.engine.limits import parse_size
from beeline.model.source import BeelineError
from beeline.records import Record
from beeline.spelling import closest

VERDICTS = {
    "holds": "holds",
    "unreachable": "violated",
    "violated": "violated",
    "reached": "holds",
    "unknown": "unknown",
}

# What each table may say, and of which type.
NUMBER = (int, float)
OPTIONS: dict[str, Any] = {
    "search": str,
    "reduce": str,
    "shrink": str,
    "seed": int,
    "threads": int,
    "store": str,
    "max_time": NUMBER,
    "max_memory": (int, str),
    "max_states": int,
    "max_depth": int,
}
MODEL: dict[str, Any] = {
    **OPTIONS,
    "file": str,
    "language": str,
    "defines": dict,
    "lossy": bool,
    "expect": str,
    "property": list,
}
PROPERTY: dict[str, Any] = {**OPTIONS, "name": str, "ask": str, "expect": str, "length": int, "states": int}
PROJECT: dict[str, Any] = {"defaults": dict, "model": list, "jobs": int}


class ProjectError(BeelineError):
    """A mistake in `beeline.toml`."""


class Task(Record, frozen=True):
    """One check of a project: what the command line says, and what is expected of it."""

    file: Path
    name: str
    arguments: tuple[str, ...]
    expected: str = "holds"
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
        content = tomllib.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise ProjectError(f"{file}: no such file\n  hint: `beeline init FOLDER` writes an example") from None
    except OSError as error:
        raise ProjectError(f"{file}: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ProjectError(f"{file}: {error}") from None
    return _Reader(file).project(content)


class _Reader:
    def __init__(self, file: Path) -> None:
        self.file = file

    def project(self, content: dict[str, Any]) -> Project:
        self._check(content, PROJECT, "the file")
        defaults = content.get("defaults", {})
        self._check(defaults, OPTIONS, "[defaults]")
        models = content.get("model", [])
        if not models:
            raise self._wrong("there is no [[model]]")
        tasks: list[Task] = []
        for number, model in enumerate(models, start=1):
            tasks += self._model(model, defaults, f"[[model]] number {number}")
        jobs = content.get("jobs")
        if jobs is not None and jobs < 1:
            raise self._wrong("'jobs' must be 1 or more")
        return Project(self.file, tuple(tasks), jobs)

    def _model(self, model: Any, defaults: dict[str, Any], where: str) -> list[Task]:
        self._check(model, MODEL, where)
        if "file" not in model:
            raise self._wrong(f"{where} has no 'file'")
        asked = model.get("property", [{}])
        if "expect" in model and "property" in model:
            raise self._wrong(f"{where}: 'expect' belongs to each [[model.property]] where there are some")
        found = []
        for number, one in enumerate(asked, start=1):
            inside = f"{where}, [[model.property]] number {number}"
            self._check(one, PROPERTY, inside)
            found.append(self._task(model, {"expect": model.get("expect", "holds"), **one}, defaults, inside))
        return found

    def _task(self, model: dict[str, Any], asked: dict[str, Any], defaults: dict[str, Any], where: str) -> Task:
        options = {name: one[name] for one in (defaults, model, asked) for name in OPTIONS if name in one}
        if "states" in asked:
            options.setdefault("search", "bfs")  # the size of the whole space, which a directed search need not see
            options.setdefault("shrink", "none")
        arguments = [f"--{name.replace('_', '-')}={value}" for name, value in options.items()]
        if "ask" in asked:
            arguments.append(f"--property={asked['ask']}")
        if "language" in model:
            arguments.append(f"--language={model['language']}")
        if model.get("lossy"):
            arguments.append("--lossy")
        for name, value in model.get("defines", {}).items():
            if not isinstance(value, (str, int)):
                raise self._wrong(f"{where}: the macro '{name}' must be a text, a whole number, or true or false")
            if value is not False:
                arguments.append(f"-D{name}" + ("" if value is True else f"={value}"))
        if isinstance(options.get("max_memory"), str):
            try:
                parse_size(options["max_memory"])
            except ValueError as error:
                raise self._wrong(f"{where}: {error}") from None
        expected = asked["expect"]
        if expected not in VERDICTS:
            raise self._wrong(f"{where}: 'expect' is '{expected}', which is none of {', '.join(VERDICTS)}")
        return Task(
            self.file.parent / model["file"],
            asked.get("name") or asked.get("ask", ""),
            tuple(arguments),
            VERDICTS[expected],
            asked.get("length"),
            asked.get("states"),
            options.get("max_time"),
            "max_memory" in options,
        )

    def _check(self, table: Any, known: dict[str, Any], where: str) -> None:
        """Every key is known and has the right type."""
        if not isinstance(table, dict):
            raise self._wrong(f"{where} must be a table")
        for key, value in table.items():
            if key not in known:
                close = closest(key, known)
                hint = f"did you mean '{close}'?" if close else f"known: {', '.join(known)}"
                raise self._wrong(f"{where} has no key '{key}'\n  hint: {hint}")
            kinds = known[key] if isinstance(known[key], tuple) else (known[key],)
            # In Python truth values are numbers, here they are not.
            if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
                names = {
                    str: "a text",
                    int: "a whole number",
                    float: "a number",
                    dict: "a table",
                    bool: "true or false",
                }
                wanted = " or ".join(names.get(kind, "a list of tables") for kind in kinds)
                raise self._wrong(f"{where}: '{key}' must be {wanted}")

    def _wrong(self, what: str) -> ProjectError:
        return ProjectError(f"{self.file}: {what}")
