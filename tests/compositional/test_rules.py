"""Assumptions that are learned: the published example, and random systems next to their composition."""

from __future__ import annotations

import random
from functools import reduce
from itertools import product

import pytest
from tests.compositional.clients import client, one_at_a_time, server, whole

pytest.importorskip("aalpy", reason="assumptions are learned by AALpy")

from beeline.compositional.certificate import NotCertified, check_chain, check_symmetric, composed
from beeline.compositional.chain import Chain
from beeline.compositional.interface import assumption_of
from beeline.compositional.learner import LEARNERS
from beeline.compositional.membership import Membership
from beeline.compositional.premises import Premises
from beeline.compositional.rules import Learned
from beeline.compositional.symmetric import Symmetric
from beeline.compositional.systems import Automaton, System, along
from beeline.lts import TAU, Lts

FIGURE_5 = Automaton(
    (
        {"grant1": 2, "grant2": 3, "cancel1": 1},
        {"grant1": 1, "grant2": 1, "cancel1": 1, "cancel2": 1},
        {"grant1": 1, "cancel1": 0},
        {"cancel1": 1, "cancel2": 0},
    ),
    one_at_a_time(2).alphabet,
)


def test_membership_is_the_published_assumption() -> None:
    membership = Membership(client(1), one_at_a_time(2), FIGURE_5.alphabet)
    words = [word for length in range(7) for word in product(sorted(FIGURE_5.alphabet), repeat=length)]
    assert len(words) == 5461  # the empty word among them
    assert all(membership.allows(word) == FIGURE_5.accepts(word) for word in words)


@pytest.mark.parametrize("learner", LEARNERS)
def test_the_exact_oracle_learns_the_published_assumption(learner: str) -> None:
    found, _ = assumption_of(client(1), one_at_a_time(2), FIGURE_5.alphabet, "exact", learner)
    assert found is not None and found.size == 4
    words = product(sorted(FIGURE_5.alphabet), repeat=5)
    assert all(found.accepts(word) == FIGURE_5.accepts(word) for word in words)


def test_without_an_environment_the_heuristic_misses_a_word() -> None:
    found, _ = assumption_of(client(1), one_at_a_time(2), FIGURE_5.alphabet, "heuristic")
    assert found is not None and found.size == 3
    assert not found.accepts(("cancel1", "cancel2")) and FIGURE_5.accepts(("cancel1", "cancel2"))


@pytest.mark.parametrize("learner", ["lstar", "kv"])
@pytest.mark.parametrize(("clients", "sizes"), [(2, [4, 3]), (3, [5, 5, 4]), (4, [6, 6, 6, 5]), (5, [7, 7, 7, 7, 6])])
def test_chains_have_the_published_sizes(learner: str, clients: int, sizes: list[int]) -> None:
    found = Chain(learner).prove(whole(clients), one_at_a_time(clients))
    assert found.word is None and [one.automaton.size for one in found.assumptions] == sizes
    check_chain(whole(clients), one_at_a_time(clients), found.assumptions)


def test_a_server_that_grants_always_is_found() -> None:
    found = Chain("lsharp").prove(whole(2, grants_always=True), one_at_a_time(2))
    assert found.word == ("request1", "grant1", "request2", "grant2")


def test_an_alphabet_grows_where_too_little_is_seen() -> None:
    """The first component errs after `b` without `a`; the second always does `a` before: the property tells nothing of
    both labels."""
    first = System.of("first", Lts.of(3, 0, [(0, "a", 1), (1, "b", 1), (0, "b", 2), (2, "bad", 2)]))
    second = System.of("second", Lts.of(2, 0, [(0, "a", 1), (1, "b", 1)]))
    never = Automaton(({},), frozenset({"bad"}))
    chain = Chain("lstar")
    found = chain.prove([first, second], never)
    assert found.word is None and chain.effort.refinements >= 1
    assert "a" in found.assumptions[0].automaton.alphabet


def test_a_certificate_is_not_believed() -> None:
    systems, asked = whole(2), one_at_a_time(2)
    anything = Automaton((dict.fromkeys(asked.alphabet, 0),), asked.alphabet)
    with pytest.raises(NotCertified):
        check_chain(systems, asked, [Learned("client1", anything), Learned("client2", anything)])
    nothing = Automaton(({},), asked.alphabet)
    with pytest.raises(NotCertified):
        check_chain(systems, asked, [Learned("client1", nothing), Learned("client2", nothing)])
    with pytest.raises(NotCertified, match="refused by all"):
        check_symmetric(systems, asked, [Learned(system.name, nothing) for system in systems])


def random_system(chance: random.Random, number: int, labels: list[str]) -> System:
    own = sorted(chance.sample(labels, chance.randint(1, len(labels))))
    states = chance.randint(1, 4)
    arcs = [
        (chance.randrange(states), chance.choice([*own, TAU]), chance.randrange(states))
        for _ in range(chance.randint(1, 8))
    ]
    return System.of(f"part{number}", Lts.of(states, 0, arcs), own)


def random_property(chance: random.Random, labels: list[str]) -> Automaton:
    states, alphabet = chance.randint(1, 3), sorted(chance.sample(labels, chance.randint(1, len(labels))))
    rows = [{label: chance.randrange(states) for label in alphabet if chance.random() < 0.8} for _ in range(states)]
    return Automaton(tuple(rows), frozenset(alphabet))


@pytest.mark.parametrize("seed", range(5))
def test_verdicts_are_those_of_the_composition(seed: int) -> None:
    chance = random.Random(seed)
    verdicts = set()
    for _ in range(100):
        labels = list("abcd")[: chance.randint(2, 4)]
        systems = [random_system(chance, number, labels) for number in range(chance.randint(2, 3))]
        # What nobody takes part in does not happen.
        done = sorted(frozenset().union(*(system.alphabet for system in systems)))
        asked = random_property(chance, done)
        expected = Premises(reduce(composed, systems)).check(asked).word is not None
        verdicts.add(expected)
        learner = chance.choice(LEARNERS)
        for rule, order in (
            (Chain(learner), systems),
            (Chain(learner, refines=False), systems),
            (Chain(learner), [*systems, systems[0]]),
            (Symmetric(learner), systems),
        ):
            found = rule.prove(order, asked)
            assert (found.word is not None) == expected
            if found.word is not None:
                every = frozenset().union(*(system.alphabet for system in systems))
                assert Premises(reduce(composed, systems)).check(asked, along(found.word, every)).word is not None
            else:
                (check_symmetric if isinstance(rule, Symmetric) else check_chain)(order, asked, found.assumptions)
    assert verdicts == {True, False}


def test_the_server_alone_needs_something_of_its_clients() -> None:
    found, effort = assumption_of(server(2), one_at_a_time(2), FIGURE_5.alphabet)
    assert found is not None and not found.accepts(("cancel1",)) and effort.queries > 0
