"""How the explorer looks, held against how it looked when somebody last looked at it.

A screenshot is made coarse: how much of each cell is not background, from 0 to 9. So another browser makes little
difference, but another layout much. Other fonts do, too: where they are not those of the pictures, nothing is compared.
`BEELINE_LOOKS=write pytest tests/web/test_looks.py` writes the pictures down anew: look at the pages themselves
first."""

from __future__ import annotations

import base64
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: no browser tests")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium here: no browser tests")

ROOT = Path(__file__).parents[2]
LOOKS = Path(__file__).parent / "looks"
COLUMNS, LINES = 100, 56
MOST_OTHER = 0.3  # of the ink may be elsewhere; another layout has more than half of it elsewhere

# What is opened, how wide the window is, its colours, and what is done there.
PAGES: dict[str, tuple[list[str], int, str, str]] = {
    "messages": (["models/promela/needham_schroeder.pml"], 1400, "light", "choose(17)"),
    "why": (
        ["models/promela/alternating_bit.pml", "-D", "FAULTY"],
        1400,
        "dark",
        "openTab('why'); openTab('automata')",
    ),
    "lasso": (["models/promela/philosophers_response.pml", "--property", "served"], 1400, "light", "choose(4)"),
    "timed": (["models/uppaal/single_track_2_faulty.xta"], 1400, "light", "choose(9)"),
    "phone": (["models/promela/needham_schroeder.pml"], 400, "light", "choose(5)"),
}

COARSE = """async ([picture, columns, lines]) => {
  const image = new Image();
  image.src = `data:image/png;base64,${picture}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  const [width, height] = [image.width, image.height];
  [canvas.width, canvas.height] = [width, height];
  const context = canvas.getContext("2d");
  context.drawImage(image, 0, 0);
  const { data } = context.getImageData(0, 0, width, height);
  const shade = (i) => (data[4 * i] * 3 + data[4 * i + 1] * 6 + data[4 * i + 2]) / 10;
  const grey = Array.from({ length: width * height }, (_, i) => shade(i));
  const counts = new Array(256).fill(0);
  for (const level of grey) counts[Math.round(level)] += 1;
  const ground = counts.indexOf(Math.max(...counts));
  const ink = new Array(columns * lines).fill(0);
  grey.forEach((level, i) => {
    const column = Math.floor(((i % width) * columns) / width);
    const line = Math.floor((Math.floor(i / width) * lines) / height);
    if (Math.abs(level - ground) > 12) ink[line * columns + column] += 1;
  });
  const most = (width * height) / (columns * lines);
  const digit = (count) => Math.round(9 * Math.min(1, (3 * count) / most));
  const row = (y) => Array.from({ length: columns }, (_, x) => digit(ink[y * columns + x])).join("");
  return Array.from({ length: lines }, (_, y) => row(y));
}"""


def difference(one: list[str], other: list[str]) -> float:
    """How much of the ink is elsewhere: 0 for the same picture, 1 for one that has nothing in common."""
    pairs = [(int(a), int(b)) for row, line in zip(one, other, strict=True) for a, b in zip(row, line, strict=True)]
    return sum(abs(a - b) for a, b in pairs) / max(1, sum(max(a, b) for a, b in pairs))


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with playwright.sync_playwright() as driver:
        made = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        yield made
        made.close()


def opened(browser: Any, name: str, folder: Path) -> list[str]:
    """The coarse picture of a page."""
    arguments, width, scheme, act = PAGES[name]
    result = folder / "result.json"
    command = [sys.executable, "-c", "from beeline.cli import main; main()"]
    checked = [*command, "check", *arguments, "--json", "--explain"]
    with result.open("w") as out:
        subprocess.run(checked, cwd=ROOT, stdout=out, check=False, timeout=60)
    exported = [*command, "view", str(result), "--export", str(folder / "page.html")]
    subprocess.run(exported, cwd=ROOT, capture_output=True, check=True, timeout=60)
    page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
    page.goto((folder / "page.html").as_uri())
    page.evaluate(f"() => {{ {act}; return 0; }}")
    picture = base64.b64encode(page.screenshot()).decode()
    page.close()
    blank = browser.new_page()
    found: list[str] = blank.evaluate(COARSE, [picture, COLUMNS, LINES])
    blank.close()
    return found


def fonts_of(browser: Any) -> str:
    """What tells the fonts of this machine: how wide a text is in them."""
    page = browser.new_page()
    measure = """(font) => {
      const context = document.createElement("canvas").getContext("2d");
      context.font = `100px ${font}`;
      return Math.round(context.measureText("Beeline: mmm iii 012").width);
    }"""
    found = " ".join(str(page.evaluate(measure, font)) for font in ("system-ui, sans-serif", "ui-monospace, monospace"))
    page.close()
    return found


@pytest.mark.parametrize("name", PAGES)
def test_it_looks_as_it_did(browser: Any, name: str, tmp_path: Path) -> None:
    seen, file = opened(browser, name, tmp_path), LOOKS / f"{name}.txt"
    fonts = fonts_of(browser)
    if os.environ.get("BEELINE_LOOKS") == "write":
        file.write_text("\n".join([fonts, *seen]) + "\n")
    then, *before = file.read_text().splitlines()
    if fonts != then:
        pytest.skip(f"the fonts here are others than those of the picture: {fonts}, not {then}")
    other = difference(before, seen)
    assert other <= MOST_OTHER, f"{other:.0%} of the ink are elsewhere:\n" + "\n".join(seen)


@pytest.mark.parametrize(("one", "other"), [("messages", "timed"), ("messages", "lasso"), ("why", "timed")])
def test_another_layout_would_be_noticed(one: str, other: str) -> None:
    pictures = [(LOOKS / f"{name}.txt").read_text().splitlines()[1:] for name in (one, other)]
    assert difference(*pictures) > MOST_OTHER
