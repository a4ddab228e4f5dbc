"""An hour without the service: screens work, intents wait visibly, then all are sent in order."""

from datetime import timedelta
from uuid import uuid4

import pytest
import time_machine
from django.utils import timezone

from outbox import engine
from outbox.models import Intent
from partner.http.transport import NotConnected
from partner.testing import FakeClock, FakeTransport, recorded, speak_through
from reservations import actions
from reservations.testing import DINNER, make_reservation
from reservations.tests.new_booking.steps import slot
from restaurants.models import Restaurant
from restaurants.testing import sign_in

pytestmark = pytest.mark.django_db
State = Intent.State
BEAT = timedelta(seconds=10)
MOST_CALLS = 130  # in the hour: the service is not hammered while it is down
OPERATIONS = (
    "create_reservation",
    "list_availabilities",
    "list_offers",
    "list_party_sizes",
    "list_timeslots",
)


class TravellersClock(FakeClock):
    """The clock of the throttle, which follows the test's time travel."""

    def __init__(self, traveller):
        super().__init__()
        self.traveller = traveller

    def now(self):
        return timezone.now()

    def uptime(self):
        return timezone.now().timestamp()

    def epoch(self):
        return timezone.now().timestamp()

    def sleep(self, seconds):
        self.naps.append(seconds)
        self.traveller.shift(timedelta(seconds=seconds))


@pytest.fixture
def traveller():
    with time_machine.travel(DINNER - timedelta(hours=4), tick=False) as traveller:
        yield traveller


@pytest.fixture
def api(db, traveller):
    transport = FakeTransport(clock=TravellersClock(traveller))
    speak_through(transport)
    for operation in OPERATIONS:
        transport.reply(operation, NotConnected())
    return transport


@pytest.fixture
def submit(quay, bob):
    def submit(number):
        guest = {"email": f"guest{number}@example.com", "first_name": "Jo", "last_name": "Martin"}
        known = {"locale": "fr_FR", "civility": "mx"}
        return engine.submit(
            actions.CREATE,
            key=uuid4(),
            kind="reservation",
            uuid=None,
            restaurant=quay,
            payload={"meal_date": TIME, "party_size": 2, "customer": guest | known},
            actor=bob,
        )

    return submit


TIME = (DINNER + timedelta(days=1)).isoformat()


def wait(traveller, *, beats):
    for _beat in range(beats):
        traveller.shift(BEAT)
        engine.work(now=timezone.now())


def test_it_works(api, submit, traveller):
    intents = []
    for number in range(12):
        intents.append(submit(number))
        wait(traveller, beats=30)

    assert {one.state for one in Intent.objects.all()} == {State.WAITING}
    assert len(api.requests) <= MOST_CALLS
    for one in Intent.objects.all():
        assert "Nothing was changed." in one.sentence
        assert one.next_step == "It is tried again by itself."
        assert one.tries_again_at
        assert one.tries_again_at <= timezone.now() + timedelta(seconds=30)

    here = {"restaurantUuid": str(Restaurant.objects.get(name="Quay").uuid)}
    booked = recorded("create_reservation") | here
    api.reply(
        "create_reservation", lambda _request: (200, booked | {"reservationUuid": str(uuid4())})
    )
    api.reply("list_timeslots", (200, [slot(TIME)]))
    api.requests.clear()
    wait(traveller, beats=6)

    assert {one.state for one in Intent.objects.all()} == {State.DONE}
    sent = [body["customer"]["email"] for body in api.bodies("create_reservation")]
    assert sent == [one.payload["customer"]["email"] for one in intents]


def test_screens_ask_nobody_and_wait_for_nobody(api, submit, traveller, quay, bob):
    row = make_reservation(quay)
    one = submit(1)
    wait(traveller, beats=6)
    for number in range(6):
        submit(number)
    wait(traveller, beats=2)
    api.requests.clear()
    api.clock.naps.clear()
    client = sign_in(bob)
    page = client.get(f"/reservations/changes/{one.key}/").content.decode()

    assert "Waiting to be sent" in page
    assert "tried again" in page
    for address in (
        "/",
        "/reservations/requests/",
        f"/reservations/new/?scope={quay.uuid}&size=2&day=2026-01-18",
        f"/reservations/{row.uuid}/",
        f"/reservations/{row.uuid}/change/",
    ):
        assert client.get(address).status_code == 200, address
    assert api.requests == []
    assert api.clock.naps == []
