"""A command imports what it needs and no more: a small model's check takes little longer than Python's own start."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

MODELS = Path(__file__).parents[2] / "models"
LOADED = """
import sys
from beeline.cli import main
try:
    main(sys.argv[1:])
finally:
    print(*sys.modules, file=sys.stderr)
"""
NEVER = [
    "beeline.export",
    "beeline.por.tables",
    "beeline.trace.trail",
    "beeline.web",
    "beeline.report.explain",
    "beeline.report.junit",
    "beeline.problems.notebook",
    "beeline.report.objects",
    "beeline.report.sarif",
    "beeline.report.state_graph",
    "beeline.report.verdicts",
    "beeline.heuristics.pdb",
    "beeline.searches.bfs",
    "beeline.jit.provision",
    "difflib",
    "hashlib",
    "json",
    "numpy",
    "random",
    "subprocess",
    "xml",
]
"""What a plain `beeline check` of a small model never needs."""
SHRINKING = ["beeline.analysis.footprint", "beeline.preprocessing.techniques"]
CLOCKS = ["beeline.timed.search", "beeline.timed.semantics"]
TRACES = ["beeline.trace.table", "beeline.trace.timed"]
DVE = ["beeline.languages.dve.parser"]
PROMELA = ["beeline.languages.promela.parser", "pcpp"]
UPPAAL = ["beeline.languages.uppaal.read"]


def loaded(*arguments: str | Path) -> set[str]:
    """The modules that a command has imported when it ends."""
    words = [sys.executable, "-c", LOADED, *map(str, arguments)]
    done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode in (0, 1), done.stderr
    return set(done.stderr.split())


@pytest.mark.parametrize(
    ("file", "needless"),
    [
        ("promela/peterson.pml", ["dataclasses", *SHRINKING, *CLOCKS, *TRACES, *DVE, *UPPAAL]),
        ("promela/philosophers.pml", [*SHRINKING, *CLOCKS, *DVE, *UPPAAL]),
        ("dve/mailbox.dve", [*SHRINKING, *CLOCKS, *TRACES, *PROMELA, *UPPAAL]),
        ("python/token_ring.py", [*CLOCKS, *TRACES, *DVE, *PROMELA, *UPPAAL]),
        ("uppaal/fischer_b_3_faulty.xta", [*SHRINKING, *DVE, *PROMELA]),
    ],
)
def test_a_check_imports_no_more_than_it_needs(file: str, needless: list[str]) -> None:
    assert loaded("check", MODELS / file) & {*NEVER, *needless} == set()
