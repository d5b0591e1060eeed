"""What mkdocs does besides rendering pages: the references are made from the code, and no page is left out."""

from __future__ import annotations

from typing import Any

from mkdocs.structure.files import File, Files

from beeline.cli.reference import command_line, techniques

GENERATED = {"cli-reference.md": command_line, "techniques.md": techniques}


def on_files(files: Files, config: Any) -> Files:
    """Adds the generated pages, and lists pages that the navigation does not name."""
    for name, write in GENERATED.items():
        files.append(File.generated(config, name, content=write()))
    named = set(_pages(config["nav"]))
    more = [page.src_uri for page in files.documentation_pages() if page.src_uri not in named]
    if more:
        config["nav"].append({"More": sorted(more)})
    return files


def _pages(entries: Any) -> list[str]:
    match entries:
        case str():
            return [entries]
        case dict():
            return [page for inner in entries.values() for page in _pages(inner)]
        case list():
            return [page for inner in entries for page in _pages(inner)]
    return []
