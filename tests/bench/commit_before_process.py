"""The other side of `tests.bench.commit_before`, which runs in the code of either commit.

So it imports only what both have. With `fill` it adds what the earlier commit's history lacks. Else
it prints, for each page named on a line of its input, the processor time of one request through
the whole middleware, in milliseconds.
"""

import json
import os
import sys
import time
from datetime import date, datetime
from datetime import time as clock

import django

django.setup()

from django.db.models import Count  # noqa: E402 - the settings exist only now
from django.test import Client  # noqa: E402
from django.utils import timezone  # noqa: E402

from accounts.models import User  # noqa: E402
from accounts.rights import Role  # noqa: E402
from config.warm import warm  # noqa: E402
from customers.models import Customer  # noqa: E402
from mirror.models import Completeness  # noqa: E402
from reservations.models import Reservation  # noqa: E402
from restaurants.models import Group, Restaurant  # noqa: E402
from restaurants.testing import make_member, sign_in  # noqa: E402
from reviews.models import Review, Work  # noqa: E402

EVENING = clock(18, tzinfo=timezone.get_default_timezone())  # some are late, some have left
COMMENT = "A lovely evening, though the wine was warm. " * 4


def main() -> None:
    day = busiest_day()
    travel(datetime.combine(day, EVENING))
    pages, client = addresses(day), sign_in(manager())
    warm()
    say(list(pages))
    for name in map(str.strip, sys.stdin):
        say(taken(client, pages[name]))


def busiest_day() -> date:
    days = Reservation.objects.values_list("service_day").annotate(bookings=Count("pk"))
    day: date = days.latest("bookings")[0]
    return day


def travel(to: datetime) -> None:
    """To the same evening for both commits: what a page shows depends on the time of day."""
    real = timezone.now
    ahead = to - real()
    timezone.now = lambda: real() + ahead


def addresses(day: date) -> dict[str, str]:
    first = Restaurant.objects.get(name="Table 1")
    board = f"/?scope={first.uuid}&day={day}&whole=1&zoom="
    known = Customer.objects.annotate(visits=Count("reservations"))
    guest = known.exclude(last_name="").latest("visits", "pk")
    return {
        "pulse": f"/?day={day}&zoom=pulse",
        "arrivals": f"{board}arrivals",
        "list": f"{board}list",
        "guests": "/customers/",
        "search": f"/customers/?q={guest.last_name[:4]}",
        "inbox": "/reviews/",
        "page of a guest": f"/customers/{guest.pk}/",
    }


def manager() -> User:
    user = User.objects.create_user(f"manager-{os.getpid()}@example.org")
    make_member(user, Group.objects.get(), Role.MANAGER)
    return user


def taken(client: Client, address: str) -> float:
    began = time.process_time()
    answer = client.get(address)
    took = time.process_time() - began
    if answer.status_code != 200:
        raise RuntimeError(f"{address}: {answer.status_code}")
    return 1000 * took


def fill() -> None:
    """Reviews with comments that wait for a reply, and a mirror that was read whole."""
    now, group = timezone.now(), Group.objects.get()
    Review.objects.update(
        first_name="Maria", last_name="Martin", comment=COMMENT, comment_status="PUBLISHED"
    )
    queue = "queue" if hasattr(Work, "queue") else "lane"
    works = (
        Work(review=row, restaurant=row.restaurant, since=now, **{queue: "reply"})
        for row in Review.objects.select_related("restaurant")
    )
    Work.objects.bulk_create(works, ignore_conflicts=True)  # a newer history has them
    place = {"group_uuid": group.uuid, "restaurant_uuid": Completeness.WHOLE_GROUP}
    whole = (
        Completeness(kind=kind, complete_at=now, **place)
        for kind in ("reservation", "customer", "review")
    )
    Completeness.objects.bulk_create(whole, ignore_conflicts=True)


def say(what: object) -> None:
    print(json.dumps(what), flush=True)  # noqa: T201 - a pipe to the one who asks


if __name__ == "__main__":
    fill() if sys.argv[1:] == ["fill"] else main()
