"""Searches of networks that were made smaller before."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

from beeline.checking.settings import Result, Settings
from beeline.engine import Limits
from beeline.model.network import Network, Property
from beeline.records import replace
from beeline.shrinking import AUTO, CONE, Shrunk
from beeline.shrinking import shrink as make_smaller
from beeline.trace.replay import ReplayError

SHARE_OF_TIME = 0.25  # that may go by before the search
SECOND_LOOK = 10_000  # states of the whole network that are always looked at for a shorter trace

SearchSmaller = Callable[["Settings", Shrunk, str], Result]


def shrink_and_search(
    network: Network, asked: Property, settings: Settings, choice: tuple[str, str], search: SearchSmaller
) -> Result:
    """What a search of the smaller network says; that of the whole one if a trace cannot be made concrete."""
    settings.tell("preparing")
    shrunk, settings = _make_smaller_in_time(network, asked, settings, choice[0])
    try:
        result = search(settings, shrunk, choice[1])
    except ReplayError:
        if not shrunk.layers:
            raise
        return search(settings, Shrunk(network, asked), "off: a trace could not be made concrete")
    if settings.shrink == AUTO and settings.search.promises.shortest and result.shrinking.added and not result.hurried:
        return _search_shorter(network, asked, settings, result, search)
    return result


def _make_smaller_in_time(
    network: Network, asked: Property, settings: Settings, choice: str
) -> tuple[Shrunk, Settings]:
    """The smaller network, made in a part of the time, and settings with what is left of it."""
    limits = settings.limits
    if limits is None or limits.time is None:
        return make_smaller(network, asked, choice), settings
    began = monotonic()
    shrunk = make_smaller(network, asked, choice, began + limits.time * SHARE_OF_TIME)
    left = max(0.0, limits.time - (monotonic() - began))
    return shrunk, replace(settings, limits=replace(limits, time=left))


def _search_shorter(
    network: Network, asked: Property, settings: Settings, result: Result, search: SearchSmaller
) -> Result:
    """The better of a trace that steps were put into and one of the whole network, which is searched only a little
    further than the smaller one was."""
    assert result.trace is not None
    limits, used = settings.limits or Limits(), result.statistics
    if limits.time is not None and limits.time <= used.seconds:
        return result
    states = 2 * used.stored + SECOND_LOOK
    bounded = replace(
        limits,
        states=states if limits.states is None else min(states, limits.states),
        time=None if limits.time is None else limits.time - used.seconds,
    )
    second = search(replace(settings, limits=bounded), make_smaller(network, asked, CONE), "")
    better = second if second.trace is not None and len(second.trace) <= len(result.trace) else result
    return replace(better, statistics=used.joined(second.statistics))
