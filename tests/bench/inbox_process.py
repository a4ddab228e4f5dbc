"""The other side of `tests.bench.inbox`: many reviews, and their inbox.

Says when the rows are there; then, for each line it reads, prints one line of JSON: the median and
the 95th percentile of a page of the inbox, in milliseconds, and its number of queries.
"""

import random
import sys
import time
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from decimal import Decimal
from statistics import quantiles
from uuid import UUID

import django

django.setup()

from django.conf import settings  # noqa: E402 - the models exist only now
from django.db import connection  # noqa: E402
from django.test import Client  # noqa: E402
from django.test.utils import CaptureQueriesContext  # noqa: E402
from django.utils import timezone  # noqa: E402

from config.warm import warm  # noqa: E402
from lib.database import bulk  # noqa: E402
from restaurants.models import Restaurant  # noqa: E402
from restaurants.testing import (  # noqa: E402
    make_group,
    make_member,
    make_restaurant,
    make_user,
    sign_in,
)
from reviews.inbox import placement  # noqa: E402
from reviews.models import DEFAULT_RULES, Review, Work  # noqa: E402
from tests.bench.helper_process import say  # noqa: E402

RESTAURANTS = 12
DAYS = 540
PAGES_PER_MEASUREMENT = 40  # pages in one measurement
PAGES = ("", "?lane=reply&low=1", "?lane=published", "?lane=closed", "?lane=mine")
FATES = ("", "PUBLISHED", "PUBLISHED", "PUBLISHED", "NOT_REVIEWED", "WAITING_REFORMULATE")


def main(number: int) -> None:
    settings.ALLOWED_HOSTS += ["testserver"]
    group = make_group()
    places = [make_restaurant(group, f"Table {n}") for n in range(RESTAURANTS)]
    user = make_user("bench@example.org")
    make_member(user, group, "manager")
    now = timezone.now()
    rows = list(reviews(places, number, now=now))
    bulk.load(rows)
    bulk.load(works(rows, now=now))
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE" if connection.vendor == "postgresql" else "ANALYZE")
    client = sign_in(user)
    warm()
    say("ready")
    for _line in sys.stdin:
        say(measure(client))


def reviews(places: list[Restaurant], number: int, *, now: datetime) -> Iterator[Review]:
    dice = random.Random(number)  # noqa: S311  # no secret
    for index in range(number):
        at = now - timedelta(days=DAYS) * (number - index) / number
        fate = dice.choice(FATES) if dice.random() < 0.68 else None
        yield Review(
            uuid=UUID(int=dice.getrandbits(128), version=4),
            restaurant=places[index % len(places)],
            raw="{}",
            read_at=at,
            first_seen_at=at,
            changed_at=at,
            is_valid=dice.random() > 0.01,
            created_ts=at,
            service_day=at.date(),
            first_name="Maria",
            last_name=f"Number {index}",
            global_rating=Decimal(dice.randint(2, 20)) / 2,
            comment="" if fate is None else "A lovely evening, though the wine was warm. " * 4,
            comment_status="" if fate is None else "PUBLISHED",
            comment_published_ts=at,
            reply="Thank you very much." if fate else "",
            reply_status=fate or "",
            reply_updated_ts=at + timedelta(hours=5) if fate else None,
        )


def works(rows: Iterable[Review], *, now: datetime) -> Iterator[Work]:
    for review in rows:
        work = Work(review=review, restaurant=review.restaurant, since=now)
        placement.place_work(work, review, DEFAULT_RULES, now=now)
        yield work


def measure(client: Client) -> dict[str, float]:
    took = []
    for index in range(PAGES_PER_MEASUREMENT):
        address = f"/reviews/{PAGES[index % len(PAGES)]}"
        began = time.perf_counter()
        answer = client.get(address)
        took.append((time.perf_counter() - began) * 1000)
        assert answer.status_code == 200, address
    with CaptureQueriesContext(connection) as queries:
        client.get("/reviews/")
    cuts = quantiles(took, n=20)
    return {"p50": round(cuts[9], 1), "p95": round(cuts[18], 1), "queries": len(queries)}


if __name__ == "__main__":
    main(int(sys.argv[1]))
