"""The guest list as rows of a sheet."""

from collections.abc import Iterator
from typing import Any

from django.utils.translation import gettext as _

from customers.models import Customer, CustomerQuerySet

AT_A_TIME = 2000


def rows(customers: CustomerQuerySet, *, reveals: bool, health: bool) -> Iterator[list[Any]]:
    """The header, then every guest, read piece by piece: memory stays flat."""
    yield [
        _("First name"),
        _("Last name"),
        _("E-mail"),
        _("Phone"),
        _("Language"),
        _("Civility"),
        _("Rank"),
        _("VIP"),
        _("Birth date"),
        _("City"),
        _("Country"),
        _("Tags"),
        _("Allergies"),
        _("Diet"),
        _("Risk"),
        _("Notes"),
        _("Newsletter"),
        _("Group"),
        _("Created"),
        _("uuid"),
    ]
    ordered = customers.light().select_related("group").order_by("group", "last_name_key", "uuid")
    for guest in ordered.iterator(chunk_size=AT_A_TIME):
        yield [
            guest.first_name,
            guest.last_name,
            guest.email if reveals else guest.masked_email,
            (guest.phone_e164 or guest.phone) if reveals else guest.masked_phone,
            guest.locale,
            guest.civility_label,
            guest.rank_label,
            guest.is_vip,
            guest.birth_date if reveals else None,
            guest.city,
            guest.country,
            guest.other_tags,
            *_health(guest, shown=health),
            guest.restaurant_newsletter,
            guest.group.name,
            guest.creation_date,
            guest.uuid,
        ]


def _health(guest: Customer, *, shown: bool) -> tuple[Any, ...]:
    """Allergies are health data, and notes and risk tags tell of them."""
    if not shown:
        return ("", "", "", "")
    facts = (guest.allergies_and_intolerances, guest.dietary_restrictions)
    return (*facts, guest.risk_level, guest.notes)


def numbers(customers: CustomerQuerySet, *, reveals: bool) -> Iterator[list[Any]]:
    """The numbers to be corrected in the host app, and how they should be spelt."""
    yield [_("Guest"), _("As stored"), _("In full"), _("Group"), _("uuid")]
    rows = customers.badly_numbered().light().select_related("group")
    for guest in rows.order_by("group", "last_name_key", "uuid").iterator(chunk_size=AT_A_TIME):
        stored = guest.phone if reveals else guest.masked_phone
        full = guest.phone_e164 if reveals else ""
        yield [str(guest), stored, full, guest.group.name, guest.uuid]
