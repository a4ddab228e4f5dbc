"""How many will come: expected covers of each service of the next 28 days, from bookings alone.

Arrays are laid out as `[lag, day]`: row `lag` holds what was known, or was forecast, on the morning
`lag` days before the day of its column. Nothing in a cell comes from a later moment than that; a
test feeds a false future and sees no change.

What stands here is named by pages and training alike. It needs no numpy, of which only training
needs the 8 MiB.
"""

from enum import IntEnum

DAYS_AHEAD = 28
HORIZONS = (1, 3, 7, 14)  # days ahead, of which past forecasts are compared with what came
WEEKS_NEEDED = 6


class Rule(IntEnum):
    """The method that a number comes from."""

    FORECAST = 0
    LAST_FOUR = 1
    RATIO = 2
