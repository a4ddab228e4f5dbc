"""The parameters of a question: days, comparison, restaurants, service, channel."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from functools import cached_property
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from lib.web.inputs import DayInput
from reservations.service_day.services import NAMES as SERVICE_NAMES
from reservations.words import CHANNELS
from restaurants.models import Restaurant

RANGES = {"1d": 1, "1w": 7, "4w": 28, "13w": 91, "52w": 364}
RANGE_NAMES = {
    "1d": _("Yesterday"),
    "1w": _("Last week"),
    "4w": _("Last 4 weeks"),
    "13w": _("Last 13 weeks"),
    "52w": _("Last 52 weeks"),
    "own": _("Own dates"),
}
NEXT_NAMES = {"next": _("Next 7 days")}  # for questions that look ahead
COMPARISONS = {"before": _("the weeks before"), "year": _("a year before")}
YEAR = 364  # days: whole weeks, so that a Saturday is compared with a Saturday
LONGEST = 1100  # days: three years
EARLIEST = date(2000, 1, 1)


@dataclass(frozen=True, kw_only=True)
class InsightParams:
    """The days are whole service days, both ends included."""

    restaurants: Sequence[Restaurant]
    first: date
    last: date
    shift: int  # days between a day and the one it is compared with: always whole weeks
    service: str = ""
    channel: str = ""
    is_ahead: bool = False  # days that are not over: no change against whole ones
    memo: dict[Any, Any] = field(default_factory=dict, compare=False, repr=False)

    @property
    def ids(self) -> list[int]:
        return [restaurant.pk for restaurant in self.restaurants]

    @property
    def days(self) -> int:
        return (self.last - self.first).days + 1

    @property
    def before(self) -> "InsightParams":
        """The same question about the days that these are compared with."""
        back = timedelta(days=self.shift)
        return replace(self, first=self.first - back, last=self.last - back)

    @property
    def is_year_before(self) -> bool:
        return self.shift == YEAR

    @property
    def compared_with(self) -> Promise:
        if self.is_year_before:
            return _("a year before")
        return _("the week before") if self.shift == 7 else _("the weeks before")


class InsightParamsForm(forms.Form):
    """Everything is optional: what is missing or makes no sense is answered as by default."""

    range = forms.ChoiceField(
        label=_("Days"), required=False, choices=list(RANGE_NAMES.items()), initial="4w"
    )
    since = forms.DateField(label=_("From"), required=False, widget=DayInput())
    until = forms.DateField(label=_("Until"), required=False, widget=DayInput())
    compare = forms.ChoiceField(
        label=_("Compared with"), required=False, choices=list(COMPARISONS.items())
    )
    service = forms.ChoiceField(
        label=_("Service"), required=False, choices=[("", _("All")), *SERVICE_NAMES.items()]
    )
    channel = forms.CharField(
        label=_("Channel"),
        required=False,
        max_length=64,
        widget=forms.Select(choices=[("", _("All")), *CHANNELS.items()]),
    )
    only = forms.MultipleChoiceField(
        label=_("Restaurants"), required=False, widget=forms.CheckboxSelectMultiple
    )

    def __init__(
        self,
        data: QueryDict,
        *,
        restaurants: Sequence[Restaurant],
        today: date,
        days_ahead: int = 0,
    ) -> None:
        super().__init__({"range": "4w"} | data.dict() | {"only": data.getlist("only")})
        self.label_suffix = ""
        self.restaurants = restaurants
        self.today = today
        self.days_ahead = days_ahead
        if days_ahead:
            names = [*NEXT_NAMES.items(), *RANGE_NAMES.items()]
            self.fields["range"].choices = names  # type: ignore[attr-defined]  # of a choice field
        self.fields["only"].choices = [  # type: ignore[attr-defined]  # of a choice field
            (str(one.uuid), one.name) for one in restaurants
        ]
        self.is_valid()

    @cached_property
    def params(self) -> InsightParams:
        data: dict[str, Any] = self.cleaned_data
        first, last = self._days(data)
        weeks = -(-((last - first).days + 1) // 7) * 7
        is_year = data.get("compare") == "year" or weeks > YEAR
        only = data.get("only") or []
        return InsightParams(
            restaurants=[one for one in self.restaurants if not only or str(one.uuid) in only],
            first=first,
            last=last,
            shift=max(YEAR, weeks) if is_year else weeks,
            service=data.get("service", ""),
            channel=data.get("channel", ""),
            is_ahead=last >= self.today,
        )

    @property
    def range_now(self) -> str:
        """The range that is answered: own dates only if they make sense."""
        chosen = self.cleaned_data.get("range") or "4w"
        return "4w" if chosen == "own" and not self._own(self.cleaned_data) else chosen

    def _days(self, data: dict[str, Any]) -> tuple[date, date]:
        if self.range_now == "own" and (own := self._own(data)):
            return own
        if self.range_now in NEXT_NAMES:
            return self.today, self.today + timedelta(days=6)
        yesterday = self.today - timedelta(days=1)
        return yesterday - timedelta(days=RANGES[self.range_now] - 1), yesterday

    def _own(self, data: dict[str, Any]) -> tuple[date, date] | None:
        """Days that are over or may be looked ahead to, at most three years, or nothing.

        Of today a part has come: who is expected tonight would count as a booking that was kept.
        """
        first, last = data.get("since"), data.get("until")
        if first is None or last is None or first < EARLIEST:
            return None
        last = min(last, self.today + timedelta(days=self.days_ahead or -1))
        if last < first:
            return None
        return max(first, last - timedelta(days=LONGEST - 1)), last
