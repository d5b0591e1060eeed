"""The engines, one file each. A file declares an `ENGINE`; putting it into this folder is all it takes."""

from beeline.engines.declaration import AUTO, Counting, Engine, EngineError
from beeline.engines.registry import all_engines, answer, choose_engine, count_states, find_engine

__all__ = [
    "AUTO",
    "Counting",
    "Engine",
    "EngineError",
    "all_engines",
    "answer",
    "choose_engine",
    "count_states",
    "find_engine",
]
