"""Cards follow their guests, and the changes that were sent from here: the booking is announced as
changed too."""

from collections.abc import Iterable, Sequence
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone

from customers.models import Customer
from customers.note_decisions.deciding import DecisionSubject
from live.announcements import announce
from live.models import Announcement
from mirror.kinds import Stored
from outbox.models import Intent
from reservations.models import Reservation
from reservations.push_messages import notices as push_notices
from reservations.push_messages.notices import ChangedLine

ONE_DAY = timedelta(days=1)  # whatever the zone, a running service day has begun after it
# What a card or a briefing shows of the guest, or works out from it.
SHOWN = (
    "first_name",
    "last_name",
    "is_vip",
    "allergies_and_intolerances",
    "dietary_restrictions",
    "notes",
    "fav_food",
    "fav_drinks",
    "custom_fields",
    "other_tags",
    "needs_caution",
    "birthday",
)
# The same in the history of a guest, which records what the service sends.
RECORDED = {*SHOWN, "rank", "risk_level", "birth_date"} - {"needs_caution", "birthday"}


def follow(stored: Sequence[Stored]) -> None:
    """Announce the coming bookings of guests who look different now. Three queries, or none."""
    announce_bookings_of([pair.after.pk for pair in stored if _looks_different(pair)])


def announce_bookings_of(guests: Sequence[UUID]) -> None:
    """The same for guests who are known to have changed."""
    if guests:
        today = timezone.now().date()
        coming = Q(service_day__gte=today - ONE_DAY) | Q(service_day__isnull=True)
        announce_bookings(Q(customer__in=guests) & coming)


def follow_decision(subject: DecisionSubject) -> None:
    """Somebody confirmed or dismissed what a note says."""
    if subject.is_of_guest:
        announce_bookings_of([subject.uuid])
    else:
        announce_bookings(Q(pk=subject.uuid))


def follow_change(intent: Intent) -> None:
    """A change was stored or has ended, or somebody has decided about it."""
    announce_bookings(Q(pk=intent.uuid, restaurant__group=intent.restaurant.group_id))


@transaction.atomic
def announce_bookings(wanted: Q) -> None:
    """A new version of each: open screens read the card again. Locked, so that no version is used
    twice and the later of two changes missed."""
    locked = Reservation.objects.present().filter(wanted).select_for_update(of=("self",))
    columns = (
        "uuid",
        "version",
        "restaurant",
        "restaurant__group",
        "service_day",
        "meal_at",
        "party_size",
    )
    rows = list(locked.order_by("pk").values_list(*columns))
    if rows:
        Reservation.objects.filter(pk__in=[uuid for uuid, *_ in rows]).update(
            version=F("version") + 1
        )
        announce(_announcements(rows))
        push_notices.note_lines(
            ChangedLine(uuid, version + 1, restaurant, *line)
            for uuid, version, restaurant, _group, *line in rows
        )


def _announcements(rows: Iterable[tuple[Any, ...]]) -> Iterable[Announcement]:
    for uuid, version, restaurant, group, *_line in rows:
        yield Announcement(
            kind="reservation",
            uuid=uuid,
            version=version + 1,
            restaurant_id=restaurant,
            group_id=group,
        )


def _looks_different(pair: Stored) -> bool:
    """A guest who is gone from the service comes as the same row twice."""
    return pair.before is pair.after or _shown(pair.before) != _shown(pair.after)


def _shown(guest: Customer | None) -> list[Any] | None:
    return [getattr(guest, name) for name in SHOWN] if guest else None
