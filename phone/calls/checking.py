"""Looks callers up at the service while they ring, in a worker."""

from contextlib import suppress
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import F

from live.announcements import announce_one
from partner import factory
from partner.errors import NotConfigured
from partner.limits.priorities import CallPriority
from phone import sync
from phone.models import KIND, Call


def check_callers(*, now: datetime) -> None:
    """Look up every caller of the last minutes who was not looked up yet. Safe to run twice."""
    rows = Call.objects.unchecked(now=now).select_related("restaurant__group")
    calls = list(rows.order_by("began_at"))
    if not calls:
        return
    for call in calls:
        with suppress(NotConfigured):
            connection = call.restaurant.group.connection_id
            _check(factory.client(connection, priority=CallPriority.GLANCE), call, now=now)


def _check(client: Any, call: Call, *, now: datetime) -> None:
    answer = sync.fetch_caller(client, call.restaurant, call.number)
    sync.catch_up(answer, now=now)
    with transaction.atomic():
        # Only these columns: the call may have been picked up meanwhile.
        Call.objects.filter(pk=call.pk).update(
            service=answer.service,
            service_guest=answer.guest,
            checked_at=now,
            version=F("version") + 1,
        )
        call.refresh_from_db(fields=["version"])
        announce_one(KIND, call.uuid, version=call.version, restaurant=call.restaurant)
