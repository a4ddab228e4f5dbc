"""The other side of `tests.bench.connections`: an installation with so many connections.

Each has a group of ten restaurants, thirty bookings a day in each of them, and a copy that is up to
date. Prints what a client needs; then answers the words of `ANSWERS`, each with milliseconds.
"""

import json
import random
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from datetime import datetime
from datetime import time as clock_time

import django

django.setup()

from auditlog.context import disable_auditlog  # noqa: E402 - the models exist only now
from django.conf import settings  # noqa: E402
from django.db import connection, transaction  # noqa: E402
from django.utils import timezone  # noqa: E402

from accounts.models import User  # noqa: E402
from accounts.rights import Role  # noqa: E402
from customers.models import Customer  # noqa: E402
from insights.expected import training  # noqa: E402
from insights.sums import recount, rereading  # noqa: E402
from lib.database import bulk  # noqa: E402
from mirror.health import alerts  # noqa: E402
from mirror.models import (  # noqa: E402
    Alert,
    Completeness,
    Heartbeat,
    Job,
    Priority,
    SyncRequest,
)
from mirror.processes import heartbeat  # noqa: E402
from mirror.queue import due_accounts  # noqa: E402
from partner.models import Budget, Connection, Slot  # noqa: E402
from reservations import history  # noqa: E402
from reservations.models import Reservation  # noqa: E402
from reservations.service_day import note_readings  # noqa: E402
from reservations.testing import new_reservation  # noqa: E402
from restaurants import directory, service_days  # noqa: E402
from restaurants.models import Group, Restaurant  # noqa: E402
from restaurants.testing import make_group, make_member, make_restaurant, sign_in  # noqa: E402
from tests.bench.helper_process import say  # noqa: E402
from webhooks import routing  # noqa: E402
from webhooks.models import Delivery  # noqa: E402

RESTAURANTS = 10
BOOKINGS, GUESTS = 30, 100  # a restaurant and day, a group
TAKEN = 5


def main(number: int) -> None:
    now = timezone.now()
    for index in range(number):
        with transaction.atomic(), disable_auditlog():
            account = make_account(index, now=now)
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE" if connection.vendor == "postgresql" else "ANALYZE")
    say({"token": account.webhook_token, "cookie": cookie_of(account)})
    for word in map(str.strip, sys.stdin):
        say(ANSWERS[word](account))


def make_account(index: int, *, now: datetime) -> Connection:
    account = Connection.objects.create(
        name=f"Account {index}",
        base_url="https://api.example.com",
        auth_url="https://auth.example.com",
        audience="a",
        client_id=f"client {index}",
        client_secret="secret",  # noqa: S106 - opens nothing
    )
    Budget.objects.create(connection=account, rate=10)
    group = make_group(f"Group {index}")
    Group.objects.filter(pk=group.pk).update(connection=account)
    group.connection = account
    places = [make_restaurant(group, f"Table {index}.{n}") for n in range(RESTAURANTS)]
    fill(group, places, index, now=now)
    note_as_read(group, account, now=now)
    return account


def fill(group: Group, places: list[Restaurant], index: int, *, now: datetime) -> None:
    plan = history.Plan(0, GUESTS, timezone.localdate(), seed=index)
    guests = list(history.customers(plan, places))
    bulk.load(guests)
    bookings = list(bookings_of_today(places, guests, random.Random(index)))  # noqa: S311
    bulk.load(bookings)
    for kind, rows in (("customer", guests), ("reservation", bookings)):
        read = SyncRequest(
            kind=kind,
            group_uuid=group.uuid,
            connection=group.connection,
            state=SyncRequest.State.SETTLED,
            priority=Priority.BACKFILL,
            served=1,
            fetch_no=1,
            **dict.fromkeys(("requested_at", "not_before", "settled_at"), now),
        )
        bulk.insert_copies(read, {"uuid": [row.pk for row in rows]})


def bookings_of_today(
    places: list[Restaurant], guests: list[Customer], dice: random.Random
) -> Iterator[Reservation]:
    today = timezone.localdate()
    for place in places:
        for number in range(BOOKINGS):
            at = place.at(today, clock_time(18 + number % 5))
            row = new_reservation(place, meal_at=at, customer_id=dice.choice(guests).pk)
            # Or else it counts as a foreign answer, which is read again.
            ids = {"reservationUuid": str(row.uuid), "restaurantUuid": str(place.uuid)}
            row.raw = json.dumps(ids)
            yield row


def note_as_read(group: Group, account: Connection, *, now: datetime) -> None:
    """As after a comparison that found nothing."""
    Completeness.objects.create(kind="reservation", group_uuid=group.uuid, complete_at=now)
    Heartbeat.objects.create(name=heartbeat.of_events(account.pk), at=now)
    Job.objects.create(
        purpose=Job.Purpose.SWEEP,
        state=Job.State.DONE,
        connection=account,
        since=now.date(),
        until=now.date(),
        started_at=now,
        ended_at=now,
    )


def settle(account: Connection) -> float:
    """Bring the installation to rest: nothing waits, and what is done once or nightly is done."""
    clear(account)
    now = timezone.now()
    Completeness.objects.update(complete_at=now)
    Heartbeat.objects.filter(name__in=map(heartbeat.of_events, _accounts())).update(at=now)
    Job.objects.update(started_at=now, ended_at=now)
    return milliseconds(lambda: _do_what_is_due(now))


def _accounts() -> list[int]:
    return list(Connection.objects.values_list("pk", flat=True))


def _do_what_is_due(now: datetime) -> None:
    service_days.recompute_corrected(now=now)
    note_readings.read_unread(now=now)
    for work in (rereading.read_outdated, recount.count_marked, training.train_due):
        while work(now=now):
            pass


def cookie_of(account: Connection) -> str:
    """A session of the person who owns the account and is admin of its group."""
    settings.ALLOWED_HOSTS += ["testserver"]
    owner = User.objects.create_user("owner@example.org", is_owner=True)
    owner.owned_connections.set([account])
    make_member(owner, Group.objects.get(connection=account), Role.ADMIN)
    name = settings.SESSION_COOKIE_NAME
    return f"{name}={sign_in(owner).cookies[name].value}"


def milliseconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return 1000 * (time.perf_counter() - began)


def check_alerts(_account: Connection) -> float:
    """While all is well. That it is belongs to what is measured."""
    found = statistics.median(
        milliseconds(lambda: alerts.check(now=timezone.now())) for _time in range(TAKEN)
    )
    if wrong := set(Alert.objects.filter(closed_at=None).values_list("cause", "sentence")):
        raise RuntimeError(f"not at rest: {sorted(wrong)[:20]}")
    return found


def look_for_work(_account: Connection) -> float:
    """What a worker asks every other second."""
    return statistics.median(
        milliseconds(lambda: due_accounts.due_connections(now=timezone.now()))
        for _time in range(TAKEN)
    )


def route_one(account: Connection) -> float:
    """From a stored event to its request, with a map of places that is too old."""
    return statistics.median(_route(row) for row in _events(account))


def _events(account: Connection) -> list[Reservation]:
    return list(Reservation.objects.filter(restaurant__group__connection=account)[:TAKEN])


def _route(row: Reservation) -> float:
    event = {
        "entityType": "reservation",
        "eventType": "reservationUpdated",
        "uuid": str(row.uuid),
        "groupUuid": str(row.restaurant.group.uuid),
        "restaurantUuid": str(row.restaurant.uuid),
    }
    raw = json.dumps(event).encode()
    Delivery.objects.create(
        received_at=timezone.now(),
        raw=raw,
        size=len(raw),
        slot=Slot.CURRENT,
        connection=row.restaurant.group.connection,
    )
    directory.clear()
    return milliseconds(lambda: routing.route_new(now=timezone.now()))


def clear(_account: Connection) -> float:
    """Leave nothing for the next round: no worker shall call a service that is not there."""
    waiting = SyncRequest.objects.filter(state=SyncRequest.State.WAITING)
    waiting.update(state=SyncRequest.State.SETTLED)
    return milliseconds(Delivery.objects.all().delete)


def beats(_account: Connection) -> float:
    """How old the oldest heartbeat is of the processes that have to run."""
    now = timezone.now()
    ages = [heartbeat.age(name, now=now) for name in ("worker", "beat")]
    return max(float("inf") if age is None else 1000 * age.total_seconds() for age in ages)


ANSWERS: dict[str, Callable[[Connection], float]] = {
    "check alerts": check_alerts,
    "look for work": look_for_work,
    "route one": route_one,
    "clear": clear,
    "settle": settle,
    "beats": beats,
}

if __name__ == "__main__":
    main(int(sys.argv[1]))
