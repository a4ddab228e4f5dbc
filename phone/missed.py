"""Callers whom nobody has spoken to yet: the number beside the menus."""

from datetime import timedelta

from django.db.models import Exists, OuterRef
from django.utils import timezone

from phone.models import RIGHT, Call
from restaurants.access import can
from restaurants.shell import Shell

# An evening. Whoever was not called back by then has booked elsewhere.
WAITING = timedelta(hours=12)


def waiting(shell: Shell) -> int:
    """One query, by the index of the log. A caller who rang three times waits once."""
    places = [one.pk for one in shell.scope_restaurants]
    if not places or not can(shell.user, RIGHT):
        return 0
    since = timezone.now() - WAITING
    spoken = Call.objects.filter(number=OuterRef("number"), began_at__gt=OuterRef("began_at"))
    calls = Call.objects.visible_to(shell.user).filter(restaurant__in=places).missed()
    # Nobody can call a hidden number back.
    calls = calls.filter(began_at__gt=since).exclude(number="")
    alone = calls.exclude(Exists(spoken.exclude(answered_at=None)))
    return alone.order_by().values("restaurant", "number").distinct().count()
