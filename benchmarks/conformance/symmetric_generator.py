"""Random Murphi programs whose scalarsets are interchangeable: no loop tells their members apart. With `bags` they have
multisets, which Rumur does not know, and quantifiers that may come to an error."""

from __future__ import annotations

from random import Random

STATES = ("idle", "busy", "done")
BAGS = (
    "  letter: record goal: node; data: value; end;\n"
    "  net: multiset [3] of record goal: node; data: value; end;\n  box: array [node] of multiset [2] of node;\n"
)


def symmetric_murphi_of(seed: int, bags: bool = False) -> str:
    """A program."""
    return _Writer(Random(seed), bags).program()


class _Writer:
    def __init__(self, random: Random, bags: bool) -> None:
        self.random = random
        self.bags = bags
        self.size = random.choice((2, 2, 2, 3) if bags else (2, 3, 3, 4))
        self.joins = random.random() < 0.4  # a union with an enumeration
        self.who = "anyone" if self.joins else "node"

    def program(self) -> str:
        rules = "\n".join(self._ruleset(number) for number in range(self.random.randint(2, 4)))
        union = "  home: enum { root };\n  anyone: union { home, node };\n" if self.joins else ""
        return (
            f"type\n  node: scalarset({self.size});\n  value: scalarset(2);\n"
            f"  state: enum {{ idle, busy, done }};\n{union}"
            "var\n  at: array [node] of state;\n  flag: array [node] of boolean;\n"
            f"  next: array [node] of {self.who};\n"
            "  seen: array [node] of array [node] of boolean;\n"
            "  cell: array [node] of record has: boolean; data: value; end;\n"
            f"  owner: {self.who};\n  newest: value;\n  count: 0 .. {self.size};\n{BAGS if self.bags else ''}"
            f"{self._start()}{rules}\n{self._taking() if self.bags else ''}{self._invariant()}"
        )

    def _start(self) -> str:
        rooted = self.joins and self.random.random() < 0.5
        first = "    next[n] := root;\n" if rooted else "    undefine next[n];\n"
        boxes, net = ("    undefine box[n];\n", "  undefine net;\n") if self.bags else ("", "")
        body = (
            "  for n: node do\n    at[n] := idle;\n    flag[n] := false;\n    cell[n].has := false;\n"
            f"{first}    for m: node do seen[n][m] := false; end;\n{boxes}  end;\n  count := 0;\n{net}"
        )
        if self.random.random() < 0.5:
            return f'startstate "start"\n{body}end;\n'
        return f'ruleset n: node; v: value do\nstartstate "start"\n{body}  owner := n;\n  newest := v;\nend;\nend;\n'

    def _ruleset(self, number: int) -> str:
        guard = " & ".join(self._atom() for _ in range(self.random.randint(1, 3)))
        body = "".join(f"  {self._statement()}\n" for _ in range(self.random.randint(1, 4)))
        return f'ruleset n: node; m: node; v: value do\nrule "rule {number}"\n  {guard}\n==>\n{body}end;\nend;'

    def _taking(self) -> str:
        """Rules that take entries out of multisets."""
        state = self.random.choice(STATES)
        return (
            f'choose i: net do alias msg: net[i] do\nrule "take" at[msg.goal] = {state}\n==>\n'
            "  newest := msg.data;\n  at[msg.goal] := busy;\n  multisetremove(i, net);\nend;\nend;\nend;\n"
            'ruleset n: node do\nchoose i: box[n] do\nrule "open" box[n][i] != n\n==>\n'
            "  flag[box[n][i]] := true;\n  multisetremove(i, box[n]);\nend;\nend;\nend;\n"
        )

    def _atom(self) -> str:
        state = self.random.choice(STATES)
        if self.bags and self.random.random() < 0.3:
            return self.random.choice(
                (
                    f"multisetcount(i: net, net[i].goal = n) < {self.random.randint(1, 2)}",
                    "multisetcount(i: box[m], box[m][i] != n) = 0", "(exists k: node do next[k] = m end)",
                    f"(forall k: node do at[k] != {state} | next[k] != n end)",
                )
            )  # fmt: skip
        return self.random.choice(
            (
                f"at[n] = {state}", f"at[n] = {state}", f"at[m] != {state}", "!flag[n]", "flag[m]", "n != m", "n = m",
                "seen[n][m]", "!seen[n][m]", "isundefined(owner)", "(isundefined(owner) | owner = n)", "!cell[n].has",
                "(forall k: node do k = n | !flag[k] end)", f"(exists k: node do at[k] = {state} end)",
                f"count < {self.random.randint(1, self.size)}", "(isundefined(next[n]) | next[n] != m)",
            )
        )  # fmt: skip

    def _statement(self) -> str:
        state, truth = self.random.choice(STATES), self.random.choice(("true", "false"))
        if self.bags and self.random.random() < 0.35:
            return self.random.choice(
                (
                    "if multisetcount(i: net, true) < 3 then letter.goal := m; letter.data := v; "
                    "multisetadd(letter, net); undefine letter; end;",
                    "if multisetcount(i: box[n], true) < 2 then multisetadd(m, box[n]); end;",
                    "multisetremovepred(i: net, net[i].goal = n);", "multisetremovepred(i: box[n], box[n][i] = m);",
                    f"if exists k: node do at[k] = {state} & next[k] = n end then flag[m] := {truth}; end;",
                )
            )  # fmt: skip
        return self.random.choice(
            (
                f"at[n] := {state};", f"at[m] := {state};", f"flag[n] := {truth};", "owner := n;", "undefine owner;",
                "next[n] := m;", "undefine next[m];", f"seen[n][m] := {truth};",
                "cell[n].has := true; cell[n].data := v;",
                "newest := v;", "if !isundefined(owner) then next[n] := owner; end;",
                f"for k: node do if at[k] = {state} then flag[k] := {truth}; end; end;",
                "count := 0; for k: node do if flag[k] then count := count + 1; end; end;",
                f"for k: node do seen[k][m] := {truth}; end;", "if cell[n].has then newest := cell[n].data; end;",
                "if !isundefined(newest) & cell[m].has then assert newest = cell[m].data | !flag[m] | seen[n][m]; end;",
            )
        )  # fmt: skip

    def _invariant(self) -> str:
        state = self.random.choice(STATES)
        return self.random.choice(
            (
                'invariant "one" forall n: node do forall m: node do '
                f"at[n] = {state} & at[m] = {state} -> n = m end end;\n",
                'invariant "seen" forall n: node do !seen[n][n] | flag[n] end;\n',
                f'invariant "few" count < {self.size};\n',
                "",
            )
        )
