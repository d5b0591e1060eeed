"""Which page of the documentation helps with a mistake."""

from __future__ import annotations

from pathlib import Path

import click

from beeline.model.source import BeelineError, ModelError

LANGUAGES = {
    "promela": "promela.md",
    "dve": "dve.md",
    "uppaal": "timed-automata.md",
    "murphi": "murphi.md",
    "smv": "smv.md",
    "python": "python-api.md",
}
OPTIONS = {
    "--property": "properties.md",
    "--heuristic": "find-a-bug-fast.md",
    "--target": "find-a-bug-fast.md",
    "FORMULA": "ltl.md",
}
BY_NAME = {
    "ProjectError": "ci.md",
    "ResultError": "viewer.md",
    "UnsupportedProperty": "properties.md",
    "HeuristicError": "find-a-bug-fast.md",
    "ReductionError": "reduction.md",
    "TrailError": "trails.md",
    "HoaError": "ltl-automata.md",
}


def page_for(error: BeelineError | click.ClickException) -> str:
    """The page, as a path in the project.

    >>> from beeline.model.source import Source
    >>> page_for(ModelError("no such name", Source("--property", 1, 1)))
    'docs/properties.md'
    """
    return f"docs/{_name(error)}"


def _name(error: BeelineError | click.ClickException) -> str:
    if isinstance(error, ModelError) and error.source.file in OPTIONS:
        return OPTIONS[error.source.file]
    for kind in type(error).__mro__:
        if kind.__name__ in BY_NAME:
            return BY_NAME[kind.__name__]
    if isinstance(error, ModelError) and (page := _language_page(error.source.file)):
        return page
    return "cli.md"


def _language_page(file: str) -> str | None:
    from beeline.languages import languages

    suffix = Path(file).suffix
    if not Path(file).is_file():
        return None
    return next((LANGUAGES.get(found.name) for found in languages() if suffix in found.suffixes), None)
