"""Test cases as a file for pytest."""

from __future__ import annotations

import json
from collections.abc import Sequence

from beeline.conformance.cases import TestCase

_FILE = '''"""Tests of {adapter} against {model}, written by `beeline tests`."""

import json

import pytest
from {module} import {name}

from beeline.conformance.cases import TestCase
from beeline.conformance.driver import check_case

CASES = [TestCase.from_object(case) for case in json.loads(
    r"""{cases}"""
)]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_conforms(case):
    if check_case(case, {name}()) == "inconclusive":
        pytest.skip("inconclusive: the implementation went another way that is allowed")
'''


def to_pytest(cases: Sequence[TestCase], model: str, adapter: str) -> str:
    """The text of a file; `adapter` is ``module:Class``."""
    module, _, name = adapter.partition(":")
    told = ",\n".join(json.dumps(case.as_object()) for case in cases)
    return _FILE.format(adapter=adapter, model=model, module=module, name=name, cases=f"[{told}]")
