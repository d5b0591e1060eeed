"""Mistakes on the command line, in the words and the form of all other errors."""

from __future__ import annotations

import re

import click


def told(error: click.ClickException) -> str:
    """What is wrong, a hint if there is one, and how the command is used.

    >>> told(click.UsageError("No model fits."))
    'no model fits'
    """
    lines = [_message(error)]
    hint = _hint(error)
    if hint:
        lines.append(f"  hint: {hint}")
    context = error.ctx if isinstance(error, click.UsageError) else None
    if context is not None:
        lines.append(f"  usage: {' '.join(context.get_usage().split()).removeprefix('Usage: ')}")
    return "\n".join(lines)


def _message(error: click.ClickException) -> str:
    if isinstance(error, click.NoSuchOption):
        return f"no such option '{error.option_name}'"
    text = error.format_message().partition(" Did you mean ")[0].rstrip().rstrip(".")
    # A sentence that begins with a name or an abbreviation keeps its capitals.
    return text[:1].lower() + text[1:] if text[1:2].islower() or text[1:2] == " " else text


def _hint(error: click.ClickException) -> str:
    if isinstance(error, click.NoSuchOption):
        return f"did you mean '{error.possibilities[0]}'?" if error.possibilities else ""
    meant = re.search(r" Did you mean ('.*)$", error.format_message())
    if meant is not None:
        return f"did you mean {meant[1]}"
    in_group = (
        isinstance(error, click.UsageError) and error.ctx is not None and isinstance(error.ctx.command, click.Group)
    )
    return "`beeline --help` lists the commands" if in_group else ""
