"""Searches for cycles next to `pan -a`: speed of proofs, and lengths of lassos."""
