"""The slow script: plain rows, and the rows of a range and of the days it is compared with."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from typing import Any, NamedTuple
from uuid import UUID
from zoneinfo import ZoneInfo

from customers.models import Customer
from reservations.models import Reservation
from restaurants.models import Restaurant
from reviews.models import Review

# What the texts of the made-up history say: code, name, certainty, people.
MEANINGS = {
    "allergic to nuts": ("nuts", "Nuts", "stated", 1),
    "2 vegans": ("vegan", "Vegan", "stated", 2),
    "no onions please": ("onion", "Onion", "maybe", 1),
    "Peanuts": ("peanuts", "Peanuts", "tagged", 1),
    "Vegan": ("vegan", "Vegan", "tagged", 1),
    "Of our own making": ("other", "Another tag", "tagged", 1),
}
SUREST = ("tagged", "stated", "maybe")


class PlainNeed(NamedTuple):
    name: str
    certainty: str
    people: int


class PlainBooking(NamedTuple):
    place: str
    day: date
    hour: int
    channel: str
    status: str
    is_marked: bool
    size: int | None
    ahead: int | None
    bill: Decimal | None
    currency: str
    campaign: tuple[str, str, str] | None
    needs: dict[str, PlainNeed]

    @property
    def service(self) -> str:
        return service_at(self.hour)

    @property
    def covers(self) -> int:
        return self.size or 0


class PlainReview(NamedTuple):
    place: str
    day: date
    hour: int
    row: Review

    @property
    def service(self) -> str:
        return service_at(self.hour)


def service_at(hour: int) -> str:
    if hour < 11:
        return "morning"
    return "midday" if hour < 17 else "evening"


def local_day(place, at):
    """The day that began at four in the morning, local time, and the hour of that day."""
    local = at.astimezone(ZoneInfo(place.timezone))
    if local.hour < 4:
        return local.date() - timedelta(days=1), local.hour + 24
    return local.date(), local.hour


def read_bookings(places: Iterable[Restaurant]) -> list[PlainBooking]:
    guests: dict[UUID | None, Customer] = {guest.uuid: guest for guest in Customer.objects.all()}
    return [
        _booking(one, place, guests.get(one.customer_id))
        for place in places
        for one in Reservation.objects.filter(restaurant=place)
        if one.presence == "present"
    ]


def _booking(one, place, guest):
    day, hour = local_day(place, one.meal_at)
    ahead = None
    if one.created_at:
        booked = one.created_at.astimezone(ZoneInfo(place.timezone)).date()
        ahead = max((day - booked).days, 0)
    words = ("utm_source", "utm_medium", "utm_campaign")
    return PlainBooking(
        *(place.name, day, hour, one.reservation_channel, one.status, bool(one.meal_status)),
        *(one.party_size, ahead, one.bill_amount, one.bill_currency),
        tuple(one.utm.get(word, "") for word in words) if one.utm else None,
        _needs([one.customer_note], guest, max(one.party_size or 1, 1)),
    )


def _needs(texts, guest, most):
    if guest:
        texts = [*texts, guest.notes, *guest.allergies_and_intolerances]
    found: dict[str, PlainNeed] = {}
    for code, name, certainty, people in [MEANINGS[one] for one in texts if one in MEANINGS]:
        known = found.get(code, PlainNeed(name, certainty, people))
        surest = min(known.certainty, certainty, key=SUREST.index)
        found[code] = PlainNeed(name, surest, min(max(known.people, people), most))
    return found


def read_reviews(places: Iterable[Restaurant]) -> list[PlainReview]:
    return [
        PlainReview(place.name, day, hour, one)
        for place in places
        for one in Review.objects.filter(restaurant=place)
        for day, hour in [local_day(place, one.meal_at)]
        if one.presence == "present" and one.is_valid is not False
    ]


@dataclass(frozen=True)
class PlainRange:
    """The rows of some days, and of the days that they are compared with."""

    bookings: list[PlainBooking]
    reviews: list[PlainReview]
    places: list[str]
    first: date
    last: date
    shift: int
    service: str = ""
    channel: str = ""

    @property
    def days(self):
        return (self.last - self.first).days + 1

    @property
    def back(self):
        return timedelta(days=self.shift)

    @property
    def before(self):
        first, last = self.first - self.back, self.last - self.back
        rows = (self.bookings, self.reviews, self.places)
        return PlainRange(*rows, first, last, self.shift, self.service, self.channel)

    def holds(self, one):
        is_served = self.service in ("", one.service)
        return self.first <= one.day <= self.last and is_served

    @property
    def rows(self):
        """Bookings of the service and the channel."""
        return [
            one for one in self.bookings if self.holds(one) and self.channel in ("", one.channel)
        ]

    @property
    def kept(self):
        return [one for one in self.rows if one.status == "RECORDED"]

    @property
    def rated(self):
        """Reviews name no channel."""
        return [one for one in self.reviews if self.holds(one)]

    @property
    def noted(self):
        """The bookings whose needs are counted, whatever their channel."""
        return [one for one in self.bookings if self.holds(one) and one.status == "RECORDED"]

    def open_days(self, places):
        """Days on which somebody came or was missed, whatever the channel."""
        return {
            (one.place, one.day)
            for one in self.bookings
            if one.place in places and self.holds(one) and one.status in ("RECORDED", "NO_SHOW")
        }

    def common(self, places=None):
        """The open days that are open on the other side too."""
        places = self.places if places is None else places
        then = {(place, day + self.back) for place, day in self.before.open_days(places)}
        return self.open_days(places) & then

    @property
    def is_whole(self):
        """Whether both sides hold the same open days."""
        return len(self.common()) == len(self.open_days(self.places)) == len(
            self.before.open_days(self.places)
        )  # fmt: skip

    @property
    def needed(self):
        return min(14, (self.days + 1) // 2)

    def like_for_like(self, rows, places=None):
        """Of some rows those of days known on both sides; None where these days are too few."""
        common = self.common(places)
        if len({day for _place, day in common}) < self.needed:
            return None
        then = {(place, day - self.back) for place, day in common}
        now, before = rows(self), rows(self.before)
        return (
            [one for one in now if (one.place, one.day) in common],
            [one for one in before if (one.place, one.day) in then],
        )

    def buckets(self, rows):
        """Some rows by day, by week or by month."""
        starts = list(self._starts())
        found: list[list[Any]] = [[] for _start in starts]
        for one in rows:
            found[max(n for n, start in enumerate(starts) if start <= one.day)].append(one)
        return found

    def _starts(self):
        if self.days <= 200:
            step = 1 if self.days <= 35 else 7
            yield from (self.first + timedelta(days=n) for n in range(0, self.days, step))
            return
        day = self.first
        while day <= self.last:
            yield day
            day = (day.replace(day=1) + timedelta(days=32)).replace(day=1)
