"""On the books, and expected: what the page shows of the coming 28 days."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import cached_property

from django.utils.functional import Promise
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from insights.answers import Column, Table, Words, left_out, spell
from insights.day_notes.models import notes_by_day
from insights.expected.booked import Place, booked_now, services_in
from insights.expected.drawing import ExpectedColumns
from insights.expected.lines import RULES, Expectation, ExpectedDay, of_one, together
from insights.expected.models import ExpectedService, ForecastRun
from insights.expected.week_cells import draw_cells
from insights.forecast import DAYS_AHEAD, WEEKS_NEEDED
from reservations.service_day.services import NAMES as SERVICE_NAMES
from restaurants.models import Restaurant

WEEK = 7
DAY = timedelta(days=1)


@dataclass(frozen=True)
class ServiceLine:
    """A service of one restaurant, or of several together, day by day."""

    service: str
    restaurants: Sequence[Restaurant]
    days: Sequence[ExpectedDay]
    too_early: str = ""

    @property
    def name(self) -> Promise:
        return SERVICE_NAMES[self.service]

    @property
    def week(self) -> Sequence[ExpectedDay]:
        return self.days[:WEEK]

    @property
    def cells(self) -> SafeString:
        """The next seven days as cells of a table."""
        return draw_cells(self.week)

    @property
    def picture(self) -> ExpectedColumns:
        words = _("%(service)s: covers booked and expected on the next %(days)s days.")
        return ExpectedColumns(self.days, words=words % self._named)

    @property
    def _named(self) -> dict[str, object]:
        return {"service": self.name, "days": len(self.days)}

    @property
    def table(self) -> Table:
        ranged = len(self.restaurants) == 1
        columns = [
            Column(_("Day")),
            Column(_("Booked now"), "number"),
            Column(_("Usually booked by now"), "number"),
            Column(_("Expected"), "number"),
            Column(_("No-shows expected"), "number"),
        ]
        if ranged:
            columns += [Column(_("80 % range"), "range"), Column(_("Method"))]
        return Table(columns, [self._row(one, ranged=ranged) for one in self.days])

    def _row(self, one: ExpectedDay, *, ranged: bool) -> list[object]:
        row: list[object] = [one.label, one.booked, one.usual, one.covers, one.missing]
        if ranged:
            row += [one.range or None, _method(one)]
        return row

    @property
    def no_shows_from(self) -> str:
        """What the expected no-shows of one restaurant are learnt from."""
        week = [one for one in self.week if one.came_before is not None]
        if not week:
            return ""
        missed = sum(one.missed_before or 0 for one in week)
        came = sum(one.came_before or 0 for one in week)
        return _(
            "No-shows expected are learnt from %(missed)s covers that did not come in the last"
            " 26 weeks, beside %(came)s that did; the same weekday counts most."
        ) % {"missed": spell(missed, "number"), "came": spell(came, "number")}

    @property
    def is_simple(self) -> bool:
        return any(one.is_simple for one in self.days)


class ExpectedPage:
    """Four queries whatever the number of restaurants."""

    def __init__(
        self,
        restaurants: Sequence[Restaurant],
        *,
        now: datetime,
        first: date | None = None,
        days: int = DAYS_AHEAD,
    ) -> None:
        """From today on, unless other days are named."""
        self.restaurants = restaurants
        self.now = now
        self.today = {one.pk: one.service_day(now) for one in restaurants}
        self.first = first or min(self.today.values(), default=now.date())
        self.days = days
        self.last = self.first + timedelta(days=days - 1)

    @cached_property
    def runs(self) -> dict[int, ForecastRun]:
        """The last run of each restaurant. One query."""
        return ForecastRun.objects.in_bulk(list(self.today))

    @cached_property
    def booked(self) -> dict[Place, int]:
        """Covers booked now. Up to three queries."""
        return booked_now(list(self.today), self.first, self.last)

    @cached_property
    def expected(self) -> dict[Place, Expectation]:
        """What is expected, of forecasts that still hold. One query."""
        held = ExpectedService.objects.of(list(self.today), self.first, self.last)
        rows = held.order_by().values_list("restaurant_id", *Expectation._fields[1:])
        found = map(Expectation._make, rows)
        return {one[:3]: one for one in found if self._is_current(one)}

    def _is_current(self, one: Expectation) -> bool:
        return one.day >= self.today[one.restaurant]

    @cached_property
    def lines(self) -> list[ServiceLine]:
        """A line for each service of each restaurant."""
        known = services_in(self.booked, self.expected)
        return [
            self._line(one, service)
            for one in self.restaurants
            for service in SERVICE_NAMES
            if (one.pk, service) in known
        ]

    def _line(self, restaurant: Restaurant, service: str) -> ServiceLine:
        passed = self._passed(restaurant)
        booked, expected = self.booked, self.expected
        places = [(restaurant.pk, day, service) for day in self._every_day]
        days = [
            of_one(place[1], booked.get(place, 0), expected.get(place), passed=passed)
            for place in places
        ]
        return ServiceLine(service, [restaurant], days, self._too_early(restaurant, service))

    @cached_property
    def _every_day(self) -> list[date]:
        return [self.first + number * DAY for number in range(self.days)]

    def _passed(self, restaurant: Restaurant) -> float:
        """The share of the running service day that is over, if forecasts were made before it."""
        run = self.runs.get(restaurant.pk)
        if run is None or run.morning != self.today[restaurant.pk]:
            return 0.0
        begins, ends = restaurant.day_bounds(self.today[restaurant.pk])
        return (self.now - begins) / (ends - begins)

    @cached_property
    def _forecast(self) -> set[tuple[int, str]]:
        return services_in(self.expected)

    def _too_early(self, restaurant: Restaurant, service: str) -> str:
        run = self.runs.get(restaurant.pk)
        if run is None or run.made_at is None:
            return _("Not forecast yet.")
        if (restaurant.pk, service) in self._forecast:
            return ""
        weeks = {"weeks": run.too_early.get(service, 0), "needed": WEEKS_NEEDED}
        return _("Too early to say: %(weeks)s of %(needed)s weeks.") % weeks

    @cached_property
    def ready(self) -> list[ServiceLine]:
        """The lines with a forecast; all of them as long as none has one."""
        return [line for line in self.lines if not line.too_early] or self.lines

    @cached_property
    def services(self) -> list[ServiceLine]:
        """A line for each service, of all restaurants that hold it and have a forecast."""
        found = []
        for service in SERVICE_NAMES:
            lines = [line for line in self.ready if line.service == service]
            if lines:
                found.append(_joined(service, lines))
        return found

    @property
    def left_out(self) -> list[Words]:
        early = [line for line in self.lines if line.too_early]
        lines = early if len(early) < len(self.lines) else []
        names = [f"{line.restaurants[0].name} ({line.name})" for line in lines]
        return left_out(_("Left out, too early to say: %(names)s."), names)

    @cached_property
    def week(self) -> list[tuple[date, str]]:
        """The next seven days, each with the words of its notes."""
        days = [self.first + number * DAY for number in range(WEEK)]
        notes = notes_by_day(self.restaurants, days[0], days[-1])
        return [(day, ", ".join(notes.get(day, ()))) for day in days]

    @property
    def is_known(self) -> bool:
        return bool(self.lines)

    @property
    def is_one(self) -> bool:
        return len(self.restaurants) == 1

    @cached_property
    def made_at(self) -> datetime | None:
        """When the oldest of these forecasts was made."""
        made = [run.made_at for run in self.runs.values() if run.made_at]
        return min(made, default=None)

    @cached_property
    def total(self) -> ExpectedDay:
        """All services of the next seven days."""
        days = [one for line in self.services for one in line.week]
        return together(days) if days else ExpectedDay(self.first, 0)

    @property
    def table(self) -> Table:
        """Everything, for a file."""
        columns = (
            Column(_("Restaurant")),
            Column(_("Day")),
            Column(_("Service")),
            Column(_("Booked now"), "number"),
            Column(_("Usually booked by now"), "number"),
            Column(_("Expected"), "number"),
            Column(_("80 % range from"), "number"),
            Column(_("80 % range to"), "number"),
            Column(_("No-shows expected"), "number"),
            Column(_("Method")),
            Column(_("Forecast made (UTC)")),
        )
        return Table(columns, [row for line in self.lines for row in self._rows(line)])

    def _rows(self, line: ServiceLine) -> list[list[object]]:
        [restaurant] = line.restaurants
        run = self.runs.get(restaurant.pk)
        made_at = run.made_at if run and not line.too_early else None
        return [
            [restaurant.name, one.day, str(line.name), one.booked, one.usual, one.covers]
            + [one.lower, one.upper, one.missing, _method(one), made_at]
            for one in line.days
        ]


def _method(one: ExpectedDay) -> str | None:
    return None if one.rule is None else str(RULES[one.rule])


def _joined(service: str, lines: Sequence[ServiceLine]) -> ServiceLine:
    days = [together(found) for found in zip(*(line.days for line in lines), strict=True)]
    places = [one for line in lines for one in line.restaurants]
    early = next((line.too_early for line in lines if line.too_early), "")
    return ServiceLine(service, places, days, early)
