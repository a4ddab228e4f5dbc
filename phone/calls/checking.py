"""Looks callers up at the service while they ring, in a worker."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
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


class LookUps:
    """The calls that threads of this process look up now: each call has one thread."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._calls: set[int] = set()

    @contextmanager
    def claim(self, call: Call) -> Iterator[bool]:
        """Whether no other thread is at it. A killed process leaves nothing claimed behind."""
        with self._guard:
            is_claimed = call.pk not in self._calls
            self._calls.add(call.pk)
        try:
            yield is_claimed
        finally:
            if is_claimed:
                with self._guard:
                    self._calls.discard(call.pk)


_look_ups = LookUps()


def check_callers(*, now: datetime) -> None:
    """Look up every caller of the last minutes who was not looked up yet. Safe to run twice.

    Every event of a call starts a run, and runs at the same time share the calls.
    """
    unchecked = Call.objects.unchecked(now=now)
    for call in unchecked.select_related("restaurant__group").order_by("began_at"):
        with _look_ups.claim(call) as is_ours, suppress(NotConfigured):
            # Another run may have ended with it since the list was read.
            if is_ours and unchecked.filter(pk=call.pk).exists():
                connection = call.restaurant.group.connection_id
                _check(factory.client(connection, priority=CallPriority.GLANCE), call, now=now)


def _check(client: Any, call: Call, *, now: datetime) -> None:
    answer = sync.fetch_caller(client, call.restaurant, call.number)
    sync.catch_up(answer, now=now)
    with transaction.atomic():
        # Only these columns: the call may have been picked up meanwhile, or the guest erased.
        Call.objects.filter(pk=call.pk, is_redacted=False).update(
            service=answer.service,
            service_guest=answer.guest,
            checked_at=now,
            version=F("version") + 1,
        )
        call.refresh_from_db(fields=["version"])
        announce_one(KIND, call.uuid, version=call.version, restaurant=call.restaurant)
