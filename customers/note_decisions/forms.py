"""The buttons below what was read in notes: each carries the digest of one reading."""

from django import forms

from customers.note_decisions.decisions import CONFIRMED, DISMISSED

OUTCOMES = {"confirm": CONFIRMED, "dismiss": DISMISSED, "take_back": ""}


class DecisionForm(forms.Form):
    confirm = forms.CharField(max_length=64, required=False)
    dismiss = forms.CharField(max_length=64, required=False)
    take_back = forms.CharField(max_length=64, required=False)
    # For this booking only, unless chosen otherwise.
    scope = forms.ChoiceField(choices=[("booking", ""), ("guest", "")], required=False)

    def clean(self) -> None:
        pressed = [name for name in OUTCOMES if self.cleaned_data.get(name)]
        if len(pressed) != 1:
            raise forms.ValidationError("One button at a time.")
        self.cleaned_data["digest"] = self.cleaned_data[pressed[0]]
        self.cleaned_data["outcome"] = OUTCOMES[pressed[0]]
