"""The Python interface of the native engine: spaces, limits and outcomes of searches."""

from beeline.engine.core import Cancellation, PythonSpace
from beeline.engine.limits import Limits, default_memory, parse_size
from beeline.engine.native_space import Arc, NativeSpace, Progress
from beeline.engine.outcome import Ending, FailedStep, Found, Outcome, Sample, Statistics, Status, Step
from beeline.engine.spaces import Action, PythonModel, SpaceStep, python_space, split_successor, user_path, user_reason

__all__ = [
    "Action",
    "Arc",
    "Cancellation",
    "Ending",
    "FailedStep",
    "Found",
    "Limits",
    "NativeSpace",
    "Outcome",
    "Progress",
    "PythonModel",
    "PythonSpace",
    "Sample",
    "SpaceStep",
    "Statistics",
    "Status",
    "Step",
    "default_memory",
    "parse_size",
    "python_space",
    "split_successor",
    "user_path",
    "user_reason",
]
