"""One search by several ranks, each with a part of the states: threads, processes of MPI, or a simulated network."""
