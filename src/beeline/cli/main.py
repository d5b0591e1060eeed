"""Entry point and the shared parts of the commands: options, errors, exit codes."""

from __future__ import annotations

import os
import sys
import traceback
from typing import Any

import click

from beeline import __version__
from beeline.model.source import BeelineError

HOLDS, VIOLATED, USAGE, UNKNOWN, INTERNAL = 0, 1, 2, 3, 4


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__)
def cli() -> None:
    """Beeline, a directed model checker.

    Exit codes: 0 holds, 1 violated, 2 bad usage or bad model, 3 unknown, 4 internal error."""


def main(arguments: list[str] | None = None) -> None:
    """Run the command line and leave with its exit code."""
    from beeline.cli import check, completion, doctor, explore, init, listing, run_project, simulate, view

    for command in (
        check.check,
        explore.explore,
        simulate.simulate,
        listing.list_everything,
        run_project.run_project,
        view.view,
        init.init,
        doctor.doctor,
        completion.completion,
    ):
        cli.add_command(command)
    sys.exit(_run(arguments))


def _run(arguments: list[str] | None) -> int:
    try:
        result: Any = cli.main(args=arguments, prog_name="beeline", standalone_mode=False)
        sys.stdout.flush()
        return int(result or 0)
    except click.ClickException as error:
        error.show()
        return USAGE
    except click.exceptions.Exit as error:
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        click.echo("interrupted", err=True)
        return UNKNOWN
    except BrokenPipeError:
        # The reader of our output left; what is still buffered has nowhere to go.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return UNKNOWN
    except BeelineError as error:
        click.echo(f"error: {error}", err=True)
        return USAGE
    except RecursionError:
        click.echo("error: the model or the property is nested too deeply\n  hint: split it into parts", err=True)
        return USAGE
    except Exception as error:
        return _internal(error)


def _internal(error: Exception) -> int:
    """A fault of ours: said plainly, with the traceback only on request."""
    if os.environ.get("BEELINE_DEBUG"):
        traceback.print_exc()
    click.echo(
        f"internal error: {type(error).__name__}: {error}\n"
        "This is a fault of Beeline, not of your model; BEELINE_DEBUG=1 shows where it happened.",
        err=True,
    )
    return INTERNAL
