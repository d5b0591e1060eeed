"""Reads the state that a trace of ours leads to, as `beeline check --json` or `beeline simulate --json` wrote it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from beeline.heuristics.declaration import HeuristicError
from beeline.model.network import Network
from beeline.model.semantics import Semantics
from beeline.model.state import State
from beeline.trace.naming import Naming


def load_target(path: str | Path, network: Network) -> State:
    """Replay the trace in a JSON file and return its last state; `HeuristicError` if it does not fit the network."""
    try:
        content = json.loads(Path(path).read_text())
    except (OSError, UnicodeDecodeError, json.JSONDecodeError) as error:
        raise HeuristicError(f"{path}: {error}") from None
    steps = content.get("trace") if isinstance(content, dict) else content
    if not isinstance(steps, list):
        raise HeuristicError(f"{path} holds no trace: a list of steps, or an object with one under 'trace'")
    return follow(network, steps, str(path))


def follow(network: Network, steps: list[Any], name: str = "the trace") -> State:
    """The state after `steps`, of which only processes and changes are looked at. States that look alike are all kept
    as long as the trace does not tell them apart; the first is returned."""
    semantics, naming = Semantics(network), Naming(network)
    current = list(semantics.initial_states())
    for position, step in enumerate(steps, start=1):
        if step.get("error"):
            break
        wanted = {part: tuple(change) for part, change in step.get("changes", {}).items()}
        following: dict[State, None] = {}
        for state in current:
            for taken in semantics.steps(state):
                if taken.target is not None and naming.changes(state, taken.target) == wanted:
                    following[taken.target] = None
        if not following:
            raise HeuristicError(f"{name}: step {position} is not a step of this model")
        current = list(following)
    return current[0]
