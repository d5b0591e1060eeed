"""Answers to queries of the public UPPAAL models that are known from elsewhere: from the comments beside the queries,
the descriptions of the models, or the papers that these name."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Known:
    """The verdict on queries that begin with `query`, in files whose path contains `file`; `reason` tells a range."""

    file: str
    query: str
    verdict: str
    reason: str = ""


TRAINS = "A[] forall (i : id_t) forall (j : id_t) Train(i).Cross"
MUTEX = "A[] forall (i:id_t) forall (j:id_t) P(i).cs"
GATES = ("Symbolic/train-gate.xml", "Statistical/train-gate-stat.xml", "examples/train-gate.xml")

KNOWN = (
    # The demos say in comments what their queries ask for, and satisfy it.
    *(
        Known(file, query, "holds")
        for file in GATES
        for query in ("E<> Gate.Occ", "E<> Train(", TRAINS, "A[] ", "Train(")
    ),
    *(
        Known(f"{file}.xml", query, "holds")
        for file in ("Symbolic/fischer", "Statistical/fischer-stat")
        for query in (MUTEX, "A[] not deadlock", "P(1).req --> P(1).wait")
    ),
    Known("fischer_symmetry.xml", "A[] (sum", "holds"),
    Known("bridge.xml", "E<> Viking", "holds"),
    Known("bridge.xml", "A[] not (Viking4.safe and time<slowest)", "holds"),
    # "Satisfied", with the time that it took.
    Known("Pacemaker2019/pacemaker.xml", "A[] (Pvv.two_a", "holds"),
    Known("Pacemaker2019/pacemaker.xml", "A[] (PURI_test.interval", "holds"),
    Known("Pacemaker2019/pacemaker_switch.xml", "A[] (PURI_test.interval", "holds"),
    # "The property is still satisfied", "is not satisfied (as expected in the paper). Takes ~200s.", "Uppaal finds a
    # witness trace".
    Known("Pacemaker2019/pacemaker_switch.xml", "E[] (not Pv_v.err)", "holds"),
    Known("Pacemaker2019/pacemaker_switch.xml", "A<> (PMS.err)", "violated"),
    Known("Pacemaker2019/pacemaker_switch.xml", "E[] ((not PELT_det.err)", "holds"),
    # "The property is satisfied" on the pacemaker without mode switch.
    Known("Pacemaker2019/pacemaker.xml", "E[] (not Pv_v.err)", "holds"),
    # "Guaranteed to eventually synchronize (only satisfied if W=1 and H=1)". Of 50 in one cell that is not true: two
    # groups half a period apart do not see one another.
    Known("firefly-sync-W1-H1-N10", "A<> forall", "holds"),
    Known("firefly-sync-W2", "A<> forall", "violated"),
    # "min delay: 0, max delay: N", which is 4.
    Known("heartcell-composition-micro.xml", "inf{D.Min}", "holds", "D.t >= 0"),
    Known("heartcell-composition-micro.xml", "sup{D.Max}", "holds", "D.t <= 4"),
    # "(false)", and a query that asks for nothing.
    Known("gossip-", "E<> Node(0).secrets == ALL_SECRETS && Node(1).numSecrets() == 1", "violated"),
    Known("DynamicTimeConstraints", "E<> false", "violated"),
    # "is it possible that primary functions are preempted in between operations? [No]"
    Known("HerschelEvents2.xml", "E<> primaryF.Next && !runs[21]", "violated"),
    # Reached in the experiments of Kiviriga, Larsen and Nyman, Randomized reachability analysis in UPPAAL, FMICS 2021.
    *(
        Known(f"RandomizedReachability2021/models/{folder}/", "E<>", "holds")
        for folder in ("CSMA-CD", "Fischer", "GosGirls", "Milner", "MilnerRest", "IMAOptim", "Herschel-Planck")
    ),
)


def known(file: str, query: str) -> Known | None:
    """What is known of a query, if anything."""
    return next((one for one in KNOWN if one.file in file and query.startswith(one.query)), None)
