"""Bookings as personal data of a guest: exported, and redacted when the guest is erased.

An erased guest's bookings keep what a service day is counted by: time, size, outcome, bill. Notes,
custom fields and campaigns are removed, also when a booking is read again. Intents are redacted by
`outbox.transitions`.
"""

from collections.abc import Collection, Container, Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db.models import Max, Q, QuerySet
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from customers.fact_lines import FactLines, verbose_names
from customers.models import CIVILITIES, Customer, NoteDecision, name_key
from customers.note_decisions.decisions import decided_readings
from customers.personal_data import (
    PersonalDataProvider,
    erasures_among,
    redact_answer,
    whole,
)
from lib.moments import parse_moment
from lib.text import as_data
from mirror.models import Change
from mirror.queue import parked
from outbox import engine
from outbox.models import Intent
from reservations.actions import CANCEL, CREATE, UPDATE
from reservations.host_marks.models import HostMarkKind
from reservations.models import (
    HostMark,
    KitchenAcknowledgement,
    PrintedLine,
    Reservation,
    ReturningGuest,
)
from reservations.words import CHANNELS, MEAL_STATUSES, MENU_TYPES, OFFER_TYPES, STATUSES, UTM_KEYS

KIND = "reservation"
ACTIONS = {CREATE: _("Book"), UPDATE: _("Change"), CANCEL: _("Cancel")}
PERSONAL_FIELDS = {"customer_note": "", "restaurant_note": "", "custom_fields": [], "utm": {}}
NOTHING_READ = {"notes_read_by": None, "notes_tell": False}  # as of a booking without notes
CLOCKS_DIFFER = timedelta(hours=1)
FARTHEST_WEST = timedelta(hours=12)
# Nothing leaves for a longer address, and SQLite refuses to compare one of 50,000 bytes.
LONGEST_EMAIL = 320
# What stays of an answer. The rest goes, so that a field that the service adds is erased too.
KEPT_KEYS = whole(
    "reservationUuid restaurantUuid mealDate mealStatus partySize status offerUuid offerDetails"
    " customerUuid billAmount reservationChannel createdAt updatedAt"
)


def collect(guest: UUID) -> list[dict[str, Any]]:
    """Every booking as the service sent it, with its changes and the intents about it.

    Intents without a known booking come last.
    """
    rows = {row.pk: row for row in Reservation.objects.filter(customer=guest).order_by("meal_at")}
    changes: dict[UUID, list[dict[str, str]]] = {}
    for change in Change.objects.filter(kind=KIND, uuid__in=rows):
        line = {"seen_at": change.seen_at.isoformat(), "field": change.field}
        line |= {"from": change.before, "to": change.after}
        changes.setdefault(change.uuid, []).append(line)
    sent, marked = _sent(rows, guest), _marked(rows)
    decided, unread = decided_readings(rows), parked.evidence_of(KIND, rows, guest=guest)
    held = [
        {
            "booking": as_data(row.raw),
            **unread.get(pk, {}),
            "changes": changes.get(pk, []),
            "sent": sent.get(pk, []),
            "decided_readings": decided[pk],
            "marked": marked.get(pk, []),
        }
        for pk, row in rows.items()
    ]
    alone = sent.get(None)
    unknown = {"booking": None, "changes": [], "sent": alone}
    unknown |= {"decided_readings": [], "marked": []}
    return [*held, unknown] if alone else held


def _marked(rows: Iterable[UUID]) -> dict[UUID, list[dict[str, Any]]]:
    """What the team has marked on the bookings of the running day, by booking."""
    found: dict[UUID, list[dict[str, Any]]] = {}
    for one in HostMark.objects.filter(reservation__in=list(rows)).order_by("made_at", "pk"):
        line = {"mark": one.kind, "minutes": one.minutes, "at": one.made_at.isoformat()}
        found.setdefault(one.reservation_id, []).append(line)
    return found


def _sent(rows: Container[UUID], guest: UUID) -> dict[UUID | None, list[Any]]:
    """The intents by booking, or by None for unknown ones."""
    found: dict[UUID | None, list[Any]] = {}
    for intent in _intents(guest):
        about = intent.uuid or intent.result_uuid
        part = {"action": intent.action, "at": intent.created_at.isoformat()}
        known = about if about in rows else None
        why = {"reason": intent.reason} if intent.reason else {}
        found.setdefault(known, []).append(part | {"sent": intent.payload} | why)
    return found


def lock(guest: UUID) -> Q:
    engine.locked(_intents(guest))
    return Q(kind=KIND, uuid__in=list(_bookings(guest).values_list("pk", flat=True)))


def erase(guest: UUID) -> None:
    """Locks in the order of `outbox.transitions.close`: the intents, the requests, the bookings."""
    bookings = _bookings(guest)
    intents = engine.locked(_intents(guest))
    parked.blank_evidence(KIND, list(bookings.values_list("pk", flat=True)))
    held = list(bookings.select_for_update())
    engine.redact(intents, now=timezone.now())
    _redact(held)
    ReturningGuest.objects.filter(pk=guest).delete()


def _bookings(guest: UUID) -> QuerySet[Reservation]:
    return Reservation.objects.filter(customer=guest).order_by("pk")


def latest(guests: Sequence[UUID]) -> dict[UUID, datetime]:
    """The last booking of each, also one to come; one without a date counts from its last change.

    One query.
    """
    theirs = Reservation.objects.filter(customer__in=guests).order_by()
    at = Coalesce("meal_at", "updated_at", "created_at", "first_seen_at")
    return dict(theirs.values_list("customer_id").annotate(latest=Max(at)))


def seen_since(guests: Sequence[UUID], moment: datetime) -> set[UUID]:
    """Those with a booking after that, found in the index of a guest's visits alone. One query."""
    theirs = Reservation.objects.filter(customer__in=guests, meal_at__gte=moment).order_by()
    return set(theirs.values_list("customer_id", flat=True).distinct())


def stored(rows: Sequence[Reservation], _now: datetime) -> None:
    """Redact stored bookings of erased guests again. Usually one query."""
    erased = erasures_among(row.customer_id for row in rows)
    _redact(
        [
            row
            for row in rows
            if row.customer_id in erased and _was_made_before(row, erased[row.customer_id])
        ]
    )


def _was_made_before(row: Reservation, erased_at: datetime) -> bool:
    """Whether there was this booking when its guest was erased.

    One that was made later keeps its notes: the guest wrote them anew, and without the profile an
    allergy is written nowhere else. The time of booking alone would not do, as its zone is unknown.
    """
    made_at = row.created_at and row.created_at + _vagueness(row) or row.meal_at
    # Without that time the clocks of two machines decide alone, and these may differ.
    seen_at = row.first_seen_at if row.created_at else row.first_seen_at - CLOCKS_DIFFER
    is_new = seen_at > erased_at and made_at is not None and made_at > erased_at
    return not is_new


def _vagueness(row: Reservation) -> timedelta:
    """How much later than it was read as the time of booking may be: it names no offset, and is of
    a place far in the west, or no time of day. A new note is shown rather than not."""
    sent = as_data(row.raw)
    moment = parse_moment(str(sent.get("createdAt"))) if isinstance(sent, dict) else None
    if moment is None:
        return FARTHEST_WEST + timedelta(days=1)
    return timedelta() if moment.tzinfo else FARTHEST_WEST


def holds_since(guest: UUID, erased_at: datetime) -> bool:
    """Whether a booking keeps its notes because it was made after the erasure. One query."""
    since = _bookings(guest).filter(first_seen_at__gt=erased_at)
    rows = since.only("created_at", "meal_at", "first_seen_at", "raw")
    return any(not _was_made_before(row, erased_at) for row in rows)


def _redact(rows: Collection[Reservation]) -> None:
    if not rows:
        return
    for row in rows:
        raw = redact_answer(row.raw, KEPT_KEYS)
        Reservation.objects.filter(pk=row.pk).update(raw=raw, **PERSONAL_FIELDS, **NOTHING_READ)
    keys = [row.pk for row in rows]
    KitchenAcknowledgement.objects.of_bookings(keys).delete()
    NoteDecision.objects.about(keys).delete()
    PrintedLine.objects.filter(reservation_uuid__in=keys).delete()
    HostMark.objects.filter(reservation__in=keys).delete()
    Change.objects.filter(kind=KIND, uuid__in=keys, field__in=list(PERSONAL_FIELDS)).delete()


def _intents(guest: UUID) -> QuerySet[Intent]:
    """Intents about the guest's bookings, and those that book for the guest, which may be open,
    refused, or booked and not read yet."""
    keys = list(Reservation.objects.filter(customer=guest).values_list("pk", flat=True))
    about = Q(uuid__in=keys) | Q(result_uuid__in=keys) | Q(pk__in=_bookings_sent_for(guest))
    return Intent.objects.filter(about, kind=KIND).order_by("created_at")


def _bookings_sent_for(guest: UUID) -> list[int]:
    person = Customer.objects.get(pk=guest)
    theirs = _reached_by(person, "payload__customer__email__iexact", "payload__customer__phone")
    theirs |= Q(payload__guest=str(guest))  # whom somebody picked, whatever was typed below
    intents = Intent.objects.filter(theirs, action=CREATE, restaurant__group=person.group_id)
    others = _reached_by(person, "email__iexact", "phone_e164", "secondary_phone_e164")
    sharing = Customer.objects.present().filter(others, group=person.group_id).exclude(pk=guest)
    return [
        intent.pk
        for intent in intents
        if intent.payload.get("guest") == str(guest)
        or _has_name(person, intent.payload["customer"])
        or not sharing.exists()
    ]


def _reached_by(person: Customer, email: str, *phones: str) -> Q:
    """Rows with an address or a number of this person; an empty condition without any."""
    wanted = Q(**{email: person.email}) if 0 < len(person.email) <= LONGEST_EMAIL else Q()
    for number in filter(None, (person.phone_e164, person.secondary_phone_e164)):
        for column in phones:
            wanted |= Q(**{column: number})
    return wanted


def _has_name(person: Customer, data: dict[str, Any]) -> bool:
    """Compare the name, because a family may share an address."""
    names = [name_key(data.get(part) or "") for part in ("first_name", "last_name")]
    return names == [person.first_name_key, person.last_name_key]


LINES = FactLines(
    fields={
        **verbose_names(Reservation),
        "booking": _("booking"),
        "unread_answer": _("Answer that could not be read"),
        "reservation_uuid": _("booking's number"),
        "restaurant_uuid": _("restaurant's number"),
        "customer_uuid": _("guest's number"),
        "customer_id": _("guest's number"),
        "offer_uuid": _("offer's number"),
        "meal_date": _("time"),
        "meal_date_text": _("time"),
        "offer_details": _("offer"),
        "offer_type": _("kind"),
        "name": _("name"),
        "discount_percentage": _("discount in per cent"),
        "preset_menu_type": _("kind of menu"),
        "price": _("price"),
        "total_price": _("amount"),
        "currency": _("currency"),
        "utm_tracking_information": _("campaign"),
        "custom_fields": _("custom fields"),
        "changes": _("changes"),
        "seen_at": _("seen"),
        "field": _("what"),
        "from": _("before"),
        "to": _("after"),
        "sent": _("sent"),
        "decided_readings": _("readings of notes"),
        "outcome": _("outcome"),
        "marked": _("marked by the team"),
        "mark": _("what"),
        "minutes": _("minutes"),
        "action": _("what"),
        "reason": _("reason"),
        "at": _("when"),
        "customer": _("guest"),
        "first_name": _("first name"),
        "last_name": _("last name"),
        "email": _("e-mail"),
        "phone": _("phone"),
        "locale": _("language"),
        "civility": _("title (Mr, Ms)"),
    },
    words={
        "status": STATUSES,
        "meal_status": MEAL_STATUSES,
        "reservation_channel": CHANNELS,
        "offer_type": OFFER_TYPES,
        "preset_menu_type": MENU_TYPES,
        "key": UTM_KEYS,
        "civility": CIVILITIES,
        "action": ACTIONS,
        "outcome": dict(NoteDecision.Outcome.choices),
        "mark": dict(HostMarkKind.choices),
    },
)


PROVIDER = PersonalDataProvider(
    "bookings",
    title=_("Bookings"),
    collect=collect,
    erase=erase,
    lock=lock,
    latest=latest,
    seen_since=seen_since,
    holds_since=holds_since,
    lines=LINES,
)
