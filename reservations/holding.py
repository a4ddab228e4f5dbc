"""What bookings tell of a guest: given out with the guest's export, forgotten with the guest.

An erased guest's bookings keep what an evening is counted by: when, how many, what became of it,
the bill. Notes, answers to custom fields and campaigns go, also when a booking is read again.
"""

import json
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Max, Q
from django.utils.translation import gettext_lazy as _

from customers.holdings import Holding, register
from customers.models import Customer
from mirror.models import Change, Mirrored
from outbox.models import Intent
from reservations.models import Regular, Reservation

KIND = "reservation"
TELLING = {"customer_note": "", "restaurant_note": "", "custom_fields": [], "utm": {}}
TELLING_KEYS = ("customerNote", "restaurantNote", "customFields", "utmTrackingInformation")
TELLING_WISHES = ("customer", "customer_note", "restaurant_note")


def collect(guest: UUID) -> list[dict[str, Any]]:
    """Every booking as the service sent it, with what was noticed and sent from here."""
    rows = {row.pk: row for row in Reservation.objects.filter(customer=guest).order_by("meal_at")}
    changes: dict[UUID, list[dict[str, str]]] = {}
    for change in Change.objects.filter(kind=KIND, uuid__in=rows):
        line = {"seen_at": change.seen_at.isoformat(), "field": change.field}
        line |= {"from": change.before, "to": change.after}
        changes.setdefault(change.uuid, []).append(line)
    wishes: dict[UUID | None, list[Any]] = {}
    for intent in _wishes(rows):
        sent = {"action": intent.action, "at": intent.created_at.isoformat()}
        wishes.setdefault(intent.uuid or intent.result_uuid, []).append(
            sent | {"sent": intent.payload}
        )
    return [
        {"booking": _payload(row.raw), "changes": changes.get(pk, []), "sent": wishes.get(pk, [])}
        for pk, row in rows.items()
    ]


def erase(guest: UUID) -> None:
    rows = Reservation.objects.filter(customer=guest)
    keys = [row.pk for row in _forget(rows)]
    for intent in _wishes(keys).exclude(state__in=Intent.OPEN):
        kept = _without_telling(intent.payload)
        Intent.objects.filter(pk=intent.pk).update(payload=kept, said={}, answer="", reason="")
    Regular.objects.filter(pk=guest).delete()


def _without_telling(wish: dict[str, Any]) -> dict[str, Any]:
    """A wish without what it tells of the guest; the note of a change lies one level deeper."""
    return {
        name: _without_telling(value) if isinstance(value, dict) else value
        for name, value in wish.items()
        if name not in TELLING_WISHES
    }


def latest(guests: Sequence[UUID]) -> dict[UUID, datetime]:
    """The last booking of each, also one to come. One query."""
    dated = Reservation.objects.filter(customer__in=guests, meal_at__isnull=False)
    return dict(dated.order_by().values_list("customer_id").annotate(Max("meal_at")))


def stored(rows: Sequence[Reservation], _now: datetime) -> None:
    """Forget again what a fresh read has brought of erased guests. At most one query as a rule."""
    guests = {row.customer_id for row in rows if row.customer_id}
    erased = Customer.objects.filter(pk__in=guests, presence=Mirrored.Presence.ERASED)
    gone = set(erased.values_list("pk", flat=True))
    if gone:
        _forget([row for row in rows if row.customer_id in gone])


def _forget(rows: Iterable[Reservation]) -> list[Reservation]:
    forgotten = list(rows)
    for row in forgotten:
        raw = _without_person(row.raw)
        Reservation.objects.filter(pk=row.pk).update(raw=raw, **TELLING)
    keys = [row.pk for row in forgotten]
    Change.objects.filter(kind=KIND, uuid__in=keys, field__in=list(TELLING)).delete()
    return forgotten


def _without_person(raw: str) -> str:
    payload = _payload(raw)
    if not isinstance(payload, dict):
        return ""
    blank = {key: None for key in TELLING_KEYS if key in payload}
    return json.dumps(payload | blank, ensure_ascii=False)


def _payload(raw: str) -> Any:
    try:
        return json.loads(raw)
    except ValueError:
        return raw


def _wishes(keys: Iterable[UUID]) -> Any:
    keys = list(keys)
    about = Q(uuid__in=keys) | Q(result_uuid__in=keys)
    return Intent.objects.filter(about, kind=KIND).order_by("created_at")


def register_all() -> None:
    register(Holding("bookings", title=_("Bookings"), collect=collect, erase=erase, latest=latest))
