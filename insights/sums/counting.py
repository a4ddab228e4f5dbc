"""Adds up reservations and reviews. Pure functions: rows in, sums out."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime
from decimal import Decimal
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from customers.allergies.needs import DietaryNeed, surest
from insights.models import (
    LEADS,
    BookingCount,
    Campaign,
    CountRow,
    DietaryCount,
    Rating,
    Spend,
)
from reservations.service_day.services import service_of
from reviews.models import NO_ANSWER

WALK_IN = "Walk-in"
LOW = 6000  # thousandths: six of ten and below everywhere; the inbox goes by each group's rules
LONGEST = 96  # characters of a campaign's words

# (cut, day, service, channel, and what else tells the rows of a table apart)
Key = tuple[Any, ...]
Sums = dict[str, int]
Table = dict[Key, Sums]
Tables = dict[type[CountRow], Table]
Facts = Iterable[tuple[str, int]]


class BookingFacts(NamedTuple):
    """The columns of a reservation that are counted, in the order in which they are read."""

    service_day: date
    local_minutes: int
    reservation_channel: str
    status: str
    meal_status: str
    party_size: int | None
    created_at: datetime | None
    bill_amount: Decimal | None
    bill_currency: str
    utm: dict[str, str]


class ReviewFacts(NamedTuple):
    """The columns of a review that are counted."""

    service_day: date
    meal_at: datetime
    global_rating: Decimal | None
    food_quality_rating: int | None
    service_rating: int | None
    ambience_rating: int | None
    comment_status: str
    comment_published_ts: datetime | None
    reply_status: str
    reply_created_ts: datetime | None


class NeedPlace(NamedTuple):
    """Where the needs of a party are counted."""

    service_day: date
    local_minutes: int
    party_size: int | None


class RestaurantSums:
    """The sums of one restaurant."""

    def __init__(self, zone: ZoneInfo) -> None:
        self.zone = zone
        self.tables: Tables = {
            model: defaultdict(lambda: defaultdict(int))
            for model in (BookingCount, Spend, Campaign, Rating, DietaryCount)
        }

    def add_booking(self, row: BookingFacts) -> None:
        hour = row.local_minutes // 60
        service, channel = service_of(hour), row.reservation_channel
        facts = list(self._what_became(row))
        for cut in cuts(row.service_day, service, channel):
            self._add(BookingCount, (*cut, 0), facts)
        self._add(BookingCount, (CountRow.BY_HOUR, row.service_day, "", "", hour), facts)
        if row.status == "RECORDED" and row.bill_amount is not None:
            self._add_bill(row, service)
        if row.utm:
            self._add_campaign(row, service)

    def _what_became(self, row: BookingFacts) -> Facts:
        covers = row.party_size or 0
        match row.status:
            case "RECORDED":
                yield from (("bookings", 1), ("covers", covers))
                yield from self._how_expected(row)
            case "NO_SHOW":
                yield from (("no_shows", 1), ("no_show_covers", covers))
            case "CANCELED":
                yield from (("cancelled", 1), ("cancelled_covers", covers))
            case "REQUESTED":
                yield "requested", 1
            case "REFUSED":
                yield "refused", 1

    def _how_expected(self, row: BookingFacts) -> Facts:
        if row.reservation_channel == WALK_IN:
            yield "walk_ins", 1
            return
        if row.meal_status:
            yield "marked", 1
        if row.created_at is not None:
            booked = row.created_at.astimezone(self.zone).date()
            days = max((row.service_day - booked).days, 0)
            first = next(first for first in reversed(LEADS) if days >= first)
            yield from (("ahead", 1), ("ahead_days", days), (f"ahead_{first}", 1))

    def _add_bill(self, row: BookingFacts, service: str) -> None:
        total = thousandths(row.bill_amount)
        facts = [("bookings", 1), ("total", total)]
        if row.party_size:
            facts += [("sized", 1), ("covers", row.party_size), ("sized_total", total)]
        for cut in cuts(row.service_day, service, row.reservation_channel):
            self._add(Spend, (*cut, row.bill_currency), facts)

    def _add_campaign(self, row: BookingFacts, service: str) -> None:
        words = (row.utm.get(f"utm_{one}", "") for one in ("source", "medium", "campaign"))
        facts: list[tuple[str, int]] = []
        currency = ""
        if row.status == "RECORDED":
            facts = [("bookings", 1), ("covers", row.party_size or 0)]
            if row.bill_amount is not None:
                currency = row.bill_currency
                facts += [("billed", 1), ("total", thousandths(row.bill_amount))]
        elif row.status in ("NO_SHOW", "CANCELED"):
            facts = [("lost", 1)]
        place = (CountRow.BY_BOTH, row.service_day, service, row.reservation_channel)
        self._add(Campaign, (*place, *(word[:LONGEST] for word in words), currency), facts)

    def add_review(self, row: ReviewFacts) -> None:
        at = row.meal_at.astimezone(self.zone)
        hour = at.hour + 24 * (at.date() - row.service_day).days
        facts = list(_rating_facts(row))
        self._add(Rating, (CountRow.WHOLE, row.service_day, "", ""), facts)
        self._add(Rating, (CountRow.BY_SERVICE, row.service_day, service_of(hour), ""), facts)

    def add_needs(self, place: NeedPlace, needs: Sequence[DietaryNeed]) -> None:
        """What one party needs. Nobody counts for more people than the party has."""
        most = max(place.party_size or 1, 1)
        service = service_of(place.local_minutes // 60)
        for need in (*needs, *_of_the_party(needs)):
            cut = (CountRow.BY_SERVICE, place.service_day, service, "")
            key = (*cut, need.code, need.certainty, place.service_day.weekday())
            self._add(DietaryCount, key, (("parties", 1), ("people", min(need.people, most))))

    def _add(self, model: type[CountRow], key: Key, facts: Facts) -> None:
        sums = self.tables[model][key]
        for name, number in facts:
            sums[name] += number


def _of_the_party(needs: Sequence[DietaryNeed]) -> list[DietaryNeed]:
    """All that a party needs as one line without a code."""
    return surest(need._replace(code="") for need in needs)


def cuts(day: date, service: str, channel: str) -> Iterator[tuple[str, date, str, str]]:
    yield CountRow.WHOLE, day, "", ""
    yield CountRow.BY_SERVICE, day, service, ""
    yield CountRow.BY_CHANNEL, day, "", channel
    yield CountRow.BY_BOTH, day, service, channel


def thousandths(amount: Decimal | None) -> int:
    return int((amount or Decimal()) * 1000)


def _rating_facts(row: ReviewFacts) -> Facts:
    yield "reviews", 1
    if row.global_rating is not None:
        rating = thousandths(row.global_rating)
        yield from (("rated", 1), ("rating", rating), ("low", int(rating <= LOW)))
    if row.food_quality_rating is not None:
        yield from (("food_rated", 1), ("food", row.food_quality_rating))
    if row.service_rating is not None:
        yield from (("service_rated", 1), ("service_points", row.service_rating))
    if row.ambience_rating is not None:
        yield from (("ambience_rated", 1), ("ambience", row.ambience_rating))
    if row.comment_status == "PUBLISHED":
        yield "published", 1
        yield from _how_answered(row)


def _how_answered(row: ReviewFacts) -> Facts:
    if row.reply_status in NO_ANSWER:
        return
    yield "answered", 1
    if row.reply_created_ts and row.comment_published_ts:
        delay = row.reply_created_ts - row.comment_published_ts
        yield from (("timed", 1), ("delay", max(int(delay.total_seconds() // 60), 0)))
