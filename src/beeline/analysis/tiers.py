"""The tiers of the dependence service by their names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from beeline.model.source import BeelineError
from beeline.records import Record

if TYPE_CHECKING:  # a check that leaves out no steps needs none of it
    from beeline.analysis.configuration import Configuration
    from beeline.analysis.dependence import Dependence
    from beeline.compile.program import Program
    from beeline.model.expressions import Expression

SYNTAX, INDEX, SMT = TIERS = ("syntax", "index", "smt")


class DependenceError(BeelineError, ValueError):
    """A tier was asked for that does not exist, or needs what is not installed."""


class Service(Record, frozen=True):
    """Who says what steps have to do with each other: a tier, and the seconds for each question to a solver."""

    tier: str = INDEX
    seconds: float = 1.0

    def check(self) -> Service:
        """Itself. Raises `DependenceError` for a tier that cannot be had."""
        if self.tier not in TIERS:
            raise DependenceError(f"there is no tier {self.tier!r}; there are: {', '.join(TIERS)}")
        if self.tier == SMT:
            try:
                import z3  # noqa: F401
            except ImportError:
                raise DependenceError("the tier smt needs z3: pip install 'beeline[smt]'") from None
        return self

    def dependence(
        self, program: Program, configuration: Configuration, assumed: Expression | None = None, alike: bool = False
    ) -> Dependence:
        """The dependence of a program's edges. What is `assumed` must be checked by who asks; with `alike`, members of
        interchangeable types are so for that, too."""
        if self.tier != SMT:
            from beeline.analysis.dependence import Dependence

            return Dependence(program, configuration, self.tier)
        from beeline.analysis.proofs import Proved

        return Proved(program, configuration, self.seconds, assumed, alike)
