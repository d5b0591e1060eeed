"""Beeline, a directed model checker: the shortest way it can find from a model to its bug."""

from typing import Any

__version__ = "0.1.0"

_EXPORTS = {
    "NetworkBuilder": "beeline.model.builder",
    "Network": "beeline.model.network",
    "check": "beeline.checking",
    "explore": "beeline.checking",
    "Result": "beeline.checking",
    "Exploration": "beeline.checking",
    "Limits": "beeline.engine",
    "BeelineError": "beeline.model.source",
    "ModelError": "beeline.model.source",
    "load": "beeline.languages",
}

__all__ = ["__version__", *_EXPORTS]


def __getattr__(name: str) -> Any:
    """Public names are imported when first used, so that the command line starts quickly."""
    if name not in _EXPORTS:
        raise AttributeError(f"module 'beeline' has no attribute '{name}'")
    from importlib import import_module

    return getattr(import_module(_EXPORTS[name]), name)
