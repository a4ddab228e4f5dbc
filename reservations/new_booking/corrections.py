"""Reopens the form of a refused booking, filled in, with the refusal at its field."""

from functools import cached_property
from typing import Any
from uuid import uuid4

from accounts.models import User
from customers.models import Customer
from outbox.models import Intent
from outbox.refusals import RefusedField, refused_change, refused_field, show_refusal
from reservations.actions import CREATE
from reservations.new_booking.forms import BookForm
from reservations.new_booking.locales import OTHER
from restaurants.models import Restaurant

# Choices made above the form, where their refusal is shown.
CHOICES = ("meal_date", "party_size", "offer_uuid")
NOTES = ("customer_note", "restaurant_note")


class Correction:
    def __init__(self, intent: Intent, user: User) -> None:
        self.intent = intent
        self.user = user
        self.field = refused_field(intent)

    @property
    def refused_fields(self) -> frozenset[str]:
        """The field of the profile that the service refused, which the form has to show."""
        return frozenset({self.field})

    @property
    def choice(self) -> RefusedField | None:
        return RefusedField.of(self.intent) if self.field in CHOICES else None

    @cached_property
    def guest(self) -> Customer | None:
        """The guest whom the booking was for, if one was picked and not typed. One query."""
        picked = self.intent.payload.get("guest")
        if not picked:
            return None
        rows = Customer.objects.visible_to(self.user).present().light()
        return rows.filter(group=self.intent.restaurant.group_id, uuid=picked).first()

    def form(self) -> BookForm:
        form = BookForm(
            self._data(),
            restaurant=self.intent.restaurant,
            guest=self.guest,
            refused_fields=self.refused_fields,
        )
        form.errors.clear()
        if self.choice is None:
            show_refusal(form, self.intent)
        return form

    def _data(self) -> dict[str, Any]:
        """The sent data, without the profile's own data of a known guest."""
        sent = self.intent.payload
        data = {"key": str(uuid4()), **sent["customer"], **{name: sent[name] for name in NOTES}}
        known = {value for value, _label in flat(BookForm.base_fields["locale"].choices)}  # type: ignore[attr-defined]  # a choice field
        if data["locale"] not in known:
            data |= {"locale": OTHER, "locale_code": data["locale"]}
        if self.guest is not None:
            data.pop(self.field, None)
        return data


def flat(choices: Any) -> Any:
    """The choices of a field with groups, one by one."""
    for value, label in choices:
        yield from label if isinstance(label, list | tuple) else [(value, label)]


def correction_of(key: object, *, restaurant: Restaurant, user: User) -> Correction | None:
    """The refused booking at this restaurant that an address names, unless its guest was erased."""
    intent = refused_change(key, action=CREATE, user=user) if key else None
    if intent is None or intent.restaurant_id != restaurant.pk or "customer" not in intent.payload:
        return None
    return Correction(intent, user)
