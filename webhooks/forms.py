"""The filters of the delivery log."""

from django import forms
from django.utils.translation import gettext_lazy as _

from webhooks.events import KNOWN
from webhooks.models import Delivery, DeliveryQuerySet

ANY = ("", _("any"))


class FilterForm(forms.Form):
    state = forms.ChoiceField(
        label=_("State"), required=False, choices=[ANY, *Delivery.State.choices]
    )
    entity_type = forms.ChoiceField(
        label=_("About a"), required=False, choices=[ANY, *((kind, kind) for kind in KNOWN)]
    )
    uuid = forms.UUIDField(label=_("Its uuid"), required=False)

    def narrow(self, deliveries: DeliveryQuerySet) -> DeliveryQuerySet:
        """Keep what the filters let through; a filter that makes no sense lets nothing through."""
        if not self.is_valid():
            return deliveries.none()
        return deliveries.filter(
            **{name: value for name, value in self.cleaned_data.items() if value}
        )
