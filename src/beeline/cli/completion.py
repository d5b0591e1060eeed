"""`beeline completion`: the script that lets a shell complete commands and options."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

HOW = {
    "bash": 'add to ~/.bashrc:  eval "$(beeline completion bash)"',
    "zsh": 'add to ~/.zshrc:  eval "$(beeline completion zsh)"',
    "fish": "beeline completion fish > ~/.config/fish/completions/beeline.fish",
}


@click.command(epilog="  ".join(HOW.values()))
@click.argument("shell", type=click.Choice(sorted(HOW)))
def completion(shell: str) -> int:
    """Print the completion script for SHELL.

    It asks Beeline itself for what fits, so that it is always up to date."""
    from beeline.cli.main import cli

    kind = get_completion_class(shell)
    assert kind is not None
    click.echo(kind(cli, {}, "beeline", "_BEELINE_COMPLETE").source())
    return 0
