"""Forms of calls: a number in any spelling, the filter of the log, a milestone."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from lib.text import fold
from phone import numbers
from phone.milestones import FINAL, LABELS
from phone.numbers import Number
from restaurants.models import Restaurant

OUTCOMES = [("", _("All")), ("missed", _("Missed"))]


class LookUpForm(forms.Form):
    """A number, and the restaurant that is being called: it says how a national one is dialled."""

    number = forms.CharField(max_length=40, required=False)
    restaurant = forms.UUIDField(required=False)

    def __init__(self, *args: Any, restaurants: list[Restaurant], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.restaurants = restaurants

    @property
    def place(self) -> Restaurant:
        """The restaurant that was chosen, or the first within reach."""
        wanted = self.cleaned_data.get("restaurant")
        return next((one for one in self.restaurants if one.uuid == wanted), self.restaurants[0])

    @property
    def read(self) -> Number:
        typed = self.cleaned_data.get("number") or ""
        return numbers.read(typed, country=self.place.country)


class LogForm(forms.Form):
    """The filter of the call log."""

    outcome = forms.ChoiceField(choices=OUTCOMES, required=False)
    before = forms.IntegerField(min_value=1, max_value=2**62, required=False)


class MilestoneForm(forms.Form):
    """One step of the installation. The last one opens the group, so its name is typed."""

    key = forms.UUIDField(widget=forms.HiddenInput)
    status = forms.ChoiceField(choices=list(LABELS.items()), widget=forms.HiddenInput)
    confirm = forms.CharField(max_length=120, required=False)

    def __init__(self, *args: Any, restaurant: Restaurant, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.restaurant = restaurant

    def clean(self) -> dict[str, Any] | None:
        data = super().clean() or {}
        if data.get("status") == FINAL and not self.is_confirmed(data.get("confirm", "")):
            sentence = _("Type the group's name, “%(name)s”, to confirm the last step.")
            named = {"name": self.restaurant.group.name}
            self.add_error("confirm", ValidationError(sentence, params=named))
        return data

    def is_confirmed(self, typed: str) -> bool:
        return fold(typed).split() == fold(self.restaurant.group.name).split()
