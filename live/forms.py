"""Query parameters of a screen that requests what it missed."""

from datetime import timedelta

from django import forms


class SinceForm(forms.Form):
    """Either the cursor it was given, or how many milliseconds ago its page was requested.

    An age and not an instant, because the browser's clock may be wrong.
    """

    since = forms.IntegerField(min_value=0, max_value=2**63 - 1, required=False)
    age = forms.IntegerField(min_value=0, max_value=2**40, required=False)

    def clean_age(self) -> timedelta:
        return timedelta(milliseconds=self.cleaned_data["age"] or 0)


class PaintedForm(forms.Form):
    """A browser has painted this version, so many milliseconds after the announcement came."""

    kind = forms.CharField(max_length=16)
    uuid = forms.UUIDField()
    version = forms.IntegerField(min_value=0, max_value=2**31 - 1)
    took = forms.IntegerField(min_value=0, max_value=60_000)

    def clean_took(self) -> timedelta:
        return timedelta(milliseconds=self.cleaned_data["took"])
