"""The other side of `tests.bench.sizes`: pages of one group, and work that is done in between.

Reads names from its input: a page is requested many times, through the whole middleware, and the
median and the 95th percentile are printed in milliseconds; other work is done once and undone.
"""

import sys
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from functools import partial
from statistics import quantiles
from typing import NoReturn
from uuid import uuid4

import django

django.setup()

from django.conf import settings  # noqa: E402 - the models exist only now
from django.core.management import call_command  # noqa: E402
from django.db import transaction  # noqa: E402
from django.db.models import Min  # noqa: E402
from django.utils import timezone  # noqa: E402

from accounts.models import User  # noqa: E402
from accounts.rights import Role  # noqa: E402
from config.warm import warm  # noqa: E402
from customers.models import Customer, InternalNote  # noqa: E402
from customers.privacy import erasure, retention  # noqa: E402
from insights.models import Mark  # noqa: E402
from insights.questions import QUESTIONS  # noqa: E402
from insights.sums import recount  # noqa: E402
from mirror import kinds  # noqa: E402
from mirror.kinds import EntityLocation, EntityRef  # noqa: E402
from mirror.models import Priority  # noqa: E402
from mirror.queue import sync_requests  # noqa: E402
from partner.models import Connection  # noqa: E402
from reservations.models import Reservation  # noqa: E402
from reservations.service_day.bookings import measure_arrival_tracking  # noqa: E402
from restaurants.models import Group, Restaurant  # noqa: E402
from restaurants.testing import make_member, make_user, sign_in  # noqa: E402
from tests.bench.helper_process import say  # noqa: E402

ROUNDS, WARM = 20, 3
A_MONTH = timedelta(days=30.44)
Work = Callable[[], object]


def main() -> NoReturn:
    settings.GUEST_RETENTION_MONTHS = months_of_all()
    group = Group.objects.get(name="Load test")
    user = make_user(address(), is_superuser=False)
    make_member(user, group, Role.ADMIN)
    warm()
    pages, works = dict(pages_of(user, group)), dict(works_of(group))
    say({"pages": list(pages), "works": list(works)})
    warmed = set[str]()
    for name in map(str.strip, sys.stdin):
        if name in works:
            say(undone(works[name]))
            continue
        for _time in range(0 if name in warmed else WARM):
            pages[name]()
        warmed.add(name)
        say(spread(pages[name]))
    sys.exit()


def months_of_all() -> float:
    """Retention looks at every guest, and finds those who never came after their first day."""
    oldest = Customer.objects.aggregate(at=Min("creation_date"))["at"]
    return float((timezone.now() - oldest - timedelta(minutes=1)) / A_MONTH)


def address() -> str:
    return f"{uuid4()}@example.org"


def pages_of(user: User, group: Group) -> Iterator[tuple[str, Work]]:
    """Of a person who works in one group."""
    today = timezone.localdate()
    first = Restaurant.objects.filter(group=group).earliest("pk")
    guest = Customer.objects.get(pk=InternalNote.objects.get().customer_uuid)
    booking = Reservation.objects.filter(restaurant=first, service_day=today).earliest("uuid")
    one = {"scope": str(first.uuid), "whole": "1"}
    month = {"range": "4w"}
    # The days before, too: the small installation knows two years.
    year = {"range": "own", "since": str(today - timedelta(days=360)), "until": str(today)}

    def page(address: str, **query: str) -> Work:
        client = sign_in(user)

        def ask() -> None:
            headers = {"HX-Request": "true"} if "/find/" in address else {}
            answer = client.get(address, query, headers=headers)
            assert answer.status_code == 200, (address, answer.status_code)

        return ask

    yield "arrivals of a restaurant", page("/", **one, zoom="arrivals")
    yield "list of a restaurant", page("/", **one, zoom="list")
    yield "pulse of 20 restaurants", page("/", zoom="pulse")
    yield "a booking", page(f"/reservations/{booking.pk}/")
    yield "finding a guest by name", page("/customers/find/", q=guest.full_name)
    yield "finding a guest by few letters", page("/customers/find/", q=guest.last_name[1:5])
    yield "finding a guest by number", page("/customers/find/", q=guest.phone)
    yield "guest list", page("/customers/")
    yield "a guest with 400 visits", page(f"/customers/{guest.pk}/")
    yield "inbox", page("/reviews/")
    yield "inbox, not published", page("/reviews/", lane="waiting")
    yield "insights, 4 weeks", page("/insights/", **month)
    yield "spend, a year", page("/insights/spend/", **year)
    yield "expected", page("/insights/expected/")
    yield "calendar", page("/calendar/")
    yield "requests", page("/reservations/requests/")
    yield "bookings without an outcome", page("/reservations/open-past/")
    yield "health", page("/setup/mirror/")


def works_of(group: Group) -> Iterator[tuple[str, Work]]:
    now, today = timezone.now(), timezone.localdate()
    first = Restaurant.objects.filter(group=group).earliest("pk")
    guest = Customer.objects.get(pk=InternalNote.objects.get().customer_uuid)
    place = EntityLocation(group.uuid, first.uuid)
    of_day = Reservation.objects.filter(restaurant=first, service_day=today)
    refs = [EntityRef("reservation", uuid, place) for uuid in of_day.values_list("pk", flat=True)]
    owner = make_user(address(), is_superuser=True)

    def sums_of_a_day() -> None:
        Mark.objects.create(restaurant=first, day=today)
        recount.count_marked(now=now)

    def sizes() -> None:
        account = Connection.objects.create(name="All")
        Group.objects.update(connection=account)
        assert sign_in(owner).get("/setup/connection/sizes/").status_code == 200

    request = partial(sync_requests.request, refs, priority=Priority.SWEEP, now=now)
    days = (today - timedelta(days=2), today + timedelta(days=1))
    yield f"asking for {len(refs)} reads", request
    lists = {"bookings": "reservation", "guests": "customer", "reviews": "review"}
    for label, kind in lists.items():
        held = kinds.get(kind).held
        assert held
        yield f"what a sweep's list of {label} must name", held(place, *days, "updatedDate").count
    yield "sums of a day", sums_of_a_day
    yield "arrivals of all restaurants", lambda: measure_arrival_tracking(now=now)
    yield "erasing a guest with 400 visits", lambda: erasure.erase(guest, actor=None, now=now)
    yield "migrate, with nothing to do", lambda: call_command("migrate", verbosity=0)
    yield "page of sizes, all accounts", sizes
    yield from exports_of(group)
    yield "retention, every guest known for long", lambda: retention.purge(now=now)


def exports_of(group: Group) -> Iterator[tuple[str, Work]]:
    today = timezone.localdate()
    person = make_user(address())
    make_member(person, group, Role.ADMIN)
    year = {"range": "own", "since": str(today - timedelta(days=365)), "until": str(today)}

    def export(address: str, **query: str) -> Work:
        def ask() -> None:
            answer = sign_in(person).get(address, query)
            assert answer.status_code == 200, (address, answer.status_code)
            lines = b"".join(answer).count(b"\n")
            assert lines > 1, address

        return ask

    for slug in QUESTIONS:
        yield f"export of a year, {slug}", export(f"/insights/{slug}/export.csv", **year)
    yield "export of the inbox", export("/reviews/export.csv", lane="waiting")
    yield "export of the guests", export("/customers/export.csv")


def spread(ask: Work) -> dict[str, float]:
    took = sorted(taken(ask) for _round in range(ROUNDS))
    cuts = quantiles(took, n=20)
    return {"p50": cuts[9], "p95": cuts[18]}


def undone(work: Work) -> dict[str, float]:
    with transaction.atomic():
        once = taken(work)
        transaction.set_rollback(True)
    return {"once": once}


def taken(work: Work) -> float:
    began = time.perf_counter()
    work()
    return 1000 * (time.perf_counter() - began)


if __name__ == "__main__":
    main()
