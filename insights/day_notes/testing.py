"""Notes for tests."""

from datetime import date

from insights.day_notes.models import DayNote
from restaurants.models import Group, Restaurant

DAY = date(2026, 1, 24)


def make_day_note(place: Group | Restaurant, text: str = "Marathon", day: date = DAY) -> DayNote:
    restaurant = place if isinstance(place, Restaurant) else None
    group = place.group if isinstance(place, Restaurant) else place
    return DayNote.objects.create(
        group=group, restaurant=restaurant, first=day, last=day, text=text
    )
