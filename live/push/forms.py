"""Forms of the page of push messages."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.push.models import PushPreferences
from accounts.push.web_push import Subscription, check_subscription
from lib.quiet_hours import QuietHoursMixin
from lib.web.inputs import ClockInput
from live.push.kinds import PUSH_KINDS

LONGEST_ENDPOINT = 2000


class SubscriptionForm(forms.Form):
    """What a browser got from its push service; its script fills the form."""

    endpoint = forms.CharField(max_length=LONGEST_ENDPOINT, widget=forms.HiddenInput)
    p256dh = forms.CharField(max_length=200, widget=forms.HiddenInput)
    auth = forms.CharField(max_length=100, widget=forms.HiddenInput)

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if not self.errors:
            try:
                check_subscription(Subscription(**data))
            except ValueError:
                raise forms.ValidationError(_("The browser sent no usable address.")) from None
        return data

    @property
    def subscription(self) -> Subscription:
        return Subscription(**self.cleaned_data)


class PushPreferencesForm(QuietHoursMixin, forms.ModelForm):  # type: ignore[type-arg]  # it takes none at run time
    kinds = forms.MultipleChoiceField(
        label=_("Which alerts you get"), widget=forms.CheckboxSelectMultiple, required=False
    )

    class Meta:
        model = PushPreferences
        fields = ["kinds", "quiet_from", "quiet_until"]
        widgets = {
            "quiet_from": ClockInput(),
            "quiet_until": ClockInput(),
        }
        help_texts = {
            "quiet_until": _(
                "By the clock of the restaurant. A message that is still of use comes afterwards."
            )
        }

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        offered = [(one.name, one.label) for one in PUSH_KINDS if one.may_concern(user)]
        self.fields["kinds"].choices = offered  # type: ignore[attr-defined]
