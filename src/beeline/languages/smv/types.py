"""Variables of SMV as variables of a network: instances of modules are records."""

from __future__ import annotations

from collections.abc import Sequence

from beeline.languages.smv.scopes import BOOLEAN, Path, Scalar
from beeline.model.network import Variable
from beeline.model.types import BOOL, ArrayType, IntType, RecordType, Type, width


def type_of(scalar: Scalar) -> Type:
    """The type of one variable."""
    if scalar.symbols is not None:
        return scalar.symbols
    return BOOL if scalar.kind == BOOLEAN else IntType(min(scalar.domain), max(scalar.domain))


def variables(scalars: Sequence[Scalar]) -> list[Variable]:
    """The variables of a network whose places these are."""
    found = []
    for name, inside in _grouped(scalars, 0).items():
        first = inside[0]
        assert isinstance(name, str)
        kind = _type(inside, 1, (name,))
        found.append(Variable(name, kind, tuple(scalar.domain[0] for scalar in inside), source=first.at))
        assert width(kind) == len(inside)
    return found


def _grouped(scalars: Sequence[Scalar], depth: int) -> dict[str | int, list[Scalar]]:
    found: dict[str | int, list[Scalar]] = {}
    for scalar in scalars:
        found.setdefault(scalar.path[depth], []).append(scalar)
    return found


def _type(scalars: list[Scalar], depth: int, path: Path) -> Type:
    if len(scalars[0].path) == depth:
        return type_of(scalars[0])
    parts = _grouped(scalars, depth)
    if isinstance(scalars[0].path[depth], int):
        return ArrayType(_type(parts[0], depth + 1, (*path, 0)), len(parts))
    fields = tuple((str(name), _type(inside, depth + 1, (*path, name))) for name, inside in parts.items())
    return RecordType(".".join(map(str, path)), fields)
