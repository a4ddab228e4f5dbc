"""The page of one booking, in the order in which a host needs it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from functools import cached_property
from typing import Any, NamedTuple

from django.db.models import Count, Q, Sum
from django.utils.functional import Promise
from django.utils.translation import gettext as _

from accounts.models import User
from customers.allergies.mentions import (
    NoteMention,
    Source,
    all_mentions_in,
    mentions_in,
    sources_of_guest,
)
from customers.models import Customer, InternalNote
from customers.note_decisions.decisions import decisions_about
from lib.labels import label_of
from lib.money import money
from lib.registration import ExtensionPoint
from lib.text import as_data
from mirror.health.first_reading import is_past_unread
from mirror.models import Change
from reservations.briefing.acknowledgements import LineState
from reservations.briefing.pages import kitchen_line
from reservations.changes.pages.permissions import ReservationPermissions
from reservations.details import risk_reasons
from reservations.guest_panels import other_notes
from reservations.guest_panels.came import ahead, visited
from reservations.guest_panels.other_notes import OtherNote
from reservations.host_marks.pages import HostMarkPanel
from reservations.models import Reservation, ReservationQuerySet
from reservations.phases import STILL_TO_COME, Phase, phase_of
from reservations.service_clock import clock_shown
from reservations.service_day.bookings import is_marking
from reservations.sync import CHANGE_LABELS, sources_of_booking
from reservations.words import MEAL_STATUSES, STATUSES
from restaurants.access import can, within_reach

HEALTH = "customers.view_health"
RAW = "mirror.view_health"
PROFILE = "customers.view_customer"
REVEAL = "customers.reveal_contact"


class FieldChange(NamedTuple):
    """One line of the history of changes."""

    seen_at: datetime
    field: str | Promise
    before: str
    after: str
    actor: User | None


class VisitSummary(NamedTuple):
    """A guest's visits to the group. All visits count; bills and links follow the person's reach.

    Money is the sum of the known bills of parties whose size is known."""

    visits: int
    no_shows: int
    cancelled: int
    ahead: int  # bookings that are still to come, before this one
    last: Reservation | None
    last_address: str
    visits_within_reach: int
    billed_visits: int
    spent: Decimal | None
    billed_covers: int
    currency: str

    @property
    def per_cover(self) -> Decimal | None:
        return self.spent / self.billed_covers if self.spent and self.billed_covers else None


@dataclass(frozen=True, kw_only=True)
class BookingPanel:
    """What another app shows of a booking: its template is given `facts`, and nothing else.

    `find(details)` costs a fixed number of queries; None leaves the panel out.
    """

    template: str
    find: Callable[["Details"], Any]


PANELS: ExtensionPoint[BookingPanel] = ExtensionPoint("Panels of a booking's page")


class Details:
    """Every property is lazy. Six queries in all, and those of the panels."""

    def __init__(self, reservation: Reservation, user: User, *, now: datetime) -> None:
        self.reservation = reservation
        self.restaurant = reservation.restaurant
        self.guest = reservation.customer
        self.user = user
        self.now = now

    @property
    def time(self) -> str:
        """As boards show it; for a booking that has a time."""
        row = self.reservation
        return clock_shown(row.local_minutes or 0, row.meal_at, self.restaurant.zone)

    @cached_property
    def permissions(self) -> ReservationPermissions:
        return ReservationPermissions(self.reservation, self.user, now=self.now)

    @cached_property
    def marks_arrivals(self) -> bool:
        """One query; up to three for a restaurant without past bookings."""
        day = self.reservation.service_day
        return is_marking(self.restaurant.pk, day, now=self.now)

    @cached_property
    def phase(self) -> Phase:
        """As on boards. Two queries: arrival tracking, and the marks of the team."""
        row = self.reservation
        return phase_of(
            status=row.status,
            meal_status=row.meal_status,
            meal_at=row.meal_at,
            now=self.now,
            marks_arrivals=self.marks_arrivals,
            quiet_until=self.host_marks.quiet_until,
        )

    @property
    def is_expected_today(self) -> bool:
        """Whether the phase changes by the clock alone, which no event announces."""
        is_today = self.reservation.service_day == self.restaurant.service_day(self.now)
        return is_today and self.phase.key in STILL_TO_COME

    @cached_property
    def host_marks(self) -> HostMarkPanel:
        """What the team has marked. One query."""
        return HostMarkPanel(self.reservation, self.user, now=self.now)

    @cached_property
    def risk_reasons(self) -> list[str]:
        """The reasons for a call, where the group wants them. One query."""
        if not self.restaurant.group.no_show_hints:
            return []
        before = self.visits
        past = risk_reasons.Past()
        if before:
            past = risk_reasons.Past(before.visits, before.no_shows, before.cancelled)
        marks = self.marks_arrivals
        return risk_reasons.reasons(self.reservation, past, marks_arrivals=marks, now=self.now)

    @cached_property
    def sees_health(self) -> bool:
        return can(self.user, HEALTH, self.restaurant)

    @cached_property
    def sees_raw(self) -> bool:
        return can(self.user, RAW, self.restaurant)

    @cached_property
    def opens_profile(self) -> bool:
        """Whether the person may open the guest's profile."""
        return self.guest is not None and can(self.user, PROFILE, group=self.restaurant.group)

    @cached_property
    def reveals_contacts(self) -> bool:
        return self.opens_profile and can(self.user, REVEAL, group=self.restaurant.group)

    @property
    def guest_to_call(self) -> Customer | None:
        """The guest whose number the person may see and dial."""
        guest = self.guest
        return guest if guest and guest.phone_e164 and self.reveals_contacts else None

    @property
    def payload(self) -> Any:
        """The raw answer, for people with the right."""
        return as_data(self.reservation.raw)

    @property
    def has_risks(self) -> bool:
        guest = self.guest
        if guest is None or not self.sees_health:
            return False
        return guest.has_allergies or guest.has_diet or guest.needs_caution

    @cached_property
    def note_mentions(self) -> list[NoteMention]:
        """What the notes of booking and guest say of allergies and diets, dismissed or not.

        One query for the internal note, and one where the notes say something.
        """
        if not self.sees_health:
            return []
        row = self.reservation
        sources = [*sources_of_booking(row), *sources_of_guest(self.guest), *self._internal_note()]
        if not mentions_in(sources):
            return []
        return all_mentions_in(sources, decisions_about(row.pk, row.customer_id))

    def _internal_note(self) -> Iterator[Source]:
        if self.guest:
            for note in InternalNote.objects.filter(pk=self.guest.pk):
                yield Source(_("Internal note"), note.text)

    @cached_property
    def other_notes(self) -> list[OtherNote]:
        """What earlier bookings of the guest state beside that. One query.

        All others, where this one has no date.
        """
        if self.guest is None or not self.sees_health:
            return []
        known = [one for one in self.note_mentions if not one.is_dismissed]
        return other_notes.beside(self.reservation, self.guest, self.user, known=known)

    @property
    def decidable(self) -> set[str]:
        """The digests of what may be confirmed or dismissed."""
        return {digest for mention in self.note_mentions for digest in mention.digests}

    @cached_property
    def kitchen_state(self) -> LineState | None:
        """What the kitchen knows of the allergies and diets. Three queries, none without them."""
        is_noted = any(not one.is_dismissed for one in self.note_mentions)
        if not (is_noted or self.has_risks):
            return None
        found = kitchen_line(self.reservation, now=self.now)
        return found and found[1]

    @property
    def offer(self) -> str:
        return self.reservation.offer_label

    @cached_property
    def visits(self) -> VisitSummary | None:
        """The guest's earlier bookings at every restaurant of the group.

        Two queries, and a third for the person's reach unless the page has read it.
        """
        if self.reservation.customer_id is None:
            return None
        before = Reservation.objects.present().filter(
            customer=self.reservation.customer_id, restaurant__group=self.restaurant.group_id
        )
        before = before.filter(meal_at__lt=self.reservation.meal_at or self.now)
        reach = [one.pk for one in within_reach(self.user)]
        counted = _count(before, self.now, reach=reach, currency=self.restaurant.currency)
        came = before.filter(visited(self.now)).select_related("restaurant").defer("raw")
        last = came.order_by("-meal_at").first()
        address = last.get_absolute_url() if last and last.restaurant_id in reach else ""
        return VisitSummary(
            **counted, last=last, last_address=address, currency=self.restaurant.currency
        )

    @property
    def is_past_unread(self) -> bool:
        """Whether the guest may have been here before without our knowing."""
        return is_past_unread(self.reservation.restaurant.group.uuid)

    @cached_property
    def panels(self) -> list[tuple[str, Any]]:
        """Panels of other apps. Each runs its own queries."""
        found = [(panel.template, panel.find(self)) for panel in PANELS]
        return [(template, facts) for template, facts in found if facts is not None]

    @cached_property
    def history(self) -> list[FieldChange]:
        """Differences between successive reads, the newest first. One query."""
        changes = Change.objects.filter(kind="reservation", uuid=self.reservation.uuid)
        currency = self.reservation.bill_currency
        return [
            FieldChange(
                seen_at=change.seen_at,
                field=CHANGE_LABELS.get(change.field, change.field),
                before=_in_words(change.field, change.before, currency=currency),
                after=_in_words(change.field, change.after, currency=currency),
                actor=change.actor,
            )
            for change in changes.select_related("actor").order_by("-seen_at", "-pk")
        ]


def _count(
    before: ReservationQuerySet, now: datetime, *, reach: list[int], currency: str
) -> dict[str, Any]:
    came = visited(now)
    seen = came & Q(restaurant__in=reach)
    billed = seen & Q(bill_currency=currency)
    sized = billed & Q(party_size__isnull=False)  # as insights count what a cover spent
    counted: dict[str, Any] = before.aggregate(
        visits=Count("pk", filter=came),
        no_shows=Count("pk", filter=Q(status="NO_SHOW")),
        cancelled=Count("pk", filter=Q(status="CANCELED", meal_at__lt=now)),
        ahead=Count("pk", filter=ahead(now)),
        visits_within_reach=Count("pk", filter=seen),
        billed_visits=Count("pk", filter=billed),
        spent=Sum("bill_amount", filter=sized),
        billed_covers=Sum("party_size", filter=billed),
    )
    return counted | {"billed_covers": counted["billed_covers"] or 0}


def _in_words(field: str, value: str, *, currency: str) -> str:
    if not value:
        return _("nothing")
    if field == "bill_amount":
        return money(Decimal(value), currency)
    if field == "meal_date_text":
        return value[:16].replace("T", " ")
    if field in ("customer_id", "offer_uuid"):
        return value[:8]
    labels = {"status": STATUSES, "meal_status": MEAL_STATUSES}.get(field)
    return value if labels is None else label_of(value, labels)
