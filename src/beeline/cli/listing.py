"""`beeline list`: what there is, with its promises, from the declarations themselves."""

from __future__ import annotations

import json
from typing import Any

import click

from beeline.languages import languages
from beeline.searches import all_searches


@click.command("list")
@click.option("--json", "as_json", is_flag=True, help="One JSON object on standard output.")
def list_everything(as_json: bool) -> int:
    """Show the searches, heuristics and languages with their promises."""
    content = listing()
    if as_json:
        click.echo(json.dumps(content))
        return 0
    for title, entries in content.items():
        click.secho(title, bold=True)
        for entry in entries:
            click.echo(f"  {entry['name']:<14} {entry['summary']}")
            if entry.get("promises"):
                click.echo(f"  {'':<14} promises: {', '.join(entry['promises'])}")
        if not entries:
            click.echo("  none yet")
    return 0


def listing() -> dict[str, list[dict[str, Any]]]:
    """Everything that registered itself."""
    searches = [
        {
            "name": search.name,
            "summary": search.summary,
            "paper": search.paper,
            "promises": [name for name in ("shortest", "complete") if getattr(search.promises, name)],
            "options": [{"name": option.name, "summary": option.summary} for option in search.options],
        }
        for search in all_searches().values()
    ]
    found = [
        {"name": language.name, "summary": language.summary, "suffixes": list(language.suffixes)}
        for language in languages()
    ]
    return {"searches": searches, "heuristics": [], "languages": found}
