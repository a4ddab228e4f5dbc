"""What calls tell of a guest: the number that rang. Given out and forgotten with the guest.

A number that another guest of ours has too (a family, a hotel's desk) stays in the log.
"""

from typing import Any
from uuid import UUID

from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from customers.holdings import Holding, register
from customers.models import Customer
from phone.models import Call


def collect(guest: UUID) -> list[dict[str, Any]]:
    calls = Call.objects.from_numbers(_numbers(guest)).order_by("began_at")
    return [
        {"at": c.began_at.isoformat(), "number": c.number, "answered_by": c.answered_by}
        for c in calls
    ]


def erase(guest: UUID) -> None:
    numbers = [number for number in _numbers(guest) if not _is_shared(number, guest)]
    Call.objects.from_numbers(numbers).update(number="", caller_id="", service_guest=None)


def _numbers(guest: UUID) -> list[str]:
    known = Customer.objects.filter(pk=guest).values_list("phone_e164", "secondary_phone_e164")
    return [number for pair in known for number in pair if number]


def _is_shared(number: str, guest: UUID) -> bool:
    others = Customer.objects.exclude(pk=guest)
    return (
        others.filter(Q(phone_e164=number), ~Q(phone_e164="")).exists()
        or others.filter(Q(secondary_phone_e164=number), ~Q(secondary_phone_e164="")).exists()
    )


def register_all() -> None:
    register(Holding("calls", title=_("Calls"), collect=collect, erase=erase))
