"""The examples in docstrings run and print what they show."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import beeline

MODULES = sorted(
    found.name
    for found in pkgutil.walk_packages(beeline.__path__, "beeline.")
    if ".cli.examples" not in found.name and not found.name.endswith("_native")
)


@pytest.mark.parametrize("name", MODULES)
def test_examples_print_what_they_show(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0
