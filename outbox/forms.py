"""What the address of the list of intents says. Nonsense is ignored, never an error."""

from django import forms

from outbox.models import Intent


class IntentFilterForm(forms.Form):
    state = forms.ChoiceField(choices=Intent.State.choices, required=False)
    page = forms.IntegerField(min_value=1, required=False)
