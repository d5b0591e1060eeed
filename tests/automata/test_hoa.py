"""Automata come and go in the HOA format; what cannot be read is said where it stands."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from random import Random

import pytest
from benchmarks.automata.sampling import random_formula, random_word
from hypothesis import given
from hypothesis import strategies as st

from beeline.automata import accepts, degeneralise, evaluate, parse_ltl, translate
from beeline.automata.hoa import HoaError, from_hoa, to_hoa
from beeline.automata.never_claim import to_never_claim

NAMES = ("p", "q")


@given(st.integers(0, 2**32 - 1))
def test_what_is_written_is_read_again(seed: int) -> None:
    automaton = translate(random_formula(Random(seed), 10, NAMES), NAMES)
    for version in (automaton, degeneralise(automaton)):
        assert from_hoa(to_hoa(version, 'a "name"')) == version


IMPLICIT = """HOA: v1.1
name: "GFp & GFq, with implicit labels /* no comment */"
tool: "by" "hand"
States: 1
Start: 0
acc-name: generalized-Buchi 2
Acceptance: 2 (Inf(0)&Inf(1))
AP: 2 "p" "q"
some-remark: of no meaning 3
properties: implicit-labels trans-acc complete deterministic
--BODY-- /* a comment /* within another */ */
State: 0 "only"
0 0 {0} 0 {1} 0 {0 1}
--END--
"""
STATES = """HOA: v1
States: 3
Start: 0
Start: 1
AP: 2 "p" "q"
Alias: @p 0
Alias: @none !@p&!1
Acceptance: 3 Inf(2)&Inf(!0)
properties: state-acc
--BODY--
State: [@p] 0 {2}
0
State: [t] 1 {0}
1 2
State: 2 {2}
[@none|(0&1)] 2
--END--
"""


def test_implicit_labels_and_comments() -> None:
    automaton = from_hoa(IMPLICIT)
    assert (automaton.states, automaton.sets, automaton.propositions) == (1, 2, NAMES)
    formula = parse_ltl("[]<>p && []<>q")
    for seed in range(50):
        word = random_word(Random(seed), NAMES)
        assert accepts(automaton, *word) == evaluate(formula, *word)


def test_state_labels_aliases_several_initial_states_and_complemented_sets() -> None:
    automaton = from_hoa(STATES)
    formula = parse_ltl("[] p || X <> [] (p && q || !p && !q)")
    for seed in range(200):
        word = random_word(Random(seed), NAMES)
        assert accepts(automaton, *word) == evaluate(formula, *word), word


SETTLING = """HOA: v1
States: 1
Start: 0
Acceptance: 3 ACCEPTANCE
AP: 2 "p" "q"
--BODY--
State: 0
[!0&!1] 0 {0}
[!0&1] 0 {0 1}
[0&!1] 0 {2}
[0&1] 0 {1 2}
--END--
"""


@pytest.mark.parametrize(
    ("acceptance", "text"),
    [
        ("Fin(0)", "<>[] p"),
        ("Fin(0) & Inf(1)", "<>[] p && []<> q"),
        ("Fin(0) | Inf(1)", "<>[] p || []<> q"),
        ("(Fin(0)|Inf(1)) & (Fin(1)|Inf(2))", "(<>[] p || []<> q) && (<>[] !q || []<> p)"),
        ("Fin(0)&Inf(1) | Fin(1)&Inf(!2)", "<>[] p && []<> q || <>[] !q && []<> !p"),
        ("Fin(!0)", "<>[] !p"),
        ("Fin(0) & Inf(0) | f", "false"),
        ("Fin(0) | t", "true"),
    ],
)
def test_rabin_streett_and_parity_acceptance(acceptance: str, text: str) -> None:
    automaton = from_hoa(SETTLING.replace("ACCEPTANCE", acceptance))
    for version in (automaton, degeneralise(automaton)):
        for seed in range(100):
            word = random_word(Random(seed), NAMES)
            assert accepts(version, *word) == evaluate(parse_ltl(text), *word), word


def random_acceptance(random: Random, depth: int) -> str:
    if depth == 0:
        return f"{random.choice(('Inf', 'Fin'))}({random.choice(('', '!'))}{random.randrange(3)})"
    left, right = random_acceptance(random, depth - 1), random_acceptance(random, depth - 1)
    return f"({left} {random.choice('&|')} {right})"


def test_any_acceptance_of_a_deterministic_automaton_means_what_its_run_does() -> None:
    """The one run of a word is followed, and the condition asked of what comes again and again."""
    verdicts = set()
    for seed in range(300):
        random = Random(seed)
        states, acceptance = random.randint(1, 4), random_acceptance(random, random.randint(0, 3))
        arcs = {(s, p): (random.randrange(states), random.randrange(8)) for s in range(states) for p in (0, 1)}
        rows = [
            f"State: {s}\n"
            + "\n".join(
                f"[{'!' * (1 - p)}0] {target} {{{' '.join(str(i) for i in range(3) if marks >> i & 1)}}}"
                for p in (0, 1)
                for target, marks in [arcs[s, p]]
            )
            for s in range(states)
        ]
        body = "\n".join(rows)
        text = f'HOA: v1\nStates: {states}\nStart: 0\nAP: 1 "p"\nAcceptance: 3 {acceptance}\n--BODY--\n{body}\n--END--'
        automaton = from_hoa(text)
        for _ in range(10):
            prefix, cycle = random_word(random, ("p",))
            place = 0
            for letter in prefix:
                place = arcs[place, int("p" in letter)][0]
            for _ in range(states):  # then the state comes again
                for letter in cycle:
                    place = arcs[place, int("p" in letter)][0]
            again = []
            for _ in range(states):
                for letter in cycle:
                    place, marks = arcs[place, int("p" in letter)]
                    again.append(marks)
            asked = acceptance.replace("!", "~").replace("&", " and ").replace("|", " or ")
            met = {n: any(marks >> n & 1 for marks in again) for n in range(3)}
            met |= {~n: any(not marks >> n & 1 for marks in again) for n in range(3)}
            truth = eval(asked, {"Inf": met.get, "Fin": lambda n, met=met: not met[n]})
            assert accepts(automaton, prefix, cycle) == truth, (text, prefix, cycle)
            verdicts.add(truth)
    assert verdicts == {True, False}


def test_acceptance_with_too_many_options_is_refused() -> None:
    pairs = "&".join(f"(Fin({2 * i})|Inf({2 * i + 1}))" for i in range(10))
    with pytest.raises(HoaError, match="more than 256 ways"):
        from_hoa(SETTLING.replace("3 ACCEPTANCE", f"20 {pairs}"))


def test_acceptance_that_is_false_accepts_nothing() -> None:
    automaton = from_hoa(IMPLICIT.replace("2 (Inf(0)&Inf(1))", "2 f"))
    assert not accepts(automaton, [], [{"p", "q"}])


@pytest.mark.parametrize(
    ("old", "new", "line", "said"),
    [
        ("HOA: v1.1", "HOX: v1", 1, "must begin with"),
        ("v1.1", "v2", 1, "version"),
        ("(Inf(0)&Inf(1))", "Inf(0)|Often(1)", 7, "expected Inf(..), Fin(..), t or f"),
        ("(Inf(0)&Inf(1))", "(" * 200, 7, "nested too deep"),
        ("(Inf(0)&Inf(1))", "(Inf(0)", 8, "not closed"),
        ("Inf(1)", "Inf(7)", 7, "the largest one is 1"),
        ("some-remark", "Some-remark", 9, "may change the meaning"),
        ("Start: 0", "Start: 0&0", 5, "alternating"),
        ("Start: 0", "Start: 4", 14, "no state 4"),
        ("0 0 {0} 0 {1} 0 {0 1}", "0 0 {0} 0", 14, "3 edges without labels"),
        ("0 0 {0}", "0 0 0 0 {0}", 13, "no label"),
        ("0 0 {0}", "9 0 {0}", 13, "too large for a state"),
        ("{0 1}", "{0 3}", 13, "too large for an acceptance set"),
        ("--END--", "", 15, "ends too early"),
        ("--END--", "--ABORT--", 14, "aborted"),
        ("--END--", "--END-- HOA: v1", 14, "more than one"),
        ("*/ */", "*/", 11, "not closed"),
        ('"p" "q"', '"p" "p"', 8, "twice"),
        ('"p" "q"', '"p"', 9, "a name in quotes"),
        ("Acceptance:", "acceptance:", 11, "no `Acceptance:`"),
        ("0 0 {0}", "[0 & @x] 0 {0}", 13, "@x"),
        ("0 0 {0}", "[2] 0 {0}", 13, "proposition's number"),
        ("0 0 {0}", "$", 13, "no meaning"),
    ],
)
def test_mistakes_name_their_line_and_a_remedy(old: str, new: str, line: int, said: str) -> None:
    assert old in IMPLICIT
    with pytest.raises(HoaError) as caught:
        from_hoa(IMPLICIT.replace(old, new, 1), "some.hoa")
    assert caught.value.source.file == "some.hoa"
    assert caught.value.source.line == line
    assert said in str(caught.value)
    assert "hint: " in str(caught.value)


def test_no_text_makes_the_reader_fail_otherwise() -> None:
    words = IMPLICIT.split() + STATES.split()
    for seed in range(2000):
        random = Random(seed)
        text = (IMPLICIT if seed % 2 else STATES).split()
        for _ in range(random.randint(1, 3)):
            text[random.randrange(len(text))] = random.choice(words)
        try:
            from_hoa(" ".join(text))
        except HoaError as error:
            assert error.source.line == 1


@pytest.mark.skipif(shutil.which("spin") is None, reason="SPIN is not installed")
@pytest.mark.parametrize("text", ["[] (p -> <> q)", "false", "p U q", "[]<>p && []<>q", "true"])
def test_spin_takes_our_never_claims(text: str, tmp_path: Path) -> None:
    claim = to_never_claim(translate(parse_ltl(text)), text)
    (tmp_path / "model.pml").write_text("bool p, q;\nactive proctype P() { p = 1; q = 1 }\n" + claim)
    done = subprocess.run(["spin", "-a", "model.pml"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert "Error" not in done.stdout + done.stderr
    assert (tmp_path / "pan.c").exists()
