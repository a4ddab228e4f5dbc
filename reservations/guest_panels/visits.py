"""The panels of visits on a guest's page: next booking, numbers, picture, table.

They count the guest's bookings at every restaurant of the group. Bills, offers and links follow the
reach of the person.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from functools import cached_property, lru_cache
from typing import Any, NamedTuple
from uuid import UUID
from weakref import proxy

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.html import escape
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _

from customers.profile.pages import GuestPanel, PanelColumn, Profile
from lib.dates import date_format
from lib.labels import label_of
from lib.money import money, rounded, spelt
from lib.registration import ExtensionPoint
from reservations.guest_panels.came import CONFIRMED, is_ahead
from reservations.guest_panels.guest_reservations import GuestReservation, reservations_of
from reservations.models import Reservation
from reservations.words import STATUSES
from restaurants.models import Restaurant

SHOWN = 25  # rows of the table by default
MONTHS = 12  # of a promoter's ledger
PICTURE = timedelta(days=731)
DOT = '<circle class="visit-dot visit-dot--{}" cx="{}" cy="10" r="4"><title>{}</title></circle>'


class GuestSpend(NamedTuple):
    """The sum of known bills in one currency."""

    currency: str
    amount: Decimal
    visits: int
    covers: int

    @property
    def per_visit(self) -> Decimal:
        return self.amount / self.visits

    @property
    def per_visit_spelt(self) -> str:
        return spelt(rounded(self.per_visit, self.currency), grouped=True)

    @property
    def per_cover(self) -> Decimal | None:
        return self.amount / self.covers if self.covers else None


class VisitDots(NamedTuple):
    restaurant: Restaurant
    dots: list[str]  # nothing in them needs escaping

    @property
    def picture(self) -> SafeString:
        """Built here, because a template would take longer for 400 dots than for the whole page."""
        return SafeString("".join(self.dots))


class Month(NamedTuple):
    """A month in the table of a promoter."""

    first: date
    bookings: int
    covers: int
    no_shows: int
    spent: list[tuple[str, Decimal]]


@dataclass(frozen=True)
class Extra:
    """A column of the table that another app fills: `find(uuids)` returns the cells."""

    label: str | Promise
    find: Callable[[Sequence[UUID]], dict[UUID, str]]


EXTRAS: ExtensionPoint[Extra] = ExtensionPoint("Columns of a guest's visits")


class GuestVisits:
    """The bookings of a guest, the newest first. Two queries."""

    def __init__(self, profile: Profile) -> None:
        # A proxy, because the profile refers to this object: a cycle would outlive the page.
        self.profile: Profile = proxy(profile)
        self.now = profile.now
        self._words: dict[str, str] = {}

    @cached_property
    def bookings(self) -> list[GuestReservation]:
        """The guest's bookings in the group. One query."""
        return reservations_of(self.profile.guest.pk, self.profile.group.pk)

    @cached_property
    def restaurants(self) -> dict[int, Restaurant]:
        return {one.pk: one for one in self.profile.everywhere}

    @cached_property
    def within_reach(self) -> set[int]:
        return {one.pk for one in self.profile.restaurants}

    @cached_property
    def _coming(self) -> list[GuestReservation]:
        return [booking for booking in self._dated if self._is_ahead(booking)]

    @cached_property
    def next(self) -> Reservation | None:
        return self._booking(self._coming[-1]) if self._coming else None

    def _booking(self, stored: GuestReservation) -> Reservation:
        """A model instance, for the methods that describe a booking in words."""
        known = stored.row._asdict() | {"meal_at": stored.meal_at, "offer_name": stored.offer_name}
        booking = Reservation(**known | {"uuid": stored.uuid, "bill_amount": stored.bill})
        booking.restaurant = self.restaurants[stored.restaurant_id]
        return booking

    @cached_property
    def past(self) -> list[Any]:
        return [b for b in self._dated if b.meal_at <= self.now and not self._is_ahead(b)]

    def _is_ahead(self, booking: Any) -> bool:
        row = booking.row
        return is_ahead(row.status, row.meal_status, booking.meal_at, self.now)

    @cached_property
    def came(self) -> list[GuestReservation]:
        return [booking for booking in self.past if booking.status == CONFIRMED]

    @cached_property
    def no_shows(self) -> int:
        return sum(booking.status == "NO_SHOW" for booking in self.past)

    @cached_property
    def cancelled(self) -> int:
        return sum(booking.status == "CANCELED" for booking in self.bookings)

    @property
    def covers(self) -> int:
        return sum(booking.party_size or 0 for booking in self.came)

    @property
    def no_show_share(self) -> int | None:
        """Per cent of the expected visits. Cancellations do not count."""
        expected = len(self.came) + self.no_shows
        return round(100 * self.no_shows / expected) if expected else None

    @cached_property
    def spends(self) -> list[GuestSpend]:
        """By currency, the most visits first: sums of two currencies mean nothing."""
        sums: dict[str, list[GuestReservation]] = {}
        for booking in self._billed(self.came):
            sums.setdefault(booking.row.bill_currency, []).append(booking)
        found = [
            GuestSpend(
                currency,
                sum((b.bill or Decimal() for b in billed), Decimal()),
                len(billed),
                sum(b.party_size or 0 for b in billed),
            )
            for currency, billed in sums.items()
        ]
        return sorted(found, key=lambda spend: -spend.visits)

    def _billed(self, bookings: list[GuestReservation]) -> list[GuestReservation]:
        """Bookings with a known bill that the person may see."""
        reach = self.within_reach
        return [b for b in bookings if b.row.bill_amount is not None and b.restaurant_id in reach]

    @property
    def bill_share(self) -> int:
        """The per cent with a known bill, of the visits where the person may see one."""
        known = sum(spend.visits for spend in self.spends)
        seen = sum(visit.restaurant_id in self.within_reach for visit in self.came)
        return round(100 * known / seen) if seen else 0

    @cached_property
    def lines(self) -> list[VisitDots]:
        """A line of dots for each restaurant, over two years."""
        dots: dict[int, list[str]] = {}
        first = self._first_day
        for booking in self.past:
            if first <= booking.meal_at and booking.status in STATUS_DOTS:
                x = self._x((booking.meal_at - first) / PICTURE)
                dots.setdefault(booking.restaurant_id, []).append(self._dot(booking, x))
        return [VisitDots(self.restaurants[pk], found) for pk, found in sorted(dots.items())]

    @property
    def quarters(self) -> list[tuple[str, date]]:
        """The quarters of the picture: their position in per cent, and their first day."""
        first = self._first_day.date()
        months = [date(first.year + n // 12, n % 12 + 1, 1) for n in range(0, 36, 3)]
        inside = [m for m in months if first <= m <= self.now.date()]
        return [(self._x((m - first) / PICTURE), m) for m in inside]

    @property
    def months(self) -> list[Month]:
        """The past bookings by month, the newest first."""
        booked: dict[date, list[GuestReservation]] = {}
        for booking in self.past:
            if booking.service_day:
                booked.setdefault(booking.service_day.replace(day=1), []).append(booking)
        return [self._month(first, booked[first]) for first in sorted(booked, reverse=True)][
            :MONTHS
        ]

    def _month(self, first: date, bookings: list[GuestReservation]) -> Month:
        came = [booking for booking in bookings if booking.status == CONFIRMED]
        spent: dict[str, Decimal] = {}
        for booking in self._billed(came):
            currency = booking.row.bill_currency
            spent[currency] = spent.get(currency, Decimal()) + (booking.bill or Decimal())
        covers = sum(booking.party_size or 0 for booking in came)
        no_shows = sum(booking.status == "NO_SHOW" for booking in bookings)
        return Month(first, len(bookings), covers, no_shows, sorted(spent.items()))

    @property
    def _listed(self) -> list[GuestReservation]:
        """The newest bookings, or all when the address asks for them."""
        return self.bookings if "visits" in self.profile.in_full else self.bookings[:SHOWN]

    @property
    def others(self) -> int:
        return len(self.bookings) - len(self._listed)

    @cached_property
    def extras(self) -> list[tuple[Extra, dict[UUID, str]]]:
        """The cells of other apps for the listed bookings within reach. One query each."""
        uuids = [b.uuid for b in self._listed if b.restaurant_id in self.within_reach]
        return [(extra, extra.find(uuids)) for extra in EXTRAS]

    @property
    def rows(self) -> list["VisitRow"]:
        return [self._row(booking) for booking in self._listed]

    def _row(self, booking: GuestReservation) -> "VisitRow":
        is_within_reach = booking.restaurant_id in self.within_reach
        return VisitRow(
            day=_day(booking.service_day, get_language()),
            address=reverse("reservations:show", args=[booking.uuid]) if is_within_reach else "",
            place=self.restaurants[booking.restaurant_id].label,
            party="?" if booking.party_size is None else booking.party_size,
            status=self._status(booking.status),
            offer=self._booking(booking).offer_label
            if is_within_reach and booking.row.offer_type
            else "",
            bill=_money(booking) if is_within_reach else "",
            cells=[(extra.label, found.get(booking.uuid, "")) for extra, found in self.extras],
        )

    @cached_property
    def _dated(self) -> list[Any]:
        return [booking for booking in self.bookings if booking.meal_at is not None]

    @property
    def _first_day(self) -> datetime:
        return self.now - PICTURE

    def _dot(self, booking: Any, x: str) -> str:
        party = "?" if booking.party_size is None else booking.party_size
        words = f"{booking.service_day} · {party} · {self._status(booking.status)}"
        return DOT.format(STATUS_DOTS[booking.status], x, words)

    def _status(self, status: str) -> str:
        """In the reader's language, translated and escaped once per page."""
        if status not in self._words:
            self._words[status] = escape(label_of(status, STATUSES))
        return self._words[status]

    @staticmethod
    def _x(share: float) -> str:
        return f"{1 + 98 * share:.2f}%"


class VisitRow(NamedTuple):
    """A line of the table, in the order that the template unpacks."""

    day: str
    address: str
    place: str
    party: int | str
    status: str
    offer: str
    bill: str
    cells: list[tuple[str | Promise, str]]  # with the label of their column


@lru_cache(maxsize=1024)
def _day(day: date | None, _language: str | None) -> str:
    return date_format(day, "j M Y") if day else gettext("No date yet")


def _money(booking: GuestReservation) -> str:
    return money(booking.bill, booking.row.bill_currency) if booking.bill is not None else ""


STATUS_DOTS = {"RECORDED": "came", "NO_SHOW": "no-show", "CANCELED": "cancelled"}


def of(profile: Profile) -> GuestVisits:
    """The visits of this page's guest, read once for all panels."""
    visits: GuestVisits = profile.kept.setdefault("visits", GuestVisits(profile))
    return visits


def _next(profile: Profile) -> GuestVisits | None:
    return of(profile) if of(profile).next else None


def _ledger(profile: Profile) -> list[Month] | None:
    return of(profile).months or None if profile.guest.is_promoter else None


RIGHT = "reservations.view_reservation"
VISIT_PANELS = (
    GuestPanel(
        name="next",
        title=_("Next booking"),
        place=20,
        template="reservations/_next_of_guest.html",
        facts=_next,
        column=PanelColumn.TOP,
        right=RIGHT,
    ),
    GuestPanel(
        name="numbers",
        title=_("Numbers"),
        place=30,
        template="reservations/_numbers_of_guest.html",
        facts=of,
        column=PanelColumn.TOP,
        right=RIGHT,
    ),
    GuestPanel(
        name="visits",
        title=_("Visits"),
        place=10,
        template="reservations/_visits_of_guest.html",
        facts=of,
        right=RIGHT,
    ),
    GuestPanel(
        name="ledger",
        title=_("Guests they brought"),
        place=5,
        template="reservations/_ledger.html",
        facts=_ledger,
        right=RIGHT,
    ),
)
