"""Forms of the guest list, the profile and privacy. Invalid query parameters are ignored."""

from django import forms
from django.utils.translation import gettext_lazy as _

from partner.wording.names import naming_host_app

SIZES = (50, 100, 200)


class ListForm(forms.Form):
    q = forms.CharField(required=False)
    language = forms.RegexField(r"^[a-z]{2,3}$", required=False)
    size = forms.TypedChoiceField(choices=[(n, n) for n in SIZES], coerce=int, required=False)


class GuestLookUpForm(forms.Form):
    """A number to look up in the service, and the restaurant to look it up for."""

    phone = forms.RegexField(r"^\+[1-9]\d{1,14}$", label=_("Phone"))
    restaurant = forms.UUIDField()


class InternalNoteForm(forms.Form):
    text = forms.CharField(
        label=_("Internal note"),
        required=False,
        max_length=5000,
        widget=forms.Textarea(attrs={"rows": 6}),
        help_text=naming_host_app(
            _("Only in this dashboard. The service and %(app)s never see it.")
        ),
    )


class EraseForm(forms.Form):
    sure = forms.BooleanField(label=_("I checked the person's identity and the legal basis."))


class NotSameForm(forms.Form):
    other = forms.UUIDField()
