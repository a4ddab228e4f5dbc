"""Requests as a list to work through: the soonest evening first, by day and restaurant."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import cached_property
from itertools import groupby
from typing import Any, NamedTuple

from django import forms
from django.core.paginator import Page, Paginator
from django.db.models import Count, Q
from django.http import QueryDict
from django.utils.functional import Promise
from django.utils.timesince import timesince
from django.utils.translation import gettext_lazy as _

from lib.web.addresses import opening
from mirror.health.first_reading import missing_between, words_of
from reservations.models import ONE_DAY, Reservation, ReservationQuerySet
from reservations.worklists import requests_due
from restaurants.models import Restaurant

ROWS = 100
OVER = "over"
WEEK = timedelta(days=7)


@dataclass(frozen=True)
class DaySpan:
    """Service days from the running one of the restaurant on; None has no end."""

    label: Promise
    first: int
    last: int | None

    def holds(self, days_ahead: int) -> bool:
        return self.first <= days_ahead and (self.last is None or days_ahead <= self.last)


WHEN = {
    "": DaySpan(_("All days"), 0, None),
    "today": DaySpan(_("Today"), 0, 0),
    "tomorrow": DaySpan(_("Tomorrow"), 1, 1),
    "later": DaySpan(_("Later"), 2, None),
    OVER: DaySpan(_("Over, never answered"), -requests_due.LOOK_BACK, -1),
}
# How long a request has waited at least, in hours.
AGES = {"": _("Any wait"), "1": _("Over an hour"), "24": _("Over a day")}


class RequestsForm(forms.Form):
    when = forms.ChoiceField(choices=[(key, one.label) for key, one in WHEN.items()])
    age = forms.ChoiceField(choices=list(AGES.items()))
    place = forms.UUIDField()


class RequestChoice(NamedTuple):
    label: str | Promise
    number: int
    is_on: bool
    url: str


class RequestRow(NamedTuple):
    booking: Reservation
    waits: str


@dataclass(frozen=True)
class RequestGroup:
    """The requests of one restaurant for one service day, and how many there are in all."""

    restaurant: Restaurant
    day: date
    today: date
    number: int
    rows: list[RequestRow]

    @property
    def day_word(self) -> str | Promise:
        """Today or tomorrow in words, for the nearest days are read first."""
        words = {self.today: _("Today"), self.today + ONE_DAY: _("Tomorrow")}
        return words.get(self.day, "")


class RequestNumber(NamedTuple):
    """How many requests a restaurant has for a day, and how many of them wait so long."""

    restaurant: Restaurant
    day: date
    days_ahead: int
    by_age: dict[str, int]


class RequestWorklist:
    """The requests of the address; invalid parameters are ignored."""

    def __init__(self, restaurants: list[Restaurant], address: QueryDict, *, now: datetime) -> None:
        form = RequestsForm(address)
        form.is_valid()
        data = form.cleaned_data
        self.restaurants = restaurants
        self.address = address
        self.now = now
        self.when: str = data.get("when") or ""
        self.age: str = data.get("age") or ""
        self.place = next((one for one in restaurants if one.uuid == data.get("place")), None)

    @property
    def is_narrowed(self) -> bool:
        return bool(self.when or self.age or self.place)

    @cached_property
    def missing_words(self) -> list[str]:
        """What was not read of the week to come. A query while a place was never read whole."""
        days = [one.service_day(self.now) for one in self.restaurants]
        if not days:
            return []
        return words_of(missing_between(min(days), max(days) + WEEK, self.restaurants).values())

    @cached_property
    def numbers(self) -> list[RequestNumber]:
        """All that the filters count. One query over an index of requests only."""
        rows = requests_due.within(self.restaurants, now=self.now, first=-requests_due.LOOK_BACK)
        counted = rows.order_by().values_list("restaurant", "service_day")
        waited = {f"age_{age}": Count("pk", filter=self._waited(age)) for age in AGES if age}
        counted = counted.annotate(Count("pk"), **waited)
        places = {one.pk: one for one in self.restaurants}
        return [self._number(places[pk], day, by_age) for pk, day, *by_age in counted]

    def _number(self, place: Restaurant, day: date, by_age: list[int]) -> RequestNumber:
        ahead = (day - place.service_day(self.now)).days
        return RequestNumber(place, day, ahead, dict(zip(AGES, by_age, strict=True)))

    def _waited(self, age: str) -> Q:
        return Q(created_at__lte=self.now - timedelta(hours=int(age))) if age else Q()

    def _total(self, when: str, age: str, place: Restaurant | None) -> int:
        return sum(
            one.by_age[age]
            for one in self.numbers
            if WHEN[when].holds(one.days_ahead) and place in (None, one.restaurant)
        )

    @property
    def total(self) -> int:
        return self._total(self.when, self.age, self.place)

    @property
    def days(self) -> list[RequestChoice]:
        begin = opening(self.address, "when")
        return [
            RequestChoice(
                one.label, self._total(key, self.age, self.place), key == self.when, begin + key
            )
            for key, one in WHEN.items()
        ]

    @property
    def ages(self) -> list[RequestChoice]:
        begin = opening(self.address, "age")
        return [
            RequestChoice(
                label, self._total(self.when, key, self.place), key == self.age, begin + key
            )
            for key, label in AGES.items()
        ]

    @property
    def places(self) -> list[RequestChoice]:
        """All restaurants, and each that has requests. None of a single restaurant."""
        begin = opening(self.address, "place")
        choices: list[Restaurant | None] = [None, *self.restaurants]
        counted = [(one, self._total(self.when, self.age, one)) for one in choices]
        shown = [(one, n) for one, n in counted if one is None or n or one == self.place]
        return [
            RequestChoice(
                one.label if one else _("All restaurants"),
                n,
                one == self.place,
                begin + (str(one.uuid) if one else ""),
            )
            for one, n in shown
            if len(self.restaurants) > 1
        ]

    @cached_property
    def rows(self) -> ReservationQuerySet:
        """The chosen requests. Not read here: `page` runs the query."""
        span = WHEN[self.when]
        within = [self.place] if self.place else self.restaurants
        rows: ReservationQuerySet = requests_due.within(
            within, now=self.now, first=span.first, last=span.last
        )
        return rows.filter(self._waited(self.age))

    @cached_property
    def page(self) -> "Page[Reservation]":
        """The soonest evening first; what is over, the latest first. One query."""
        listed = self.rows.with_guests().select_related("restaurant").defer("raw")
        day = "-service_day" if self.when == OVER else "service_day"
        within_day = ("restaurant__name", "restaurant", "local_minutes", "created_at", "pk")
        ordered = listed.order_by(day, *within_day)
        paginator = Paginator(ordered, ROWS)
        paginator.count = self.total  # counted already
        return paginator.get_page(self.address.get("page", "1"))

    @property
    def groups(self) -> Iterator[RequestGroup]:
        numbers = {(one.restaurant, one.day): one.by_age[self.age] for one in self.numbers}

        def place_and_day(row: Reservation) -> Any:
            return row.service_day, row.restaurant

        for (day, place), rows in groupby(self.page, key=place_and_day):
            today = place.service_day(self.now)
            shown = [RequestRow(row, self._wait(row)) for row in rows]
            yield RequestGroup(place, day, today, numbers.get((place, day), 0), shown)

    def _wait(self, row: Reservation) -> str:
        """In its largest unit; empty if its beginning is not known."""
        return timesince(row.created_at, self.now, depth=1) if row.created_at else ""
