"""`beeline view`: the trace explorer, as one file or served on this machine."""

from __future__ import annotations

import sys
import webbrowser
from pathlib import Path
from typing import Any

import click

from beeline.web.page import ResultError, build_page, read_result, read_sources


@click.command()
@click.argument("result", type=click.Path(allow_dash=True), metavar="RESULT.json")
@click.option(
    "--export", type=click.Path(dir_okay=False, writable=True), metavar="FILE", help="Write the page instead."
)
@click.option(
    "--source", "sources", multiple=True, type=click.Path(dir_okay=False), metavar="FILE", help="A model file to show."
)
@click.option("--compare", type=click.Path(), metavar="OTHER.json", help="Another result to compare the trace with.")
@click.option("--port", default=0, type=click.IntRange(0, 65535), metavar="N", help="[default: any that is free]")
@click.option("--no-browser", is_flag=True, help="Only print the address.")
def view(
    result: str, export: str | None, compare: str | None, sources: tuple[str, ...], port: int, no_browser: bool
) -> int:
    """Explore the trace in RESULT.json, which `beeline check --json` wrote (- for standard input)."""
    found = _read(result)
    other = None if compare is None else _read(compare)
    page = build_page(found, read_sources(found, [Path(source) for source in sources]), other)
    if export is None:
        return serve(page, port, no_browser)
    try:
        Path(export).write_text(page, encoding="utf-8")
    except OSError as error:
        raise click.FileError(export, error.strerror or "") from None
    click.echo(f"wrote {export}")
    return 0


def _read(file: str) -> dict[str, Any]:
    try:
        text = sys.stdin.read() if file == "-" else Path(file).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        said = error.strerror if isinstance(error, OSError) else "this is not text"
        raise ResultError(f"{file}: {said}\n  hint: write it with `beeline check --json`") from None
    return read_result(text, file)


def serve(page: str, port: int = 0, no_browser: bool = False) -> int:
    """Serves a page on this machine until Ctrl-C."""
    from beeline.web.server import Viewer

    try:
        server = Viewer(page, port)
    except OSError as error:
        raise click.UsageError(f"port {port} cannot be used: {error.strerror}") from None
    with server:
        # Standard output may be a result that somebody reads on.
        click.echo(f"{server.address}\nthe address works on this machine only; Ctrl-C ends it", err=True)
        if not no_browser:
            webbrowser.open(server.address)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            click.echo()
    return 0
