"""Form of a device that keeps an offline copy."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from restaurants.models import Restaurant
from restaurants.offline_devices.models import OfflineDevice

ADMINS_RIGHT = "restaurants.change_restaurant"


class OfflineDeviceForm(forms.ModelForm):  # type: ignore[type-arg]  # it takes none at run time
    """The admin's own restaurants only."""

    class Meta:
        model = OfflineDevice
        fields = ["name", "restaurants"]
        widgets = {"restaurants": forms.CheckboxSelectMultiple}
        help_texts = {"name": _("What people call it, such as “Tablet at the entrance”.")}

    def __init__(self, *args: Any, admin: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        run = Restaurant.objects.visible_to(admin, ADMINS_RIGHT)
        self.fields["restaurants"].queryset = run  # type: ignore[attr-defined]  # a model's choices
