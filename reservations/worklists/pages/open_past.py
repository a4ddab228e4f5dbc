"""Open past bookings: over, confirmed, and marked neither as left nor as a no-show.

They distort the numbers of visits and no-shows. Outcomes can only be marked in the host app, so
this is a list to work through there.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import cached_property
from itertools import groupby
from typing import Any, NamedTuple
from urllib.parse import urlencode

from django import forms
from django.core.paginator import Page, Paginator
from django.db.models import Count, Q
from django.http import QueryDict
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from lib.database.compiled_queries import COUNT, prepared
from lib.web.addresses import opening
from mirror.health.first_reading import missing_between, words_of
from reservations.models import ONE_DAY, Reservation, ReservationQuerySet
from reservations.service_day.bookings import measured_restaurants
from reservations.service_day.day import ServiceDay
from restaurants.models import Restaurant, by_service_day

ROWS = 100
# Days of service back from today, and the words of the choice.
SPANS = {"1": _("Yesterday"), "7": _("7 days"), "28": _("28 days")}
DEFAULT_SPAN = "7"


class OpenPastFilter(NamedTuple):
    label: Promise
    icon: str
    wants: Q


FILTERS = {
    "unmarked": OpenPastFilter(_("No mark at all"), "phase-unmarked", Q(meal_status="")),
    "here": OpenPastFilter(_("Arrived, never left"), "phase-seated", ~Q(meal_status="")),
}


class OpenPastForm(forms.Form):
    days = forms.ChoiceField(choices=list(SPANS.items()))
    show = forms.ChoiceField(choices=[(key, one.label) for key, one in FILTERS.items()])


class OpenPastChoice(NamedTuple):
    label: str | Promise
    icon: str
    is_on: bool
    url: str


@dataclass(frozen=True)
class OpenPastPlace:
    """The bookings of one restaurant that are on the page, and how many there are in all."""

    restaurant: Restaurant
    count: int
    rows: list[Reservation]


class OpenPastBookings:
    """The worklist of the address; invalid parameters are ignored.

    Restaurants that never mark arrivals are named, not listed.
    """

    def __init__(self, restaurants: list[Restaurant], address: QueryDict, *, now: datetime) -> None:
        form = OpenPastForm(address)
        form.is_valid()
        self.restaurants = restaurants
        self.address = address
        self.now = now
        self.days: str = form.cleaned_data.get("days") or DEFAULT_SPAN
        self.shown: str = form.cleaned_data.get("show") or ""

    @property
    def spans(self) -> list[OpenPastChoice]:
        begin = opening(self.address, "days")
        return [
            OpenPastChoice(label, "", key == self.days, begin + key) for key, label in SPANS.items()
        ]

    @property
    def chips(self) -> list[OpenPastChoice]:
        begin = opening(self.address, "show")
        return [
            OpenPastChoice(one.label, one.icon, key == self.shown, begin + self._other(key))
            for key, one in FILTERS.items()
        ]

    def _other(self, key: str) -> str:
        """The filter to link to, or none where it is on."""
        return "" if key == self.shown else key

    @cached_property
    def _marking(self) -> dict[int, bool]:
        """Which restaurants mark arrivals. One query."""
        return measured_restaurants([one.pk for one in self.restaurants])

    @cached_property
    def silent(self) -> list[Restaurant]:
        """Restaurants that never mark arrivals. A new one, of which nothing is known, is listed."""
        return [one for one in self.restaurants if not self._marking.get(one.pk, True)]

    @cached_property
    def rows(self) -> ReservationQuerySet:
        """The bookings of the chosen age. Not read here: `page` runs the query."""
        restaurants = [one for one in self.restaurants if one not in self.silent]
        rows = Reservation.objects.open_past()
        rows = rows.in_past_days(restaurants, now=self.now, days=int(self.days))
        return rows.filter(FILTERS[self.shown].wants) if self.shown else rows

    @cached_property
    def counts(self) -> dict[int, int]:
        """How many each restaurant has. One query over an index of such bookings only."""
        groups = self.rows.order_by().values_list("restaurant").annotate(Count("pk"))
        return dict(groups)

    @property
    def total(self) -> int:
        return sum(self.counts.values())

    @cached_property
    def missing_words(self) -> list[str]:
        """Which of these days were not read. A query while a place was never read whole."""
        days = [one.service_day(self.now) for one in self.restaurants]
        if not days:
            return []
        first = min(days) - timedelta(days=int(self.days))
        return words_of(missing_between(first, max(days) - ONE_DAY, self.restaurants).values())

    @cached_property
    def page(self) -> "Page[Reservation]":
        """By restaurant, the latest day first."""
        listed = self.rows.with_guests().select_related("restaurant").defer("raw")
        ordered = listed.order_by(
            "restaurant__name", "restaurant", "-service_day", "local_minutes", "pk"
        )
        paginator = Paginator(ordered, ROWS)
        paginator.count = self.total  # counted already
        return paginator.get_page(self.address.get("page", "1"))

    @property
    def places(self) -> Iterator[OpenPastPlace]:
        for restaurant, rows in groupby(self.page, key=lambda row: row.restaurant):
            yield OpenPastPlace(restaurant, self.counts[restaurant.pk], list(rows))


class LastNight:
    """The sentence above today's board with its link. Counted only when shown."""

    def __init__(self, evening: ServiceDay, *, scope: str) -> None:
        self.evening = evening
        self.scope = scope

    @property
    def url(self) -> str:
        data = {"scope": self.scope, "days": "1"} if self.scope else {"days": "1"}
        return f"{reverse('reservations:open_past')}?{urlencode(data)}"

    @cached_property
    def count(self) -> int:
        """How many bookings of the day before have no outcome. One query for each of its dates."""
        evening = self.evening
        marking = [one for pk, one in evening.restaurants.items() if evening.marking[pk]]
        days = by_service_day(marking, now=evening.now)
        return sum(_open_on(day - ONE_DAY, places)[0][0] for day, places in days.items())


@prepared
def _open_on(day: date, restaurant_ids: list[int]) -> Any:
    rows = Reservation.objects.open_past().filter(service_day=day, restaurant__in=restaurant_ids)
    return rows.order_by().values_list(COUNT)
