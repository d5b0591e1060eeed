"""Directed search: families of models, configurations, and tables next to what the papers published."""
