"""Random Murphi programs whose nodes have much to do by themselves and little with each other, so that steps can be
left out: each node goes through its places, and now and then takes a lock, writes to another node's box or counts."""

from __future__ import annotations

from random import Random

PLACES = ("rest", "start", "work", "finish")


def loose_murphi_of(seed: int) -> str:
    """A program."""
    random = Random(seed)
    nodes = random.choice((2, 2, 3))
    kind = f"scalarset({nodes})" if random.random() < 0.7 else f"0 .. {nodes - 1}"
    rules = "".join(_rule(random, number, place) for number, place in enumerate(_places(random)))
    return (
        f"type\n  node: {kind};\n  place: enum {{ {', '.join(PLACES)} }};\n"
        "var\n  at: array [node] of place;\n  box: array [node] of 0 .. 2;\n  flag: array [node] of boolean;\n"
        "  locked: boolean;\n  holder: node;\n  count: 0 .. 3;\n"
        "startstate\n  for n: node do\n    at[n] := rest;\n    box[n] := 0;\n    flag[n] := false;\n  end;\n"
        f"  locked := false;\n  undefine holder;\n  count := 0;\nend;\n{rules}{_invariant(random)}"
    )


def _places(random: Random) -> list[str]:
    """Where rules begin: each place has one, some have two."""
    return [*PLACES, *random.sample(PLACES, random.randint(0, 2))]


def _rule(random: Random, number: int, place: str) -> str:
    following = PLACES[(PLACES.index(place) + 1) % len(PLACES)]
    target = following if random.random() < 0.75 else random.choice(PLACES)
    guards, effects = [f"at[n] = {place}"], [f"at[n] := {target};"]
    for guard, effect in random.choices(_DEEDS, k=random.choice((0, 0, 1, 1, 2))):
        guards += [guard] * bool(guard)
        effects += [effect] * bool(effect)
    random.shuffle(effects)
    other = "; m: node" if any("[m]" in part for part in (*guards, *effects)) else ""
    body = "\n  ".join(effects)
    return f'ruleset n: node{other} do\nrule "rule {number}"\n  {" & ".join(guards)}\n==>\n  {body}\nend;\nend;\n'


_DEEDS = (
    ("!locked", "locked := true; holder := n;"),
    ("locked & holder = n", "locked := false; undefine holder;"),
    ("box[m] < 2", "box[m] := box[m] + 1;"),
    ("box[n] > 0", "box[n] := box[n] - 1;"),
    ("", "flag[n] := !flag[n];"),
    ("flag[n]", ""),
    ("!flag[m]", "flag[m] := true;"),
    ("count < 3", "count := count + 1;"),
    ("", "count := count + 1;"),
    ("count > 0", "count := 0;"),
    ("", "if box[n] = 0 then flag[n] := true; end;"),
    ("forall k: node do k = n | at[k] != work end", ""),
    ("", "for k: node do flag[k] := false; end;"),
)


def _invariant(random: Random) -> str:
    one, two = random.choice(PLACES[1:]), random.choice(PLACES[1:])
    return random.choice(
        (
            "",
            f'invariant "apart" forall n: node do forall m: node do n = m | at[n] != {one} | at[m] != {two} end end;\n',
            f'invariant "flagged" forall n: node do at[n] = {one} -> !flag[n] end;\n',
            'invariant "few" count < 3;\n',
            'invariant "held" locked = !isundefined(holder);\n',
        )
    )
