"""`beeline resume`: go on with a check from what it left behind, and the file that says which check that was."""

from __future__ import annotations

import fcntl
import os
import shlex
from contextlib import suppress
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import Any

import click
import msgspec

from beeline import __version__
from beeline.checking import Options, Result
from beeline.checking.options import SEARCH_FILE
from beeline.cli.cluster import help_first
from beeline.cli.options import ARGUMENTS
from beeline.model.network import Network
from beeline.model.printer import show_network
from beeline.model.source import BeelineError
from beeline.records import Record, replace

COMMAND_FILE = "command.json"
LOCK_FILE = "lock"
FIRST_WORDS = b"beeline checkpoint"  # of the file that a search leaves
CHANGEABLE = (
    *("--max-time", "--max-memory", "--max-states", "--max-disk", "--every"),
    *(
        "--json",
        "--trail",
        "--dot",
        "--explain",
        "--full",
        "--chart",
        "--view",
        "--graph",
        "--junit",
        "--sarif",
        "--summary",
    ),
)
"""Options that may differ when a check goes on: how far, and what is made of the answer."""


class CheckpointError(BeelineError):
    """A checkpoint that cannot be used."""


class Kept(Record, frozen=True):
    """Which check a checkpoint belongs to."""

    version: str
    arguments: list[str]
    folder: str
    """In which it was started."""
    model: str
    """The digest of the network."""


def begin(options: Options, model: Any) -> Options:
    """When the model is read: writes down how the check was called or, if it goes on, that all is as it was."""
    assert options.checkpoint is not None
    if not isinstance(model, Network):
        raise CheckpointError("only the search of a network leaves checkpoints: leave out --checkpoint")
    context = click.get_current_context()
    digest = sha256(show_network(model).encode()).hexdigest()
    if isinstance(context.obj, Kept):
        if context.obj.model != digest:
            raise _refused(options.checkpoint, "the model has changed since")
        return replace(options, resumes=True)
    kept = Kept(__version__, context.meta[ARGUMENTS], os.getcwd(), digest)
    folder = Path(options.checkpoint)
    if not options.checkpoint:
        raise CheckpointError("--checkpoint needs the name of a folder")
    folder.mkdir(parents=True, exist_ok=True)
    _lock(context, options.checkpoint)
    _check_folder(options.checkpoint)
    (folder / SEARCH_FILE).unlink(missing_ok=True)
    part = folder / f"{COMMAND_FILE}.part"
    part.write_bytes(msgspec.json.encode(kept))
    part.replace(folder / COMMAND_FILE)
    return options


def _lock(context: click.Context, name: str) -> None:
    """Keeps others out of the folder until the command ends: two checks that wrote there would take the other's states
    for their own. The system lets go of the lock when a process is killed."""
    path = Path(name) / LOCK_FILE
    while True:
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(handle)
            raise CheckpointError(f"another check is using {name}: wait for it, or choose another folder") from None
        with suppress(FileNotFoundError):
            if path.stat().st_ino == os.fstat(handle).st_ino:
                break
        os.close(handle)  # of a file that its last user has removed since

    def release() -> None:
        path.unlink(missing_ok=True)
        with suppress(OSError):  # it holds something
            path.parent.rmdir()
        os.close(handle)

    context.call_on_close(release)


def _check_folder(name: str) -> None:
    """What is there is overwritten only if it is a checkpoint."""
    search, command = Path(name) / SEARCH_FILE, Path(name) / COMMAND_FILE
    with suppress(FileNotFoundError):
        if not search.read_bytes().startswith(FIRST_WORDS):
            raise CheckpointError(f"{search} is no checkpoint: choose another folder")
    with suppress(FileNotFoundError):
        try:
            msgspec.json.decode(command.read_bytes(), type=Kept)
        except msgspec.MsgspecError:
            raise CheckpointError(f"{command} is no checkpoint: choose another folder") from None


def end(folder: str, result: Result) -> None:
    """When there is an answer: removes what nobody needs any more, or says how to go on."""
    if result.verdict != "unknown":
        for name in (COMMAND_FILE, f"{SEARCH_FILE}.part"):  # the second is what a killed search was writing
            (Path(folder) / name).unlink(missing_ok=True)
    elif (Path(folder) / SEARCH_FILE).exists():
        click.echo(f"to go on: beeline resume {shlex.quote(folder)}", err=True)


def _refused(folder: str, reason: str) -> CheckpointError:
    return CheckpointError(f"the checkpoint in {folder} cannot be used: {reason}")


def read(folder: str) -> Kept:
    """Which check the checkpoint in a folder belongs to."""
    try:
        kept = msgspec.json.decode((Path(folder) / COMMAND_FILE).read_bytes(), type=Kept)
    except OSError:
        raise _refused(folder, "there is none") from None
    except msgspec.MsgspecError:
        raise _refused(folder, f"its {COMMAND_FILE} is damaged") from None
    if kept.version != __version__:
        raise _refused(folder, f"it is of version {kept.version}, and this is {__version__}")
    if not (Path(folder) / SEARCH_FILE).exists():
        raise _refused(folder, "its search had not begun: start it again")
    return kept


def _engine_of(folder: str) -> str:
    """Who answered the check, if that can be told."""
    try:
        given = msgspec.json.decode((Path(folder) / COMMAND_FILE).read_bytes(), type=Kept).arguments
    except (OSError, msgspec.MsgspecError):
        return ""
    named = [one.partition("=")[2] for one in given if one.startswith("--engine=")]
    return "".join([*named, *(after for one, after in pairwise(given) if one == "--engine")][-1:])


@click.command(context_settings={"ignore_unknown_options": True, "allow_extra_args": True})
@click.argument("folder", type=click.Path())
@click.pass_context
def resume(context: click.Context, folder: str) -> int:
    """Go on with the check whose checkpoint is in FOLDER, as it was asked. Options of `beeline check` that follow
    FOLDER, such as --max-time, take the place of those that were given then."""
    from beeline.cli.check import check

    for option in context.args:
        if option.startswith("-") and option.partition("=")[0] not in CHANGEABLE:
            allowed = ", ".join(CHANGEABLE[:5])
            raise CheckpointError(f"{option} cannot change when a check goes on; what can: {allowed}, and reports")
    folder = os.path.abspath(folder)
    help_first(_engine_of(folder))
    if os.path.isdir(folder):
        _lock(context, folder)
    kept = read(folder)
    own = ["--checkpoint", folder]
    os.chdir(kept.folder)
    arguments = [*kept.arguments, *context.args, *own]
    answer: int = check.main(arguments, "beeline check", standalone_mode=False, obj=kept)
    return answer
