"""Minutes of a service day of the local clock: 00:30 after the evening is 1470. Pure."""

from datetime import date, datetime

from restaurants.models import Restaurant

SLOT = 15  # minutes: the width of a column
UNIT = 5  # minutes: the width of the narrowest stay


def minutes_on(local: datetime, service_day: date) -> int:
    """Minutes from the midnight that begins the service day, as the local clock counts."""
    return (local.date() - service_day).days * 1440 + local.hour * 60 + local.minute


def clock(minutes: int) -> str:
    return f"{minutes // 60 % 24:02d}:{minutes % 60:02d}"


def slot_of(minutes: int) -> int:
    return minutes - minutes % SLOT


def moment(meal_date: str) -> datetime | None:
    """The time in the service's text, with its offset if it names one; None for other texts."""
    try:
        return datetime.fromisoformat(meal_date) if "T" in meal_date else None
    except ValueError:
        return None


def place_in_time(meal_date: str, restaurant: Restaurant) -> datetime | None:
    """The instant of the service's text; without an offset it is the restaurant's local time."""
    at = moment(meal_date)
    if at is None or at.tzinfo is not None:
        return at
    return restaurant.at(at.date(), at.time())
