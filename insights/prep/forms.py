"""The form of a restaurant's targets: covers for each service of each weekday, empty for none."""

from collections.abc import Iterator

from django import forms
from django.db import transaction
from django.forms import BoundField
from django.utils.dates import WEEKDAYS
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from insights.prep.models import ServiceTarget
from reservations.service_day.services import NAMES as SERVICE_NAMES
from restaurants.models import Restaurant

MOST = 5000
Place = tuple[str, int]  # service, weekday


class TargetsForm(forms.Form):
    def __init__(self, *args: object, restaurant: Restaurant) -> None:
        self.restaurant = restaurant
        held = ServiceTarget.objects.filter(restaurant=restaurant)
        self.stored = {(one.service, one.weekday): one for one in held}
        initial = {_name(*place): one.covers for place, one in self.stored.items()}
        super().__init__(*args, initial=initial)  # type: ignore[misc,arg-type]  # data comes first
        for place in places():
            self.fields[_name(*place)] = _field(*place)

    @property
    def rows(self) -> Iterator[tuple[str, list[BoundField]]]:
        """A line for each weekday, a field for each service."""
        for weekday, label in WEEKDAYS.items():
            yield capfirst(str(label)), [self[_name(service, weekday)] for service in SERVICE_NAMES]

    @transaction.atomic
    def save(self) -> None:
        """Store what has changed, so that the audit trail names nothing else."""
        for place in places():
            self._store(place, self.cleaned_data[_name(*place)])

    def _store(self, place: Place, covers: int | None) -> None:
        row = self.stored.get(place)
        if covers is None:
            if row:
                row.delete()
        elif row is None:
            ServiceTarget.objects.create(
                restaurant=self.restaurant, service=place[0], weekday=place[1], covers=covers
            )
        elif row.covers != covers:
            row.covers = covers
            row.save(update_fields=["covers"])


def places() -> Iterator[Place]:
    for weekday in WEEKDAYS:
        for service in SERVICE_NAMES:
            yield service, weekday


def _name(service: str, weekday: int) -> str:
    return f"{service}-{weekday}"


def _field(service: str, weekday: int) -> forms.IntegerField:
    words = {"service": SERVICE_NAMES[service], "weekday": WEEKDAYS[weekday]}
    label = _("%(service)s on %(weekday)s: covers") % words
    number = forms.NumberInput(attrs={"aria-label": label})
    return forms.IntegerField(
        label=label, required=False, min_value=0, max_value=MOST, widget=number
    )
