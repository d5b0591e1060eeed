"""Without the package for decision diagrams there is nothing to test here, and the report says so."""

from __future__ import annotations

from importlib.util import find_spec

MISSING = find_spec("oxidd") is None
collect_ignore_glob = ["test_*.py"] if MISSING else []


def pytest_report_header() -> list[str]:
    return ["tests/symbolic is skipped: oxidd is not installed (pip install 'beeline[symbolic]')"] if MISSING else []
