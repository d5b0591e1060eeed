"""Zone graphs beside TChecker's."""
