"""What pytest shows of a test made by `beeline.checks`: the answer and its trace, and no line of ours."""

from __future__ import annotations

from collections.abc import Generator
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from _pytest.reports import TestReport


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(call: pytest.CallInfo[Any]) -> Generator[None, TestReport, TestReport]:
    """Puts the counterexample in the place of the traceback."""
    report = yield
    raised = call.excinfo
    # Told by name, so that tests without a model need not wait for ours to be imported.
    if raised is not None and raised.typename == "Violated" and raised.type.__module__ == "beeline.testing":
        report.longrepr = str(raised.value)
    return report
