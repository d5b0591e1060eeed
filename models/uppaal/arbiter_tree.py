"""Mutual exclusion by a binary tree of arbiters: 2^k clients, 2^k - 1 arbiters and a root that owns the token.

Two faults, after two descriptions: a client that keeps working after its release ("keeps"), found in 5k + 2 steps
when the top arbiter hands the token over to its other half, and a client that releases several times ("repeats").
"""

from __future__ import annotations

from writing import Generated, Process, assemble


def arbiter_tree(height: int, *, fault: str = "keeps") -> Generated:
    """`fault` is "keeps", "repeats" or "none". Nodes are numbered as in a heap: the root arbiter is 1."""
    if height < 1 or fault not in ("keeps", "repeats", "none"):
        raise ValueError("a height of at least one, and a fault: keeps, repeats or none")
    clients = 2**height
    nodes = 2 * clients  # channels by child node; node 0 is not used, node 1 talks to the root
    declarations = [f"const int NODES = {nodes};", "chan req[NODES], grt[NODES], rel[NODES];"]
    client = Process("Client", "idle", "const int n")
    client.edge("idle", "waiting", sync="req[n]!")
    client.edge("waiting", "cs", sync="grt[n]?")
    client.edge("cs", "idle", sync="rel[n]!")
    faulty = Process("Faulty", "idle", "const int n")
    faulty.edge("idle", "waiting", sync="req[n]!")
    faulty.edge("waiting", "cs", sync="grt[n]?")
    if fault == "keeps":
        faulty.edge("cs", "still", sync="rel[n]!")
    else:
        faulty.edge("cs", "released", sync="rel[n]!")
        faulty.edge("released", "released", sync="rel[n]!")
        faulty.edge("released", "waiting", sync="req[n]!")
    root = Process("Root", "free")
    root.edge("free", "asked", sync="req[1]?")
    root.edge("asked", "taken", sync="grt[1]!")
    root.edge("taken", "free", sync="rel[1]?")
    arbiter = _storing() if fault == "repeats" else _handing_over()
    first = "Client" if fault == "none" else "Faulty"
    lines = [f"C{at} = {first if at == 0 else 'Client'}({clients + at});" for at in range(clients)]
    lines += [f"A{node} = Arbiter({node});" for node in range(1, clients)]
    names = [f"C{at}" for at in range(clients)] + [f"A{node}" for node in range(1, clients)] + ["Root"]
    lines.append(f"system {', '.join(names)};")
    if fault == "repeats":
        query = f"A[] not (C1.cs and C{clients // 2}.cs)"
    else:
        still = "(C0.cs or C0.still)" if fault == "keeps" else "C0.cs"
        query = f"A[] not ({still} and C{clients - 1}.cs)"
    made = [client, arbiter, root] if fault == "none" else [client, faulty, arbiter, root]
    comment = f"Arbiter tree of height {height}, fault: {fault}"
    return assemble(f"arbiter_tree_{height}_{fault}", comment, declarations, made, lines, query)


def _handing_over() -> Process:
    """An arbiter that gives the token to its other child when one releases it and the other has asked."""
    made = Process("Arbiter", "Idle", "const int n")
    child = {"L": "2 * n", "R": "2 * n + 1"}
    made.edge("Back", "Idle", sync="rel[n]!")
    for one, other in (("L", "R"), ("R", "L")):
        own, rival = child[one], child[other]
        made.edge("Idle", f"Ask{one}", sync=f"req[{own}]?")
        made.edge(f"Ask{one}", f"Up{one}", sync="req[n]!")
        made.edge(f"Up{one}", f"Have{one}", sync="grt[n]?")
        made.edge(f"Have{one}", f"Out{one}", sync=f"grt[{own}]!")
        made.edge(f"Out{one}", "Back", sync=f"rel[{own}]?")
        made.edge(f"Up{one}", f"Up{one}{other}", sync=f"req[{rival}]?")
        made.edge(f"Up{one}{other}", f"Have{one}{other}", sync="grt[n]?")
        made.edge(f"Have{one}", f"Have{one}{other}", sync=f"req[{rival}]?")
        made.edge(f"Have{one}{other}", f"Out{one}{other}", sync=f"grt[{own}]!")
        made.edge(f"Out{one}", f"Out{one}{other}", sync=f"req[{rival}]?")
        made.edge(f"Out{one}{other}", f"Have{other}", sync=f"rel[{own}]?")
    return made


def _storing() -> Process:
    """An arbiter that remembers requests, returns the token after each use, and believes a release of either child."""
    made = Process("Arbiter", "idle", "const int n", "bool left, right;")
    places = ("idle", "asked", "have", "outL", "outR", "back")
    for place in places:
        made.edge(place, place, guard="!left", sync="req[2 * n]?", assign="left = true")
        made.edge(place, place, guard="!right", sync="req[2 * n + 1]?", assign="right = true")
    made.edge("idle", "asked", guard="left || right", sync="req[n]!")
    made.edge("asked", "have", sync="grt[n]?")
    made.edge("have", "outL", guard="left", sync="grt[2 * n]!", assign="left = false")
    made.edge("have", "outR", guard="right", sync="grt[2 * n + 1]!", assign="right = false")
    for out in ("outL", "outR"):
        made.edge(out, "back", sync="rel[2 * n]?")
        made.edge(out, "back", sync="rel[2 * n + 1]?")
    made.edge("back", "idle", sync="rel[n]!")
    return made
