"""Models written in Python: a file that defines `network` (a Network or its builder), or `space` (a user's class)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from beeline.languages import Language, LoadOptions
from beeline.model.source import BeelineError, ModelError, Source


def load(path: Path, options: LoadOptions) -> Any:
    """Runs the file and returns its `network`, built, or its `space`. Defines appear in it as `DEFINES`."""
    import importlib.util
    from importlib.machinery import SourceFileLoader

    from beeline.model.builder import NetworkBuilder
    from beeline.model.network import Network
    from beeline.model.validation import validate

    loader = SourceFileLoader(f"beeline_model_{path.stem}", str(path))  # whatever the file's suffix is
    spec = importlib.util.spec_from_loader(loader.name, loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    module.__dict__["DEFINES"] = dict(options.defines)
    try:
        loader.exec_module(module)
    except (BeelineError, MemoryError):
        raise
    except SyntaxError as error:
        place = Source(str(path), error.lineno or 0, error.offset or 0)
        excerpt = (error.text or "").rstrip("\n")
        raise ModelError(f"Python says: {error.msg}", place, "mend the Python code", excerpt) from None
    except (Exception, SystemExit) as error:
        raise raised_by_model(error, path) from error
    found = next((module.__dict__[name] for name in ("network", "space") if name in module.__dict__), None)
    if found is None:
        remedy = "define network = builder.build(), or space = an object with initial() and successors()"
        raise ModelError("the file defines neither 'network' nor 'space'", Source(str(path)), remedy)
    if isinstance(found, NetworkBuilder):
        return found.build()
    if isinstance(found, Network):
        validate(found)
    return found


def raised_by_model(error: BaseException, path: Path) -> ModelError:
    """An exception of the model's own code, at the last line of the model file on the way to it."""
    import linecache
    import traceback

    own = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(path)]
    place = Source(str(path))
    if own:
        column = own[-1].colno
        place = Source(str(path), own[-1].lineno or 0, 0 if column is None else column + 1)
    excerpt = linecache.getline(place.file, place.line).rstrip("\n") if place.line else ""
    remedy = "\n".join(["mend the Python code", *getattr(error, "__notes__", ())]).replace("\n", "\n  ")
    return ModelError(f"the model raised {type(error).__name__}: {error}", place, remedy, excerpt)


LANGUAGE = Language(
    "python",
    (".py",),
    "automata networks built in Python, or a user's own state space",
    load,
    signs=(r"^(import|from)\s+\w+|^#!.*python", r"^(def|class|network|space)\b"),
)
