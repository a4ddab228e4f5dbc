"""The log of calls, and one call in words."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from functools import cached_property
from itertools import accumulate, groupby
from operator import itemgetter

from django.db.models import Q
from django.http import QueryDict
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from accounts.models import User
from customers.models import Customer
from lib.dates import utc_offset
from phone import numbers
from phone.calls.callers import Caller, names_of
from phone.calls.repeats import in_words, repeats_of
from phone.forms import OUTCOMES, LogForm
from phone.models import LONGEST_RING, Call, PhoneSystem
from restaurants.models import Restaurant

PER_PAGE = 50
# outcome → word, tone of its badge
OUTCOME_WORDS: dict[str, tuple[Promise, str]] = {
    "ringing": (_("Ringing"), "info"),
    "silent": (_("End not reported"), ""),
    "talking": (_("On the line"), "good"),
    "answered": (_("Answered"), "good"),
    "missed": (pgettext_lazy("of one call", "Missed"), "bad"),
    "ended": (_("Ended"), ""),
}


class CallLine:
    """A call as a screen shows it."""

    def __init__(
        self, call: Call, *, guests: list[Customer], now: datetime, nth: int | None = None
    ) -> None:
        self.call = call
        self.guests = guests
        self.now = now
        self.nth = nth

    @classmethod
    def of(cls, calls: Iterable[Call], user: User) -> "list[CallLine]":
        """Lines with their guests, and who rang in vain before. Two queries for all."""
        calls = list(calls)
        names, nths, now = names_of(calls, user=user), repeats_of(calls), timezone.now()
        return [
            cls(call, guests=names.get(call.uuid, []), now=now, nth=nths.get(call.uuid))
            for call in calls
        ]

    @property
    def number(self) -> str:
        return numbers.pretty(self.call.number)

    @property
    def at(self) -> datetime:
        """The restaurant's local time, without a zone: a template would convert it otherwise."""
        return self.call.restaurant.local(self.call.began_at).replace(tzinfo=None)

    @property
    def offset(self) -> str:
        return utc_offset(self.call.restaurant.local(self.call.began_at))

    @property
    def outcome(self) -> str:
        is_lost = self.call.began_at < self.now - LONGEST_RING
        return "silent" if self.call.outcome == "ringing" and is_lost else self.call.outcome

    @property
    def word(self) -> Promise:
        return OUTCOME_WORDS[self.outcome][0]

    @property
    def tone(self) -> str:
        return OUTCOME_WORDS[self.outcome][1]

    @property
    def repeat(self) -> str:
        """Which call of the service day it is, if the one before was in vain."""
        if self.nth is None:
            return ""
        day, today = map(self.call.restaurant.service_day, (self.call.began_at, self.now))
        return in_words(self.nth, is_today=day == today)

    @property
    def talk(self) -> str:
        """The duration of the conversation: 2:05."""
        talk: timedelta | None = self.call.talk
        if talk is None:
            return ""
        minutes, seconds = divmod(int(talk.total_seconds()), 60)
        return f"{minutes}:{seconds:02}"


class RingingLine(CallLine):
    """A call that is on the line, with what its caller has booked. At most four queries."""

    def __init__(self, call: Call, user: User, *, now: datetime) -> None:
        place = call.restaurant
        number = numbers.read(call.number, country=place.country)
        self.known = Caller(number, restaurant=place, user=user, now=now).guests
        super().__init__(call, guests=[one.guest for one in self.known], now=now)


class Log:
    """One page of the call log. Each property queries when the template reads it."""

    def __init__(self, address: QueryDict, restaurants: list[Restaurant], *, user: User) -> None:
        form = LogForm(address)
        form.is_valid()
        self.outcome: str = form.cleaned_data.get("outcome") or ""
        self.before: int | None = form.cleaned_data.get("before")
        self.restaurants = restaurants
        self.user = user
        self.outcomes = OUTCOMES

    @cached_property
    def _rows(self) -> list[Call]:
        """The calls of the page, and one more if there are older ones. Up to two queries."""
        rows = Call.objects.filter(restaurant__in=self.restaurants).for_log()
        if self.outcome == "missed":
            rows = rows.missed()
        # By key and not by number: a page of the past must not count all that lies before it.
        last = Call.objects.filter(pk=self.before or 0).values_list("began_at", flat=True).first()
        if last:
            same_moment = Q(began_at=last, pk__lt=self.before)
            rows = rows.filter(Q(began_at__lt=last) | same_moment, began_at__lte=last)
        return list(rows[: PER_PAGE + 1])

    @cached_property
    def lines(self) -> list[CallLine]:
        """The calls of the page with their guests. Two queries more than the calls."""
        return CallLine.of(self._rows[:PER_PAGE], self.user)

    @property
    def days(self) -> list[tuple[object, list[CallLine]]]:
        """The lines under their local dates, the newest first.

        Where it is tomorrow already in one zone, a line stays under the date of the one before,
        and its own day stands beside its time: dates would go back and forth otherwise.
        """
        earliest = accumulate((line.at.date() for line in self.lines), min)
        groups = groupby(zip(earliest, self.lines, strict=True), key=itemgetter(0))
        return [(day, [line for _day, line in lines]) for day, lines in groups]

    @property
    def older(self) -> int | None:
        return self._rows[PER_PAGE - 1].pk if len(self._rows) > PER_PAGE else None

    @property
    def has_many_places(self) -> bool:
        return len(self.restaurants) > 1

    @cached_property
    def has_many_zones(self) -> bool:
        """Whether local times of the page are of several zones. Summer time may end apart."""
        clocks = {one.timezone: one for one in self.restaurants}.values()
        moments = [line.call.began_at for line in self.lines]
        return any(len({one.local(at).utcoffset() for one in clocks}) > 1 for at in moments)

    @property
    def scope(self) -> str:
        """The restaurants whose changes update this log (docs/live.md)."""
        return " ".join(str(one.uuid) for one in self.restaurants)

    @cached_property
    def has_system(self) -> bool:
        """Whether one of these restaurants has a telephone system. One query."""
        places = Q(connection__groups__restaurants__in=self.restaurants) | Q(connection=None)
        return PhoneSystem.objects.filter(places).exists()
