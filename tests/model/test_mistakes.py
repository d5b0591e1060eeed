"""Whatever the builder is given, a mistake is a `ModelError` that says what it is."""

from collections.abc import Callable
from typing import Any

import pytest

from beeline import ModelError, NetworkBuilder, check

DEEP = "(" * 10_000 + "1" + ")" * 10_000


def builder() -> NetworkBuilder:
    network = NetworkBuilder("one")
    network.variable("x", 0, 3)
    network.process("P").location("s")
    return network


@pytest.mark.parametrize("what", ["guard", "sync", "label", "effect"])
def test_what_is_read_as_text_must_be_one(what: str) -> None:
    asked: dict[str, Any] = {what: True}
    with pytest.raises(ModelError, match=f"the {what} of an edge is True, which is no text"):
        builder().processes[0].edge("s", "s", **asked)


MISTAKES: dict[str, Callable[[NetworkBuilder], object]] = {
    "the name of a process is 3": lambda network: network.process(3),  # type: ignore[arg-type]
    "the name of a location is None": lambda network: network.processes[0].location(None),  # type: ignore[arg-type]
    "the source of an edge is 0": lambda network: network.processes[0].edge(0, "s"),  # type: ignore[arg-type]
    "the expression of a property is False": lambda network: network.invariant("i", False),  # type: ignore[arg-type]
    "the largest value of a variable is '9'": lambda network: network.variable("y", 0, "9"),  # type: ignore[arg-type]
    "the size of array 'y' is 1.5": lambda network: network.variable("y", size=1.5),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("message", MISTAKES)
def test_names_and_numbers_must_be_what_they_are_called(message: str) -> None:
    with pytest.raises(ModelError, match=message):
        MISTAKES[message](builder())


@pytest.mark.parametrize("what", ["guard", "effect"])
def test_what_is_nested_too_deeply_is_a_mistake_of_the_model(what: str) -> None:
    asked: dict[str, Any] = {what: DEEP if what == "guard" else f"x = {DEEP}"}
    with pytest.raises(ModelError, match="nested too deeply"):
        builder().processes[0].edge("s", "s", **asked)


def test_a_property_that_is_nested_too_deeply_is_refused() -> None:
    network = builder()
    with pytest.raises(ModelError, match="nested too deeply"):
        check(network, DEEP)


@pytest.mark.parametrize("number", ["2147483649", "9" * 30, "9" * 5000])
def test_a_number_that_does_not_fit_is_refused_where_it_stands(number: str) -> None:
    with pytest.raises(ModelError, match="this number does not fit into 32 bits"):
        builder().processes[0].edge("s", "s", guard=f"x == {number}")


def test_a_number_that_fits_only_with_its_sign_is_refused_without_it() -> None:
    network = builder()
    network.processes[0].edge("s", "s", guard="x == -2147483648")
    network.build()
    network.processes[0].edge("s", "s", effect="x = 2147483648")
    with pytest.raises(ModelError, match="a number does not fit into 32 bits"):
        network.build()


@pytest.mark.parametrize("size", [0, -1])
def test_an_array_without_elements_is_refused(size: int) -> None:
    network = builder()
    network.variable("a", size=size)
    with pytest.raises(ModelError, match="an array in 'a' has no elements"):
        network.build()
    network = builder()
    network.channel("c", size=size)
    with pytest.raises(ModelError, match=f"'c' has {size} channels"):
        network.build()
