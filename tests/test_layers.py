"""Packages and folders form layers: what stands further down in a list may import what stands above it, never the other
way round. Imports inside functions, those for types alone, and those by a name in a string count as well."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import beeline

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
    "cli", "start", "__init__",
)  # fmt: skip
NATIVE_FOLDERS = (
    "state", "vm", "space", "watch", "por", "symmetry", "jit", "program", "gpu", "task", "zone",
    "heuristic", "abstraction", "search", "external", "equations", "bind", "tests",
)  # fmt: skip


def python_imports() -> Iterator[tuple[str, str, str]]:
    """(file, importing package, imported package) of every import of ours from another package of ours."""
    for file in sorted(PACKAGE.rglob("*.py")):
        inside = file.relative_to(PACKAGE)
        for other in imported(file.read_text(), inside):
            if other != (own := inside.parts[0].removesuffix(".py")):
                yield str(inside), own, other


def imported(text: str, file: Path) -> Iterator[str]:
    """The packages of ours that the text of a file imports, be it by a name in a string."""
    above = ["beeline", *file.parent.parts]
    for node in ast.walk(ast.parse(text)):
        for module in _modules(node, above):
            _, _, rest = module.partition("beeline.")
            name = rest.split(".")[0]
            yield beeline._HOMES[name].split(".")[1] if name in beeline._HOMES else name


def _modules(node: ast.AST, above: list[str]) -> list[str]:
    if isinstance(node, ast.Import):
        names = [name.name for name in node.names]
    elif isinstance(node, ast.ImportFrom):
        start = ".".join(above[: len(above) - node.level + 1]) if node.level else ""
        module = ".".join(filter(None, (start, node.module)))
        names = [f"beeline.{name.name}" for name in node.names] if module == "beeline" else [module]
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("import_module", "Folder"):
        names = [_first_text(node.args[0])]
    else:
        names = []
    return [name for name in names if name.startswith("beeline.")]


def _first_text(argument: ast.expr) -> str:
    """The text with which a string begins, before any value that is put into it."""
    first = argument.values[0] if isinstance(argument, ast.JoinedStr) else argument
    return first.value if isinstance(first, ast.Constant) and isinstance(first.value, str) else ""


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


def test_every_way_to_import_is_noticed() -> None:
    text = """
import beeline.cli
from beeline import check
if TYPE_CHECKING:
    from ..report import answers
def later():
    from beeline.searches.runner import run
    import_module(f"beeline.symbolic.{name}")
"""
    assert set(imported(text, Path("model/x.py"))) == {"cli", "checking", "report", "searches", "symbolic"}
