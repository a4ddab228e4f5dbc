"""The other side of `tests.bench.questions`: a long history, all of it counted.

Reads names from its input: each page is requested many times, through the whole middleware, and
its 95th percentile is printed in milliseconds.
"""

import os
import sys
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any, NoReturn

import django

django.setup()

from django.db import connection  # noqa: E402 - the settings exist only now
from django.db.models import Count, Sum  # noqa: E402
from django.utils import timezone  # noqa: E402

from accounts.models import User  # noqa: E402
from accounts.rights import Role  # noqa: E402
from config.warm import warm  # noqa: E402
from insights.questions import QUESTIONS  # noqa: E402
from reservations.models import Reservation  # noqa: E402
from restaurants.models import Group  # noqa: E402
from restaurants.testing import make_member, sign_in  # noqa: E402
from tests.bench.helper_process import say  # noqa: E402

ROUNDS = 20


def main() -> NoReturn:
    pages = dict(all_pages())
    say({"vendor": connection.vendor})
    for name in map(str.strip, sys.stdin):
        say(late(pages[name]))
    sys.exit()


def all_pages() -> Iterator[tuple[str, Callable[[], Any]]]:
    manager = User.objects.create_user(f"curious-{os.getpid()}@example.org")
    make_member(manager, Group.objects.get(), Role.MANAGER)
    client = sign_in(manager)
    warm()
    today = timezone.localdate()
    month = {"range": "4w"}
    years = {"range": "own", "since": str(today - timedelta(days=700)), "until": str(today)}
    yield "counted from reservations", by_hand
    for slug in QUESTIONS:
        yield f"{slug}, 2 years", page(client, f"/insights/{slug}/", years)
    yield "all eight, 4 weeks", page(client, "/insights/", month)


def page(client: Any, address: str, query: dict[str, str]) -> Callable[[], Any]:
    def ask() -> None:
        assert client.get(address, query).status_code == 200, address

    return ask


def by_hand() -> object:
    """The covers of four weeks as a page without sums would get them."""
    today = timezone.localdate()
    past = (today - timedelta(days=28), today - timedelta(days=1))
    rows = Reservation.objects.present().filter(service_day__range=past, status="RECORDED")
    groups = rows.order_by().values("service_day", "restaurant_id")
    return list(groups.annotate(bookings=Count("pk"), covers=Sum("party_size")))


def late(ask: Callable[[], Any]) -> float:
    """The 95th percentile."""
    times = []
    for _round in range(ROUNDS + 1):
        began = time.perf_counter()
        ask()
        times.append(1000 * (time.perf_counter() - began))
    return sorted(times[1:])[int(ROUNDS * 0.95) - 1]


if __name__ == "__main__":
    main()
