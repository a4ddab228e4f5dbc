"""The mark that was tapped."""

from django import forms

from reservations.host_marks.models import HostMarkKind

# What a tap means: the mark, and in how many minutes the guest wants to be here.
CHOICES: dict[str, tuple[HostMarkKind, int | None]] = {
    "on-the-way-10": (HostMarkKind.ON_THE_WAY, 10),
    "on-the-way-20": (HostMarkKind.ON_THE_WAY, 20),
    "on-the-way-30": (HostMarkKind.ON_THE_WAY, 30),
    "no-answer": (HostMarkKind.NO_ANSWER, None),
    "table-ready": (HostMarkKind.TABLE_READY, None),
}


class HostMarkForm(forms.Form):
    mark = forms.ChoiceField(choices=[(value, value) for value in CHOICES])

    def clean_mark(self) -> tuple[HostMarkKind, int | None]:
        return CHOICES[self.cleaned_data["mark"]]
