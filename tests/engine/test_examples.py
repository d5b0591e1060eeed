"""The examples in the docstrings are true."""

import doctest

import pytest

from beeline.engine import limits
from beeline.searches import registry, runner


@pytest.mark.parametrize("module", [limits, runner, registry])
def test_docstring_examples(module: object) -> None:
    failed, tried = doctest.testmod(module)  # type: ignore[arg-type]
    assert tried > 0
    assert failed == 0
