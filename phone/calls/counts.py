"""Counts missed callers whom nobody has spoken to yet, for the top bar."""

from datetime import UTC, datetime, timedelta
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from lib.database.compiled_queries import COUNT, CountQuery, prepared
from phone.models import RIGHT, Call
from restaurants.access import can, rights_of_roles
from restaurants.models import Restaurant
from restaurants.shell import Shell

# An evening. Whoever was not called back by then has booked elsewhere.
WAITING = timedelta(hours=12)


def waiting(shell: Shell) -> CountQuery | None:
    """Return the query that counts them; it uses the index of the log."""
    places = [one.pk for one in _audible(shell)]
    return _unheard.about(places, timezone.now() - WAITING) if places else None


def _audible(shell: Shell) -> list[Restaurant]:
    """The restaurants of the screen where the person may see calls."""
    if not can(shell.user, RIGHT):
        return []
    everywhere = all(RIGHT in rights for rights in rights_of_roles(shell.user).values())
    return [one for one in shell.scope_restaurants if everywhere or can(shell.user, RIGHT, one)]


@prepared
def _unheard(places: list[int], since: datetime) -> QuerySet[Call, Any]:
    """Calls that were missed, and whose number nobody has spoken to since.

    Not those after which the same caller rang again: who rings three times waits once. A talk with
    any restaurant of the group counts, with another group's none. Nobody can call a hidden number
    back.
    """
    later = Call.objects.filter(number=OuterRef("number"), began_at__gt=OuterRef("began_at"))
    # With both ends, or PostgreSQL would think that it holds a third of all calls.
    lately = (since, datetime.max.replace(tzinfo=UTC))
    calls = Call.objects.filter(restaurant__in=places, began_at__range=lately).missed()
    talks = later.filter(restaurant__group=OuterRef("restaurant__group"))
    alone = calls.exclude(number="").exclude(Exists(talks.exclude(answered_at=None)))
    again = later.missed().filter(restaurant=OuterRef("restaurant"))
    return alone.exclude(Exists(again)).order_by().values_list(COUNT)
