"""`beeline language-server`: errors as you type, for editors."""

from __future__ import annotations

import os
import sys
from contextlib import redirect_stdout
from importlib.util import find_spec

import click


@click.command("language-server")
def language_server() -> int:
    """Tell an editor what is wrong with a model while it is written.

    Speaks the Language Server Protocol on standard input and output; editors start it. The extension for VS Code is in
    editors/vscode."""
    if find_spec("pygls") is None:
        raise click.UsageError("this needs the package pygls\n  hint: pip install 'beeline[editor]'")
    from beeline.editor.server import make_server

    # The server closes what it writes to; and nothing else may write there.
    with os.fdopen(os.dup(sys.stdout.fileno()), "wb") as out, redirect_stdout(sys.stderr):
        make_server().start_io(stdout=out)
    return 0
