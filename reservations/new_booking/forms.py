"""Forms of a new booking: the guest and the notes. What the profile has is not a field."""

from datetime import date, timedelta
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext as now_
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from customers import phones
from customers.models import CIVILITIES, Customer
from partner.payloads.bodies import CUSTOMER_NOTE_CAP, LOCALE, NEW_NOTE_CAP
from partner.payloads.emails import is_sendable, sendable_email
from reservations.changes.forms import NoteTextField
from reservations.new_booking.guests import ExpectedBooking
from reservations.new_booking.locales import OTHER, chosen_locale, guest_language_choices
from restaurants.models import Restaurant

FURTHEST = timedelta(days=730)
PROFILE = ("email", "first_name", "last_name", "locale", "civility")
ASK = [("", _("Choose"))]


class StateForm(forms.Form):
    """The query parameters of a new booking, which never name a guest."""

    day = forms.DateField(required=False)
    size = forms.IntegerField(min_value=1, max_value=999, required=False)
    slot = forms.CharField(max_length=64, required=False)
    offer = forms.UUIDField(required=False)
    want = forms.TimeField(required=False)
    near = forms.BooleanField(required=False)
    free = forms.BooleanField(required=False)
    correct = forms.UUIDField(required=False)  # the refused booking that is corrected

    def clean_day(self) -> date | None:
        """Replace a past day by today, and drop a day beyond every calendar."""
        day: date | None = self.cleaned_data["day"]
        return day if day and day <= timezone.now().date() + FURTHEST else None


class FindForm(forms.Form):
    """The guest: the typed search, or the one who was picked."""

    step = forms.CharField(max_length=10, required=False)
    find = forms.CharField(max_length=80, required=False)
    guest = forms.UUIDField(required=False)


class EmailField(forms.EmailField):
    """An e-mail address that the service accepts, checked before anything is sent."""

    default_validators = []  # the service's rule is the narrower one

    def clean(self, value: Any) -> str:
        text: str = super().clean(value)
        return sendable_email(text) if text else text


class BookForm(forms.Form):
    """For a known guest only the fields that the profile lacks; the rest stays on the server.

    `refused_fields` are shown although the profile has them, because the service refused them.
    """

    key = forms.UUIDField(widget=forms.HiddenInput)
    first_name = forms.CharField(label=_("First name"), max_length=100)
    last_name = forms.CharField(label=_("Last name"), max_length=100)
    email = EmailField(
        label=_("E-mail"), help_text=_("Required: the service takes no booking without one.")
    )
    phone = forms.CharField(
        label=_("Phone"),
        max_length=40,
        required=False,
        widget=forms.TextInput(attrs={"type": "tel", "autocomplete": "off"}),
    )
    locale = forms.ChoiceField(label=_("Language"), choices=guest_language_choices)
    locale_code = forms.CharField(
        label=_("Code of the language"),
        max_length=6,
        required=False,
        help_text=_("Such as tl, or pt_AO with a country."),
    )
    civility = forms.ChoiceField(label=_("Title"), choices=[*ASK, *CIVILITIES.items()])
    customer_note = NoteTextField(
        label=_("The guest asks"),
        max_length=CUSTOMER_NOTE_CAP,
        required=False,
        widget=forms.Textarea(attrs={"rows": 2, "data-counted": True}),
    )
    restaurant_note = NoteTextField(
        label=_("Team note"),
        max_length=NEW_NOTE_CAP,
        required=False,
        widget=forms.Textarea(attrs={"rows": 2, "data-counted": True}),
    )
    newsletter = forms.BooleanField(
        label=_("Subscribe to the group's newsletter"),
        required=False,
        help_text=_("Can be switched on here, never off: only the guest can do that."),
    )
    anyway = forms.BooleanField(label=_("Book anyway"), required=False)

    def __init__(
        self,
        *args: Any,
        restaurant: Restaurant,
        guest: Customer | None,
        refused_fields: frozenset[str] = frozenset(),
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.restaurant = restaurant
        self.evening: list[ExpectedBooking] = []  # the guest's bookings on the same service day
        profile = profile_of(guest, restaurant=restaurant) if guest else {}
        self.known = {name: value for name, value in profile.items() if name not in refused_fields}
        for name in self.known:
            del self.fields[name]
        if "locale" in self.known:
            del self.fields["locale_code"]

    @property
    def nothing_done(self) -> str:
        """What an error says first, to somebody with a caller on the line."""
        words = ngettext(
            "Nothing was booked: one thing needs another look.",
            "Nothing was booked: %(n)s things need another look.",
            len(self.errors),
        )
        return words % {"n": len(self.errors)}

    def clean_phone(self) -> str:
        typed = self.cleaned_data["phone"]
        number = phones.normalise(typed, countries=[self.restaurant.country])
        if typed and not number:
            words = now_(
                "This is not a telephone number. Write it like %(example)s, or leave it empty."
            )
            raise ValidationError(words % {"example": phones.example(self.restaurant.country)})
        return number

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or {}
        if data.get("locale") == OTHER:
            data["locale"] = chosen_locale(data)
            if not LOCALE.fullmatch(data["locale"]):
                self.add_error("locale_code", now_("A language is written like fr or fr_FR."))
        return data

    @property
    def customer(self) -> dict[str, Any]:
        """The guest as sent to the service, without an empty number or an unticked box."""
        data = self.known | {
            name: self.cleaned_data[name]
            for name in (*PROFILE, "phone")
            if self.cleaned_data.get(name)
        }
        return data | ({"newsletter": True} if self.cleaned_data.get("newsletter") else {})


def profile_of(guest: Customer, *, restaurant: Restaurant) -> dict[str, str]:
    """The data of the profile that the service would accept."""
    known = {name: getattr(guest, name) for name in PROFILE}
    if known["civility"] not in CIVILITIES:
        known["civility"] = ""
    if not LOCALE.fullmatch(known["locale"]):
        known["locale"] = ""
    if not is_sendable(known["email"]):
        known["email"] = ""
    known["phone"] = phones.normalise(guest.phone, countries=[restaurant.country])
    return {name: value for name, value in known.items() if value}
