"""Packages and folders form layers: what stands further down in a list may import what stands above it, never the other
way round. Imports inside functions and those for types alone count as well."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "beeline"
NATIVE = ROOT / "native"

PYTHON = (
    "__version__", "_native", "records", "parameters", "columns", "spelling", "declared", "signals",
    "model", "engine", "automata", "ctl", "mu",
    "properties", "compile", "jit",
    "analysis", "symbolic", "heuristics",
    "trace", "searches", "stores", "por", "symmetry",
    "languages", "simulate", "lts", "timed", "preprocessing",
    "conformance", "gpu", "cluster", "compositional", "problems", "engines", "checking", "planning",
    "guidelines",
    "testing", "pytest_plugin",
    "report", "export", "web", "editor",
    "cli", "start",
)  # fmt: skip
NATIVE_FOLDERS = (
    "state", "vm", "space", "watch", "por", "symmetry", "jit", "program", "gpu", "task", "zone",
    "heuristic", "abstraction", "search", "external", "equations", "bind", "tests",
)  # fmt: skip


def python_imports() -> Iterator[tuple[str, str, str]]:
    """(file, importing package, imported package) of every import of ours from another package of ours."""
    for file in sorted(PACKAGE.rglob("*.py")):
        inside = file.relative_to(PACKAGE)
        if inside == Path("__init__.py"):
            continue  # names that are imported when they are first used
        own = inside.parts[0].removesuffix(".py")
        for node in ast.walk(ast.parse(file.read_text())):
            for module in _modules(node):
                other = module.split(".")[1]
                if other != own and other[0].islower() | other.startswith("_"):
                    yield str(inside), own, other


def _modules(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        return [name.name for name in node.names if name.name.startswith("beeline.")]
    if isinstance(node, ast.ImportFrom) and node.level == 0 and node.module is not None:
        if node.module == "beeline":
            return [f"beeline.{name.name}" for name in node.names]
        return [node.module] if node.module.startswith("beeline.") else []
    return []


def native_includes() -> Iterator[tuple[str, str, str]]:
    for file in sorted(NATIVE.rglob("*.[ch]pp")):
        own = file.relative_to(NATIVE).parts[0]
        for included in re.findall(r'#include "([^"]+)"', file.read_text()):
            other = included.split("/")[0]
            if other != own:
                yield str(file.relative_to(NATIVE)), own, other


def upward(imports: Iterator[tuple[str, str, str]], layers: tuple[str, ...]) -> list[str]:
    """The imports that go against the order of the layers."""
    level = {name: position for position, name in enumerate(layers)}
    return [f"{file} imports {other}" for file, own, other in imports if level[other] > level[own]]


def test_no_python_package_imports_from_a_higher_one() -> None:
    assert upward(python_imports(), PYTHON) == []


def test_no_native_folder_includes_from_a_higher_one() -> None:
    assert upward(native_includes(), NATIVE_FOLDERS) == []


def test_only_the_engine_package_imports_the_native_module() -> None:
    assert {own for _, own, other in python_imports() if other == "_native"} == {"engine"}


def test_an_upward_import_is_noticed() -> None:
    assert upward(iter([("model/x.py", "model", "cli")]), PYTHON) == ["model/x.py imports cli"]
