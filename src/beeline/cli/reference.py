"""References made from the code: every command with its options, every search and heuristic with its promises."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import click

from beeline.cli.listing import listing
from beeline.cli.main import COMMANDS, cli


def command_line() -> str:
    """All commands as a Markdown page."""
    lines = ["# All commands and options", "", "Made from the commands themselves; `--help` shows the same.", ""]
    context = click.Context(cli, info_name="beeline", **cli.context_settings)
    for name in COMMANDS:
        command = cli.get_command(context, name)
        assert command is not None
        lines += _command(command, click.Context(command, parent=context, info_name=name))
    return "\n".join(lines)


def _command(command: click.Command, context: click.Context) -> Iterator[str]:
    yield f"## beeline {context.info_name}"
    yield ""
    yield f"    {' '.join(command.get_usage(context).removeprefix('Usage: ').split())}"
    yield ""
    yield "\n\n".join(" ".join(part.split()) for part in (command.help or "").split("\n\n"))
    yield ""
    options = [parameter for parameter in command.params if isinstance(parameter, click.Option)]
    if not options:
        return
    yield "| option | |"
    yield "|---|---|"
    for option in options:
        record = option.get_help_record(context)
        if record is not None:
            names, text = record
            yield f"| `{names}` | {_cell(text)} |"
    yield ""


def techniques() -> str:
    """All searches, stores, heuristics and languages as a Markdown page."""
    found = listing()
    lines = [
        "# Searches, stores, heuristics and reductions",
        "",
        "Made from the declarations in the code; `beeline list` shows the same.",
        "",
    ]
    lines += ["## Searches", "", "`--search NAME`, with options as in `walk:restarts=10`.", ""]
    lines += _entries(found["searches"])
    lines += ["## Stores", "", "`--store NAME`, with options as in `bitstate:bits=32`. *Exact*: no state is taken for "
              "another one, so that the search keeps its promises.", ""]  # fmt: skip
    lines += _entries(found["stores"])
    lines += ["## Heuristics", "", "`--heuristic NAME`. *Admissible*: never too high. *Consistent*: a step never "
              "lowers it by more than one. *Safe*: what it calls a dead end is one.", ""]  # fmt: skip
    lines += _entries(found["heuristics"])
    lines += ["## Reductions", "", "`--reduce NAME`, or `NAME:OPTION` for another condition.", ""]
    lines += _entries(found["reductions"])
    lines += ["## Taking out what cannot matter", "", "`--shrink NAME`, before the search.", ""]
    lines += _entries(found["shrinking"])
    lines += ["## Taking states for equal", "", "`--match NAME`.", ""]
    lines += _entries(found["matching"])
    lines += ["## Languages", "", "| language | suffixes | |", "|---|---|---|"]
    lines += [
        f"| {one['name']} | {', '.join(one['suffixes'])} | {_cell(one['summary'])} |" for one in found["languages"]
    ]
    return "\n".join([*lines, ""])


def _entries(entries: list[Mapping[str, Any]] | list[dict[str, Any]]) -> Iterator[str]:
    for entry in entries:
        yield f"### {entry['name']}"
        yield ""
        yield _sentence(entry["summary"])
        yield ""
        promises = f"Promises: {', '.join(entry['promises']) or 'none'}. " if "promises" in entry else ""
        yield f"{promises}From: {_sentence(entry['paper'])}"
        yield ""
        if entry["options"]:
            yield "| option | |"
            yield "|---|---|"
            yield from (f"| `{option['name']}` | {_cell(option['summary'])} |" for option in entry["options"])
            yield ""


def _sentence(text: str) -> str:
    text = text[:1].upper() + text[1:]
    return text if text.endswith((".", "?", "!")) else f"{text}."


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")
