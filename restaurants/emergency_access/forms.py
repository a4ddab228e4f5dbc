"""Form of a role that a superuser takes."""

from datetime import datetime, timedelta
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from restaurants.emergency_access.models import EmergencyAccess
from restaurants.models import Group, Membership

HOURS = {1: _("1 hour"), 4: _("4 hours"), 24: _("24 hours")}


class EmergencyAccessForm(forms.ModelForm):  # type: ignore[type-arg]  # it takes none at run time
    """Groups where the person has no role yet: a role that was given stays what it is."""

    hours = forms.TypedChoiceField(label=_("For"), choices=list(HOURS.items()), coerce=int)

    class Meta:
        model = EmergencyAccess
        fields = ["group", "role", "reason"]
        help_texts = {
            "reason": _("The owners read it: what you were asked to mend, without names of guests.")
        }

    def __init__(self, *args: Any, person: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.instance.person = person
        held = Membership.objects.filter(user=person).exclude(group=None)
        free = Group.objects.exclude(pk__in=held.values("group"))
        self.fields["group"].queryset = free  # type: ignore[attr-defined]  # a model's choices

    def begin(self, *, now: datetime) -> EmergencyAccess | None:
        """Take the role from now on; nothing if another tab has taken one since the check."""
        access: EmergencyAccess = self.instance
        access.began_at = now
        access.ends_at = now + timedelta(hours=self.cleaned_data["hours"])
        return access if access.begin() else None
