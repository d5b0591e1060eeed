"""Beeline, a directed model checker: the shortest way it can find from a model to its bug."""

TYPE_CHECKING = False  # as in `typing`, which a command need not wait for

if TYPE_CHECKING:
    from beeline.checking import Exploration, Result, check, explore
    from beeline.engine import Limits
    from beeline.languages import load
    from beeline.model.builder import NetworkBuilder
    from beeline.model.network import Network
    from beeline.model.source import BeelineError, ModelError

__version__ = "0.1.0"

_HOMES = {
    "BeelineError": "beeline.model.source",
    "Exploration": "beeline.checking",
    "Limits": "beeline.engine",
    "ModelError": "beeline.model.source",
    "Network": "beeline.model.network",
    "NetworkBuilder": "beeline.model.builder",
    "Result": "beeline.checking",
    "check": "beeline.checking",
    "explore": "beeline.checking",
    "load": "beeline.languages",
}

__all__ = [
    "BeelineError",
    "Exploration",
    "Limits",
    "ModelError",
    "Network",
    "NetworkBuilder",
    "Result",
    "__version__",
    "check",
    "explore",
    "load",
]


def __getattr__(name: str) -> object:
    """Public names are imported when first used, so that the command line starts quickly."""
    if name not in _HOMES:
        raise AttributeError(f"module 'beeline' has no attribute '{name}'")
    from importlib import import_module

    found: object = getattr(import_module(_HOMES[name]), name)
    return found
