"""`beeline export`: a model for another tool."""

from __future__ import annotations

from pathlib import Path

import click

from beeline.cli.main import HOLDS
from beeline.cli.models import read_model, running
from beeline.cli.options import model_options
from beeline.languages import LoadOptions
from beeline.model.network import Network


@click.command()
@model_options
@click.option("--property", "asked", metavar="NAME_OR_EXPRESSION", help="What to look for [default: the model's own].")
@click.option(
    "--format", "form", type=click.Choice(["sas"]), default="sas", show_default=True, help="sas: a planning task."
)
@click.option("--output", "-o", type=click.Path(dir_okay=False), metavar="FILE", help="[default: standard output]")
def export(
    file: str,
    language: str | None,
    reading: LoadOptions,
    asked: str | None,
    form: str,
    output: str | None,
) -> int:
    """Write the model in FILE, and a property of it, for another tool.

    The only format is sas: a finite-domain planning task for Fast Downward, whose plans are the ways to a violation."""
    from beeline.export.sas import ExportError, to_sas

    model = read_model(file, language, reading)
    with running(model, file):
        if not isinstance(model, Network):
            raise ExportError("a space written in Python has no steps to list", remedy="describe it as a network")
        text = to_sas(model, asked)
    if output is None:
        click.echo(text, nl=False)
        return HOLDS
    try:
        Path(output).write_text(text)
    except OSError as error:
        raise click.FileError(output, error.strerror) from None
    return HOLDS
