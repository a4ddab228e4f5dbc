"""Calls as personal data of a guest: the number that rang; exported and erased with the guest.

Guests belong to a group, so only calls to its restaurants are theirs. A number that another guest
of the group has too (a family, a hotel) belongs to no single guest: it is given out to neither,
and stays in the log.
"""

from typing import Any
from uuid import UUID

from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from customers.fact_lines import FactLines
from customers.models import Customer
from customers.personal_data import PersonalDataProvider
from phone.models import Call, CallQuerySet


def collect(guest: UUID) -> list[dict[str, Any]]:
    return [
        {"at": c.began_at.isoformat(), "number": c.number, "answered_by": c.answered_by}
        for c in _calls(guest).order_by("began_at")
    ]


def erase(guest: UUID) -> None:
    _calls(guest).update(number="", caller_id="", service_guest=None)


def _calls(guest: UUID) -> CallQuerySet:
    """The calls to restaurants of the group that can be nobody else's."""
    person = Customer.objects.get(pk=guest)
    known = filter(None, (person.phone_e164, person.secondary_phone_e164))
    numbers = [number for number in known if not _is_shared(number, person)]
    return Call.objects.filter(restaurant__group=person.group_id).from_numbers(numbers)


def _is_shared(number: str, person: Customer) -> bool:
    others = Customer.objects.filter(group=person.group_id).exclude(pk=person.pk)
    return (
        others.filter(Q(phone_e164=number), ~Q(phone_e164="")).exists()
        or others.filter(Q(secondary_phone_e164=number), ~Q(secondary_phone_e164="")).exists()
    )


PROVIDER = PersonalDataProvider(
    "calls",
    title=_("Calls"),
    collect=collect,
    erase=erase,
    lines=FactLines({"at": _("when"), "number": _("number"), "answered_by": _("answered by")}),
)
