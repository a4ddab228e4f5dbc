"""Query parameters of the list of intents. Invalid values are ignored."""

from django import forms

from outbox.models import Intent


class IntentFilterForm(forms.Form):
    state = forms.ChoiceField(choices=Intent.State.choices, required=False)
    page = forms.IntegerField(min_value=1, required=False)
