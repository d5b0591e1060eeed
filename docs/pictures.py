"""Pictures of the trace explorer for these pages: real checks, opened in Chromium while the site is built. Where there
is no Chromium the pages come without pictures."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from beeline import check_all
from beeline.records import Record

ROOT = Path(__file__).parents[1]
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
BEELINE = [sys.executable, "-c", "from beeline.start import command; command()"]
NEEDHAM = ("models/promela/needham_schroeder.pml",)
BIT = ("models/promela/alternating_bit.pml", "-D", "FAULTY")


class Picture(Record, frozen=True):
    """What is checked, what is done on its page, and how large and in which colours it is shown."""

    check: tuple[str, ...]
    act: str = ""
    width: int = 1400
    height: int = 860
    dark: bool = False
    compare: tuple[str, ...] = ()
    part: str = ""  # of the page; all of it if empty
    notebook: bool = False  # what a notebook shows, not the explorer


PICTURES = {
    "explorer": Picture(NEEDHAM, "choose(17)"),
    "explorer-dark": Picture(NEEDHAM, "choose(17)", dark=True),
    "phone": Picture(NEEDHAM, "choose(13)", width=400, height=820),
    "chart": Picture(BIT, "choose(8)", height=560, part="#chart"),
    "long": Picture(("models/uppaal/hanoi_3.xta",), "openTab('automata'); choose(21)"),
    "lasso": Picture(("models/promela/philosophers_response.pml", "--property", "served"), "openTab('why')"),
    "timed": Picture(("models/uppaal/single_track_2_faulty.xta",), "choose(9)"),
    "timeline": Picture(("models/uppaal/single_track_2_faulty.xta",), "choose(9)", height=960, part="#lower"),
    "notebook": Picture(
        ("models/gallery/lock_free_queue.py",),
        "document.querySelectorAll('.beeline details')[1].open = true",
        width=900,
        part=".beeline",
        notebook=True,
    ),
    "compare": Picture(BIT, "choose(6)", compare=(*BIT, "--search", "dfs")),
    "plots": Picture(
        ("models/promela/two_phase_commit.pml", "-D", "CRASH"), "openTab('search')", height=1100, part="#lower"
    ),
    "gallery-needham-schroeder": Picture(NEEDHAM, "choose(28); openTab('why')"),
    "gallery-peterson": Picture(
        ("models/python/peterson.py", "-D", "FAULTY", "--property", "exclusion"), "choose(6); openTab('why')"
    ),
    "gallery-fischer": Picture(("models/gallery/fischer.xml",), "choose(5); openTab('why')", height=1000),
    "gallery-alternating-bit": Picture(BIT, "choose(11); openTab('why')"),
    "gallery-two-phase-commit": Picture(
        ("models/promela/two_phase_commit.pml", "-D", "N=2", "-D", "CRASH", "-D", "HASTY"), "choose(99); openTab('why')"
    ),
    "gallery-queue": Picture(("models/gallery/lock_free_queue.py",), "choose(2)"),
    "gallery-pathfinder": Picture(
        ("models/gallery/pathfinder.pml", "--property", "served"), "choose(7); openTab('why')"
    ),
    "gallery-philosophers": Picture(("models/python/philosophers.py",), "openTab('why'); openTab('automata')"),
    "gallery-therac": Picture(
        ("models/gallery/therac.dve", "--property", "!(fired == 1 && beam == 1 && table == 2)"), "choose(7)"
    ),
    "gallery-zune": Picture(("models/gallery/zune.pml", "--property", "progress"), "choose(4)"),
}


def why_not() -> str:
    """What is missing for pictures; empty if nothing is."""
    if CHROMIUM is None:
        return "there is no Chromium (Debian's package `chromium`)"
    if find_spec("playwright") is None:
        return "there is no Playwright (`make browser` installs it)"
    return ""


def draw(names: Iterable[str], folder: Path) -> None:
    """Draws the pictures with these names as PNG files into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    with _browser() as browser, TemporaryDirectory() as scratch:
        pages: dict[tuple[object, ...], Path] = {}  # several pictures may be of one page
        for name in names:
            picture = PICTURES[name]
            shown = picture.check, picture.compare, picture.notebook
            if shown not in pages:
                page = Path(scratch) / str(len(pages)) / "page.html"
                page.parent.mkdir()
                _write_notebook(picture, page) if picture.notebook else _export(picture, page)
                pages[shown] = page
            _draw(browser, picture, pages[shown], folder / f"{name}.png")


@contextmanager
def _browser() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        made = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        yield made
        made.close()


def _export(picture: Picture, page: Path) -> None:
    """Writes the explorer's page of a check."""
    export = ["view", str(_checked(picture.check, page.with_name("result.json"))), "--export", str(page)]
    if picture.compare:
        export += ["--compare", str(_checked(picture.compare, page.with_name("other.json")))]
    subprocess.run([*BEELINE, *export], cwd=ROOT, check=True, capture_output=True)


def _write_notebook(picture: Picture, page: Path) -> None:
    """Writes what a notebook shows below a check."""
    shown = check_all(ROOT / picture.check[0])[0]._repr_html_()
    page.write_text(
        f"<!doctype html><meta charset='utf-8'><body style='font: 14px sans-serif; padding: 8px'>{shown}</body>"
    )


def _draw(browser: Any, picture: Picture, exported: Path, target: Path) -> None:
    size, colours = {"width": picture.width, "height": picture.height}, "dark" if picture.dark else "light"
    page = browser.new_page(viewport=size, color_scheme=colours)
    page.goto(exported.as_uri())
    page.evaluate(f"() => {{ {picture.act}; document.activeElement.blur(); return 0; }}")
    shown = page.locator(picture.part) if picture.part else page
    shown.screenshot(path=target)
    page.close()


def _checked(arguments: tuple[str, ...], target: Path) -> Path:
    """The result of a check, in a file. The state graph is left out where it is too large."""
    done = subprocess.run(
        [*BEELINE, "check", *arguments, "--json", "--explain", "--graph"], cwd=ROOT, capture_output=True, text=True
    )
    if done.returncode not in (0, 1):
        raise RuntimeError(f"a picture's check ended with {done.returncode}: {done.stderr}")
    target.write_text(done.stdout)
    return target
