"""``python -m benchmarks.plots directed-beem``: pictures of kept results, and one page that shows them.

The name is that of a file in benchmarks/results: directed-families, directed-beem, directed-hard, abstraction, speed.
Pictures and the page, index.html, go to benchmarks/results/plots/NAME; the same page is printed as Markdown. Each
picture is an SVG file with a PNG file beside it; matplotlib draws them (`make plots` installs it).
"""

from __future__ import annotations

import argparse
import sys
from html import escape
from pathlib import Path

from benchmarks.beem.tables import table
from benchmarks.folders import RESULTS
from benchmarks.plots.results import NoResults, Results, chosen, read
from benchmarks.plots.shapes import charts, ratios


def page(name: str, results: Results, baseline: str, pictures: list[str]) -> str:
    """Ratios first, then all pictures."""
    rows = [
        f"<tr><td>{escape(one.configuration)}<td>{one.measure}<td>{one.answered} of {one.run}<td>{one.both}"
        f"<td>{_told(one.mean)}</tr>"
        for one in ratios(results, baseline)
    ]
    head = f"<tr><th>configuration<th>measure<th>answered<th>by {escape(baseline)}, too<th>ratio</tr>"
    shown = [f'<p><img src="{escape(picture)}" alt="{escape(picture)}"></p>' for picture in pictures]
    style = "body { font-family: sans-serif; margin: 2em } td, th { padding: 0 1em; text-align: left }"
    said = f"Ratios are geometric means over the instances that both answer; below 1 is better than {escape(baseline)}."
    begin = f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{escape(name)}</title><style>{style}</style>'
    return "\n".join([begin, f"<h1>{escape(name)}</h1><p>{said}</p>", "<table>", head, *rows, "</table>", *shown, ""])


def markdown(results: Results, baseline: str, pictures: list[Path], base: Path) -> str:
    """The same for a report that lies in `base`."""
    lines = [
        (one.configuration, one.measure, f"{one.answered} of {one.run}", str(one.both), _told(one.mean))
        for one in ratios(results, baseline)
    ]
    head = ("configuration", "measure", "answered", f"by {baseline}, too", "ratio")
    shown = [f"![{file.stem}]({file.relative_to(base).as_posix()})" for file in pictures]
    return "\n\n".join([table(head, lines), *shown])


def _told(ratio: float | None) -> str:
    return "" if ratio is None else f"{ratio:.3g}"


def draw(name: str, results: Results, baseline: str, folder: Path, png: bool) -> list[Path]:
    """Writes all pictures and the page; returns the pictures."""
    folder.mkdir(parents=True, exist_ok=True)
    pictures: list[Path] = []
    for stem, chart in charts(results, baseline):
        file = folder / f"{stem}.svg"
        chart.write(file, png=png)
        pictures.append(file)
    (folder / "index.html").write_text(page(name, results, baseline, [file.name for file in pictures]))
    return pictures


def main() -> int:
    parser = argparse.ArgumentParser("python -m benchmarks.plots", description=__doc__)
    parser.add_argument("name", help="which results")
    parser.add_argument("--results", type=Path, default=RESULTS, help="the folder that they are in")
    parser.add_argument("--against", help="the configuration that others are held against (default: bfs, or the first)")
    parser.add_argument("--only", default="*", help="a pattern for configurations")
    parser.add_argument("--no-png", action="store_true", help="SVG alone")
    options = parser.parse_args()
    try:
        results = read(options.results, options.name)
    except NoResults as problem:
        print(problem, file=sys.stderr)
        return 2
    known = list(next(iter(results.values())))
    baseline = options.against or ("bfs" if "bfs" in known else known[0])
    if baseline not in known:
        print(f"no configuration '{baseline}'; there are: {', '.join(known)}", file=sys.stderr)
        return 2
    kept = chosen(results, options.only, baseline)
    folder = options.results / "plots" / options.name
    pictures = draw(options.name, kept, baseline, folder, not options.no_png)
    print(markdown(kept, baseline, pictures, options.results))
    print(folder / "index.html", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
