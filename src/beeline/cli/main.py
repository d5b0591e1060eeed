"""Entry point and the shared parts of the commands: options, errors, exit codes."""

from __future__ import annotations

import gc
import os
import sys
from contextlib import suppress
from importlib import import_module
from typing import Any

import click

from beeline import __version__
from beeline.cli import guard
from beeline.cli.pages import page_for
from beeline.columns import look
from beeline.engine.budget import LimitReached
from beeline.model.source import BeelineError

OBJECTS_BETWEEN_COLLECTIONS = 100_000
HOLDS, VIOLATED, USAGE, UNKNOWN, INTERNAL = 0, 1, 2, 3, 4


COMMANDS = {
    "assumption": "assumption.assumption",
    "automaton": "automaton.automaton",
    "check": "check.check",
    "compare": "lts.compare_systems",
    "completion": "completion.completion",
    "doctor": "doctor.doctor",
    "explore": "explore.explore",
    "export": "export.export",
    "guideline": "guideline.guideline",
    "init": "init.init",
    "language-server": "language_server.language_server",
    "list": "listing.list_everything",
    "run": "run_project.run_project",
    "improve": "improve.improve",
    "resume": "checkpoint.resume",
    "lts": "lts.lts",
    "simulate": "simulate.simulate",
    "tests": "tests.tests",
    "view": "view.view",
}


class Commands(click.Group):
    """The commands by name; each is imported when it is asked for, so that none waits for the others."""

    def list_commands(self, context: click.Context) -> list[str]:
        return list(COMMANDS)

    def resolve_command(
        self, context: click.Context, arguments: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """`beeline FILE` and `beeline verify FILE` mean `beeline check FILE`."""
        first = arguments[0]
        if first == "verify":
            arguments = ["check", *arguments[1:]]
        elif first not in COMMANDS and _is_file(first):
            arguments = ["check", *arguments]
        return super().resolve_command(context, arguments)

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        if name in COMMANDS:
            return _imported(name)
        self.commands = {known: _imported(known) for known in COMMANDS}  # what click suggests instead
        return None


def _is_file(word: str) -> bool:
    """Whether a word where a command is expected is a file, or looks like one."""
    return os.path.isfile(word) or os.sep in word or bool(os.path.splitext(word)[1])


def _imported(name: str) -> click.Command:
    module, _, function = COMMANDS[name].partition(".")
    command: click.Command = getattr(import_module(f"beeline.cli.{module}"), function)
    return command


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__)
def cli() -> None:
    """Beeline, a directed model checker.

    Exit codes: 0 holds, 1 violated, 2 bad usage or bad model, 3 unknown, 4 internal error."""


def command() -> None:
    """`beeline` as a process of its own: the collector of garbage need not look through all modules and the whole model
    several times on the way, nor once more at the end, when everything goes anyway."""
    gc.set_threshold(OBJECTS_BETWEEN_COLLECTIONS)
    try:
        with guard.guarded(UNKNOWN):
            main()
    finally:
        gc.freeze()


def main(arguments: list[str] | None = None) -> None:
    """Run the command line and leave with its exit code."""
    sys.exit(_run(arguments))


def _run(arguments: list[str] | None) -> int:
    guard.answer = None
    try:
        return _exit_code(arguments)
    except OSError as error:  # of our output, or of something else that the system refused
        _give_up_output()
        if not isinstance(error, BrokenPipeError):  # a reader who left knows
            with suppress(OSError):
                click.echo(f"error: {error.filename or 'the output cannot be written'}: {error.strerror}", err=True)
        return _answer(UNKNOWN if isinstance(error, BrokenPipeError) else USAGE)


def _answer(otherwise: int) -> int:
    """What ends a command after it has an answer does not change that."""
    return otherwise if guard.answer is None else guard.answer


def _give_up_output() -> None:
    """What is still buffered for an output that takes nothing has nowhere to go."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _exit_code(arguments: list[str] | None) -> int:
    try:
        result: Any = cli.main(args=arguments, prog_name="beeline", standalone_mode=False)
        if sys.stdout is not None:
            sys.stdout.flush()
        return int(result or 0)
    except click.exceptions.NoArgsIsHelpError as error:
        error.show()
        return USAGE
    except click.ClickException as error:
        from beeline.cli.usage import told

        _say_error(told(error), page_for(error))
        return USAGE
    except click.exceptions.Exit as error:
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        click.echo("interrupted", err=True)
        return _answer(UNKNOWN)
    except OSError:
        raise
    except (LimitReached, MemoryError):
        click.echo("a limit of time or memory was reached", err=True)
        return _answer(UNKNOWN)
    except BeelineError as error:
        _say_error(str(error), page_for(error))
        return USAGE
    except RecursionError:
        _say_error("the model or the property is nested too deeply\n  hint: split it into parts", "docs/properties.md")
        return USAGE
    except Exception as error:
        return _internal(error)


def _say_error(text: str, page: str) -> None:
    """A mistake of the user's, with the page that helps."""
    how = look(stream=sys.stderr)
    click.echo(f"{how.paint('error:', 'bad')} {text}\n  see: {page}", err=True, color=how.colour)


def _internal(error: Exception) -> int:
    """A fault of ours: said plainly, with the traceback only on request."""
    if os.environ.get("BEELINE_DEBUG"):
        import traceback

        traceback.print_exc()
    click.echo(
        f"internal error: {type(error).__name__}: {error}\n"
        "This is a fault of Beeline, not of your model; BEELINE_DEBUG=1 shows where it happened.",
        err=True,
    )
    return INTERNAL
