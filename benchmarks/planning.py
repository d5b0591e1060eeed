"""Planning tasks that were once translated from Promela, as Promela again: the protocols of the planning competition of
2004, whose tasks list the processes, their places, the channels, and what each step writes or reads.

A task's four actions for a step (choose it, use the channel, move the channel on, take it) are one statement here. The
task's goal, that every process is blocked at what it chose, is a deadlock.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from benchmarks.folders import MADE
from benchmarks.public import COLLECTIONS

TASKS = COLLECTIONS / "ipc4-promela-pddl"
SIZES = (2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 24, 30, 40, 49)
"""Of the tasks, which are there in all sizes from 2 on."""
DOMAINS = {"philosophers": "phil", "optical-telegraphs": "opt"}
"""Folders, and how tasks of a size are called there."""

Facts = dict[str, list[tuple[str, ...]]]
"""The facts of the beginning, by predicate."""


def tasks() -> Iterator[tuple[str, Path]]:
    """Tasks as Promela models, with names for them."""
    for domain, word in DOMAINS.items():
        for size in SIZES:
            for task in (TASKS / domain).glob(f"p*-{word}{size}.pddl"):
                yield f"{domain} {size}", twin(task, f"{domain}_{size}.pml")


def twin(task: Path, name: str) -> Path:
    """The model of a task, written once."""
    made = MADE / name
    if not made.is_file():
        MADE.mkdir(parents=True, exist_ok=True)
        made.write_text(promela(read_facts(task.read_text())))
    return made


def read_facts(text: str) -> Facts:
    """
    >>> read_facts("(define (:init (pending p-0) (inc zero one)) (:goal (and)))")
    {'pending': [('p-0',)], 'inc': [('zero', 'one')]}
    """
    beginning = re.sub(r";.*", "", text).partition("(:init")[2].partition("(:goal")[0]
    found: defaultdict[str, list[tuple[str, ...]]] = defaultdict(list)
    for fact in re.findall(r"\(([^()]+)\)", beginning):
        predicate, *objects = fact.split()
        found[predicate].append(tuple(objects))
    return dict(found)


def promela(facts: Facts) -> str:
    """Channels, then a process for each of the task's."""
    kinds = {process: kind for process, kind in facts["is-a-process"]}  # noqa: C416  # tuples of any length
    messages = {step: message for step, message in facts["trans-msg"]}  # noqa: C416
    lines = [f"mtype = {{ {', '.join(sorted({_word(message) for message in messages.values()}))} }}"]
    for channel, kind in facts["is-a-queue"]:
        lines.append(f"chan {_word(channel)} = [{_capacity(facts, kind)}] of {{ mtype }}")
    for process, start in facts["at-process"]:
        lines += ["", f"active proctype {_word(process)}()", "{", f"    goto {_word(start)};"]
        lines += [*_steps(facts, process, kinds[process], messages), "}"]
    return "\n".join([*lines, ""])


def _capacity(facts: Facts, kind: str) -> int:
    """As many messages as there are cells."""
    return len({cell for queue, cell, _ in facts["queue-next"] if queue == kind})


def _steps(facts: Facts, process: str, kind: str, messages: dict[str, str]) -> Iterator[str]:
    """The places of a process; each waits for one of its steps."""
    uses = {name: (channel, "!") for owner, channel, name in facts["writes"] if owner == process}
    uses |= {name: (channel, "?") for owner, channel, name in facts["reads"] if owner == process}
    leaving: defaultdict[str, list[tuple[str, str]]] = defaultdict(list)
    for owner, name, origin, target in facts["trans"]:
        if owner == kind:
            leaving[origin].append((name, target))
    for place, steps in leaving.items():
        yield f"{_word(place)}:"
        yield "    if"
        for name, target in steps:
            channel, sign = uses[name]
            yield f"    :: {_word(channel)} {sign} {_word(messages[name])} -> goto {_word(target)}"
        yield "    fi;"


def _word(name: str) -> str:
    """A name of the task as one of Promela.

    >>> _word("forks-0-")
    'forks_0'
    """
    return re.sub(r"\W+", "_", name).strip("_")
