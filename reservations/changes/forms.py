"""The forms of one booking. Each carries a key, so that a form sent twice is one intent.

It also carries a snapshot: the booking as the person saw it, signed and encoded, because browsers
rewrite the line ends of plain form fields.
"""

from datetime import datetime
from typing import Any

from django import forms
from django.core import signing
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext as now_
from django.utils.translation import gettext_lazy as _

from lib.dates import date_format
from outbox.models import DAY_AND_TIME
from partner.payloads.bodies import NOTE_CAP
from partner.wording.names import naming_host_app
from reservations.models import Reservation
from reservations.service_clock import moment, place_in_time

SALT = "reservations.seen"


def state_of(reservation: Reservation) -> dict[str, Any]:
    return {
        "meal_date": reservation.meal_date_text,
        "party_size": reservation.party_size,
        "restaurant_note": reservation.restaurant_note,
    }


def pack_snapshot(reservation: Reservation) -> str:
    return signing.dumps(state_of(reservation), salt=SALT, compress=True)


REASON_CAP = 500


class NoteTextField(forms.CharField):
    """Text with normalised line ends: a form's would count as two characters."""

    def to_python(self, value: Any) -> str:
        text = super().to_python(value) or ""
        return text.replace("\r\n", "\n")


class PickForm(forms.Form):
    """The query parameters of the change page: day, size and the picked slot."""

    day = forms.DateField(required=False)
    size = forms.IntegerField(min_value=1, max_value=999, required=False)
    slot = forms.CharField(max_length=64, required=False)


class ChangeForm(forms.Form):
    key = forms.UUIDField(widget=forms.HiddenInput)
    seen = forms.CharField(max_length=20_000, widget=forms.HiddenInput)
    slot = forms.CharField(max_length=64, required=False)
    size = forms.IntegerField(label=_("Party"), min_value=1, max_value=999)

    def __init__(self, *args: Any, reservation: Reservation, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.reservation = reservation

    def clean_seen(self) -> dict[str, Any]:
        return unpack_snapshot(self.cleaned_data["seen"])

    def clean_slot(self) -> str:
        """Check that it is a future time, and keep the service's own text unchanged.

        The booking's present text is accepted as it is, even if it is no time.
        """
        slot: str = self.cleaned_data["slot"]
        if slot == self.reservation.meal_date_text:
            return slot
        at = moment(slot)
        if at is None:
            raise ValidationError(now_("This is not a time."))
        if is_past(at, reservation=self.reservation):
            raise ValidationError(now_("This time has passed meanwhile. Choose another one."))
        return slot

    def clean(self) -> dict[str, Any]:
        data = self.cleaned_data
        if self.errors:
            return data
        stop_if_changed(self.reservation, data["seen"], fields=("meal_date", "party_size"))
        wanted = {"meal_date": data["slot"], "party_size": data["size"]}
        data["changes"] = {
            field: value for field, value in wanted.items() if value != data["seen"][field]
        }
        if not data["changes"]:
            raise ValidationError(now_("Nothing is different. Choose another time or size."))
        return data


class NoteForm(forms.Form):
    key = forms.UUIDField(widget=forms.HiddenInput)
    seen = forms.CharField(max_length=20_000, widget=forms.HiddenInput)
    note = NoteTextField(
        label=_("Team note"),
        max_length=NOTE_CAP,
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 8, "data-counted": True}),
        help_text=naming_host_app(
            _(
                "Only the team sees it, here and in %(app)s. An allergy or a diet that is "
                "recognised in it also stands on the kitchen’s list: check it there."
            )
        ),
    )

    def __init__(self, *args: Any, reservation: Reservation, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.reservation = reservation
        self.initial["note"] = reservation.restaurant_note

    def clean_seen(self) -> dict[str, Any]:
        return unpack_snapshot(self.cleaned_data["seen"])

    def clean(self) -> dict[str, Any]:
        data = self.cleaned_data
        if self.errors:
            return data
        stop_if_changed(self.reservation, data["seen"], fields=("restaurant_note",))
        before = data["seen"]["restaurant_note"].replace("\r\n", "\n")
        if data["note"] == before:
            raise ValidationError(now_("The note is as it was."))
        # An emptied note is cleared: null, which is neither absent nor "".
        data["changes"] = {"restaurant_note": data["note"] if data["note"].strip() else None}
        return data


class CancelForm(forms.Form):
    key = forms.UUIDField(widget=forms.HiddenInput)
    reason = NoteTextField(
        label=_("Reason"),
        max_length=REASON_CAP,
        required=False,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=_("Kept here only: the service takes no reason."),
    )


def unpack_snapshot(text: str) -> dict[str, Any]:
    try:
        state: dict[str, Any] = signing.loads(text, salt=SALT)
    except signing.BadSignature:
        raise ValidationError(now_("This form is not valid any more. Open it again.")) from None
    return state


def stop_if_changed(
    reservation: Reservation, before: dict[str, Any], *, fields: tuple[str, ...]
) -> None:
    """Refuse the form if somebody else changed the same fields since it was opened."""
    now = state_of(reservation)
    if all(now[field] == before[field] for field in fields):
        return
    at = reservation.meal_local
    time = _time_of(at, reservation, before) if at else now_("no date")
    data = {"time": time, "size": reservation.party_size or "?"}
    words = now_("Changed meanwhile: it is now %(time)s for %(size)s. Nothing was sent.")
    if fields == ("restaurant_note",):
        words = now_("Changed meanwhile: the note is now “%(note)s”. Nothing was sent.")
        data = {"note": reservation.restaurant_note}
    raise ValidationError(words, code="meanwhile", params=data)


def _time_of(at: datetime, reservation: Reservation, before: dict[str, Any]) -> str:
    """The local time, with its day if the booking has moved to another one."""
    was = place_in_time(before["meal_date"], reservation.restaurant)
    is_other_day = was is None or reservation.restaurant.local(was).date() != at.date()
    return date_format(at, DAY_AND_TIME) if is_other_day else f"{at:%H:%M}"


def is_past(at: datetime, *, reservation: Reservation) -> bool:
    if at.tzinfo is None:
        at = at.replace(tzinfo=reservation.restaurant.zone)
    return at < timezone.now()
