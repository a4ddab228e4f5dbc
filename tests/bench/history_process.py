"""The other side of `tests.bench.history`: fills an empty database, and counts."""

import random
import sys
import time
from decimal import Decimal
from itertools import islice
from uuid import UUID

import django

django.setup()

from django.core.management import call_command  # noqa: E402 - the settings exist only now
from django.db import connection, transaction  # noqa: E402
from django.utils import timezone  # noqa: E402

from customers.models import Customer  # noqa: E402
from insights.expected.training import train_due  # noqa: E402
from lib.database import bulk  # noqa: E402
from mirror.models import Completeness, Priority, SyncRequest  # noqa: E402
from reservations.models import Reservation  # noqa: E402
from reservations.service_day.bookings import measure_arrival_tracking  # noqa: E402
from reservations.service_day.note_readings import read_unread  # noqa: E402
from restaurants.models import Group  # noqa: E402
from reviews.models import Review  # noqa: E402
from tests.bench.copies import multiply  # noqa: E402
from tests.bench.helper_process import say  # noqa: E402

CAMPAIGNS = ({"utm_source": "mail", "utm_campaign": "spring"}, {"utm_source": "map"})
KINDS = {Reservation: "reservation", Customer: "customer", Review: "review"}
AT_ONCE = 5000
EVERY = 10  # every so many bookings name a campaign, and are reviewed


def main(reservations: int, customers: int, copies: int) -> None:
    numbers = {"reservations": reservations // copies, "customers": customers // copies}
    call_command("make_history", **numbers, verbosity=0, stdout=sys.stderr)
    add_opinions()
    read_unread(now=timezone.now())
    with transaction.atomic():
        multiply(reservations=reservations, busy_day=timezone.localdate())
        add_requests()
        add_completeness()
    measure_arrival_tracking(now=timezone.now())
    began = time.perf_counter()
    call_command("rebuild_insights", stdout=sys.stderr)
    counted = time.perf_counter() - began
    while train_due(now=timezone.now()):
        pass
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE" if connection.vendor == "postgresql" else "ANALYZE")
    say({"seconds to count": round(counted, 1)})


def add_opinions() -> None:
    """Campaigns and reviews, which the made-up history has none of."""
    dice = random.Random(5)  # noqa: S311  # no secret
    some = Reservation.objects.filter(status="RECORDED").order_by("uuid").defer("raw")
    picked = [row for number, row in enumerate(some.iterator()) if number % EVERY == 0]
    for row in picked:
        row.utm = dice.choice(CAMPAIGNS)
    bulk.update(picked, ["utm"])
    bulk.load(review(row, dice) for row in picked)


def add_requests() -> None:
    """Each row was requested once; a row of the queue stays for ever."""
    for model, kind in KINDS.items():
        uuids = model._default_manager.values_list("uuid", flat=True).iterator()
        row = SyncRequest(
            kind=kind,
            state=SyncRequest.State.SETTLED,
            priority=Priority.BACKFILL,
            served=1,
            fetch_no=1,
            **dict.fromkeys(("requested_at", "not_before", "settled_at"), timezone.now()),
        )
        while chunk := list(islice(uuids, AT_ONCE)):
            bulk.insert_copies(row, {"uuid": chunk})


def add_completeness() -> None:
    """Everything was read whole once, as it is from the first evening of an installation on."""
    now, whole = timezone.now(), Completeness.WHOLE_GROUP
    Completeness.objects.bulk_create(
        Completeness(kind=kind, group_uuid=uuid, restaurant_uuid=whole, complete_at=now)
        for uuid in Group.objects.values_list("uuid", flat=True)
        for kind in KINDS.values()
    )


def review(row: Reservation, dice: random.Random) -> Review:
    seen = dict.fromkeys(("read_at", "first_seen_at", "changed_at"), row.read_at)
    return Review(
        uuid=UUID(int=dice.getrandbits(128), version=4),
        raw="{}",
        restaurant_id=row.restaurant_id,
        reservation_id=row.pk,
        customer_id=row.customer_id,
        is_valid=True,
        meal_at=row.meal_at,
        service_day=row.service_day,
        global_rating=Decimal(dice.randint(4, 10)),
        comment_status=dice.choice(("", "PUBLISHED")),
        **seen,
    )


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
