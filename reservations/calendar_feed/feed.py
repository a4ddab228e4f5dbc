"""A restaurant's bookings as a calendar feed.

Anybody with the address can read it without signing in, and calendar programs copy it elsewhere. So
it contains only time and party size: no name, contact, note or health data. Each event links to its
booking, for people who may see it. The address answers as long as whoever made it may export there.
"""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.core.cache import cache
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import override

from accounts.models import User
from lib.labels import label_of
from mirror.models import Mirrored
from reservations.calendar_feed.icalendar import CalendarEvent, calendar
from reservations.models import Feed, Reservation
from reservations.words import STATUSES, party_in_words
from restaurants.access import can
from restaurants.emergency_access.models import EmergencyAccess
from restaurants.exports import EXPORT
from restaurants.models import Restaurant

BACK, AHEAD = timedelta(days=1), timedelta(days=60)
MOST = 5000  # events of a feed, the earliest first: about two megabytes
REFRESH = "PT30M"
COLUMNS = ("uuid", "presence", "version", "changed_at", "meal_at", "party_size", "status")
FATES = {
    "RECORDED": "CONFIRMED",
    "NO_SHOW": "CONFIRMED",
    "CANCELED": "CANCELLED",
    "REFUSED": "CANCELLED",
}
# A request, or any unknown status, is tentative.
UNSURE = "TENTATIVE"

# Limits of requests: per address a minute, and per feed an hour (forty phones that read it every
# quarter of an hour are 160).
OF_ADDRESS, MINUTE = 60, 60
OF_FEED, HOUR = 600, 3600


def can_be_read(maker: User | None, restaurant: Restaurant, *, now: datetime) -> bool:
    """Whether the maker of an address may still export the restaurant's data.

    One query for each person. For a superuser one more, because an emergency access may be over
    while no worker runs.
    """
    if maker is None:
        return False
    if maker.is_superuser:
        EmergencyAccess.objects.filter(person=maker).end_due(now=now)
    return can(maker, EXPORT, restaurant)


def write(feed: Feed, *, now: datetime) -> bytes:
    """The feed in the language of the person who made it. One query."""
    restaurant = feed.restaurant
    with override(feed.language):
        name = _("%(restaurant)s: bookings") % {"restaurant": restaurant}
        return calendar(name, events(restaurant, now=now), refresh=REFRESH)


def events(restaurant: Restaurant, *, now: datetime) -> Iterator[CalendarEvent]:
    today = restaurant.service_day(now)
    held = Reservation.objects.filter(
        restaurant=restaurant, service_day__range=(today - BACK, today + AHEAD)
    )
    rows = held.exclude(presence=Mirrored.Presence.ERASED).order_by("service_day", "local_minutes")
    for row in rows.values_list(*COLUMNS, named=True)[:MOST]:
        yield _event(row, restaurant)


def _event(row: Any, restaurant: Restaurant) -> CalendarEvent:
    url = settings.PUBLIC_URL + reverse("reservations:show", args=[row.uuid])
    is_gone = row.presence == Mirrored.Presence.GONE
    return CalendarEvent(
        uid=str(row.uuid),
        changed_at=row.changed_at,
        version=row.version,
        start=row.meal_at,
        end=row.meal_at + restaurant.stay(row.party_size),
        summary=_summary(row),
        description=_("The end is assumed. Who comes: %(url)s") % {"url": url},
        location=restaurant.name,
        url=url,
        status="CANCELLED" if is_gone else FATES.get(row.status, UNSURE),
    )


def _summary(row: Any) -> str:
    """“4 people”, and the status where it matters."""
    who = party_in_words(row.party_size)
    if row.status == "RECORDED":
        return who
    return f"{who} · {label_of(row.status, STATUSES)}"


def may_ask(what: str, *, limit: int, seconds: int, now: datetime) -> bool:
    """Count one request in the current window, and return whether it is within the limit."""
    key = f"feed:{what}:{int(now.timestamp()) // seconds}"
    cache.add(key, 0, timeout=seconds)
    try:
        return cache.incr(key) <= limit
    except ValueError:  # it expired between the two
        return True
