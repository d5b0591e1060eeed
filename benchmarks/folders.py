"""Where measurements find things and keep them."""

from __future__ import annotations

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
KEPT = ROOT / "benchmarks" / "results"
RESULTS = Path(os.environ.get("BEELINE_RESULTS", KEPT))
"""Results of the suite that runs now; `python -m benchmarks` gives each of its runs a folder of its own."""
MADE = KEPT / "models"
"""Generated models, the same for every run: some random networks take long to find."""
