"""Declarations of the network or of one process, entered into its scope and its world."""

from __future__ import annotations

from collections.abc import Iterable

from beeline.languages.uppaal import syntax
from beeline.languages.uppaal.errors import Unsupported, UppaalError
from beeline.languages.uppaal.functions import lower_function
from beeline.languages.uppaal.kinds import Array, Chan, Kind, Void, contains_clock, default, innermost
from beeline.languages.uppaal.lowering import Lowering
from beeline.languages.uppaal.operands import (
    ChannelGroup,
    Constant,
    FunctionSymbol,
    Operand,
    RefusedSymbol,
    Scope,
    Symbol,
    TemplateSymbol,
    TypeSymbol,
)
from beeline.languages.uppaal.world import World
from beeline.model.network import Channel
from beeline.model.source import Source


def declare(declarations: Iterable[syntax.Declaration], world: World, scope: Scope, context: str = "") -> None:
    """Enters declarations in order; each sees those before it."""
    for declaration in declarations:
        if isinstance(declaration, syntax.ChannelPriority):
            continue  # read when all channels are declared
        _check_new(declaration.name, scope, declaration.source, context)
        try:
            scope.names[declaration.name] = _symbol(declaration, world, scope, context)
        except Unsupported as refusal:
            scope.names[declaration.name] = RefusedSymbol(refusal.construct)


def _symbol(
    declaration: syntax.Declarator | syntax.Typedef | syntax.Function | syntax.Template | syntax.Instantiation,
    world: World,
    scope: Scope,
    context: str,
) -> Symbol:
    match declaration:
        case syntax.Declarator():
            return declare_variable(declaration, world, scope, context)
        case syntax.Typedef():
            return TypeSymbol(Lowering(world, scope, context).typedef(declaration))
        case syntax.Function():
            return lower_function(declaration, world, scope, context)
        case syntax.Template():
            return TemplateSymbol(
                declaration.name, declaration.parameters, declaration, by_reference=_by_reference(scope)
            )
        case syntax.Instantiation():
            return instantiation(declaration, scope, context)


def _by_reference(scope: Scope) -> frozenset[str]:
    return frozenset(
        name
        for name, symbol in scope.names.items()
        if isinstance(symbol, FunctionSymbol) and any(reference for _, reference in symbol.parameters)
    )


def _check_new(name: str, scope: Scope, source: Source, context: str) -> None:
    if name in scope.names:
        raise UppaalError(f"{name} is declared twice", source, context=context)


def instantiation(declaration: syntax.Instantiation, scope: Scope, context: str) -> TemplateSymbol:
    inner = scope.find(declaration.template)
    if not isinstance(inner, TemplateSymbol):
        raise UppaalError(f"there is no template {declaration.template}", declaration.source, context=context)
    if len(inner.parameters) != len(declaration.arguments) and not inner.innermost.refusal:
        count, given = len(inner.parameters), len(declaration.arguments)
        message = f"{declaration.template} takes {count} arguments, not {given}"
        raise UppaalError(message, declaration.source, context=context)
    return TemplateSymbol(declaration.name, declaration.parameters, None, inner, declaration.arguments)


def declare_variable(declaration: syntax.Declarator, world: World, scope: Scope, context: str) -> Operand:
    lowering = Lowering(world, scope, context)
    kind = lowering.declared(declaration)
    element = innermost(kind)
    if isinstance(element, Void):
        raise lowering.error("a variable cannot be void", declaration.source)
    if isinstance(element, Chan):
        return declare_channel(declaration, kind, element, world)
    if "const" in declaration.kind.prefixes:
        if declaration.value is None:
            raise lowering.error(f"the constant {declaration.name} has no value", declaration.source)
        value = lowering.initial(kind, declaration.value)
        return Constant(kind, value, declaration.name)
    if declaration.value is not None and contains_clock(kind):
        raise Unsupported("clocks with an initial value", declaration.source, context=context)
    start = default(kind) if declaration.value is None else lowering.initial(kind, declaration.value)
    return world.variable(declaration.name, kind, start, declaration.source)


def declare_channel(declaration: syntax.Declarator, kind: Kind, element: Chan, world: World) -> ChannelGroup:
    """Channels belong to the network even when a process declares them: each process has its own."""
    sizes: list[int] = []
    inner = kind
    while isinstance(inner, Array):
        sizes.append(inner.size)
        inner = inner.element
    total: int | None = None
    for size in sizes:
        total = (total or 1) * size
    network = world.network
    name = network.fresh(declaration.name)
    network.channels.append(
        Channel(
            name,
            size=total,
            broadcast=element.broadcast,
            urgent=element.urgent,
            source=declaration.source,
        )
    )
    return ChannelGroup(kind, name, tuple(sizes))
