"""Read a moment in the forms of ISO 8601 that services write."""

import re
from datetime import datetime, timedelta

from lib.coerce import FIRST_YEAR, LAST_YEAR

# 24:00 is the end of its day; a leap second is the last one that a clock here can show.
END_OF_DAY = re.compile(r"(?<=T)24(?=:?00)")
SPACE = re.compile(r"(?<=^\d{4}-\d\d-\d\d) (?=\d)")
LEAP_SECOND = re.compile(r"(?<=T\d\d:\d\d:)60|(?<=T\d{4})60")


def parse_moment(text: str) -> datetime | None:
    """The moment, naive where the text names no offset; None for what is no date with a time.

    Python reads “20261204T201500Z”, “…+01” and “20:15:00,5”, but neither small letters, 24:00 nor
    a leap second. A year that another zone's calendar cannot express is none either: whatever was
    read can be shown anywhere.
    """
    spelled = text.strip().upper().replace("\N{MINUS SIGN}", "-")
    spelled = SPACE.sub("T", spelled)
    if "T" not in spelled:
        return None
    at_midnight, is_end_of_day = END_OF_DAY.subn("00", spelled)
    try:
        moment = datetime.fromisoformat(LEAP_SECOND.sub("59", at_midnight))
        moment += timedelta(days=is_end_of_day)
    except (ValueError, OverflowError):
        return None
    return moment if FIRST_YEAR <= moment.year <= LAST_YEAR else None
