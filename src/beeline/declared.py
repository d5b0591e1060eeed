"""Finds what the files of a folder declare: searches, heuristics, reductions. Putting a file there is all it takes.

A file is imported when what it declares is asked for by its name, all of them only to be listed.
"""

from __future__ import annotations

import pkgutil
import re
from collections.abc import Iterator
from functools import cached_property
from importlib import import_module
from typing import Generic, Protocol, TypeVar


class Named(Protocol):
    """What has a name."""

    @property
    def name(self) -> str: ...


T = TypeVar("T", bound=Named)


class Folder(Generic[T]):
    """The files of a package, each of which declares one `kind` as its constant `constant`, or several in a tuple
    `constant` + "S"."""

    def __init__(self, package: str, constant: str, kind: type[T]) -> None:
        self._package, self._constant, self._kind = package, constant, kind

    @cached_property
    def all(self) -> dict[str, T]:
        """Everything that is declared, by its name."""
        found = {one.name: one for file in self._files for one in self._declared(file)}
        return dict(sorted(found.items(), key=lambda item: item[0].lower()))

    def find(self, name: str) -> T | None:
        """What is called `name`, or None. The file that has its name is looked at first."""
        if "all" not in self.__dict__ and (file := file_of(name)) in self._files:
            for one in self._declared(file):
                if one.name == name:
                    return one
        return self.all.get(name)

    @cached_property
    def _files(self) -> list[str]:
        return [module.name for module in pkgutil.iter_modules(import_module(self._package).__path__)]

    def _declared(self, file: str) -> Iterator[T]:
        module = import_module(f"{self._package}.{file}")
        for one in (getattr(module, self._constant, None), *getattr(module, f"{self._constant}S", ())):
            if isinstance(one, self._kind):
                yield one


def file_of(name: str) -> str:
    """The file that has a technique's name.

    >>> file_of("hU"), file_of("hCEA"), file_of("deadlock-prone")
    ('h_u', 'h_cea', 'deadlock_prone')
    """
    return re.sub(r"^([a-z])(?=[A-Z])", r"\1_", name).lower().replace("-", "_")
