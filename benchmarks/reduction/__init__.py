"""Partial-order reduction and trail improvement, measured; see `__main__.py`."""
