"""Models written in Python: a file that defines `network` (a Network or its builder), or `space` (a user's class)."""

from __future__ import annotations

import importlib.util
import traceback
from pathlib import Path
from typing import Any

from beeline.languages import Language, LoadOptions, register
from beeline.model.builder import NetworkBuilder
from beeline.model.source import BeelineError, ModelError, Source


def load(path: Path, options: LoadOptions) -> Any:
    """Runs the file and returns its `network`, built, or its `space`. Defines appear in it as `DEFINES`."""
    spec = importlib.util.spec_from_file_location(f"beeline_model_{path.stem}", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    module.__dict__["DEFINES"] = dict(options.defines)
    try:
        spec.loader.exec_module(module)
    except BeelineError:
        raise
    except SyntaxError as error:
        place = Source(str(path), error.lineno or 0, error.offset or 0)
        raise ModelError(f"Python says: {error.msg}", place, excerpt=(error.text or "").rstrip("\n")) from None
    except Exception as error:
        raise ModelError(f"the file raised {type(error).__name__}: {error}", _where(error, path)) from error
    found = getattr(module, "network", None) or getattr(module, "space", None)
    if found is None:
        remedy = "define network = builder.build(), or space = an object with initial() and successors()"
        raise ModelError("the file defines neither 'network' nor 'space'", Source(str(path)), remedy)
    return found.build() if isinstance(found, NetworkBuilder) else found


def _where(error: Exception, path: Path) -> Source:
    """The last line of the model file on the way to the exception."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(path)]
    return Source(str(path), frames[-1].lineno or 0) if frames else Source(str(path))


LANGUAGE = register(
    Language("python", (".py",), "automata networks built in Python, or a user's own state space", load)
)
