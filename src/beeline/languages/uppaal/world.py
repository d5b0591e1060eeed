"""The network while it is being built: what has been declared so far, and names that are free."""

from __future__ import annotations

from beeline.languages.uppaal.kinds import Kind, Value, flatten, to_ir
from beeline.languages.uppaal.operands import Constant, Stored
from beeline.model.expressions import Ref
from beeline.model.network import Channel, Function, Variable
from beeline.model.scope import root_of
from beeline.model.source import UNKNOWN, Source


class World:
    """Gathers variables, channels and functions of the network, or (with `outer`) of one of its processes."""

    def __init__(self, outer: World | None = None) -> None:
        self.outer = outer
        self.variables: list[Variable] = []
        self.channels: list[Channel] = []
        self.functions: list[Function] = []
        self.taken: set[str] = set()
        self.written_out = 0  # bodies of quantifiers in the condition that is read
        self._tables: dict[tuple[Kind, Value], Stored] = {}

    @property
    def network(self) -> World:
        return self if self.outer is None else self.outer

    def unused(self, name: str) -> str:
        """`name`, or the next after it that nothing has: a process must not hide what the network has."""
        candidate, count = name, 1
        while candidate in self.taken or (self.outer is not None and candidate in self.outer.taken):
            count += 1
            candidate = f"{name}_{count}"
        return candidate

    def fresh(self, name: str) -> str:
        """An unused name like `name`, which is taken from now on."""
        found = self.unused(name)
        self.taken.add(found)
        return found

    def variable(self, name: str, kind: Kind, value: Value, source: Source = UNKNOWN) -> Stored:
        """Declares a variable and returns it as an operand."""
        label = self.fresh(name)
        self.variables.append(Variable(label, to_ir(kind), flatten(kind, value), source=source))
        return Stored(kind, Ref(label), own=self.outer is not None)

    def forget(self, known: int) -> None:
        """Takes back all variables but the first ones, which are as many as were known before."""
        gone = {variable.name for variable in self.variables[known:]}
        del self.variables[known:]
        self.taken -= gone
        self._tables = {
            constant: stored for constant, stored in self._tables.items() if root_of(stored.place) not in gone
        }

    def tables(self) -> list[Variable]:
        """The variables that hold constants."""
        names = {stored.place for stored in self._tables.values()}
        return [variable for variable in self.variables if Ref(variable.name) in names]

    def table(self, constant: Constant) -> Stored:
        """A variable that nothing writes, holding a constant array or struct so that it can be indexed at run time."""
        network = self.network
        key = (constant.kind, constant.value)
        if key not in network._tables:
            made = network.variable(constant.name or "table", constant.kind, constant.value)
            network._tables[key] = Stored(made.kind, made.place, writable=False)
        return network._tables[key]
