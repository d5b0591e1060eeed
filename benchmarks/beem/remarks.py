"""Where the published figures need a word of explanation, and which word."""

from __future__ import annotations

ERROR_STATE = (
    "a variable leaves its range: DiVinE enters an error state, which counts; here the step is reported as an error"
    " and has no target"
)
ERROR_STATES = ERROR_STATE + "; from its error state DiVinE goes on, to {} more states"
NEGATION = (
    "published as unreachable because the formula `not rb1` was put together as text: `not (triple & 4) == 4` reads"
    " `(not ..) == 4`, which is never true"
)

# Instances whose published state count differs from ours on purpose.
COUNTS: dict[str, str] = {
    "anderson.1": ERROR_STATES.format(2),
    "anderson.3": ERROR_STATES.format(12),
    "resistance.1": ERROR_STATE,
    "resistance.2": ERROR_STATE,
    "sorter.4": ERROR_STATE,
}

# Goals whose published answer or length differs from ours, by instance and number.
GOALS: dict[tuple[str, int], str] = {(f"brp2.{number}", 1): NEGATION for number in range(1, 7)}
