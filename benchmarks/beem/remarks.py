"""Where the published figures need a word of explanation, and which word."""

from __future__ import annotations

ERROR_STATES = (
    "values leave the range of a variable; the published count goes on from DiVinE's error state, ours reports the"
    " error and stops there"
)

# Instances whose published state count differs from ours on purpose.
COUNTS: dict[str, str] = {}

# Goals whose published answer or length differs from ours, by instance and number.
GOALS: dict[tuple[str, int], str] = {}
