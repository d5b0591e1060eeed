"""The native module. Everything else of the package imports it from here."""

from beeline._native import *  # noqa: F403
