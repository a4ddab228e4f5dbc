"""The other side of `tests.bench.sizes`: fills one of its databases, with what `history` lacks.

python -m tests.bench.sizes_fill_process opinions|worlds
"""

import sys
import time
from datetime import timedelta

import django

django.setup()

from django.db import connection  # noqa: E402 - the models exist only now
from django.utils import timezone  # noqa: E402

from customers.models import Customer, InternalNote  # noqa: E402
from lib.database import bulk  # noqa: E402
from restaurants.models import Restaurant  # noqa: E402
from reviews.models import Review  # noqa: E402
from tests.bench import worlds  # noqa: E402
from tests.bench.guest_search import VISITS, visit  # noqa: E402
from tests.bench.helper_process import say  # noqa: E402
from tests.bench.inbox_process import works  # noqa: E402

KNOWN_FOR = timedelta(days=20 * 365)


def add_opinions() -> None:
    """The inbox of all reviews, and a guest with many visits, whom the team's note marks."""
    now = timezone.now()
    bulk.load(works(Review.objects.select_related("restaurant").iterator(), now=now))
    guest = Customer.objects.exclude(last_name="").latest("uuid")
    places = list(Restaurant.objects.order_by("pk")[:5])
    bulk.load(visit(guest, places[n % 5], now - timedelta(days=n + 1)) for n in range(VISITS))
    InternalNote.objects.create(customer_uuid=guest.pk, text="Often here", changed_at=now)
    # Retention looks at every guest that is known for long.
    Customer.objects.update(first_seen_at=now - KNOWN_FOR)
    with connection.cursor() as cursor:
        cursor.execute("VACUUM FULL")  # the copies have no dead rows either
        cursor.execute("VACUUM ANALYZE")


def add_worlds() -> None:
    began = time.monotonic()
    for line in worlds.grow():
        print(f"{time.monotonic() - began:6.0f} s  {line}", file=sys.stderr, flush=True)  # noqa: T201


if __name__ == "__main__":
    {"opinions": add_opinions, "worlds": add_worlds}[sys.argv[1]]()
    say("filled")
