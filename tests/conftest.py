"""What all tests share: the `slow` marker and the hypothesis profiles."""

import os

import pytest
from hypothesis import HealthCheck, settings

# Deadlines measure the machine's other work, not ours. BEELINE_HYPOTHESIS=many asks for a long run.
settings.register_profile("default", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("many", settings.get_profile("default"), max_examples=5000)
settings.load_profile(os.environ.get("BEELINE_HYPOTHESIS", "default"))


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--slow", action="store_true", help="run the tests marked slow as well")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "slow: takes more than a few seconds; runs with --slow (see .ci/run)")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--slow"):
        return
    skip = pytest.mark.skip(reason="slow; run with --slow")
    for item in items:
        if "slow" in item.keywords:
            item.add_marker(skip)
