"""The filters of the delivery log."""

from django import forms
from django.utils.functional import lazy
from django.utils.translation import gettext_lazy as _

from mirror import kinds
from webhooks.events import KNOWN
from webhooks.models import Delivery, DeliveryQuerySet

ANY = ("", _("any"))


lazy_label = lazy(kinds.label_of, str)  # the kinds are not known before every app is ready


class DeliveryFilterForm(forms.Form):
    state = forms.ChoiceField(
        label=_("State"), required=False, choices=[ANY, *Delivery.State.choices]
    )
    entity_type = forms.ChoiceField(
        label=_("About a"),
        required=False,
        choices=[ANY, *((kind, lazy_label(kind)) for kind in KNOWN)],
    )
    uuid = forms.UUIDField(label=_("Its uuid"), required=False)

    def narrow(self, deliveries: DeliveryQuerySet) -> DeliveryQuerySet:
        """Keep what the filters let through; a filter that makes no sense lets nothing through."""
        if not self.is_valid():
            return deliveries.none()
        return deliveries.filter(
            **{name: value for name, value in self.cleaned_data.items() if value}
        )
