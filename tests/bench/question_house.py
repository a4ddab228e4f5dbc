"""The other side of `tests.bench.questions`: a house with a long history, all of it counted.

Says how long the counting took, then reads names from its input: each page is asked for many
times, through the whole middleware, and its 95th percentile is printed in milliseconds.
"""

import json
import random
import sys
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from decimal import Decimal
from typing import Any, NoReturn
from uuid import UUID

import django

django.setup()

from django.core.management import call_command  # noqa: E402 - the settings exist only now
from django.db import connection  # noqa: E402
from django.db.models import Count, Sum  # noqa: E402
from django.utils import timezone  # noqa: E402

from accounts.models import User  # noqa: E402
from accounts.rights import Role  # noqa: E402
from insights.questions import QUESTIONS  # noqa: E402
from lib import bulk  # noqa: E402
from reservations.models import Reservation  # noqa: E402
from restaurants.models import Group  # noqa: E402
from restaurants.testing import make_member, sign_in  # noqa: E402
from reviews.models import Review  # noqa: E402

ROUNDS = 20
CAMPAIGNS = ({"utm_source": "mail", "utm_campaign": "spring"}, {"utm_source": "map"})
EVERY = 10  # every so many bookings name a campaign, and are reviewed


def main(reservations: int) -> NoReturn:
    for command in ("migrate", "createcachetable"):
        call_command(command, verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)
    call_command("make_history", reservations=reservations, verbosity=0, stdout=sys.stderr)
    add_opinions()
    began = time.perf_counter()
    call_command("rebuild_insights", stdout=sys.stderr)
    counted = time.perf_counter() - began
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    say({"vendor": connection.vendor, "rebuild": round(counted, 1)})
    pages = dict(all_pages())
    for name in map(str.strip, sys.stdin):
        say(late(pages[name]))
    sys.exit()


def add_opinions() -> None:
    """Campaigns and reviews, which the made-up history has none of."""
    dice = random.Random(5)  # noqa: S311  # no secret
    some = Reservation.objects.filter(status="RECORDED").order_by("uuid").defer("raw")
    picked = [row for number, row in enumerate(some.iterator()) if number % EVERY == 0]
    for row in picked:
        row.utm = dice.choice(CAMPAIGNS)
    Reservation.objects.bulk_update(picked, ["utm"], batch_size=500)
    bulk.load([review(row, dice) for row in picked])


def review(row: Reservation, dice: random.Random) -> Review:
    seen = dict.fromkeys(("read_at", "first_seen_at", "changed_at"), row.read_at)
    return Review(
        uuid=UUID(int=dice.getrandbits(128), version=4),
        raw="{}",
        restaurant_id=row.restaurant_id,
        is_valid=True,
        meal_at=row.meal_at,
        service_day=row.service_day,
        global_rating=Decimal(dice.randint(4, 10)),
        comment_status=dice.choice(("", "PUBLISHED")),
        **seen,
    )


def all_pages() -> Iterator[tuple[str, Callable[[], Any]]]:
    manager = User.objects.create_user("bench@example.org")
    make_member(manager, Group.objects.get(), Role.MANAGER)
    client = sign_in(manager)
    today = timezone.localdate()
    month = {"range": "4w"}
    years = {"range": "own", "since": str(today - timedelta(days=700)), "until": str(today)}
    yield "counted from reservations", by_hand
    for slug in QUESTIONS:
        yield f"{slug}, 2 years", page(client, f"/insights/{slug}/", years)
    yield "all seven, 4 weeks", page(client, "/insights/", month)


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


def say(what: object) -> None:
    print(json.dumps(what), flush=True)  # noqa: T201 - a pipe to the parent


if __name__ == "__main__":
    main(int(sys.argv[1]))
