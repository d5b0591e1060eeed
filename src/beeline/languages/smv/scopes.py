"""Instances of modules, and what names mean in them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from beeline.languages.smv.errors import SourceText
from beeline.languages.smv.syntax import Define, Model, Module, Tree, Type, Variable
from beeline.model import expressions as ir
from beeline.model.source import Source
from beeline.model.types import EnumType, excess
from beeline.records import Record

BOOLEAN, INTEGER, SYMBOL = KINDS = ("boolean", "integer", "symbol")
MOST_VALUES = 1 << 16  # of a variable
MOST_INSTANCES = 20_000
Path = tuple[str | int, ...]


class Scalar:
    """A variable with a value, or an element of an array. `domain` lists its values."""

    def __init__(self, path: Path, kind: str, domain: tuple[int, ...], section: str, at: Source) -> None:
        self.path, self.kind, self.domain, self.section, self.at = path, kind, domain, section, at
        self.symbols: EnumType | None = None
        self.definition: Bound | None = None
        """What it always equals, if that is known: then it is no part of the state."""

    @property
    def name(self) -> str:
        found = ""
        for part in self.path:
            found += f"[{part}]" if isinstance(part, int) else f".{part}" if found else part
        return found

    @property
    def place(self) -> ir.Place:
        first, *rest = self.path
        assert isinstance(first, str)
        found: ir.Place = ir.Ref(first)
        for part in rest:
            found = ir.Index(found, ir.Literal(part)) if isinstance(part, int) else ir.Field(found, part)
        return found


class Elements(Record, frozen=True):
    """An array; the first element has the index `low`."""

    low: int
    parts: tuple[Meaning, ...]


class Constant(Record, frozen=True):
    value: int
    kind: str


class Bound(Record, frozen=True):
    """An expression that a name stands for, and where it is read."""

    tree: Tree
    scope: Instance


class Instance:
    """An instance of a module. `process` is the number of the process to which it belongs."""

    def __init__(self, path: tuple[str, ...], module: Module, process: int) -> None:
        self.path, self.module, self.process = path, module, process
        self.names: dict[str, Meaning] = {}
        self.is_process = False

    @property
    def name(self) -> str:
        return ".".join(self.path) or "main"


Meaning = Scalar | Elements | Constant | Bound | Instance


def enumerations(model: Model) -> dict[str, EnumType]:
    """The type of each symbol: enumerations that share one are parts of the same. Numbers of symbols of different types
    are different, so that they are never equal."""
    sets: list[dict[str, None]] = [dict.fromkeys([symbol]) for symbol in model.symbols]
    for module in model.modules.values():
        for item in module.items:
            if isinstance(item, Variable):
                sets.append(dict.fromkeys(_symbols(item.type)))
    joined: list[dict[str, None]] = []
    for names in sets:
        shared = [other for other in joined if not other.keys().isdisjoint(names)]
        merged = dict.fromkeys(name for other in (*shared, names) for name in other)
        joined = [other for other in joined if other not in shared] + ([merged] if merged else [])
    found: dict[str, EnumType] = {}
    first = 0
    for names in joined:
        kind = EnumType("{" + ", ".join(names) + "}", tuple(names), first)
        found |= dict.fromkeys(names, kind)
        first += len(names)
    return found


def _symbols(kind: Type) -> Iterable[str]:
    if kind.element is not None:
        return _symbols(kind.element)
    return [part.text for part in kind.parts if kind.kind == "enumeration" and part.kind == "name"]


class World:
    """All instances of a model."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.source = SourceText(model.file, model.text)
        self.symbols = enumerations(model)
        self.scalars: list[Scalar] = []
        self.instances: list[Instance] = []
        self.processes: list[Instance] = []
        self._numbered = 0  # of the processes besides main
        self._nested: list[str] = []
        self.main = self._instance((), model.modules["main"], (), None, 0)
        self.processes = [self.main, *sorted(self.processes, key=lambda one: one.process)]

    def error(self, message: str, at: Source, remedy: str = "") -> Exception:
        return self.source.error(message, at, remedy)

    def symbol(self, name: str) -> Constant:
        kind = self.symbols[name]
        return Constant(kind.first + kind.members.index(name), SYMBOL)

    def _instance(
        self, path: tuple[str, ...], module: Module, arguments: Sequence[Tree], caller: Instance | None, process: int
    ) -> Instance:
        made = Instance(path, module, process)
        self.instances.append(made)
        if module.name in self._nested:
            raise self.error(f"module `{module.name}` has an instance of itself", module.at)
        if len(self.instances) > MOST_INSTANCES:
            raise self.error(f"there are more than {MOST_INSTANCES:,} instances of modules", module.at)
        self._nested.append(module.name)
        if caller is not None:
            for name, argument in zip(module.parameters, arguments, strict=True):
                made.names[name] = Bound(argument, caller)
        for item in module.items:
            if isinstance(item, Define):
                self._declare(made, item.name, Bound(item.value, made), item.at)
        for item in module.items:
            if isinstance(item, Variable):
                self._declare(made, item.name, self._variable(made, item), item.at)
        self._nested.pop()
        return made

    def _declare(self, scope: Instance, name: str, meaning: Meaning, at: Source) -> None:
        if name in scope.names or name in self.symbols:
            raise self.error(f"there are two things called `{name}` here", at, "rename one")
        scope.names[name] = meaning

    def _variable(self, scope: Instance, item: Variable) -> Meaning:
        path = (*scope.path, item.name)
        if item.type.kind != "module":
            return self._typed(path, item.type, item.section, scope, item.at)
        module = self.model.modules.get(item.type.name)
        if module is None:
            raise self.source.unknown("module", item.type.name, self.model.modules, item.type.at)
        wanted, given = len(module.parameters), len(item.type.parts)
        if wanted != given:
            raise self.error(f"module `{module.name}` has {wanted} parameters, not {given}", item.type.at)
        if not item.type.is_process:
            return self._instance(path, module, item.type.parts, scope, scope.process)
        self._numbered += 1  # before those inside it
        made = self._instance(path, module, item.type.parts, scope, self._numbered)
        made.is_process = True
        self.processes.append(made)
        return made

    def _typed(self, path: Path, kind: Type, section: str, scope: Instance, at: Source) -> Meaning:
        if kind.kind == "array":
            assert kind.element is not None
            low, high = (self.number(part, scope) for part in kind.parts)
            problem = "this array has no element" if high < low else excess("this array", high - low + 1)
            if problem is not None:
                raise self.error(problem, kind.at)
            parts = [self._typed((*path, i - low), kind.element, section, scope, at) for i in range(low, high + 1)]
            return Elements(low, tuple(parts))
        made = Scalar(path, *self._domain(kind, scope), section, at)
        if made.kind == SYMBOL:
            made.symbols = self.symbols[kind.parts[0].text]
        self.scalars.append(made)
        return made

    def _domain(self, kind: Type, scope: Instance) -> tuple[str, tuple[int, ...]]:
        if kind.kind == "boolean":
            return BOOLEAN, (0, 1)
        if kind.kind == "range":
            low, high = (self.number(part, scope) for part in kind.parts)
            if high < low or high - low >= MOST_VALUES:
                problem = "no value" if high < low else f"more than {MOST_VALUES:,} values"
                raise self.error(f"this range has {problem}", kind.at)
            return INTEGER, tuple(range(low, high + 1))
        if all(part.kind == "truth" for part in kind.parts):
            return BOOLEAN, tuple(sorted({int(part.text == "TRUE") for part in kind.parts}))
        names = [part.kind == "name" for part in kind.parts]
        if all(names):
            return SYMBOL, tuple(dict.fromkeys(self.symbol(part.text).value for part in kind.parts))
        if any(names):
            raise self.error("an enumeration has names or numbers, not both", kind.at, "write the numbers as names")
        return INTEGER, tuple(sorted({number for part in kind.parts for number in self._numbers(part, scope)}))

    def _numbers(self, tree: Tree, scope: Instance) -> Iterable[int]:
        if tree.kind == "..":
            return range(self.number(tree.parts[0], scope), self.number(tree.parts[1], scope) + 1)
        return (self.number(tree, scope),)

    def number(self, tree: Tree, scope: Instance) -> int:
        """The value of a constant expression."""
        from beeline.languages.smv.values import Moment, Values

        def variable(scalar: Scalar) -> ir.Expression:
            return scalar.place

        found, kind = Values(self).value(tree, scope, Moment(variable))
        if not isinstance(found, ir.Literal) or kind != INTEGER:
            raise self.error("a constant number is expected here", tree.at)
        return found.value
