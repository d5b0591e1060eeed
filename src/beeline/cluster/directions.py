"""What a directed search goes by, in a form that can be sent to other ranks: they build the estimator again."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from copyreg import dispatch_table
from io import BytesIO
from types import MappingProxyType
from typing import Any

from beeline.engine import Found, core
from beeline.heuristics import Context, Estimator, build
from beeline.records import Record


class Directions(Record, frozen=True):
    """The heuristic, as it is named."""

    text: str
    """Its name, with options."""
    context: bytes
    """What it is built from."""
    prune: bool
    """Whether dead ends may be dropped."""

    @classmethod
    def of(cls, estimators: Sequence[Estimator], context: Context, stop: Found) -> Directions:
        """By the only one of the estimators."""
        (estimator,) = estimators
        places = context.network, context.program, context.asked, context.goal, context.stop, context.target
        parts = places, context.closes_cycles
        return cls(estimator.text, pickled(parts), bool(stop) and stop in estimator.covers)

    def estimator(self) -> core.Estimator:
        """The estimator, built again. The bytes come from a process that was started together with this one."""
        (network, program, *rest), closes_cycles = pickle.loads(self.context)
        context = Context(network, program, program.native, *rest)
        context.closes_cycles = closes_cycles
        (estimator,) = build(self.text, context)
        return estimator.native


def pickled(parts: Any) -> bytes:
    """Values of networks, some of which hold mappings that nobody may change."""
    stream = BytesIO()
    pickler = pickle.Pickler(stream)
    pickler.dispatch_table = {**dispatch_table, MappingProxyType: lambda view: (_view_of, (dict(view),))}
    pickler.dump(parts)
    return stream.getvalue()


def _view_of(mapping: dict[Any, Any]) -> MappingProxyType[Any, Any]:
    return MappingProxyType(mapping)
