"""The guest list as rows of a spreadsheet."""

import json
from collections.abc import Callable, Iterator
from operator import attrgetter
from typing import Any

from django.utils.translation import gettext as _

from customers.allergies.labels import name_of
from customers.allergies.mentions import NoteCodes, codes_in
from customers.models import Customer, CustomerQuerySet
from customers.note_decisions.models import decisions_text

AT_A_TIME = 2000

Column = tuple[str, Callable[[Customer], Any]]


def rows(customers: CustomerQuerySet, *, reveals: bool, health: bool) -> Iterator[list[Any]]:
    """The header, then every guest, read piece by piece: memory stays flat."""
    columns = _columns(reveals=reveals, health=health)
    yield [label for label, _value in columns]
    ordered = customers.light().select_related("group").order_by("group", "last_name_key", "uuid")
    for guest in ordered.annotate(decided=decisions_text("pk")).iterator(chunk_size=AT_A_TIME):
        yield [value(guest) for _label, value in columns]


def _columns(*, reveals: bool, health: bool) -> list[Column]:
    """Each header with the function that returns its cell."""
    # Allergies are health data, and notes and risk tags tell of them.
    of_health = attrgetter if health else _hidden
    in_full = attrgetter if reveals else _hidden
    return [
        (_("First name"), attrgetter("first_name")),
        (_("Last name"), attrgetter("last_name")),
        (_("E-mail"), attrgetter("email" if reveals else "masked_email")),
        (_("Phone"), _number if reveals else attrgetter("masked_phone")),
        (_("Language"), attrgetter("language_label")),
        (_("Title"), attrgetter("civility_label")),
        (_("Rank"), attrgetter("rank_label")),
        (_("VIP"), attrgetter("is_vip")),
        (_("Birth date"), in_full("birth_date")),
        (_("City"), attrgetter("city")),
        (_("Country"), attrgetter("country")),
        (_("Tags"), attrgetter("tag_labels")),
        (_("Allergies"), of_health("allergies_and_intolerances")),
        (_("Allergies in notes"), _noted("stated") if health else _empty),
        (_("Perhaps an allergy"), _noted("maybe") if health else _empty),
        (_("Diet"), of_health("dietary_restrictions")),
        (_("Diets in notes"), _noted("diets") if health else _empty),
        (_("Risk"), of_health("risk_labels")),
        (_("Notes"), of_health("notes")),
        (_("Newsletter"), attrgetter("restaurant_newsletter")),
        (_("Group"), attrgetter("group.name")),
        (_("Created"), attrgetter("creation_date")),
        (_("uuid"), attrgetter("uuid")),
    ]


def _number(guest: Customer) -> str:
    return guest.phone_e164 or guest.phone


def _noted(part: str) -> Callable[[Customer], list[str]]:
    """What the notes and favourites of a guest say, of one certainty."""
    return lambda guest: [name_of(code) for code in getattr(_codes_of(guest), part)]


def _codes_of(guest: Any) -> NoteCodes:
    """`decided` is an annotation of the list."""
    fields = (json.dumps([*guest.custom_fields, *guest.other_tags]),)
    return codes_in((guest.notes,), (guest.fav_food, guest.fav_drinks), fields, ("", guest.decided))


def _hidden(_name: str) -> Callable[[Customer], Any]:
    return _empty


def _empty(_guest: Customer) -> str:
    return ""


def numbers(customers: CustomerQuerySet, *, reveals: bool) -> Iterator[list[Any]]:
    """The numbers to be corrected in the host app, and their full form."""
    yield [_("Guest"), _("As stored"), _("In full"), _("Group"), _("uuid")]
    rows = customers.badly_numbered().light().select_related("group")
    for guest in rows.order_by("group", "last_name_key", "uuid").iterator(chunk_size=AT_A_TIME):
        stored = guest.phone if reveals else guest.masked_phone
        full = guest.phone_e164 if reveals else ""
        yield [str(guest), stored, full, guest.group.name, guest.uuid]
