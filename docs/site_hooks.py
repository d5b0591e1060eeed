"""What mkdocs does besides rendering pages: references are made from the code, pictures from real checks, and no page
is left out."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

from beeline.cli.reference import command_line, techniques

sys.path.insert(0, str(Path(__file__).parent))
import pictures

GENERATED = {"cli-reference.md": command_line, "techniques.md": techniques}
PICTURE = re.compile(r"!\[[^\]]*\]\(pictures/([\w-]+)\.png\)")
LANGUAGES = {".py": "python", ".xml": "xml", ".pml": "promela", ".dve": "c"}
MODEL = re.compile(r"^Model: \[[^\]]*\]\(\.\./(models/[\w/.]+)\)$", re.MULTILINE)
ROOT = Path(__file__).parents[1]
DRAWN = ROOT / "build" / "pictures"


def on_files(files: Files, config: Any) -> Files:
    """Adds the generated pages and pictures, and lists pages that the navigation does not name."""
    for name, write in GENERATED.items():
        files.append(File.generated(config, name, content=write()))
    named = set(_pages(config["nav"]))
    more = [page.src_uri for page in files.documentation_pages() if page.src_uri not in named]
    if more:
        config["nav"].append({"More": sorted(more)})
    _add_pictures(files, config)
    return files


def _add_pictures(files: Files, config: Any) -> None:
    texts = [page.content_string for page in files.documentation_pages()]
    wanted = sorted({found for text in texts for found in PICTURE.findall(text)})
    missing = pictures.why_not()
    if missing:
        print(f"pictures are left out: {missing}", file=sys.stderr)
        return
    pictures.draw(wanted, DRAWN)
    for name in wanted:
        files.append(File.generated(config, f"pictures/{name}.png", abs_src_path=str(DRAWN / f"{name}.png")))


def on_page_markdown(markdown: str, page: Page, config: Any, files: Files) -> str:
    """Models that a page links to stand in it, folded. A click on a picture shows it in its own size; without a browser
    the pages come without pictures."""
    markdown = MODEL.sub(_folded, markdown)
    return PICTURE.sub("" if pictures.why_not() else r"[\g<0>](pictures/\1.png)", markdown)


def _folded(link: re.Match[str]) -> str:
    lines = (ROOT / link[1]).read_text().splitlines()
    block = "\n".join(
        f"    {line}".rstrip() for line in ["```" + LANGUAGES.get(Path(link[1]).suffix, "text"), *lines, "```"]
    )
    return f'??? example "{link[1]}"\n\n{block}\n'


def _pages(entries: Any) -> list[str]:
    match entries:
        case str():
            return [entries]
        case dict():
            return [page for inner in entries.values() for page in _pages(inner)]
        case list():
            return [page for inner in entries for page in _pages(inner)]
    return []
