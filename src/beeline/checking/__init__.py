"""Check a property of a model, or count its states: the functions behind the command line and for Python users."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from beeline import _native, languages
from beeline.checking.networks import check_network, with_room
from beeline.checking.settings import Result, Settings, check_reduction, open_reason, why_fewer_threads
from beeline.compile.program import compile_network
from beeline.engine import Found, Limits, NativeSpace, Outcome, Progress, Statistics, python_space, run
from beeline.model.network import Network, Property
from beeline.model.source import BeelineError
from beeline.properties import SAFETY, check_property, default_property
from beeline.records import Record, replace
from beeline.reductions import NONE, find_reduction
from beeline.searches import SearchError, Takes, Ties, check_threads, find, with_store
from beeline.shrinking import AUTO, check_choice
from beeline.tier import AUTO as TIER_AUTO
from beeline.tier import BYTECODE, check_tier
from beeline.timed.clocks import has_clocks

if TYPE_CHECKING:
    from beeline.model.state import State
    from beeline.timed.options import ZoneOptions

DEFAULT_SEARCH = "auto"
UNSUPPORTED = ("ltl", "tctl")


class UnsupportedProperty(BeelineError):
    """A property that this version can read but not check."""


class NoClocks(BeelineError):
    """Options for zones, but a model without clocks."""


class Exploration(Record, frozen=True):
    """The size of a state space; `complete` is false if a limit ended the count."""

    complete: bool
    reason: str
    statistics: Statistics
    threads: int = 1
    threads_note: str = ""
    omission: float | None = None
    """The probability that a state was missed, if the store may miss some."""
    tier: str = BYTECODE
    """How steps were found when the search ended: bytecode or native."""


def check(
    model: Any,
    property: str | Property | None = None,
    *,
    search: str = DEFAULT_SEARCH,
    heuristic: str | None = None,
    ties: str | None = None,
    target: str | Path | State | None = None,
    zones: ZoneOptions | None = None,
    limits: Limits | None = None,
    seed: int | None = None,
    progress: Progress | None = None,
    reduce: str = NONE,
    threads: int = 1,
    shrink: str = AUTO,
    store: str = "plain",
    tier: str = TIER_AUTO,
) -> Result:
    """Check one property of a network, a user's own space, or a model file.

    A directed `search` goes by `heuristic` (see `beeline.heuristics.language`), or by the best that apply; `ties` is
    fifo, lifo or random:SEED; `target` is a JSON trace of ours whose end hamming and fsm aim at;
    `zones` says how the zone graph of a model with clocks is built.
    `reduce` names a reduction that leaves out steps: stubborn, ample or ample:CONDITION; see docs/reduction.md.
    `threads` share the work of a search that declares it; the answer is that of one. See docs/threads.md.
    `shrink` says what is taken out of the network before: none, cone, safe, all or auto; see docs/shrinking.md.
    `store` says how states are kept, such as tree, hash-compact or bitstate:32; see docs/tune-memory.md.
    `tier` says how steps are found: auto, bytecode or native; see docs/tiers.md.

    >>> from beeline import NetworkBuilder, check
    >>> builder = NetworkBuilder("counter")
    >>> builder.variable("x", 0, 3)
    >>> _ = builder.process("up").location("run").edge("run", "run", guard="x < 3", effect="x++")
    >>> result = check(builder, "x < 2")
    >>> result.verdict, len(result.trace)
    ('violated', 2)
    """
    chosen = with_store(find(search), store)
    check_threads(chosen, threads)
    if heuristic is not None and chosen.takes is Takes.NONE:
        raise SearchError(f"{chosen.name} goes by no estimate")
    reduction = find_reduction(reduce)
    if reduction is not None:
        check_reduction(reduction, chosen)
    settings = Settings(
        chosen,
        heuristic,
        None if ties is None else Ties.parse(ties),
        limits,
        seed,
        progress,
        reduction,
        threads,
        check_choice(shrink),
        check_tier(tier),
    )
    subject = _subject(model)
    if not isinstance(subject, Network):
        if zones is not None:
            raise NoClocks("the model is a space of its own: there are no zones to show, widen or merge")
        from beeline.checking.user_spaces import check_user_space

        return check_user_space(subject, settings)
    asked = property if isinstance(property, Property) else languages.ask(subject, property)
    if asked.kind in UNSUPPORTED:
        raise UnsupportedProperty(f"properties of kind '{asked.kind}' ({asked.name}) cannot be checked yet")
    if has_clocks(subject):
        from beeline.checking.timed import check_timed

        return check_timed(subject, asked, settings, zones)
    if zones is not None:
        raise NoClocks("the model has no clocks: there are no zones to show, widen or merge")
    check_property(subject, asked)
    subject = prepared(subject, asked)
    return check_network(subject, asked, settings, _aim(target, subject))


def _aim(target: str | Path | State | None, network: Network) -> State | None:
    """The state to aim at, which may be the last one of a trace in a file."""
    if not isinstance(target, (str, Path)):
        return target
    from beeline.trails import read_trail

    return read_trail(target, network)[0].states[-1]


def prepared(network: Network, asked: Property) -> Network:
    """The network as it is searched for a property."""
    if asked.kind != "claim":
        network = replace(network, monitor=None)  # another question: the monitor would only cut runs short
    # What a property reads (who moved last, say) is kept in the states only if the network is known to ask for it.
    if asked not in network.properties:
        network = replace(network, properties=(*network.properties, asked))
    return network


def explore(
    model: Any,
    *,
    limits: Limits | None = None,
    progress: Progress | None = None,
    store: str = "plain",
    threads: int = 1,
    tier: str = TIER_AUTO,
) -> Exploration:
    """Count the states of a model, its arcs, its depth and its deadlocks; properties and assertions play no part.

    `store` says how states are kept: with "tree" equal parts once, slower and in less memory; "hash-compact" and
    "bitstate" may miss some. Several `threads` share the work. `tier` says how steps are found; see docs/tiers.md.
    """
    search = with_store(find("bfs"), store)
    check_tier(tier)

    def count(space: NativeSpace) -> Outcome:
        return run(space, search, stop=Found.NOTHING, limits=limits, progress=progress, threads=threads, tier=tier)

    subject = _subject(model)
    if not isinstance(subject, Network):
        outcome = count(python_space(subject))
    elif has_clocks(subject):
        from beeline.checking.timed import check_store
        from beeline.timed.search import zone_graph

        check_store(search)
        outcome = count(zone_graph(subject, deadlocks=True).space)
    else:
        # A monitor only watches: the size of the space is the network's own.
        network = replace(subject, monitor=None)

        def attempt(room: int | None) -> Outcome:
            program = compile_network(network, _native.opcodes(), room=room, assertions=False)
            return count(_native.ProgramSpace(_native.Program(program.tables), merged=True))

        outcome = with_room(network, attempt)
    reason = "exhausted" if outcome.complete else open_reason(outcome, search)
    note = why_fewer_threads(threads, outcome)
    omission = outcome.omission if search.lossy else None
    return Exploration(outcome.complete, reason, outcome.statistics, outcome.threads, note, omission, outcome.tier)


def _subject(model: Any) -> Any:
    if isinstance(model, Network):
        return model
    if isinstance(model, (str, Path)):
        return languages.load(Path(model))
    from beeline.model.builder import NetworkBuilder

    return model.build() if isinstance(model, NetworkBuilder) else model


__all__ = [
    "DEFAULT_SEARCH",
    "SAFETY",
    "Exploration",
    "NoClocks",
    "Result",
    "UnsupportedProperty",
    "check",
    "check_reduction",
    "default_property",
    "explore",
    "prepared",
    "with_room",
]
