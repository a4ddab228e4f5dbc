"""What the prep sheet shows: the services of a day of one restaurant, or a line for each."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from functools import cached_property
from typing import NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext as _

from insights.answers import Column, Table, spell
from insights.day_notes.models import notes_by_day
from insights.expected.lines import ExpectedDay
from insights.expected.pages.coming import ExpectedPage, ServiceLine
from insights.models import Mark
from insights.prep.arrivals import ArrivalSpread, spreads_of, together
from insights.prep.booked import Counted, Extras, diets_of, extras_of
from insights.prep.models import Targets, targets_of
from mirror.health.first_reading import Missing, missing_on
from reservations.phases import COMING_OR_CAME
from reservations.service_clock import SLOT, clock
from reservations.service_day.bookings import BoardBooking
from reservations.service_day.day import ServiceDay
from reservations.service_day.services import NAMES as SERVICE_NAMES
from reservations.service_day.services import service_of
from restaurants.models import Restaurant

WIDTH = 100  # of a bar, in units that the browser stretches


class Quarter(NamedTuple):
    """A quarter of an hour of a service, and its bar."""

    time: str
    booked: int
    expected: int | None
    by_then: int  # covers expected until its end, or booked where nothing is expected
    booked_width: float
    expected_width: float


@dataclass(frozen=True)
class ServicePrep:
    """One service of one restaurant."""

    line: ServiceLine
    target: int | None = None
    bookings: Sequence[BoardBooking] = ()
    spread: ArrivalSpread = field(default_factory=ArrivalSpread)
    extras: Extras = field(default_factory=lambda: Extras([], []))
    diets: Sequence[Counted] = ()

    @property
    def restaurant(self) -> Restaurant:
        return self.line.restaurants[0]

    @property
    def service(self) -> str:
        return self.line.service

    @property
    def name(self) -> Promise:
        return self.line.name

    @property
    def day(self) -> ExpectedDay:
        return self.line.days[0]

    @property
    def target_words(self) -> str:
        """“6 below target”."""
        known = self.day.covers if self.day.covers is not None else self.day.booked
        if self.target is None or known == self.target:
            return ""
        words = _("%(n)s below") if known < self.target else _("%(n)s above")
        return words % {"n": spell(abs(known - self.target), "number")}

    @cached_property
    def booked(self) -> dict[int, int]:
        """Covers by quarter of an hour."""
        found: dict[int, int] = defaultdict(int)
        for one in self.bookings:
            found[one.minutes - one.minutes % SLOT] += one.party_size or 0
        return dict(found)

    @cached_property
    def quarters(self) -> list[Quarter]:
        """From the first arrival to the last, quiet quarters included."""
        expected = self._expected()
        busy = [at for at, covers in (expected or self.booked).items() if covers]
        busy += [at for at, covers in self.booked.items() if covers]
        if not busy:
            return []
        most = max([*self.booked.values(), *(expected or {}).values()])
        found, by_then = [], 0
        for at in range(min(busy), max(busy) + SLOT, SLOT):
            booked = self.booked.get(at, 0)
            coming = expected.get(at, 0) if expected is not None else None
            by_then += booked if coming is None else coming
            widths = (booked / most * WIDTH, (coming or 0) / most * WIDTH)
            found.append(Quarter(clock(at), booked, coming, by_then, *map(_tenths, widths)))
        return found

    def _expected(self) -> dict[int, int] | None:
        if self.day.covers is None:
            return None
        return together(self.booked, self.day.covers, self.spread.quarters)

    @property
    def learnt_from(self) -> str:
        """What the spread over the service is learnt from."""
        if self.day.covers is None or not self.spread.days:
            return ""
        words = (
            _("The spread is learnt from the last %(n)s of the same weekday.")
            if self.spread.is_of_weekday
            else _("The spread is learnt from %(n)s services of the last four weeks.")
        )
        return words % {"n": len(self.spread.days)}

    @property
    def parties(self) -> int:
        return len(self.bookings)

    @property
    def big(self) -> list[tuple[str, BoardBooking]]:
        """Big parties with their times."""
        return [(clock(one.minutes), one) for one in self.bookings if one.is_large]


class PrepPage:
    """The services of a day, of all restaurants on the screen. Seven queries for any number."""

    def __init__(self, restaurants: Sequence[Restaurant], day: date, *, now: datetime) -> None:
        self.restaurants = restaurants
        self.day = day
        self.now = now
        self.expected = ExpectedPage(restaurants, now=now, first=day, days=1)

    @cached_property
    def missing(self) -> Missing:
        """What is not known of the day. One query while a place was never read whole."""
        return missing_on(self.day, self.restaurants)

    @property
    def is_being_counted(self) -> bool:
        """Whether its sums, those of diets among them, are older than its bookings. One query."""
        return Mark.objects.filter(restaurant__in=self.restaurants, day=self.day).exists()

    @property
    def made(self) -> datetime:
        """Now, in the local time of the first restaurant."""
        first = next(iter(self.restaurants), None)
        return first.local(self.now).replace(tzinfo=None) if first else self.now

    @cached_property
    def targets(self) -> Targets:
        """One query."""
        return targets_of([one.pk for one in self.restaurants], self.day)

    @cached_property
    def notes(self) -> list[str]:
        """Holidays and events of the day. One query."""
        return notes_by_day(self.restaurants, self.day, self.day).get(self.day, [])

    @cached_property
    def services(self) -> list[ServicePrep]:
        """Without bookings: a line of the overview."""
        return [ServicePrep(line, self._target(line)) for line in self.lines]

    @cached_property
    def lines(self) -> list[ServiceLine]:
        """Services that somebody booked or is expected at, or that have a target."""
        return [
            line
            for line in self.expected.lines
            if not line.days[0].is_closed
            and (line.days[0].booked or line.days[0].covers or self._target(line))
        ]

    @property
    def is_forecast(self) -> bool:
        """Whether any service has a forecast; else its columns would hold nothing."""
        return any(one.day.covers is not None for one in self.services)

    @property
    def has_targets(self) -> bool:
        return any(one.target is not None for one in self.services)

    def _target(self, line: ServiceLine) -> int | None:
        return self.targets.get((line.restaurants[0].pk, line.service))

    def sheet_of(self, restaurant: Restaurant, *, sees_health: bool) -> list[ServicePrep]:
        """Every service of one restaurant in full. Up to eight queries more."""
        extras = extras_of(restaurant, self.day)
        diets = diets_of(restaurant, self.day) if sees_health else {}
        return [
            replace(
                one,
                extras=extras.get(one.service, Extras([], [])),
                diets=diets.get(one.service, ()),
            )
            for one in self._by_quarter(restaurant, health=[restaurant.pk] if sees_health else [])
        ]

    def _by_quarter(self, restaurant: Restaurant, *, health: Sequence[int]) -> list[ServicePrep]:
        evening = ServiceDay([restaurant], self.day, now=self.now, health=health)
        bookings = _by_service(evening)
        spreads = spreads_of(restaurant, self.day, today=restaurant.service_day(self.now))
        return [
            ServicePrep(
                line,
                self._target(line),
                bookings.get(line.service, ()),
                spreads.get(line.service, ArrivalSpread()),
            )
            for line in self.lines
            if line.restaurants[0] == restaurant
        ]

    @property
    def file(self) -> Table:
        """Every quarter of an hour of every service, for a file."""
        columns = (
            Column(_("Restaurant")),
            Column(_("Day")),
            Column(_("Service")),
            Column(_("Time")),
            Column(_("Booked now"), "number"),
            Column(_("Expected"), "number"),
            Column(_("Target of the service"), "number"),
        )
        sheets = [self._by_quarter(one, health=()) for one in self.restaurants]
        return Table(columns, [row for sheet in sheets for one in sheet for row in _rows(one)])


def _rows(prep: ServicePrep) -> list[list[object]]:
    place = (prep.restaurant.name, prep.day.day, str(SERVICE_NAMES[prep.service]))
    return [[*place, one.time, one.booked, one.expected, prep.target] for one in prep.quarters]


def _by_service(evening: ServiceDay) -> dict[str, list[BoardBooking]]:
    found: dict[str, list[BoardBooking]] = defaultdict(list)
    for one in evening.bookings:
        if one.phase.key in COMING_OR_CAME:
            found[service_of(one.minutes // 60)].append(one)
    return found


def _tenths(width: float) -> float:
    return round(width, 1)
