"""What all ranks together found, as an outcome like that of any other search."""

from __future__ import annotations

from beeline.cluster.member import COUNTED
from beeline.cluster.root import Root, Step, raise_failure
from beeline.engine import Found, Outcome, core


def outcome_of(root: Root, pairs: core.PairedReducedProgramSpace | None = None) -> Outcome:
    """The outcome of a search that is over, of `pairs` of states in terms of these. Raises what the space of a rank
    raised."""
    raise_failure("" if root.is_broken else root.cause)
    assert root.status is not None
    best, path = root.best, list(root.path)
    failed = best is not None and bool(best.marks & Found.ERROR.value)
    if best is not None and best.target and not failed:
        path.append((best.action, best.target))
    native = core.make_outcome(
        status=root.status.value,
        found=0 if best is None else best.marks,
        counts=_counts(root, path, failed),
        seconds=root.overview().seconds,
        path=path,
        error_action=best.action if best is not None and failed else 0,
        error_detail=best.detail if best is not None and failed else 0,
        proven=best is not None and not root.truncated,
    )
    if pairs is not None:
        core.retell_pairs(pairs, native)
    outcome = Outcome(native)
    outcome.cause, outcome.truncated = root.cause, root.truncated
    return outcome


def _counts(root: Root, path: list[Step], failed: bool) -> dict[str, int]:
    """The sums over all ranks; of those that did not answer a wave any more, what they told last."""
    told = root.overview().figures
    counted = None if root.totals is None else root.totals.figures
    figures = told if counted is None or counted["stored"] < told["stored"] else counted
    depth = len(path) - 1 + failed if path or failed else root.deepest
    return {**{name: figures[name] for name in COUNTED}, "depth": max(0, depth), "frontier": figures["waiting"]}
