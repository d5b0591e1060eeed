"""What steps cost, by the process that begins them: `--cost "Crash=10"`. All others cost 1."""

from __future__ import annotations

from typing import TYPE_CHECKING

from beeline.model.source import BeelineError
from beeline.records import Record
from beeline.spelling import closest

if TYPE_CHECKING:
    from beeline.compile.program import Program
    from beeline.model.network import Network

MOST = 1000  # so that the cost of a way is a number that the engine can compare


class CostError(BeelineError):
    """Costs that are malformed, or that do not go with the model or the engine."""


class Costs(Record, frozen=True):
    """Weights of the steps that processes begin, by their names.

    >>> Costs.parse("Crash=10, P=2").weights
    {'Crash': 10, 'P': 2}
    """

    weights: dict[str, int]

    @classmethod
    def parse(cls, text: str) -> Costs:
        """Reads NAME=WEIGHT, separated by commas. Raises `CostError`."""
        weights: dict[str, int] = {}
        for part in text.split(","):
            name, _, value = (one.strip() for one in part.partition("="))
            if not name or not value.isdecimal():
                raise CostError(f"costs are given as NAME=WEIGHT, separated by commas, not as {part.strip()!r}")
            if not 1 <= int(value) <= MOST:
                raise CostError(f"a step costs between 1 and {MOST}, not {value}")
            if name in weights:
                raise CostError(f"the cost of {name} is given twice")
            weights[name] = int(value)
        return cls(weights)

    def __str__(self) -> str:
        return ",".join(f"{name}={weight}" for name, weight in self.weights.items())

    def check(self, network: Network) -> None:
        """Raises `CostError` for a name that no process has."""
        known = [*network.process_index, *network.instance_numbers]
        for name in self.weights:
            if name not in known:
                close = closest(name, known)
                hint = f"did you mean {close}?" if close else f"there are: {', '.join(dict.fromkeys(known))}"
                raise CostError(f"there is no process '{name}' whose steps could cost something; {hint}")

    def by_action(self, program: Program) -> list[int]:
        """The weight of each action of a compiled network; the name of an instance is stronger than its kind's."""
        network = program.network
        instances = {number: name for name, number in network.instance_numbers.items()}
        weights = []
        for action in program.actions:
            own = self.weights.get(instances.get(action.number, ""))
            kind = network.processes[action.kind].name if action.kind < len(network.processes) else ""
            weights.append(own if own is not None else self.weights.get(kind, 1))
        return weights
