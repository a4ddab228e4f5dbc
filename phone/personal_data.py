"""Calls as personal data of a guest: the number that rang; exported and erased with the guest.

Guests belong to a group, so only calls to its restaurants are theirs: from the numbers of the
profile, and those at which the service named the guest. A number that another guest of the group
has too (a family, a hotel) belongs to no single guest: it is given out to neither, and stays in the
log.
"""

from collections.abc import Iterable
from typing import Any
from uuid import UUID

from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from customers.fact_lines import FactLines
from customers.models import Customer
from customers.personal_data import PersonalDataProvider
from phone.models import Call, CallQuerySet, Event


def collect(guest: UUID) -> list[dict[str, Any]]:
    return [
        _held_of(call) for call in _calls(guest).select_related("restaurant").order_by("began_at")
    ]


def _held_of(call: Call) -> dict[str, Any]:
    """A call with the instants of its events: how long somebody waited and talked is theirs too."""
    moments = {f"{one}_at": getattr(call, f"{one}_at") for one in call.events}
    return {
        "at": call.began_at.isoformat(),
        "restaurant": call.restaurant.name,
        "number": call.number,
        "caller_id": call.caller_id,
        "answered_by": call.answered_by,
        **{name: moment.isoformat() for name, moment in moments.items()},
    }


def erase(guest: UUID) -> None:
    _calls(guest).update(number="", caller_id="", service_guest=None, is_redacted=True)
    Call.objects.filter(service_guest=guest).update(service_guest=None)


def _calls(guest: UUID) -> CallQuerySet:
    """The calls to restaurants of the group that can be nobody else's."""
    person = Customer.objects.get(pk=guest)
    calls = Call.objects.filter(restaurant__group=person.group_id)
    named = calls.filter(service_guest=guest)
    known = {person.phone_e164, person.secondary_phone_e164}
    once_known = {*named.order_by().values_list("number", flat=True).distinct()} - known
    own, once_own = (_unshared(numbers, person) for numbers in (known, once_known))
    return calls.filter(Q(number__in=own) | Q(number__in=once_own, service_guest=guest))


def _unshared(numbers: Iterable[str], person: Customer) -> list[str]:
    return [number for number in numbers if number and not _is_shared(number, person)]


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
    lines=FactLines(
        {
            "at": _("when"),
            "restaurant": _("Restaurant"),
            "number": _("number"),
            "caller_id": _("number as it was sent"),
            "answered_by": _("answered by"),
            **{f"{one}_at": one.label for one in Event},
        }
    ),
)
