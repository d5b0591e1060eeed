"""``python -m benchmarks.automata``: automata against the evaluator, and their sizes next to those of others.

python -m benchmarks.automata check --formulas 50000      random formulas on random lasso words
python -m benchmarks.automata sizes --random 10000        states, next to SPIN's, LTL3BA's, Spot's
python -m benchmarks.automata testing                     testing automata: sizes, products, verdicts
python -m benchmarks.automata products --random 200       the same in the engine: what searches look at
"""

from __future__ import annotations

import argparse
import sys

from benchmarks.automata import check, products, sizes, testing


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("series", choices=("check", "sizes", "testing", "products"))
    parser.add_argument("--formulas", type=int, default=50_000, help="random formulas of `check` (50000)")
    parser.add_argument(
        "--random", type=int, default=1000, help="random formulas of `sizes`, `testing` and `products` (1000)"
    )
    parser.add_argument("--seed", type=int, default=0)
    chosen = parser.parse_args(arguments)
    match chosen.series:
        case "check":
            return check.run(chosen.formulas, chosen.seed)
        case "sizes":
            print(sizes.tables(chosen.random, chosen.seed))
        case "testing":
            print(testing.tables(chosen.random, chosen.seed))
        case "products":
            print(products.random_tables(chosen.random, 3, chosen.seed), end="\n\n")
            print(products.family_table(), end="\n\n")
            print(products.model_table())
    return 0


if __name__ == "__main__":
    sys.exit(main())
