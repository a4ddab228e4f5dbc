"""A booking on boards: one row of one query, without a model instance; and which restaurants mark
what becomes of their bookings, which decides how one without a mark is shown."""

import json
from collections.abc import Iterable
from datetime import UTC, date, datetime, timedelta, tzinfo
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import Count, Q, QuerySet
from django.utils.translation import gettext as _

from customers.allergies.kitchen_names import read_by_people
from customers.allergies.labels import name_of
from customers.allergies.mentions import NoteCodes, codes_in
from customers.note_decisions.decisions import Decisions, parse
from lib.database.compiled_queries import prepared
from lib.labels import label_of
from lib.text import board_name
from reservations.host_marks.models import CALLS, ShownMark
from reservations.models import STANDING, ArrivalTracking, Reservation
from reservations.phases import MAY_COME, Phase
from reservations.service_clock import UNIT, Lengths, clock, clock_shown, zone_shown
from reservations.words import CHANNELS, ChangeMark

LARGE_PARTY = 8
BIRTHDAY_WITHIN = 7  # days
NOTE_START = 90  # characters of the guest's note that a list shows
WALK_IN = "Walk-in"
# Past weeks from which a restaurant is known to mark arrivals, or not to.
LOOK_BACK = timedelta(days=28)
NOTHING_READ = NoteCodes((), (), ())
UNCERTAIN = frozenset({"booked", "due", "late", "unmarked"})  # phases of who has not come yet

# Where something may be written of allergies and diets, and what people decided about it.
NOTE_COLUMNS = (
    "customer_note",
    "restaurant_note",
    "customer__notes",
    "internal_note",
    "customer__fav_food",
    "customer__fav_drinks",
    "field_texts",
    "guest_field_texts",
    "guest_tag_texts",
    "decided",
    "guest_decided",
)

Mark = tuple[str, str]  # the mark's name, and what it is about


COLUMNS = (
    "uuid",
    "version",
    "restaurant_id",
    "meal_at",
    "local_minutes",
    "party_size",
    "status",
    "meal_status",
    "reservation_channel",
    "offer_type",
    "is_first",
    "customer_id",
    "customer__first_name",
    "customer__last_name",
    "customer__is_vip",
    "allergy_tags",
    "diet_tags",
    *NOTE_COLUMNS,
    "customer__needs_caution",
    "customer__birthday",
)


def note_codes_of(row: Any) -> NoteCodes:
    """What the notes of a row with the columns of notes say."""
    notes = row.customer_note, row.restaurant_note, row.customer__notes, row.internal_note
    favourites = row.customer__fav_food, row.customer__fav_drinks
    fields = row.field_texts, row.guest_field_texts, row.guest_tag_texts
    return codes_in(notes, favourites, fields, (row.decided, row.guest_decided))


def as_uuid(stored: UUID | str) -> UUID:
    """SQLite stores the hexadecimal digits, PostgreSQL knows the type."""
    return UUID(stored) if isinstance(stored, str) else stored


def as_instant(stored: datetime | None) -> datetime | None:
    """SQLite stores the time in UTC, without a zone."""
    return stored.replace(tzinfo=UTC) if stored and stored.tzinfo is None else stored


class BoardPlace(NamedTuple):
    """What a booking shows of its restaurant."""

    pk: int
    name: str
    label: str
    colour: str
    zone: tzinfo


class Stay(NamedTuple):
    """The bar of a booking in the stays, in local minutes: partly observed, the rest assumed."""

    start: int
    end: int
    seen_from: int
    seen_to: int
    over: int  # minutes beyond the assumed stay

    @property
    def span(self) -> int:
        return max(1, (self.end - self.start) // UNIT)

    @property
    def length(self) -> int:
        return self.span * UNIT

    @property
    def seen_x(self) -> int:
        return self.seen_from - self.start

    @property
    def seen_width(self) -> int:
        return max(0, min(self.seen_to, self.end) - self.seen_from)

    @property
    def until(self) -> str:
        return clock(self.end)

    @property
    def query(self) -> str:
        """What the live update of a card needs to draw the same bar."""
        return f"slot={self.start}&until={self.end}"


class BoardBooking(NamedTuple):
    """Thousands of these exist for one page, so they keep the row and compute the rest lazily.

    Everything shown of a booking follows from these seven, so that the HTML can be cached by them.
    """

    row: Any  # a named tuple of the columns above, as the database driver gave it
    restaurant: BoardPlace
    service_day: date
    phase: Phase
    sees_health: bool
    marked: tuple[ShownMark, ...] = ()  # by the team: see `host_marks`
    change: ChangeMark | None = None  # of those sent from here, the one to look at

    @property
    def minutes(self) -> int:
        return self.row.local_minutes or 0

    @property
    def time(self) -> str:
        return clock_shown(self.minutes, self.meal_at, self.restaurant.zone)

    @property
    def zone(self) -> str:
        return zone_shown(self.minutes, self.meal_at, self.restaurant.zone)

    @property
    def uuid(self) -> UUID:
        return as_uuid(self.row.uuid)

    @property
    def meal_at(self) -> datetime | None:
        return as_instant(self.row.meal_at)

    @property
    def party_size(self) -> int | None:
        size: int | None = self.row.party_size
        return size

    @property
    def is_large(self) -> bool:
        return (self.party_size or 0) >= LARGE_PARTY

    @property
    def may_come(self) -> bool:
        return self.phase.key in MAY_COME

    @property
    def is_vip(self) -> bool:
        return bool(self.row.customer__is_vip)

    @property
    def note_start(self) -> str:
        note: str = self.row.customer_note
        return note[:NOTE_START]

    @property
    def channel(self) -> str:
        word = self.row.reservation_channel
        return label_of(word or "", CHANNELS)

    @property
    def has_allergies(self) -> bool:
        return self.sees_health and (self.row.allergy_tags or "[]") != "[]"

    @property
    def allergies(self) -> list[str]:
        return self._tags(self.row.allergy_tags)

    @property
    def diets(self) -> list[str]:
        """As the service has tagged them."""
        return self._tags(self.row.diet_tags)

    def _tags(self, stored: str | None) -> list[str]:
        if not self.sees_health or not stored or stored == "[]":
            return []
        tags: list[str] = json.loads(stored) or []
        return tags

    @property
    def note_codes(self) -> NoteCodes:
        """What the notes say of allergies and diets, beside the tags."""
        return note_codes_of(self.row) if self.sees_health else NOTHING_READ

    @property
    def decisions(self) -> Decisions:
        """What people confirmed or dismissed of the notes."""
        return parse(self.row.decided, self.row.guest_decided)

    @property
    def is_noted(self) -> bool:
        """Whether a note states or hints at an allergy."""
        return bool(self.note_codes.stated or self.note_codes.maybe)

    @property
    def name(self) -> str:
        """“Rossi M.”: hosts call the surname."""
        first, last = self.row.customer__first_name, self.row.customer__last_name
        return board_name(first or "", last or "") or self._nobody()

    def _nobody(self) -> str:
        if self.row.customer_id is None:
            return _("Walk-in") if self.row.reservation_channel == WALK_IN else _("No guest")
        return _("No name") if self.row.customer__first_name == "" else _("Not read yet")

    @property
    def host_marks(self) -> tuple[ShownMark, ...]:
        """What the team has marked, as long as it matters: a call until the guest is here."""
        if self.phase.key in UNCERTAIN:
            return self.marked
        is_waiting = self.phase.key in ("partly-here", "here")
        return tuple(one for one in self.marked if is_waiting and one.kind not in CALLS)

    @property
    def marks(self) -> tuple[Mark, ...]:
        """What to know before the guest arrives, in the order of the boards."""
        row, noted = self.row, self.note_codes
        tagged = read_by_people(self.diets)
        diets = ", ".join(dict.fromkeys([*tagged, *map(name_of, noted.diets)]))
        candidates = (
            ("allergy", ", ".join(read_by_people(self.allergies)), bool(self.allergies)),
            ("allergy-noted", ", ".join(map(name_of, noted.stated)), bool(noted.stated)),
            ("allergy-maybe", ", ".join(map(name_of, noted.maybe)), bool(noted.maybe)),
            ("diet", diets, bool(diets)),
            ("caution", "", self.sees_health and row.customer__needs_caution),
            ("vip", "", row.customer__is_vip),
            ("note", self.note_start, row.customer_note),
            ("birthday", "", self._has_birthday_soon()),
            ("offer", "", row.offer_type),
            ("first", "", row.customer_id and row.is_first),
        )
        return tuple((name, detail or "") for name, detail, applies in candidates if applies)

    def _has_birthday_soon(self) -> bool:
        born = self.row.customer__birthday
        day = self.service_day
        if not born:
            return False
        return any(_days_until(born, day, year=day.year + y) <= BIRTHDAY_WITHIN for y in (-1, 0, 1))


def _days_until(birthday: int, day: date, *, year: int) -> int:
    """Days between the service day and that year's birthday; 29 February counts as the 28th."""
    month, number = divmod(birthday, 100)
    try:
        anniversary = date(year, month, number)
    except ValueError:
        anniversary = date(year, month, min(number, 28))
    return abs((anniversary - day).days)


class TrackedRow(NamedTuple):
    """What the marks of past bookings tell of a restaurant."""

    restaurant: int
    bookings: int
    marked: int
    stays: Lengths


def marks_arrivals(bookings: int, marked: int) -> bool:
    """Whether at least a fifth of the past bookings have a mark. Walk-ins are in neither number:
    they are marked by being entered."""
    return bookings > 0 and marked * 5 >= bookings


def marking_restaurants(restaurant_ids: list[int], *, now: datetime) -> dict[int, bool]:
    """Whether each of these restaurants marks arrivals. One without past bookings is missing.

    One query. One that was not measured yet, because its first bookings have just been read, is
    measured now: a second query until the next hour.
    """
    return completed(measured_restaurants(restaurant_ids), restaurant_ids, now=now)


def is_marking(restaurant: int, day: date | None, *, now: datetime) -> bool:
    """Whether it marks arrivals; one without past bookings does if that day has a mark."""
    known = marking_restaurants([restaurant], now=now)
    if restaurant in known or day is None:
        return known.get(restaurant, False)
    theirs = Reservation.objects.present().for_day(day).filter(restaurant=restaurant)
    return theirs.filter(status__in=STANDING).exclude(meal_status="").exists()


def completed(
    known: dict[int, bool], restaurant_ids: list[int], *, now: datetime
) -> dict[int, bool]:
    """With those that were not measured yet. One query, where there are some."""
    new = [pk for pk in restaurant_ids if pk not in known]
    found = _counted(now.date()).filter(restaurant__in=new) if new else ()
    fresh = {one["restaurant_id"]: marks_arrivals(one["bookings"], one["marked"]) for one in found}
    return known | fresh


def measured_restaurants(restaurant_ids: list[int]) -> dict[int, bool]:
    """The same of those that were measured in the past hours; the others are missing. One query."""
    return measured(tracked_rows(restaurant_ids))


def tracked_rows(restaurant_ids: list[int]) -> list[TrackedRow]:
    """What the marks of past bookings tell of each restaurant. One query."""
    return [TrackedRow._make(row) for row in _known(restaurant_ids)]


def measured(tracked: Iterable[TrackedRow]) -> dict[int, bool]:
    return {row.restaurant: marks_arrivals(row.bookings, row.marked) for row in tracked}


def measure_arrival_tracking(*, now: datetime) -> int:
    """Count the marks of every restaurant's past bookings. One grouped query and one write."""
    arrival_tracking = [ArrivalTracking(measured_at=now, **count) for count in _counted(now.date())]
    ArrivalTracking.objects.bulk_create(
        arrival_tracking,
        update_conflicts=True,
        unique_fields=["restaurant"],
        update_fields=["bookings", "marked", "measured_at"],
    )
    return len(arrival_tracking)


def _counted(today: date) -> "QuerySet[Reservation, Any]":
    past = Reservation.objects.present().filter(
        service_day__range=(today - LOOK_BACK, today - timedelta(days=1)), status="RECORDED"
    )
    counted: QuerySet[Reservation, Any] = (
        past.exclude(reservation_channel=WALK_IN)
        .order_by()
        .values("restaurant_id")
        .annotate(bookings=Count("pk"), marked=Count("pk", filter=~Q(meal_status="")))
    )
    return counted


@prepared
def _known(restaurant_ids: list[int]) -> Any:
    arrival_tracking = ArrivalTracking.objects.filter(restaurant__in=restaurant_ids)
    return arrival_tracking.values_list("restaurant_id", "bookings", "marked", "stays")
