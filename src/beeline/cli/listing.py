"""`beeline list`: what there is, with its promises, from the declarations themselves."""

from __future__ import annotations

import json
from typing import Any

import click

from beeline.engines import all_engines
from beeline.heuristics import all_heuristics
from beeline.languages import languages
from beeline.por import all_reductions
from beeline.por.declaration import PROVISOS
from beeline.preprocessing.techniques import all_techniques
from beeline.searches import Promises, all_searches
from beeline.stores import all_stores
from beeline.symmetry import all_symmetries

PROMISES = ("admissible", "consistent", "safe")


@click.command("list")
@click.option("--json", "as_json", is_flag=True, help="One JSON object on standard output.")
def list_everything(as_json: bool) -> int:
    """Show the engines, searches, stores, heuristics, reductions and languages with their promises."""
    content = listing()
    if as_json:
        click.echo(json.dumps(content))
        return 0
    for title, entries in content.items():
        click.secho(title, bold=True)
        for entry in entries:
            click.echo(f"  {entry['name']:<16} {entry['summary']}")
            if entry.get("promises"):
                click.echo(f"  {'':<16} promises: {', '.join(entry['promises'])}")
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
            "promises": _search_promises(search.promises),
            "estimates": search.takes.name.lower(),
            "options": [{"name": option.name, "summary": option.summary} for option in search.options],
        }
        for search in all_searches().values()
    ]
    stores = [
        {
            "name": store.name,
            "summary": store.summary,
            "paper": store.paper,
            "promises": ["exact"] * store.exact,
            "searches": sorted(store.uses) or ["all"],
            "options": [{"name": option.name, "summary": option.summary} for option in store.options],
        }
        for store in all_stores().values()
    ]
    heuristics = [
        {
            "name": heuristic.name,
            "summary": heuristic.summary,
            "paper": heuristic.paper,
            "promises": [name for name in PROMISES if getattr(heuristic.promises, name)],
            "options": [{"name": option.name, "summary": option.summary} for option in heuristic.options],
        }
        for heuristic in all_heuristics().values()
    ]
    found = [
        {"name": language.name, "summary": language.summary, "suffixes": list(language.suffixes)}
        for language in languages()
    ]
    reductions = [
        {
            "name": reduction.name,
            "summary": reduction.summary,
            "paper": reduction.paper,
            "options": [{"name": name, "summary": summary} for name, summary in PROVISOS.items()],
        }
        for reduction in all_reductions().values()
    ]
    shrinking = [
        {
            "name": technique.name,
            "summary": technique.summary,
            "paper": technique.paper,
            "promises": list(technique.promises),
            "options": [],
        }
        for technique in all_techniques().values()
        if technique.option == "shrink"
    ]
    matching = [
        {"name": one.name, "summary": one.summary, "paper": one.paper, "promises": list(one.promises), "options": []}
        for one in all_techniques().values()
        if one.option == "match"
    ]
    symmetries = [
        {"name": symmetry.name, "summary": symmetry.summary, "paper": symmetry.paper, "options": []}
        for symmetry in all_symmetries().values()
    ]
    engines = [{"name": one.name, "summary": one.summary, "paper": one.paper} for one in all_engines().values()]
    return {
        "engines": engines,
        "searches": searches,
        "stores": stores,
        "heuristics": heuristics,
        "reductions": reductions,
        "symmetries": symmetries,
        "shrinking": shrinking,
        "matching": matching,
        "languages": found,
    }


def _search_promises(promises: Promises) -> list[str]:
    shortest = {
        "": "shortest",
        "admissible": "shortest with an admissible heuristic",
        "proven": "shortest where it says so",
    }[promises.shortest_if]
    return [shortest] * promises.shortest + ["complete"] * promises.complete
