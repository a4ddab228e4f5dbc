"""The other side of `tests.bench.guests`: the database, the words, the clock."""

import random
import sys
import time
from collections.abc import Callable, Iterable
from datetime import timedelta
from http import HTTPStatus
from typing import Any, NamedTuple
from uuid import uuid4

import django

django.setup()

from django.db import connection  # noqa: E402 - the models exist only now
from django.db.models import Q  # noqa: E402
from django.test import Client  # noqa: E402
from django.utils import timezone  # noqa: E402

from accounts.models import User  # noqa: E402
from accounts.rights import Role  # noqa: E402
from config.warm import warm  # noqa: E402
from customers.models import Customer  # noqa: E402
from customers.search.queries import GuestQuery  # noqa: E402
from customers.search.ranking import find_guests  # noqa: E402
from lib.database import bulk  # noqa: E402
from reservations.models import Reservation  # noqa: E402
from restaurants.models import Group, Restaurant  # noqa: E402
from tests.bench.helper_process import say  # noqa: E402

VISITS = 400
EACH = 20  # words of each kind in a round
SLOW_EACH = 3
PAGES = 60
COLUMNS = ("first_name", "last_name", "email", "phone")


class ReservationPermissions:
    def __init__(self) -> None:
        self.group = Group.objects.get(name="Load test")
        known = Customer.objects.filter(group=self.group).exclude(last_name="")
        self.people = list(known.values_list(*COLUMNS)[:5000])
        self.guest = self.frequent_guest()
        self.client = Client()
        self.root, _new = User.objects.get_or_create(
            email="bench@example.org", defaults={"is_superuser": True, "name": "Bench"}
        )
        self.root.memberships.get_or_create(group=self.group, defaults={"role": Role.ADMIN})
        self.client.force_login(self.root)
        warm()

    def frequent_guest(self) -> Customer:
        now = timezone.now()
        guest = Customer.objects.filter(group=self.group).exclude(last_name="").latest("uuid")
        Reservation.objects.filter(customer=guest).delete()
        places = list(Restaurant.objects.filter(group=self.group)[:5])
        bulk.load(visit(guest, places[n % 5], now - timedelta(days=n + 1)) for n in range(VISITS))
        return guest

    def words(self, each: int) -> Iterable[tuple[str, str]]:
        """Kinds of words, common and rare. The same in every round."""
        dice = random.Random(7)  # noqa: S311  # no secret
        for _number in range(each):
            first, last, email, phone = dice.choice(self.people)
            yield "2", last[:2]
            yield "3", last[:3]
            yield "5", last[:5]
            yield "inside", last[1:5]
            yield "first name", first
            yield "two fragments", f"{last[1:5]} {first[:3]}"
            yield "full name", f"{first} {last}"
            yield "phone", phone
            yield "end of a phone", phone[-5:]
            yield "e-mail", email
            yield "30", f"{first} {last} {email}"[:30]
            yield "nobody", "qzxkwv"

    def search(self) -> dict[str, float]:
        return spread([taken(self.find, word) for _kind, word in self.words(EACH)])

    def lengths(self) -> dict[str, Any]:
        """The search by kind of word."""
        times: dict[str, list[Taken]] = {}
        for kind, word in self.words(EACH):
            times.setdefault(kind, []).append(taken(self.find, word))
        return {kind: spread(some) for kind, some in times.items()}

    def icontains(self) -> dict[str, float]:
        return spread([taken(self.find_slowly, word) for _kind, word in self.words(SLOW_EACH)])

    def page(self) -> dict[str, float]:
        address = f"/customers/{self.guest.pk}/"
        if self.client.get(address).status_code != HTTPStatus.OK:
            raise RuntimeError("The page of the guest did not open.")
        return spread([taken(self.client.get, address) for _number in range(PAGES)])

    def find(self, word: str) -> object:
        query, now = GuestQuery(word, ("FR", "GB", "ES")), timezone.now()
        return find_guests(query, groups=[self.group.pk], user=self.root, now=now)

    def find_slowly(self, word: str) -> object:
        rows = Customer.objects.present().for_lines().filter(group=self.group)
        for piece in word.split():
            wanted = Q()
            for column in COLUMNS:
                wanted |= Q(**{f"{column}__icontains": piece})
            rows = rows.filter(wanted)
        return list(rows.order_by("last_name")[:60])


def visit(guest: Customer, place: Restaurant, at: Any) -> Reservation:
    row = Reservation(
        uuid=uuid4(), restaurant=place, customer=guest, meal_at=at, party_size=2, raw="{}",
        status="RECORDED", read_at=at, first_seen_at=at, changed_at=at, created_at=at,
    )  # fmt: skip
    row.set_service_day()
    return row


class Taken(NamedTuple):
    """Milliseconds elapsed, and of this process's processor: on a busy machine they differ."""

    elapsed: float
    cpu: float


def taken(call: Callable[[str], object], word: str) -> Taken:
    began, worked = time.perf_counter(), time.process_time()
    call(word)
    return Taken((time.perf_counter() - began) * 1000, (time.process_time() - worked) * 1000)


def spread(times: list[Taken]) -> dict[str, float]:
    elapsed, cpu = sorted(one.elapsed for one in times), sorted(one.cpu for one in times)
    middle, late = len(times) // 2, int(len(times) * 0.95)
    found = {
        "p50": elapsed[middle],
        "p95": elapsed[late],
        "cpu p50": cpu[middle],
        "cpu p95": cpu[late],
    }
    return {name: round(number, 1) for name, number in found.items()}


def main() -> None:
    permissions = ReservationPermissions()
    say({"database": connection.vendor, "guests": Customer.objects.count()})
    rounds: dict[str, Callable[[], Any]] = {
        "search": permissions.search,
        "lengths": permissions.lengths,
    }
    rounds |= {"icontains": permissions.icontains, "page": permissions.page}
    for line in sys.stdin:
        say(rounds[line.strip()]())


if __name__ == "__main__":
    main()
