"""The files of the calendar, by the slow script: as words, since a file has nothing else."""

from collections import Counter
from datetime import timedelta


def days_of(one, zoom):
    """The week or the month in which a range ends."""
    if zoom == "week":
        monday = one.last - timedelta(days=one.last.weekday())
        return [monday + timedelta(days=n) for n in range(7)]
    days = [one.last.replace(day=1) + timedelta(days=n) for n in range(31)]
    return [day for day in days if day.month == one.last.month]


def calendar_days(one, zoom):
    """Covers and bookings that are confirmed, and requests, of each restaurant and day."""
    lines = []
    for place in one.places:
        for day in days_of(one, zoom):
            held = [row for row in one.bookings if (row.place, row.day) == (place, day)]
            kept = [row for row in held if row.status == "RECORDED"]
            requests = [row for row in held if row.status == "REQUESTED"]
            numbers = (sum(row.covers for row in kept), len(kept), len(requests))
            lines.append([place, str(day), *map(str, numbers)])
    return lines


def calendar_hours(one, zoom):
    """Covers by hour and day; an hour in which nobody came stands only between two others."""
    days = days_of(one, zoom)
    found: Counter[tuple[int, object]] = Counter()
    for row in one.bookings:
        if row.day in days and row.status == "RECORDED":
            found[row.hour, row.day] += row.covers
    known = {hour for (hour, _day), covers in found.items() if covers}
    hours = sorted(known | {hour + 1 for hour in known if hour + 2 in known})
    lines = [[f"{hour % 24}:00", *(str(found[hour, day]) for day in days)] for hour in hours]
    return [["Hour", *map(str, days)], *lines]
