"""What names stand for, and what expressions come to while they are brought to the network's form."""

from __future__ import annotations

from functools import cached_property

from beeline.languages.uppaal import syntax
from beeline.languages.uppaal.assigned import assigned_names
from beeline.languages.uppaal.conditions import Condition
from beeline.languages.uppaal.kinds import CLOCK, TIMED, Chan, Kind, Value, Void, innermost, is_scalar
from beeline.languages.uppaal.unparse import show_edge
from beeline.model.expressions import FALSE, Expression, Instance, Place
from beeline.records import Record, field


class Constant(Record, frozen=True):
    """Known before the model runs. `name` is that of its declaration, for tables."""

    kind: Kind
    value: Value
    name: str = ""


class Stored(Record, frozen=True):
    """A variable, or a part of one, which can be read and (if `writable`) assigned.

    `process` is set where a query looks into a process; `scratch` says that the variable lives only inside a
    function or an effect, and `parameter` is its position if it was reached through a reference parameter.
    """

    kind: Kind
    place: Place
    writable: bool = True
    process: Instance | None = None
    own: bool = False  # belongs to the process, not to the network
    scratch: bool = False
    parameter: int = -1


class Computed(Record, frozen=True):
    """A scalar that is only a value."""

    kind: Kind
    expression: Expression


class Linear(Record, frozen=True):
    """``plus - minus + offset``: what clock expressions come to before they are compared."""

    plus: Expression | None
    minus: Expression | None
    offset: Expression = FALSE
    kind: Kind = CLOCK


class ClockCondition(Record, frozen=True):
    condition: Condition
    kind: Kind = TIMED


class ChannelGroup(Record, frozen=True):
    """A declared channel or array of channels, with some of its indices applied (first index 0).

    `name` is that of the network's channel, `sizes` are the dimensions of the whole declaration.
    """

    kind: Kind
    name: str
    sizes: tuple[int, ...] = ()
    indices: tuple[Expression, ...] = ()

    @property
    def element(self) -> Chan:
        found = innermost(self.kind)
        assert isinstance(found, Chan)
        return found


Operand = Constant | Stored | Computed | Linear | ClockCondition | ChannelGroup


class RefusedSymbol(Record, frozen=True):
    """A name whose declaration goes beyond timed automata: an error where it is used, and not before."""

    construct: str


class TypeSymbol(Record, frozen=True):
    kind: Kind


class FunctionSymbol(Record):
    """A function that has been brought to the network's form under `name`.

    `writes` says whether it changes anything that outlives it other than its reference parameters; those that it
    assigns are in `writes_parameters`.
    """

    name: str
    parameters: tuple[tuple[Kind, bool], ...]
    returns: Kind
    writes: bool = False
    writes_parameters: set[int] = field(default_factory=set)

    @property
    def fills(self) -> str:
        """The name of the last parameter, a reference to where a struct or array is returned; empty for scalars."""
        return "" if isinstance(self.returns, Void) or is_scalar(self.returns) else f"{self.name}_result"


class TemplateSymbol(Record, frozen=True, dict=True):
    """A template, or with `inner` one whose parameters are partly given by `arguments`. What is the same for all its
    instances is worked out once."""

    name: str
    parameters: tuple[syntax.Declarator, ...]
    template: syntax.Template | None = None
    inner: TemplateSymbol | None = None
    arguments: tuple[syntax.Expression, ...] = ()
    by_reference: frozenset[str] = frozenset()  # functions outside of it that take arguments by reference

    @property
    def innermost(self) -> syntax.Template:
        """The template that is written in the file."""
        symbol = self
        while symbol.inner is not None:
            symbol = symbol.inner
        assert symbol.template is not None
        return symbol.template

    @cached_property
    def assigned(self) -> frozenset[str]:
        """Names that the template may write."""
        return frozenset() if self.template is None else assigned_names(self.template, self.by_reference)

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """What stands on each of the template's edges."""
        return () if self.template is None else tuple(map(show_edge, self.template.edges))


class ProcessSymbol(Record, frozen=True):
    """Processes as queries see them: names of instances by the values of their free parameters."""

    name: str
    instances: dict[tuple[int, ...], str]


Symbol = Operand | RefusedSymbol | TypeSymbol | FunctionSymbol | TemplateSymbol | ProcessSymbol


class Scope:
    """Names visible in one place; those of `parent` are seen where not hidden."""

    def __init__(self, parent: Scope | None = None) -> None:
        self.parent = parent
        self.names: dict[str, Symbol] = {}

    def find(self, name: str) -> Symbol | None:
        scope: Scope | None = self
        while scope is not None:
            if name in scope.names:
                return scope.names[name]
            scope = scope.parent
        return None
