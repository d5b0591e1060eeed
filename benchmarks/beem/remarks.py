"""Where the published figures need a word of explanation, and which word."""

from __future__ import annotations

ERROR_STATES = (
    "the byte `next` leaves its range: DiVinE enters an error state and goes on from it with the other process(es),"
    " which adds states; here the step is reported as an error and has no target"
)
NEGATION = (
    "published as unreachable because the formula `not rb1` was put together as text: `not (triple & 4) == 4` reads"
    " `(not ..) == 4`, which is never true"
)

# Instances whose published state count differs from ours on purpose.
COUNTS: dict[str, str] = {"anderson.1": ERROR_STATES}

# Goals whose published answer or length differs from ours, by instance and number.
GOALS: dict[tuple[str, int], str] = {(f"brp2.{number}", 1): NEGATION for number in range(1, 7)}
