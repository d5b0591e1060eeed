"""Beeline, a directed model checker: the shortest way it can find from a model to its bug."""

TYPE_CHECKING = False  # as in `typing`, which a command need not wait for

if TYPE_CHECKING:
    from beeline.checking import Exploration, Result, check, check_all, explore
    from beeline.engine import Action, Limits
    from beeline.languages import load
    from beeline.model.builder import NetworkBuilder
    from beeline.model.network import Network
    from beeline.model.source import BeelineError, ModelError
    from beeline.problems.user_questions import invariant
    from beeline.testing import checks
    from beeline.trace import Trace

__version__ = "0.1.0"

_HOMES = {
    "Action": "beeline.engine",
    "BeelineError": "beeline.model.source",
    "Exploration": "beeline.checking",
    "Limits": "beeline.engine",
    "ModelError": "beeline.model.source",
    "Network": "beeline.model.network",
    "NetworkBuilder": "beeline.model.builder",
    "Result": "beeline.checking",
    "Trace": "beeline.trace",
    "check": "beeline.checking",
    "check_all": "beeline.checking",
    "checks": "beeline.testing",
    "explore": "beeline.checking",
    "invariant": "beeline.problems.user_questions",
    "load": "beeline.languages",
}

__all__ = [
    "Action",
    "BeelineError",
    "Exploration",
    "Limits",
    "ModelError",
    "Network",
    "NetworkBuilder",
    "Result",
    "Trace",
    "__version__",
    "check",
    "check_all",
    "checks",
    "explore",
    "invariant",
    "load",
]


def __getattr__(name: str) -> object:
    """Public names are imported when first used, so that the command line starts quickly."""
    if name not in _HOMES:
        raise AttributeError(f"module 'beeline' has no attribute '{name}'")
    from importlib import import_module

    found: object = getattr(import_module(_HOMES[name]), name)
    return found


def __dir__() -> list[str]:
    """What one uses, also what is not imported yet."""
    return sorted(__all__)
