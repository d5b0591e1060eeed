"""Declarations of the network or of one process, entered into its scope and its world."""

from __future__ import annotations

from collections.abc import Iterable

from beeline.languages.uppaal import syntax
from beeline.languages.uppaal.errors import UppaalError
from beeline.languages.uppaal.functions import lower_function
from beeline.languages.uppaal.kinds import Array, Chan, Kind, Void, contains_clock, default, innermost
from beeline.languages.uppaal.lowering import Lowering
from beeline.languages.uppaal.operands import (
    ChannelGroup,
    Constant,
    Scope,
    TemplateSymbol,
    TypeSymbol,
)
from beeline.languages.uppaal.world import World
from beeline.model.network import Channel
from beeline.model.source import Source


def declare(declarations: Iterable[syntax.Declaration], world: World, scope: Scope, context: str = "") -> None:
    """Enters declarations in order; each sees those before it."""
    for declaration in declarations:
        if not isinstance(declaration, syntax.ChannelPriority):
            _check_new(declaration.name, scope, declaration.source, context)
        match declaration:
            case syntax.Declarator():
                declare_variable(declaration, world, scope, context)
            case syntax.Typedef():
                kind = Lowering(world, scope, context).typedef(declaration)
                scope.names[declaration.name] = TypeSymbol(kind)
            case syntax.Function():
                scope.names[declaration.name] = lower_function(declaration, world, scope, context)
            case syntax.Template():
                symbol = TemplateSymbol(declaration.name, declaration.parameters, declaration)
                scope.names[declaration.name] = symbol
            case syntax.Instantiation():
                scope.names[declaration.name] = instantiation(declaration, scope, context)
            case syntax.ChannelPriority():
                pass  # read before the channels are declared, see `priorities`


def _check_new(name: str, scope: Scope, source: Source, context: str) -> None:
    if name in scope.names:
        raise UppaalError(f"{name} is declared twice", source, context=context)


def instantiation(declaration: syntax.Instantiation, scope: Scope, context: str) -> TemplateSymbol:
    inner = scope.find(declaration.template)
    if not isinstance(inner, TemplateSymbol):
        raise UppaalError(f"there is no template {declaration.template}", declaration.source, context=context)
    if len(inner.parameters) != len(declaration.arguments):
        count, given = len(inner.parameters), len(declaration.arguments)
        message = f"{declaration.template} takes {count} arguments, not {given}"
        raise UppaalError(message, declaration.source, context=context)
    return TemplateSymbol(declaration.name, declaration.parameters, None, inner, declaration.arguments)


def declare_variable(declaration: syntax.Declarator, world: World, scope: Scope, context: str) -> None:
    lowering = Lowering(world, scope, context)
    kind = lowering.declared(declaration)
    element = innermost(kind)
    if isinstance(element, Void):
        raise lowering.error("a variable cannot be void", declaration.source)
    if isinstance(element, Chan):
        scope.names[declaration.name] = declare_channel(declaration, kind, element, world)
        return
    if "const" in declaration.kind.prefixes:
        if declaration.value is None:
            raise lowering.error(f"the constant {declaration.name} has no value", declaration.source)
        value = lowering.initial(kind, declaration.value)
        scope.names[declaration.name] = Constant(kind, value, declaration.name)
        return
    if declaration.value is not None and contains_clock(kind):
        raise lowering.error("a clock always starts at zero", declaration.source)
    start = default(kind) if declaration.value is None else lowering.initial(kind, declaration.value)
    scope.names[declaration.name] = world.variable(declaration.name, kind, start, declaration.source)


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
