"""The form of a note: where, from when until when, and the words."""

from datetime import timedelta
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from insights.day_notes.models import RIGHT, DayNote
from lib.web.inputs import DayInput
from restaurants.models import Group, Restaurant

LONGEST = timedelta(days=92)


class DayNoteForm(forms.ModelForm):  # type: ignore[type-arg]  # it takes none at run time
    place = forms.ChoiceField(label=_("Where"))

    class Meta:
        model = DayNote
        fields = ("text", "first", "last")
        widgets = {
            "first": DayInput(),
            "last": DayInput(),
        }

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.places: dict[str, Group | Restaurant] = {
            str(one.uuid): one
            for one in (
                *Group.objects.run_by(user, RIGHT),
                *Restaurant.objects.visible_to(user, RIGHT),
            )
        }
        self.fields["place"].choices = [  # type: ignore[attr-defined]  # of a choice field
            (key, one.name) for key, one in self.places.items()
        ]
        self.order_fields(["text", "first", "last", "place"])

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        first, last = data.get("first"), data.get("last")
        if first and last and last < first:
            self.add_error("last", _("The last day is before the first."))
        elif first and last and last - first > LONGEST:
            self.add_error("last", _("A note is about three months at most."))
        place = self.places.get(data.get("place", ""))
        if isinstance(place, Restaurant):
            self.instance.restaurant, self.instance.group = place, place.group
        elif place:
            self.instance.group = place
        return data
