"""Models as the commands see them: read from a file, and kept from speaking on standard output.

A model in Python is code of the user's: what it prints goes to standard error, where it cannot disturb a result, and
what it raises is a mistake in the model, not a fault of ours.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from typing import Any

from beeline.languages import LoadOptions, load
from beeline.model.network import Network
from beeline.model.source import BeelineError


def read_model(file: str, language: str | None, reading: LoadOptions) -> Any:
    """The model in a file: a network, or a user's own space."""
    with redirect_stdout(sys.stderr):
        return load(Path(file), language, reading)


@contextmanager
def running(model: Any, file: str) -> Iterator[None]:
    """Around whatever runs a model: a user's own space may print and raise."""
    try:
        with redirect_stdout(sys.stderr):
            yield
    except (BeelineError, KeyboardInterrupt, MemoryError):
        raise
    except (Exception, SystemExit) as error:
        if isinstance(model, Network):
            raise
        from beeline.languages.python import raised_by_model

        raise raised_by_model(error, Path(file)) from error
