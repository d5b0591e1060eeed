"""Models for other tools."""
