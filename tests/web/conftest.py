"""Results to look at, the hostile kind too."""

from __future__ import annotations

from typing import Any

import pytest

HOSTILE = "</script><script>alert(1)</script>\"'><img src=x onerror=alert(2)><!-- @DATA@ @SCRIPT@ ${1} \u2028"


def make_result(steps: int, name: str = "P", action: str = "x = x + 1") -> dict[str, Any]:
    """A result with so many steps in which two processes take turns and shake hands."""
    trace = [
        {
            "step": i,
            "process": f"{name}{i % 2}",
            "action": action,
            "source": {"file": "model.pml", "line": i % 7 + 1, "column": 1},
            "changes": {"x": [str(i - 1), str(i)], **({"q": ["[]", "[7]"]} if i % 2 else {"q": ["[7]", "[]"]})},
            "partners": [{"process": f"{name}{(i + 1) % 2}", "action": "c?x"}] if i % 5 == 0 else [],
            "output": [],
            "error": None,
        }
        for i in range(1, steps + 1)
    ]
    return {
        "verdict": "violated",
        "reason": "invariant violated",
        "property": f"{name} is fine",
        "property_kind": "invariant",
        "search": "bfs",
        "heuristic": None,
        "states": {"stored": 1, "expanded": 1, "generated": 1, "transient": 0},
        "depth": steps,
        "trace_length": steps,
        "trace_is_shortest": True,
        "trace": trace,
        "initial": {"x": "0", "q": "[]", "quiet": "4"},
        "time_s": 0.5,
        "version": "0",
        "model": "model.pml",
    }


@pytest.fixture
def result() -> dict[str, Any]:
    return make_result(12)


@pytest.fixture
def hostile() -> dict[str, Any]:
    """Everything that a model can name is an attack."""
    made = make_result(3, HOSTILE, HOSTILE)
    made["reason"] = HOSTILE
    made["initial"][HOSTILE] = HOSTILE
    made["initial"]["__proto__"] = "1"
    made["trace"][-1]["changes"][HOSTILE] = [HOSTILE, HOSTILE]
    made["trace"][-1]["error"] = HOSTILE
    made["trace"][-1]["output"] = [HOSTILE]
    made["trace"][0]["partners"] = [{"process": HOSTILE, "action": HOSTILE}]
    made["explanation"] = {
        "headline": HOSTILE,
        "parts": [{"text": HOSTILE, "value": False, "reads": {HOSTILE: HOSTILE}, "depth": 0}],
        "waits": [{"process": HOSTILE, "location": HOSTILE, "at_end": False, "ways": []}],
        "writes": [{"name": HOSTILE, "value": HOSTILE, "step": 1, "process": HOSTILE, "action": HOSTILE, "line": 1}],
        "causes": [
            {"step": 1, "process": HOSTILE, "action": HOSTILE, "wrote": {HOSTILE: HOSTILE}, "read": {HOSTILE: HOSTILE}}
        ],
    }
    place = {"name": HOSTILE, "line": 1, "end": False}
    edge = {"from": 0, "to": 0, "action": HOSTILE, "line": 1}
    kind = {"name": HOSTILE, "initial": 0, "locations": [place], "edges": [edge]}
    made["automata"] = {"kinds": [kind], "instances": {HOSTILE: 0, "__proto__": 0}}
    made["graph"] = {"depths": [0, 1], "arcs": [[0, 1]], "bad": [1], "path": [0, 1]}
    made["history"] = {"seconds": [0, 1], "stored": [1, HOSTILE], "frontier": [], "best_estimate": [None, 3]}
    made["estimates"] = [1, 2, 3]
    return made
