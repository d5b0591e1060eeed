"""Promela, the language of SPIN."""
