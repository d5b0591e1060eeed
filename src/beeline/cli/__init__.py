"""The command line: `beeline check | explore | simulate | list`.

Exit codes: 0 holds, 1 violated, 2 bad usage or bad model, 3 unknown, 4 internal error.
"""

from beeline.cli.main import command, main

__all__ = ["command", "main"]
