"""One change of a booking passes through at most forty files, from the form to the screens.

Counted by running it against the sandbox with a profiler that notes the file of every function of
ours that is called. docs/architecture.md ("One change of a booking, file by file") lists the
files; what is not counted stands in `EVERY_REQUEST`, `NOTE_READER`, `DAY_MARKS`,
`FIRST_READING`, `ANSWER_LAG`, `DRIFT` and `HOOKS`.

    pytest -m slow -n 0 -s tests/contract/test_count_files_of_a_change.py
"""

import re
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from html import unescape
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from django.conf import settings
from django.urls import reverse
from django.utils import timezone

from live.models import Announcement
from mirror import kinds
from mirror.kinds import EntityLocation, EntityRef
from mirror.models import Priority
from mirror.queue import sync_requests
from outbox import engine
from outbox.models import Intent
from partner import factory
from reservations.models import Reservation
from restaurants.testing import make_member, make_user, sign_in
from tests.contract.places import A_HOLD, carry, make_places, read_what_changed

pytestmark = [pytest.mark.slow, pytest.mark.django_db]

MOST = 40
ROOT = f"{settings.BASE_DIR}/"
OTHER = frozenset({"tests", "sandbox", "bin", "conftest.py", "manage.py", ".venv"})
# Not counted. Whatever a person does passes the first; nobody opens them to change a booking.
EVERY_REQUEST = (
    "config/requests/",
    "config/monitoring/health.py",
    "accounts/",
    "restaurants/emergency_access/expiry.py",
    "restaurants/access.py",
    "restaurants/models.py",
    "restaurants/shell.py",
)
HELPERS = ("lib/",)  # small things without a rule about bookings
# Reads allergies in free texts: one call from the card, ten files behind it.
NOTE_READER = ("customers/allergies/", "customers/note_decisions/decisions.py")
# Marks of a day's bookings that are no part of a booking: one call each from the board.
DAY_MARKS = ("reservations/host_marks/of_day.py", "reservations/changes/day_marks.py")
# Says of a place, not of a booking, whether its past was read: one call from the board.
FIRST_READING = ("mirror/health/first_reading.py",)
# Says of an account whether its service answers late: one call from the store.
ANSWER_LAG = ("mirror/queue/answer_lag.py",)
# Counts for the health page what differs from the contract: one call from the store.
DRIFT = ("mirror/drift.py",)
# Called for every stored row or change through a registration, whichever file is registered.
HOOKS = (
    "customers/personal_data.py",
    "reservations/personal_data.py",
    "reservations/service_day/guest_changes.py",
    "reservations/briefing/moved_bookings.py",
    "insights/sums/recount.py",
    "reservations/push_messages/notices.py",
    "live/push/events.py",
)
NOT_COUNTED = (
    *(*EVERY_REQUEST, *HELPERS, *NOTE_READER, *DAY_MARKS),
    *(*FIRST_READING, *ANSWER_LAG, *DRIFT, *HOOKS),
)


@contextmanager
def noted(files: set[str]) -> Iterator[None]:
    """Note the files of the functions that are called, in all threads."""

    def note(frame: FrameType, event: str, _arg: Any) -> None:
        path = frame.f_code.co_filename
        if event != "call" or not path.startswith(ROOT) or frame.f_code.co_name == "<module>":
            return
        path = path.removeprefix(ROOT)
        if frame.f_code.co_flags & 0x2 and is_product(path):  # 0x2: a function, no class body
            files.add(path)

    sys.setprofile(note)
    threading.setprofile(note)
    try:
        yield
    finally:
        sys.setprofile(None)
        threading.setprofile(None)


def is_product(path: str) -> bool:
    is_other = "/tests/" in path or "/migrations/" in path or Path(path).name == "testing.py"
    return path.split("/")[0] not in OTHER and not is_other


def pass_through(web, row: Reservation, note: str, files: set[str], on_commit) -> None:
    """Save a note, send it, read the booking again and fetch its card, as an open board does."""
    data = {**hidden_fields(web, row), "note": note}
    before = Announcement.objects.newest_id()
    with noted(files):
        with on_commit(execute=True):
            saved = web.post(reverse("reservations:note", args=[row.uuid]), data)
        engine.work(now=timezone.now() + A_HOLD)
        read_what_changed()
        row.refresh_from_db()
        changes = web.get(reverse("live:changes"), {"since": before})
        card = web.get(reverse("reservations:card", args=[row.uuid]), card_params(row))
    assert saved.status_code == 302
    assert Intent.objects.latest("pk").state == Intent.State.DONE
    assert row.restaurant_note == note
    assert changes.json()["changes"]
    assert card.content


def hidden_fields(web, row: Reservation) -> dict[str, str]:
    address = reverse("reservations:note", args=[row.uuid])
    page = web.get(address, headers={"hx-request": "true", "hx-target": "drawer"}).content.decode()
    found = {name: re.search(rf'name="{name}" value="([^"]+)"', page) for name in ("key", "seen")}
    return {name: unescape(match[1]) for name, match in found.items() if match}


def card_params(row: Reservation) -> dict[str, Any]:
    slot = (row.local_minutes or 0) // 15 * 15
    return {"zoom": "arrivals", "day": str(row.service_day), "slot": slot, "version": 0}


def bookings_to_come(place) -> list[Reservation]:
    location = EntityLocation(place.group.uuid, place.uuid)
    now = timezone.now()
    # Not of today, whose last booking may be over.
    first, last = now.date() + timedelta(days=2), now.date() + timedelta(days=4)
    listed = kinds.get("reservation").list(factory.client(), location, first, last, "mealDate")
    refs = [EntityRef("reservation", uuid, location) for uuid in list(listed)[:80]]
    sync_requests.request(refs, priority=Priority.PERSON, now=now)
    carry()
    rows = Reservation.objects.filter(restaurant=place, status="RECORDED", meal_at__gt=now)
    return list(rows.order_by("meal_at")[:2])


def test_it_passes_at_most_forty_files(sandbox, connect, django_capture_on_commit_callbacks):
    connect("full")
    place = make_places(sandbox.world)[0]
    person = make_user("lea@example.org")
    make_member(person, place.group, "manager")
    web, (first, second) = sign_in(person), bookings_to_come(place)

    # The first fills what a process loads once.
    pass_through(web, first, "Window, please", set(), django_capture_on_commit_callbacks)
    files: set[str] = set()
    pass_through(web, second, "A quiet table", files, django_capture_on_commit_callbacks)

    counted = sorted(path for path in files if not path.startswith(NOT_COUNTED))
    print("\n".join([*counted, f"{len(counted)} of {len(files)} files"]))  # noqa: T201  # with -s
    assert len(counted) <= MOST, counted
    # The last of them is only called for bookings of today.
    assert {path for path in HOOKS if path not in files} <= {"live/push/events.py"}
