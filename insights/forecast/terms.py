"""What pages and training both name. Without numpy: only training needs its 8 MiB."""

from enum import IntEnum

DAYS_AHEAD = 28
HORIZONS = (1, 3, 7, 14)  # days ahead, of which past forecasts are compared with what came
WEEKS_NEEDED = 6


class Rule(IntEnum):
    """The method that a number comes from."""

    FORECAST = 0
    LAST_FOUR = 1
    RATIO = 2
