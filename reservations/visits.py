"""What the group has seen of one guest: the next booking, the numbers, the picture, the table.

All bookings of a guest are read, at every restaurant of the group: a profile is the memory of all
of them. The figures need a few columns of each; only those in the table are read in full. Bills,
offers and links follow the reach of the person who looks.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from functools import cached_property
from typing import Any, NamedTuple
from uuid import UUID

from django.utils.functional import Promise
from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from customers.profile import Column, Profile, Section, register
from reservations.models import STATUSES, Reservation
from restaurants.models import Restaurant

COMING = ("RECORDED", "REQUESTED")
SHOWN = 25  # rows of the table at first: the newest are what people ask about
MONTHS = 12  # of a promoter's ledger
PICTURE = timedelta(days=731)
DOT = '<circle class="visit-dot visit-dot--{}" cx="{}" cy="10" r="4"><title>{}</title></circle>'
COLUMNS = (
    "uuid",
    "restaurant_id",
    "meal_at",
    "service_day",
    "local_minutes",
    "party_size",
    "status",
    "meal_status",
    "offer_type",
    "offer_name",
    "bill_amount",
    "bill_currency",
    "reservation_channel",
    "customer_id",
    "created_at",
)


class Seen(NamedTuple):
    """What figures and picture need of a booking."""

    uuid: UUID
    restaurant_id: int
    meal_at: datetime | None
    service_day: date | None
    party_size: int | None
    status: str
    bill_amount: Decimal | None
    bill_currency: str


class Spend(NamedTuple):
    """What visits with a known bill came to, in one currency."""

    currency: str
    amount: Decimal
    visits: int
    covers: int

    @property
    def per_visit(self) -> Decimal:
        return self.amount / self.visits

    @property
    def per_cover(self) -> Decimal | None:
        return self.amount / self.covers if self.covers else None


class Dot(NamedTuple):
    """A visit in the picture, `x` per cent of its width."""

    status: str
    x: str
    words: str


class Line(NamedTuple):
    restaurant: Restaurant
    dots: list[Dot]

    @property
    def picture(self) -> SafeString:
        """Drawn here: the template would take longer for 400 of them than for the whole page."""
        return format_html_join("", DOT, self.dots)


class Month(NamedTuple):
    """A month of the ledger of somebody who brings guests."""

    first: date
    bookings: int
    covers: int
    no_shows: int
    spent: list[tuple[str, Decimal]]


@dataclass(frozen=True)
class Extra:
    """A column of the table that another room can fill: `find(uuids)` answers for the rows."""

    label: str | Promise
    find: Callable[[Sequence[UUID]], dict[UUID, str]]


EXTRAS: list[Extra] = []


class Visits:
    """The bookings of a guest, the newest first. Three queries."""

    def __init__(self, profile: Profile) -> None:
        self.profile = profile
        self.now = profile.now

    @cached_property
    def bookings(self) -> list[Seen]:
        rows = Reservation.objects.present().filter(
            customer=self.profile.guest.pk, restaurant__group=self.profile.group.pk
        )
        return [Seen(*row) for row in rows.order_by("-meal_at").values_list(*Seen._fields)]

    @cached_property
    def restaurants(self) -> dict[int, Restaurant]:
        return {one.pk: one for one in self.profile.everywhere}

    @cached_property
    def _in_full(self) -> dict[UUID, Reservation]:
        """Those that are shown in words: the next one, and the table's."""
        wanted = [one.uuid for one in (*self._coming[-1:], *self._listed)]
        found = Reservation.objects.filter(pk__in=wanted).only(*COLUMNS)
        for booking in found:
            booking.restaurant = self.restaurants[booking.restaurant_id]
        return {booking.uuid: booking for booking in found}

    @cached_property
    def within_reach(self) -> set[int]:
        return {one.pk for one in self.profile.restaurants}

    @cached_property
    def _coming(self) -> list[Seen]:
        return [b for b in self._dated if b.meal_at > self.now and b.status in COMING]

    @property
    def next(self) -> Reservation | None:
        return self._in_full.get(self._coming[-1].uuid) if self._coming else None

    @cached_property
    def past(self) -> list[Seen]:
        return [booking for booking in self._dated if booking.meal_at <= self.now]

    @cached_property
    def came(self) -> list[Seen]:
        return [booking for booking in self.past if booking.status == "RECORDED"]

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
        """In per cent of the visits that were to be. Cancellations are no broken promise."""
        expected = len(self.came) + self.no_shows
        return round(100 * self.no_shows / expected) if expected else None

    @cached_property
    def spends(self) -> list[Spend]:
        """By currency, the most visited first: sums of two currencies mean nothing."""
        sums: dict[str, list[Seen]] = {}
        for booking in self.came:
            if booking.bill_amount is not None and booking.restaurant_id in self.within_reach:
                sums.setdefault(booking.bill_currency, []).append(booking)
        found = [
            Spend(
                currency,
                sum((b.bill_amount or Decimal() for b in billed), Decimal()),
                len(billed),
                sum(b.party_size or 0 for b in billed),
            )
            for currency, billed in sums.items()
        ]
        return sorted(found, key=lambda spend: -spend.visits)

    @property
    def bill_share(self) -> int:
        """For how many of the visits, in per cent, the bill is known."""
        known = sum(spend.visits for spend in self.spends)
        return round(100 * known / len(self.came)) if self.came else 0

    @cached_property
    def lines(self) -> list[Line]:
        """A line of dots for each restaurant, over two years."""
        dots: dict[int, list[Dot]] = {}
        for booking in self._dated:
            if self._first_day <= booking.meal_at <= self.now and booking.status in STATUS_DOTS:
                dots.setdefault(booking.restaurant_id, []).append(self._dot(booking))
        return [Line(self.restaurants[pk], found) for pk, found in sorted(dots.items())]

    @property
    def quarters(self) -> list[tuple[str, date]]:
        """Where the picture's quarters begin, in per cent, and their first day."""
        first = self._first_day.date()
        months = [date(first.year + n // 12, n % 12 + 1, 1) for n in range(0, 36, 3)]
        inside = [m for m in months if first <= m <= self.now.date()]
        return [(self._x((m - first) / PICTURE), m) for m in inside]

    @property
    def months(self) -> list[Month]:
        """The past bookings by month, the newest first."""
        booked: dict[date, list[Seen]] = {}
        for booking in self.past:
            if booking.service_day:
                booked.setdefault(booking.service_day.replace(day=1), []).append(booking)
        return [self._month(first, booked[first]) for first in sorted(booked, reverse=True)][
            :MONTHS
        ]

    def _month(self, first: date, bookings: list[Seen]) -> Month:
        came = [booking for booking in bookings if booking.status == "RECORDED"]
        spent: dict[str, Decimal] = {}
        for booking in came:
            if booking.bill_amount is not None and booking.restaurant_id in self.within_reach:
                known = spent.get(booking.bill_currency, Decimal())
                spent[booking.bill_currency] = known + booking.bill_amount
        covers = sum(booking.party_size or 0 for booking in came)
        no_shows = sum(booking.status == "NO_SHOW" for booking in bookings)
        return Month(first, len(bookings), covers, no_shows, sorted(spent.items()))

    @property
    def _listed(self) -> list[Seen]:
        """The newest, or all when the address asks for them: a row costs as much as a query."""
        return self.bookings if "visits" in self.profile.in_full else self.bookings[:SHOWN]

    @cached_property
    def shown(self) -> list[Reservation]:
        """A booking that went between the two queries is left out."""
        found = (self._in_full.get(one.uuid) for one in self._listed)
        return [booking for booking in found if booking is not None]

    @property
    def others(self) -> int:
        return len(self.bookings) - len(self._listed)

    @cached_property
    def extras(self) -> list[tuple[Extra, dict[UUID, str]]]:
        """What other rooms know of the listed bookings within reach. One query each."""
        uuids = [b.uuid for b in self._listed if b.restaurant_id in self.within_reach]
        return [(extra, extra.find(uuids)) for extra in EXTRAS]

    @property
    def rows(self) -> list["Row"]:
        return [self._row(booking) for booking in self.shown]

    def _row(self, booking: Reservation) -> "Row":
        cells = [found.get(booking.uuid, "") for _extra, found in self.extras]
        return Row(booking, booking.restaurant_id in self.within_reach, cells)

    @cached_property
    def _dated(self) -> list[Any]:
        return [booking for booking in self.bookings if booking.meal_at is not None]

    @property
    def _first_day(self) -> datetime:
        return self.now - PICTURE

    def _dot(self, booking: Any) -> Dot:
        words = f"{booking.service_day} · {booking.party_size} · {self._words[booking.status]}"
        x = self._x((booking.meal_at - self._first_day) / PICTURE)
        return Dot(STATUS_DOTS[booking.status], x, words)

    @cached_property
    def _words(self) -> dict[str, str]:
        """Every status in the reader's language, translated once a page and not once a dot."""
        return {status: str(STATUSES[status]) for status in STATUS_DOTS}

    @staticmethod
    def _x(share: float) -> str:
        return f"{1 + 98 * share:.2f}%"


class Row(NamedTuple):
    booking: Reservation
    is_within_reach: bool
    cells: list[str]


STATUS_DOTS = {"RECORDED": "came", "NO_SHOW": "no-show", "CANCELED": "cancelled"}


def of(profile: Profile) -> Visits:
    """The visits of this page's guest, read once however many sections ask."""
    visits: Visits = profile.kept.setdefault("visits", Visits(profile))
    return visits


def _next(profile: Profile) -> Visits | None:
    return of(profile) if of(profile).next else None


def _ledger(profile: Profile) -> list[Month] | None:
    return of(profile).months or None if profile.guest.is_promoter else None


def register_all() -> None:
    right = "reservations.view_reservation"
    for section in (
        Section(
            name="next",
            title=_("Next booking"),
            place=20,
            template="reservations/_next_of_guest.html",
            facts=_next,
            column=Column.TOP,
            right=right,
        ),
        Section(
            name="numbers",
            title=_("Numbers"),
            place=30,
            template="reservations/_numbers_of_guest.html",
            facts=of,
            column=Column.TOP,
            right=right,
        ),
        Section(
            name="visits",
            title=_("Visits"),
            place=10,
            template="reservations/_visits_of_guest.html",
            facts=of,
            right=right,
        ),
        Section(
            name="ledger",
            title=_("Guests they brought"),
            place=5,
            template="reservations/_ledger.html",
            facts=_ledger,
            right=right,
        ),
    ):
        register(section)
