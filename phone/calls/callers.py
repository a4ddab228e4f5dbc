"""Identifies callers: the guests with a number, their bookings and their visits.

A number may belong to a family or to a hotel, so there may be several guests. Who may see a
guest or a booking is decided here once, for the look-up, the card of a caller and the log.
"""

from collections import defaultdict
from collections.abc import Iterable
from datetime import UTC, datetime
from functools import cached_property
from typing import Any
from uuid import UUID

from django.db.models import Count, F, Max, OuterRef, Q, Subquery, Window
from django.db.models.functions import RowNumber

from accounts.models import User
from customers.allergies.mentions import NoteMention, mentions_in, sources_of_guest
from customers.models import Customer
from customers.note_decisions.decisions import decisions_about
from phone import numbers
from phone.models import Call
from phone.numbers import Number
from reservations.guest_panels.came import ahead, visited
from reservations.models import UNDATED, Reservation
from restaurants.access import can
from restaurants.models import Group, Restaurant

MOST_GUESTS = 4
MOST_COMING = 5  # bookings of each
NEVER = datetime.max.replace(tzinfo=UTC)
FEWEST_DIGITS = 6  # fewer would find other people among the unreadable numbers


class Known:
    """A guest of ours behind a number."""

    def __init__(self, guest: Customer, number: str, *, user: User, restaurant: Restaurant) -> None:
        self.guest = guest
        self.number = number
        self.coming: list[Reservation] = []
        self.seen: dict[str, Any] = {}
        self.sees_health = can(user, "customers.view_health", restaurant)

    @property
    def last_seen(self) -> str:
        return str(self.seen.get("last") or "")

    @property
    def comes_at(self) -> datetime:
        """When the guest comes next; long after all others if nobody knows."""
        return next((row.meal_at for row in self.coming if row.meal_at), NEVER)

    @property
    def is_allergic(self) -> bool:
        return self.sees_health and self.guest.has_allergies

    @property
    def needs_caution(self) -> bool:
        return self.sees_health and self.guest.needs_caution

    @cached_property
    def mentions(self) -> list[NoteMention]:
        """What the notes say of allergies and diets; the card cuts them. One query if they do."""
        sources = sources_of_guest(self.guest) if self.sees_health else []
        if not mentions_in(sources):
            return []
        return mentions_in(sources, decisions_about(None, self.guest.pk))

    @property
    def stored_as(self) -> str:
        """The spelling in which the service holds the number, if it is not the exact one."""
        guest = self.guest
        stored = guest.secondary_phone if guest.secondary_phone_e164 == self.number else guest.phone
        return stored if stored != self.number else ""


class Caller:
    """A caller as a page shows it.

    Each property queries when the template reads it: at most four queries, and one more for each
    guest whose notes tell of an allergy.
    """

    def __init__(
        self, number: Number, *, restaurant: Restaurant, user: User, now: datetime
    ) -> None:
        self.number = number
        self.restaurant = restaurant
        self.user = user
        self.now = now

    @cached_property
    def guests(self) -> list[Known]:
        """The guests of the group with this number. Up to four queries.

        Those with a booking today or ahead stand first, the soonest before the others: of a family
        or a hotel it is likely one of them who rings. Then those who were here last.
        """
        rows = find_guests(
            self.number.e164, group=self.restaurant.group, user=self.user, now=self.now
        )
        known = {guest.pk: self._known(guest) for guest in rows}
        self._fill(known)
        by_visit = sorted(known.values(), key=lambda one: one.last_seen, reverse=True)
        return sorted(by_visit, key=lambda one: one.comes_at)

    def _known(self, guest: Customer) -> Known:
        return Known(guest, self.number.e164, user=self.user, restaurant=self.restaurant)

    def _fill(self, known: dict[Any, Known]) -> None:
        theirs = Reservation.objects.visible_to(self.user).present().filter(customer__in=known)
        coming = theirs.filter(ahead(self.now) | UNDATED)
        order = (F("meal_at").asc(nulls_last=True), F("uuid").asc())
        place = Window(RowNumber(), partition_by="customer", order_by=order)
        nearest = coming.annotate(place=place).filter(place__lte=MOST_COMING)
        for row in nearest.select_related("restaurant").defer("raw").order_by(*order):
            known[row.customer_id].coming.append(row)
        for counted in visits(known, now=self.now, user=self.user):
            known[counted["customer"]].seen = counted


def visits(guests: Iterable[Any], *, now: datetime, user: User) -> Iterable[Any]:
    """Return number of visits and last visit of each guest. One query."""
    theirs = Reservation.objects.visible_to(user).present().filter(customer__in=list(guests))
    before = theirs.filter(meal_at__lte=now).order_by()
    came = visited(now)
    return before.values("customer").annotate(
        came=Count("pk", filter=came),
        no_shows=Count("pk", filter=Q(status="NO_SHOW")),
        last=Max("service_day", filter=came),
    )


def find_guests(e164: str, *, group: Group, user: User, now: datetime) -> list[Customer]:
    """The guests of a group with this number, in whatever spelling it is stored.

    A hotel may have dozens: those who come next are among the few.
    """
    if not e164:
        return []
    theirs = Reservation.objects.visible_to(user).present().filter(customer=OuterRef("pk"))
    comes_at = theirs.filter(ahead(now)).order_by("meal_at").values("meal_at")[:1]
    order = (Subquery(comes_at).asc(nulls_last=True), "last_name_key", "uuid")
    rows = Customer.objects.visible_to(user).present().filter(group=group).light().order_by(*order)
    exact = rows.filter(Q(phone_e164=e164) | Q(secondary_phone_e164=e164))
    if found := list(exact[:MOST_GUESTS]):
        return found
    national = numbers.national(e164)
    if len(national) < FEWEST_DIGITS:
        return []
    # Those whose number could not be read: few, and an index of their own (customer_bad_phone).
    unreadable = rows.exclude(phone="").filter(phone_e164="", search_text__contains=national)
    return list(unreadable[:MOST_GUESTS])


def names_of(calls: Iterable[Call], *, user: User) -> dict[UUID, list[Customer]]:
    """The guests behind each call of a list. One query for all."""
    calls = [call for call in calls if call.number]
    wanted = {call.number for call in calls}
    if not wanted:
        return {}
    rows = Customer.objects.visible_to(user).present().light()
    rows = rows.filter(group__in={call.restaurant.group_id for call in calls})
    found: dict[tuple[int, str], list[Customer]] = defaultdict(list)
    for guest in rows.filter(Q(phone_e164__in=wanted) | Q(secondary_phone_e164__in=wanted)):
        for number in {guest.phone_e164, guest.secondary_phone_e164} & wanted:
            found[(guest.group_id, number)].append(guest)
    return {call.uuid: found[(call.restaurant.group_id, call.number)] for call in calls}
