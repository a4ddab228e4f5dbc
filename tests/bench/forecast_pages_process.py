"""The other side of `tests.bench.forecast_pages`: a long history with its forecasts.

Reads names from its input: each page is requested many times, through the whole middleware. Prints
the 95th percentile of the time it took and the median of its processor time, in milliseconds.
"""

import os
import sys
import time
from collections.abc import Callable
from datetime import timedelta
from statistics import median, quantiles
from typing import Any, NoReturn

import django

django.setup()

from django.db import connection  # noqa: E402 - the settings exist only now
from django.db.models import Sum  # noqa: E402
from django.utils import timezone  # noqa: E402

from accounts.models import User  # noqa: E402
from accounts.rights import Role  # noqa: E402
from config.warm import warm  # noqa: E402
from insights.expected.models import ExpectedService  # noqa: E402
from insights.forecast import DAYS_AHEAD  # noqa: E402
from reservations.models import Reservation  # noqa: E402
from restaurants.models import Group, Restaurant  # noqa: E402
from restaurants.testing import make_member, sign_in  # noqa: E402
from tests.bench.forecast_pages import PAGES  # noqa: E402
from tests.bench.helper_process import say  # noqa: E402
from tests.bench.question_process import page  # noqa: E402

ROUNDS = 20


def main() -> NoReturn:
    assert ExpectedService.objects.exists(), "a page without forecasts is no page of forecasts"
    pages = dict(zip(PAGES, all_pages(), strict=True))
    say({"vendor": connection.vendor})
    for name in map(str.strip, sys.stdin):
        say(measure(pages[name]))
    sys.exit()


def all_pages() -> list[Callable[[], Any]]:
    """In the order of `PAGES`."""
    manager = User.objects.create_user(f"foreseeing-{os.getpid()}@example.org")
    make_member(manager, Group.objects.get(), Role.MANAGER)
    client = sign_in(manager)
    warm()
    one = {"scope": str(Restaurant.objects.order_by("pk")[0].uuid)}
    coming = {"day": str(timezone.localdate() + timedelta(days=3))}
    return [
        by_hand,
        page(client, "/insights/expected/", {}),
        page(client, "/insights/expected/", one),
        page(client, "/insights/expected/errors/", {}),
        page(client, "/insights/expected/errors/", one),
        page(client, "/insights/prep/", coming),
        page(client, "/insights/prep/", one | coming),
        page(client, "/calendar/", {}),
        page(client, "/calendar/", one),
        page(client, "/", coming),
    ]


def by_hand() -> object:
    """The covers booked for the coming days as a page without sums would get them."""
    today = timezone.localdate()
    days = (today, today + timedelta(days=DAYS_AHEAD - 1))
    rows = Reservation.objects.present().filter(service_day__range=days, status="RECORDED")
    groups = rows.order_by().values("service_day", "restaurant_id", "local_minutes")
    return list(groups.annotate(covers=Sum("party_size")))


def measure(ask: Callable[[], Any]) -> dict[str, float]:
    ask()
    took, cost = [], []
    for _round in range(ROUNDS):
        began, before = time.perf_counter(), time.process_time()
        ask()
        cost.append(1000 * (time.process_time() - before))
        took.append(1000 * (time.perf_counter() - began))
    return {"p95": quantiles(took, n=20)[-1], "processor": median(cost)}


if __name__ == "__main__":
    main()
