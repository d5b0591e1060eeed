"""Native code for one model: taken from what was compiled before, or compiled now."""

from __future__ import annotations

from contextlib import suppress
from threading import Event

from beeline.engine import core
from beeline.jit.cache import CacheError, cache_folder, is_whole, place_of, trim
from beeline.jit.compiler import FLAGS, compile_to, describe, find_compiler

LARGEST_SOURCE = 4 * 2**20  # characters; compilers take minutes for more


def unsupported_reason() -> str | None:
    """Why no native code can be made on this machine, if so; makes the folder for it otherwise."""
    if find_compiler() is None:
        return "no C compiler was found: install gcc or clang, set CC, or choose another --tier"
    try:
        cache_folder()
    except CacheError as error:
        return str(error)
    return None


def provide(tier: core.Tier, stop: Event, wait: float) -> None:
    """Loads native code into `tier`, unless `stop` is set before. What was not compiled before is compiled after `wait`
    seconds. Where that cannot be done, nothing happens: the search goes on in bytecode."""
    with suppress(CacheError, OSError, RuntimeError):
        command = find_compiler()
        if command is not None:
            _provide(tier, command, stop, wait)


def _provide(tier: core.Tier, command: list[str], stop: Event, wait: float) -> None:
    """Without need, no folder is made."""
    source = tier.source()
    if len(source) > LARGEST_SOURCE:
        return
    parts = (source, describe(command), *command, *FLAGS)
    with suppress(CacheError):
        place = place_of(cache_folder(make=False), *parts)
        if is_whole(place):
            tier.load(str(place))
            return
    if not stop.wait(wait):
        place = place_of(cache_folder(), *parts)
        if compile_to(command, source, place, stop):
            tier.load(str(place))
            trim(place.parent)
