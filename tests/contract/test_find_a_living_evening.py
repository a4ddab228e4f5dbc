"""The first screen of the demo, whatever the hour of its start and the zone of the newcomer."""

import threading
from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import pytest
import time_machine
from django.utils import timezone

from mirror.kinds import EntityLocation, EntityRef
from mirror.models import Priority
from mirror.queue import sync_requests
from partner import testing
from partner.models import Token
from partner_sandbox.app import Sandbox as Application
from partner_sandbox.clock import DAY, HOUR, FrozenClock, to_instant
from partner_sandbox.http.server import Server
from partner_sandbox.life.living import catch_up_planned
from partner_sandbox.service import SandboxService
from partner_sandbox.store import Store
from partner_sandbox.world.build import build
from partner_sandbox.world.plans import SIZES
from reservations.phases import IN_HOUSE
from restaurants.models import Restaurant
from restaurants.shell import shell_of
from restaurants.testing import make_member, make_user, sign_in
from reviews.alerts.mails import create_alerts
from reviews.inbox import placement
from reviews.models.alerts import AlertPreferences
from tests.contract.places import make_places, read_what_changed
from tests.contract.sandbox import Sandbox

pytestmark = [pytest.mark.django_db, pytest.mark.once, pytest.mark.walk]

HOURS = ((0, 30), (5, 0), (9, 0), (13, 0), (17, 30), (22, 30))
ZONES = ("Europe/Paris", "America/Los_Angeles", "Asia/Tokyo")


class DemoSandbox(Sandbox):
    """The demo's world as it stands when `make run` starts at a moment, in the test's process."""

    def __init__(self, folder: Any, moment: datetime) -> None:
        clock = FrozenClock(to_instant(moment))
        self.store = Store(folder / "demo.sqlite3", durable=False)
        build(self.store, "demo", 1, clock.today(), now=clock.now())
        service = SandboxService(self.store, clock)
        catch_up_planned(service)
        self._server = Server("127.0.0.1", 0, Application(service))
        service.origin = self.origin = f"http://127.0.0.1:{self._server.port}"
        threading.Thread(target=self._server.serve, daemon=True).start()
        self.world = self.get("world")

    def refs(self, uuid: str, now: int) -> list[EntityRef]:
        """This evening of one restaurant, and the reviews of its last days."""
        group = UUID(self.world["groups"][0]["uuid"])
        found = []
        for kind, since, until in (("reservation", 6 * HOUR, 6 * HOUR), ("review", 8 * DAY, 0)):
            query = (
                f"SELECT x.uuid FROM {kind} x JOIN restaurant p ON p.id = x.restaurant_id"  # noqa: S608  one of two words above
                " WHERE p.uuid=? AND x.meal>=? AND x.meal<?"
            )
            with self.store.reading() as db:
                rows = db.execute(query, (UUID(uuid).bytes, now - since, now + until)).fetchall()
            place = EntityLocation(group, UUID(uuid))
            found += [EntityRef(kind, UUID(bytes=row[0]), place) for row in rows]
        return found

    def stop(self) -> None:
        self._server.stop()
        self.store.close()


@pytest.fixture(params=HOURS, ids=lambda hour: f"{hour[0]:02}:{hour[1]:02}")
def evening(request, tmp_path, monkeypatch):
    """The restaurant at dinner as `make run` has read it at that hour, with its staff signed in."""
    monkeypatch.setitem(SIZES, "demo", replace(SIZES["demo"], days_back=16, days_ahead=2))
    hour, minute = request.param
    moment = datetime(2026, 11, 24, hour, minute, tzinfo=UTC)
    sandbox = DemoSandbox(tmp_path, moment)
    with time_machine.travel(moment):
        testing.connection(**sandbox.credentials("full"))
        Token.objects.all().delete()
        make_places(sandbox.world)
        uuid = sandbox.world["at_dinner"][0]
        refs = sandbox.refs(uuid, to_instant(moment))
        sync_requests.request(refs, priority=Priority.PERSON, now=timezone.now())
        read_what_changed()
        yield Restaurant.objects.get(uuid=uuid)
    sandbox.stop()


def test_it_works(evening, settings):
    staff = make_user("sasha@example.org")
    make_member(staff, evening)
    AlertPreferences.objects.create(user=staff, low_in_app=True)
    placement.place_pending(now=timezone.now())
    create_alerts(now=timezone.now())
    for zone in ZONES:
        settings.TIME_ZONE = zone
        screen = sign_in(staff).get("/")
        assert screen.status_code == 200
        is_under_way(screen.context["board"])
        has_something_of_everything(screen)


def is_under_way(board):
    phases = Counter(booking.phase.key for booking in board.picked)
    assert board.params.zoom == "arrivals"
    assert board.evening.is_running
    assert phases["booked"] + phases["due"] >= 5
    assert sum(phases[key] for key in IN_HOUSE) >= 5
    shown = [booking for column in board.columns for booking in column.bookings]
    assert len(shown) >= 8


def has_something_of_everything(screen):
    counts = screen.context["board"].filter_counts
    assert counts["late"] >= 1
    assert counts["vip"] >= 1
    assert counts["noted"] >= 1
    assert counts["requests"] >= 1
    assert "EpiPen" in screen.content.decode()  # the guest's own words about an allergy
    waiting = {one.queue.url_name: one.count for one in shell_of(screen.wsgi_request).queues}
    assert waiting["reviews:alerts"] >= 1
