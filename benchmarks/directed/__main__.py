"""``python -m benchmarks.directed``: the tables of docs/directed.md.

    python -m benchmarks.directed families --time 10        Fischer, arbiter trees, Hanoi, random, case studies
    python -m benchmarks.directed originals --time 20       public models that the papers' own were made from
    python -m benchmarks.directed promela --time 20         our Promela models
    python -m benchmarks.directed beem --time 60            the reachable goals of BEEM
    python -m benchmarks.directed errors --time 10          all of these with an error, answered in 1 and 10 s
    python -m benchmarks.directed proofs --time 60          the unreachable ones
    python -m benchmarks.directed shrink --time 10          models of which parts can be taken out
    python -m benchmarks.directed hard --time 60            hard queries on timed automata

Results are kept in benchmarks/results and not measured twice, except those without an answer when there is more time;
``--again`` starts afresh, ``--only 'arbiter*'`` chooses.
"""

from __future__ import annotations

import argparse
import sys
from fnmatch import fnmatch
from functools import partial

from benchmarks.beem.measure import Limits, Notebook, check_with
from benchmarks.directed import families, tables
from benchmarks.directed.configurations import SETS, Configuration
from benchmarks.directed.families import Instance

from benchmarks import forked

SUITES = {
    "errors": families.errors,
    "families": families.generated,
    "originals": families.originals,
    "promela": families.promela,
    "beem": families.reachable_goals,
    "proofs": families.unreachable_goals,
    "shrink": families.bystanders,
    "hard": families.hard_queries,
}


def main() -> int:
    parser = argparse.ArgumentParser("python -m benchmarks.directed", description=__doc__)
    parser.add_argument("suite", choices=sorted(SUITES))
    parser.add_argument("--time", type=float, default=10.0, help="seconds for each run")
    parser.add_argument("--memory", default="2G")
    parser.add_argument("--only", default="*", help="a pattern for names of instances")
    parser.add_argument("--configurations", default="*", help="a pattern for configurations")
    parser.add_argument("--again", action="store_true")
    parser.add_argument(
        "--processor", action="store_true", help="count processor time, without the start of Python, and not the clock"
    )
    parser.add_argument("--engine", help="for all: with 'explicit', 'auto' tries no sets of states in the meantime")
    options = parser.parse_args()
    instances = list(SUITES[options.suite](options.only))
    configurations = [one for one in SETS[options.suite] if fnmatch(str(one), options.configurations)]
    if not configurations:
        print(f"No configuration of '{options.suite}' is called so.", file=sys.stderr)
        return 2
    if not instances:
        print(f"No instances: the models of '{options.suite}' are not there.", file=sys.stderr)
        return 2
    results = _measure(options, instances, configurations)
    names = [instance.name for instance in instances]
    for table in (tables.explored, tables.times, tables.solved):
        print(table(names, configurations, results), end="\n\n")
    limits = [limit for limit in (1, 10, 60) if limit <= options.time]
    print(tables.within(names, configurations, results, limits or [options.time]))
    return 0


def _measure(
    options: argparse.Namespace, instances: list[Instance], configurations: list[Configuration]
) -> tables.Results:
    """All configurations of an instance one after the other, so that the machine is the same for each; every instance
    begins with the next one, so that what drifts meets everyone."""
    limits = Limits(options.time, options.memory)
    measured = forked.check if options.processor else check_with
    book = Notebook(f"directed-{options.suite}", options.again)
    engine = ["--engine", options.engine] if options.engine else []
    results: tables.Results = {}
    for number, instance in enumerate(instances):
        first = number % len(configurations)
        for configuration in configurations[first:] + configurations[:first]:
            chosen = [*instance.options, *configuration.options(), *engine]
            run = partial(measured, instance.file, instance.asked, limits, chosen)
            record = book.fill(" | ".join([instance.name, str(configuration), *engine[1:]]), run, limits)
            results[instance.name, str(configuration)] = record
            print(f"{instance.name:24} {configuration!s:20} {tables.cell(record)}", file=sys.stderr)
    return results


if __name__ == "__main__":
    sys.exit(main())
