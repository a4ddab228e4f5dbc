"""Lists the pages of the installation in this environment, with a session, as JSON.

    python -m tests.shown SECONDS    wait that long for the first copy, then print it as JSON

For `tests.screenshots`, which looks at two installations with a database each: Django knows one.
"""

import json
import os
import sys
import time
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from django.conf import settings  # noqa: E402 - models exist once Django is set up
from django.db.models import Model, QuerySet  # noqa: E402 - see above
from django.urls import NoReverseMatch  # noqa: E402 - see above

from accounts.models import User  # noqa: E402 - see above
from customers.models import Customer  # noqa: E402 - see above
from mirror.models import Job  # noqa: E402 - see above
from outbox.models import Intent  # noqa: E402 - see above
from reservations.models import Reservation  # noqa: E402 - see above
from restaurants.models import Group, Membership, Restaurant  # noqa: E402 - see above
from restaurants.testing import make_root  # noqa: E402 - see above
from reviews.models import InboxQueue, Review  # noqa: E402 - see above
from tests.addresses import all_addresses, may_be_a_page  # noqa: E402 - see above
from tests.sessions import session_of  # noqa: E402 - see above
from webhooks.models import Delivery  # noqa: E402 - see above

# An object of the installation for every word in angle brackets, as in tests/url_examples.py.
CHOICES: dict[str, tuple[QuerySet[Any], str]] = {
    "restaurants.uuid": (Restaurant.objects.all(), "uuid"),
    "restaurants:add.uuid": (Group.objects.all(), "uuid"),
    "restaurants:edit_group.uuid": (Group.objects.all(), "uuid"),
    "people.pk": (User.objects.all(), "pk"),
    "people.membership": (Membership.objects.all(), "pk"),
    "customers.uuid": (Customer.objects.order_by("-changed_at"), "uuid"),
    "reservations:feed.uuid": (Restaurant.objects.all(), "uuid"),
    "reservations:make_feed.uuid": (Restaurant.objects.all(), "uuid"),
    "reservations:revoke_feed.uuid": (Restaurant.objects.all(), "uuid"),
    "reservations.uuid": (Reservation.objects.order_by("-changed_at"), "uuid"),
    "outbox.key": (Intent.objects.all(), "key"),
    "reservations.key": (Intent.objects.all(), "key"),
    "reviews.uuid": (
        Review.objects.filter(work__queue=InboxQueue.REPLY).order_by("-created_ts"),
        "uuid",
    ),
    "mirror.pk": (Job.objects.all(), "pk"),
    "webhooks.pk": (Delivery.objects.order_by("-pk"), "pk"),
}


def example(view: str, word: str) -> Any:
    """The first object that a page of this view can show; LookupError if there is none."""
    key = f"{view}.{word}"
    queryset, field = CHOICES.get(key) or CHOICES[f"{view.split(':')[0]}.{word}"]
    found: Model | None = queryset.first()
    if found is None:
        raise LookupError(key)
    return getattr(found, field)


def pages() -> dict[str, str]:
    found = {"missing": "/nothing-here/"}
    for address in all_addresses():
        try:
            path = address.path(example)
        except (LookupError, NoReverseMatch):
            continue
        if may_be_a_page(path):
            found[address.name.replace(":", "-")] = path
    return found | boards()


def boards() -> dict[str, str]:
    """The zooms of a board and of the calendar, which share an address."""
    place = Restaurant.objects.first()
    scope = f"scope={place.uuid}&" if place else ""
    zooms = {
        f"reservations-{zoom}": f"/?{scope}zoom={zoom}" for zoom in ("arrivals", "stays", "list")
    }
    calendar = {"calendar-week": "/calendar/?zoom=week", "calendar-one": f"/calendar/?{scope}"}
    return zooms | calendar | {"reservations-pulse": "/?zoom=pulse"}


def session_of_an_admin() -> str:
    """A session of the demo's admin, or, without people, of its first owner."""
    people = User.objects.order_by("pk")
    admin = (people.filter(memberships__role="admin") | people.filter(is_owner=True)).first()
    return session_of(admin or make_root("root@demo.example", name="Robin"))


def wait_for_the_first_copy(seconds: float) -> None:
    deadline = time.monotonic() + seconds
    while Group.objects.exists() and time.monotonic() < deadline:
        if Job.objects.filter(purpose=Job.Purpose.BACKFILL, state=Job.State.DONE).exists():
            return
        time.sleep(1)


def main(seconds: float) -> None:
    wait_for_the_first_copy(seconds)
    name, session = settings.SESSION_COOKIE_NAME, session_of_an_admin()
    json.dump({"cookie": name, "session": session, "pages": pages()}, sys.stdout)


if __name__ == "__main__":
    main(float(sys.argv[1]))
