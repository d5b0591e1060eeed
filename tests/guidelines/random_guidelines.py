"""Random small guidelines as texts."""

from __future__ import annotations

from random import Random

PARAMETERS = "parameter a: boolean\nparameter b: {low, high} asked\nvariable n: 0..2 = 0\n"
ATOMS = ("a", "b=high", "b!=high", "n>0", "n<2")
KINDS = ("filter", "setup", "activate", "suspend", "abort", "complete", "reactivate")


def random_guideline(random: Random, timed: bool = True) -> str:
    """A text with a tree of two to six plans."""
    count = random.randint(2, 6)
    children: list[list[int]] = [[] for _ in range(count)]
    for plan in range(1, count):
        children[random.randrange(plan)].append(plan)
    return PARAMETERS + "\n".join(_plan(random, number, children, timed) for number in range(count))


def _plan(random: Random, number: int, children: list[list[int]], timed: bool) -> str:
    kinds = random.sample(KINDS, random.choice((0, 0, 1, 1, 2)))
    lines = [f"plan p{number}", "conditions"] if kinds else [f"plan p{number}"]
    lines += [f"  {kind}-condition: {_condition(random, len(children), timed)}" for kind in kinds]
    return "\n".join([*lines, *_body(random, children[number])])


def _condition(random: Random, plans: int, timed: bool, depth: int = 0) -> str:
    choice = random.random()
    if depth < 2 and choice < 0.25:
        parts = " ".join(_condition(random, plans, timed, depth + 1) for _ in range(2))
        return f"({random.choice(('and', 'or'))} {parts})"
    if depth < 2 and choice < 0.35:
        return f"(not {_condition(random, plans, timed, depth + 1)})"
    if choice < 0.5:
        return f"(p{random.randrange(plans)}={random.choice(('activated', 'completed', 'aborted'))})"
    atom = random.choice(ATOMS)
    if timed and choice > 0.75:
        low, high = sorted((random.randint(0, 2), random.randint(0, 3)))
        window = f"[[{low}h,-],[-,{high}h],[-,-]] SELF" if choice < 0.9 else f"[[-{high}h,-],[-,-],[{low}h,-]] NOW"
        return f"({atom} in {window})"
    return f"({atom})"


def _body(random: Random, children: list[int]) -> list[str]:
    names = [f"p{child}" for child in children]
    if not names:
        leaf = random.choice(("", "user-performed", "user-performed", "ask b", "assign n := n + 1", "assign n := 0"))
        return [f"plan-body {leaf}"] if leaf else []
    wait = random.choice(("all", "one", "none", random.choice(names)))
    retry = ", retry-aborted-subplans=yes" if random.random() < 0.3 else ""
    if len(names) == 1 and random.random() < 0.3:
        return ["plan-body type=cyclical, every [1h,2h]", f"  {names[0]}"]
    order = random.choice(("sequential", "parallel", "any-order", "unordered"))
    return [f"plan-body type={order}{retry}, wait-for {wait}", *(f"  {name}" for name in names)]
