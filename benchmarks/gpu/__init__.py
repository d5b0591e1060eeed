"""Searches on a GPU next to the processor's."""
