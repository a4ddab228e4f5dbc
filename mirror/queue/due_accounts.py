"""Accounts are served in turn: one that is paused, whose circuit is open, whose key is refused
everywhere or which requested a pause has no reads due.
"""

import time
from collections.abc import Collection
from datetime import datetime
from itertools import count
from typing import Any

from django.db.models import Exists, FloatField, IntegerField, Min, OuterRef, Q, Subquery, Value
from django.db.models.functions import Cast

from lib.database.compiled_queries import prepared
from mirror.models import Priority, SyncRequest
from mirror.queue.sync_requests import SPACING, WAITING, DueConnection
from partner.limits.throttle import PAUSE_CAP
from partner.models import Connection, Token
from partner.models.token import SUSPECT_FOR

_turn = count()


def due_connections(*, now: datetime) -> list[DueConnection]:
    """Return them in turn, those with reads of people and events first. One query."""
    found = [
        _due_connection(*row, epoch=time.time()) for row in _most_urgent(now, now - SUSPECT_FOR)
    ]
    due = sorted((one for one in found if one is not None), key=lambda one: one.pk or 0)
    first = next(_turn) % len(due) if len(due) > 1 else 0
    return sorted(due[first:] + due[:first], key=lambda one: one.urgency > Priority.EVENT)


def usable_connections() -> set[int]:
    """The accounts that may be called now. One query."""
    rows = Connection.objects.active().order_by()
    budgets = rows.values_list("pk", "budget__open_until", "budget__paused_until")
    epoch = time.time()
    return {pk for pk, *until in budgets if not any(_is_ahead(one, epoch) for one in until)}


def due_soon(*, now: datetime, accounts: Collection[int | None]) -> datetime | None:
    """Return when the next urgent read of these accounts is due.

    Only one that is kept back to space out reads: others wait for longer.
    """
    theirs = Q(connection__in=[pk for pk in accounts if pk is not None])
    soon = SyncRequest.objects.filter(
        theirs | Q(connection=None) if None in accounts else theirs,
        state=WAITING,
        priority__in=[Priority.PERSON, Priority.EVENT],
        not_before__lte=now + SPACING,
    )
    due: datetime | None = soon.aggregate(Min("not_before"))["not_before__min"]
    return due


def _due_connection(
    pk: int | None, urgency: int | None, open_until: float, paused_until: float, *, epoch: float
) -> DueConnection | None:
    if urgency is None or _is_ahead(paused_until, epoch) or _is_ahead(open_until, epoch):
        return None
    return DueConnection(pk, urgency, is_probe=bool(open_until))


def _is_ahead(instant: float | None, epoch: float) -> bool:
    """Whether it lies ahead; one that is too far was written before the clock was set back."""
    return 0 < (instant or 0) - epoch < PAUSE_CAP


@prepared
def _most_urgent(now: datetime, suspect_since: datetime) -> Any:
    due = SyncRequest.objects.filter(state=WAITING, not_before__lte=now)
    its_own = due.filter(connection=OuterRef("pk")).order_by("priority", "not_before")
    # Nothing is sent with a key that is refused everywhere: each run of the worker loop would claim
    # as many reads as it has threads, only to give them back.
    suspect = Token.objects.filter(connection=OuterRef("pk"), suspect_since__gt=suspect_since)
    accounts = (
        Connection.objects.active()
        .exclude(Exists(suspect.filter(suspect_since__lte=now)))
        .order_by()
        .annotate(urgency=Subquery(its_own.values("priority")[:1]))
    )
    nobody, never = Cast(Value(None), IntegerField()), Cast(Value(None), FloatField())
    of_none = due.filter(connection=None).order_by().values("connection")
    return accounts.values_list(
        "pk", "urgency", "budget__open_until", "budget__paused_until"
    ).union(of_none.values_list(nobody, Min("priority"), never, never), all=True)
