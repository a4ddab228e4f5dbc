"""A form with every kind of field and a mistake in it."""

from django import forms

# The longest words that a label, a button or a cell may have to hold.
LONG = "Reservierungsbestätigungsbenachrichtigung für Stammgäste der Hafenrestaurants"


class SpecimenForm(forms.Form):
    name = forms.CharField(label="Name", help_text="As guests know it.")
    email = forms.EmailField(label="E-mail-Adresse für Benachrichtigungen")
    size = forms.ChoiceField(label="Party size", choices=[("2", "2 people"), ("4", "4 people")])
    note = forms.CharField(label="Note for the team", widget=forms.Textarea, required=False)
    is_vip = forms.BooleanField(label="VIP", required=False, help_text="Shown with a star.")
    meal = forms.ChoiceField(
        label="Meal", choices=[("l", "Lunch"), ("d", "Dinner")], widget=forms.RadioSelect
    )


def specimen(theme: str) -> SpecimenForm:
    """The form as sent, with a prefix of its own so that no element id is on the page twice."""
    data = {"email": "not an address", "size": "4", "note": LONG, "meal": "d"}
    return SpecimenForm({f"{theme}-{name}": value for name, value in data.items()}, prefix=theme)
