"""Forms of groups and restaurants; provisioning uses them too."""

from collections.abc import Iterable
from datetime import time
from itertools import groupby
from operator import itemgetter
from typing import Any, cast

from django import forms
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.utils.dates import WEEKDAYS, WEEKDAYS_ABBR
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _

from lib.web.inputs import ClockInput
from partner.models import Connection
from partner.wording.names import naming_host_app
from restaurants.codes import LIKELY_ZONES, read_phone, time_zones
from restaurants.models import Group, Period, Restaurant

# The codes of a provisioning file, Monday first.
WEEKDAY_CODES = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]


class UuidField(forms.UUIDField):
    """A uuid whose refusal repeats what was typed."""

    def to_python(self, value: Any) -> Any:
        try:
            return super().to_python(value)
        except ValidationError as error:
            raise ValidationError(
                _(
                    "“%(value)s” is not a uuid; one is written like "
                    "3f0f5b0e-52f6-4d0a-9d4c-6f6a4b1c2d3e."
                ),
                params={"value": value},
            ) from error


def zones_by_region() -> list[tuple[str, list[tuple[str, str]]]]:
    """All zones by region, the likely ones of the reader's language before them."""
    names = sorted(name for name in time_zones() if "/" in name)
    regions = groupby(
        [name for name in names if not name.startswith(("Etc/", "SystemV/"))],
        key=lambda name: name.split("/")[0],
    )
    choices = [
        (region, sorted(map(_by_city, zones), key=itemgetter(1))) for region, zones in regions
    ]
    likely = LIKELY_ZONES.get((get_language() or "")[:2], LIKELY_ZONES["en"]).split()
    first = (gettext("Often chosen"), [_by_city(name) for name in likely if name in time_zones()])
    return [("", [("", "—")]), first, *choices, ("UTC", [("UTC", "UTC")])]


def _by_city(name: str) -> tuple[str, str]:
    """The name, and its label from the city on: lists are searched by their first letters."""
    region, *between, city = name.replace("_", " ").split("/")
    return name, f"{city} ({'/'.join([region, *between])})"


# Whose it is instead, nobody here may learn.
TAKEN = {
    "unique": _("This uuid cannot be added. Compare it with what the operator of the service gave.")
}


class GroupForm(forms.ModelForm):  # type: ignore[type-arg]  # it takes none at run time
    uuid = UuidField(
        label=_("Identifier (UUID)"),
        help_text=_("As the operator of the service gave it."),
        error_messages=TAKEN,
    )

    class Meta:
        model = Group
        fields = ["uuid", "name", "no_show_hints"]
        help_texts = {
            "no_show_hints": _(
                "A booking's page then names reasons, such as an earlier no-show. Guests are never "
                "scored, and nothing is blocked."
            ),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        keep_identity(self)

    def offer(self, connections: QuerySet[Connection]) -> None:
        """Let a new group belong to one of these; a single one needs no choice."""
        found = list(connections[:2])
        if len(found) == 1:
            self.instance.connection = found[0]
        elif found:
            field = forms.ModelChoiceField(connections, label=_("Connection"))
            self.fields["connection"] = field

    def save(self, commit: bool = True) -> Any:
        if chosen := self.cleaned_data.get("connection"):
            self.instance.connection = chosen
        return super().save(commit)


class RestaurantForm(forms.ModelForm):  # type: ignore[type-arg]  # it takes none at run time
    uuid = UuidField(
        label=_("Identifier (UUID)"),
        help_text=_("As the operator of the service gave it."),
        error_messages=TAKEN,
    )
    timezone = forms.ChoiceField(
        label=_("Time zone"),
        choices=zones_by_region,
        error_messages={
            "invalid_choice": _(
                "“%(value)s” is not a known time zone; one is written like Europe/Paris."
            )
        },
    )

    host_app_url = forms.URLField(
        label=naming_host_app(_("Link to %(app)s")),
        required=False,
        assume_scheme="https",
        help_text=_("Seating is set there; boards link to it."),
    )

    class Meta:
        model = Restaurant
        fields = [
            "uuid",
            "name",
            "short_name",
            "colour",
            "timezone",
            "country",
            "currency",
            "phone",
            "host_app_url",
            "kitchen_language",
            "day_start",
            "stay_up_to_2",
            "stay_up_to_4",
            "stay_up_to_6",
            "stay_larger",
        ]
        widgets = {
            "colour": forms.TextInput(attrs={"type": "color"}),
            "day_start": ClockInput(),
        }
        help_texts = {
            "short_name": _("Where space is short."),
            "country": _("Two letters, such as FR."),
            "currency": _("Three letters, such as EUR."),
            "phone": _("The line that guests call."),
            "kitchen_language": _(
                "Allergens on the briefing are named in it. Empty: in the language of the reader."
            ),
            "day_start": _("Until then a late evening belongs to the day before."),
            "stay_up_to_2": _("In minutes, until it is learnt from the marks of thirty parties."),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        keep_identity(self)

    def clean_colour(self) -> str:
        return str(self.cleaned_data["colour"]).lower()

    def clean_country(self) -> str:
        return str(self.cleaned_data["country"]).upper()

    def clean_currency(self) -> str:
        return str(self.cleaned_data["currency"]).upper()

    def clean_phone(self) -> str:
        phone = self.cleaned_data["phone"]
        return read_phone(phone, country=self.cleaned_data.get("country", "")) if phone else ""


def keep_identity(form: "forms.ModelForm[Any]") -> None:
    """Disable the uuid of a stored row: its data would otherwise belong to another place."""
    if form.instance.pk:
        form.fields["uuid"].disabled = True


class ServicePeriodForm(forms.Form):
    name = forms.CharField(label=_("Name"), max_length=40)
    start = forms.TimeField(label=_("From"), widget=ClockInput())
    end = forms.TimeField(label=_("Until"), widget=ClockInput())
    weekdays = forms.TypedMultipleChoiceField(
        label=_("On"),
        coerce=WEEKDAY_CODES.index,
        choices=[(WEEKDAY_CODES[day], label) for day, label in WEEKDAYS_ABBR.items()],
        widget=forms.CheckboxSelectMultiple,
        error_messages={
            "invalid_choice": _("“%(value)s” is not a weekday; one is written like mon.")
        },
    )

    def clean(self) -> dict[str, Any]:
        start, end = self.cleaned_data.get("start"), self.cleaned_data.get("end")
        if start is not None and start == end:
            self.add_error("end", _("A service that ends when it starts is empty."))
        return self.cleaned_data

    def periods(self) -> list[Period]:
        data = self.cleaned_data
        return [(day, data["name"], data["start"], data["end"]) for day in data["weekdays"]]


def check_starts(periods: Iterable[Period]) -> None:
    """Refuse two services that start at the same time, which a board could not distinguish."""
    seen: set[tuple[int, time]] = set()
    for weekday, _name, start, _end in periods:
        if (weekday, start) in seen:
            raise ValidationError(
                _("Two services start at %(start)s on %(weekday)s."),
                params={"start": f"{start:%H:%M}", "weekday": WEEKDAYS[weekday]},
            )
        seen.add((weekday, start))


class BaseServicePeriods(forms.BaseFormSet):  # type: ignore[type-arg]  # it takes none at run time
    def clean(self) -> None:
        if not any(self.errors):
            check_starts(self.periods())

    def periods(self) -> list[Period]:
        kept = [form for form in self.forms if form.has_changed() or form.initial]
        return [
            period
            for form in kept
            if form.cleaned_data and not form.cleaned_data.get("DELETE")
            for period in form.periods()
        ]


ServicePeriods = cast(
    type[BaseServicePeriods],
    forms.formset_factory(ServicePeriodForm, formset=BaseServicePeriods, extra=1, can_delete=True),
)


def periods_as_initial(restaurant: Restaurant) -> list[dict[str, Any]]:
    """The rows of a restaurant, one line per service and not one per weekday. One query."""
    weekdays: dict[tuple[str, time, time], list[str]] = {}
    for period in restaurant.service_periods.all():
        key = (period.name, period.start, period.end)
        weekdays.setdefault(key, []).append(WEEKDAY_CODES[period.weekday])
    return [
        {"name": name, "start": start, "end": end, "weekdays": days}
        for (name, start, end), days in sorted(weekdays.items(), key=lambda item: item[0][1])
    ]
