"""The engines, one file each. A file declares an `ENGINE`; putting it into this folder is all it takes."""

from beeline.engines.declaration import AUTO, Engine, EngineError
from beeline.engines.registry import all_engines, choose_engine, find_engine

__all__ = ["AUTO", "Engine", "EngineError", "all_engines", "choose_engine", "find_engine"]
