"""People × addresses, reading and acting: an admin of a restaurant of another group, the owner.

    Gina    is admin of the Cellar, in Hill Group, and invited Pat, who works at the Quay too
    Olga    owns the installation and has no role anywhere

The addresses are read from the URL configuration: a page added later is tried too.
"""

import re
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
import time_machine
from auditlog.context import set_actor
from django.utils import timezone

from accounts import audit
from customers.models import Customer
from mirror.jobs import lifecycle
from mirror.models import Alert, Job, SyncRequest
from outbox.models import Intent
from partner.models import Connection
from reservations.models import Reservation
from reservations.testing import DINNER
from restaurants.models import Group, Membership, Restaurant
from restaurants.testing import make_invitation, make_member, make_restaurant, make_user, sign_in
from tests.addresses import all_addresses
from tests.form_states import connect, in_use
from tests.test_every_url import ask, close, path_of
from tests.url_examples import OF_NO_GROUP, PUBLIC
from webhooks.models import Delivery
from webhooks.testing import delivery, payload

ALL = all_addresses()
PLAIN = [one for one in ALL if not one.kwargs]
WITH_OBJECTS = [one for one in ALL if one.kwargs and one.name not in OF_NO_GROUP]
ENDS_THE_SIGN_IN = {"account_logout"}
# An endless answer (tests/faults reads it), and specimens of made-up guests.
NOT_READ = {"live:stream", "styleguide:index"}

# A fragment is a part of the template, over what the page reads or less: no other query.
AS_PAGES_AND_FRAGMENTS = [
    pytest.param({}, id="pages"),
    pytest.param({"HTTP_HX_REQUEST": "true"}, id="fragments", marks=pytest.mark.once),
]

pytestmark = pytest.mark.walk


@pytest.fixture(autouse=True)
def _before_dinner():
    with time_machine.travel(DINNER - timedelta(hours=4), tick=False):
        yield


@pytest.fixture
def gina(cast):
    """Beside her restaurant and the other group's evening: everything that could tell of it."""
    connect()
    objects = in_use(cast)
    gina, pat = make_user("gina@example.org"), make_user("pat@example.org")
    make_member(gina, cast.cellar, "admin")
    for place in (cast.cellar, cast.quay):
        make_member(pat, place)
    tell_of_harbour(cast, pat, Reservation.objects.get(pk=objects["reservations:show.uuid"][0]))
    return gina


@pytest.fixture
def olga(gina):
    return make_user("olga@example.org", is_owner=True)


def tell_of_harbour(cast, pat, booking) -> None:
    """Leave traces of Harbour Group in all that is kept for the installation as a whole."""
    now = timezone.now()
    park(cast, booking.uuid, now=now)
    lifecycle.backfill(since=now.date(), until=now.date(), now=now, restaurants=[cast.quay])
    about = {"restaurant_uuid": cast.quay.uuid, "uuid": booking.uuid}
    for state in Delivery.State:
        delivery(payload(uuid=str(booking.uuid)), state=state, **about)
    sentence = (
        "No event for hours in which many are usual: Quay. "
        "Check which address the service sends to."
    )
    Alert.objects.create(
        cause="webhooks", sentence=sentence, opened_at=now - timedelta(hours=1), notified_at=now
    )
    with set_actor(pat):
        make_restaurant(cast.harbour, "Pier at the Harbour")
        make_member(make_user("new@example.org"), cast.loft)
    audit.record(pat, "revealed at the Quay", within=[cast.harbour])
    make_invitation("zoe@example.org", cast.quay, cast.dora)


def park(cast, uuid, *, now) -> None:
    """A booking and a guest that could not be read, with what the service answered."""
    times = {"requested_at": now, "not_before": now, "group_uuid": cast.harbour.uuid}
    facts = {
        "state": SyncRequest.State.PARKED,
        "sentence": "About the Quay.",
        "evidence": "The Quay",
    }
    SyncRequest.objects.create(
        kind="reservation", uuid=uuid, restaurant_uuid=cast.quay.uuid, **times, **facts
    )
    SyncRequest.objects.create(kind="customer", uuid=uuid4(), **times, **facts)


def words_of_harbour(cast) -> re.Pattern[str]:
    """Names, addresses and numbers that only Harbour Group has."""
    people = ["alice@", "bob@", "left@", "invited@", "new@", "zoe@", "Alice", "Bob"]
    guests = Customer.objects.filter(group=cast.harbour)
    facts = guests.values_list("uuid", "email", "phone", "last_name")
    rows = [str(value) for row in facts for value in row if value]
    uuids = [cast.harbour.uuid, *Restaurant.objects.filter(group=cast.harbour).values_list("uuid")]
    bookings = Reservation.objects.filter(restaurant__group=cast.harbour).values_list("pk")
    ids = [str(one[0] if isinstance(one, tuple) else one) for one in [*uuids, *bookings]]
    words = {"Harbour", "Quay", "Loft", *people, *rows, *ids}
    return re.compile(rf"(?<![A-Za-z0-9])(?:{'|'.join(map(re.escape, sorted(words)))})")


def read(client, address, cast, **headers: str) -> str:
    """All that an address answers: the words, and the addresses that it leads to."""
    answer: Any = client.get(path_of(address, cast), **headers)
    body = b"".join(answer.streaming_content) if answer.streaming else answer.content
    if answer.streaming:
        close(answer)
    return body.decode(errors="replace") + str(dict(answer.headers))


@pytest.mark.parametrize("headers", AS_PAGES_AND_FRAGMENTS)
def test_the_admin_of_a_restaurant_elsewhere_reads_no_word(cast, gina, headers):
    client, words = sign_in(gina), words_of_harbour(cast)
    client.raise_request_exception = False
    found: dict[str, set[str]] = {}
    for address in PLAIN:
        if address.name not in {*NOT_READ, *ENDS_THE_SIGN_IN}:
            read_words = set(words.findall(read(client, address, cast, **headers)))
            found |= {address.name: read_words} if read_words else {}

    assert found == {}


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_the_admin_of_a_restaurant_elsewhere_finds_no_object(cast, gina, method):
    """Not found; or forbidden where only owners come, whatever there is."""
    client = sign_in(gina)
    client.raise_request_exception = False
    others = [one for one in WITH_OBJECTS if one.name not in PUBLIC]
    answers = {one.name: ask(client, method, path_of(one, cast)).status_code for one in others}

    for_owners = {name for name, status in answers.items() if status == 403}
    assert {name.split(":")[0] for name in for_owners} <= OF_OWNERS
    assert {name: status for name, status in answers.items() if status not in REFUSALS} == {}


def test_the_admin_of_a_restaurant_elsewhere_changes_nothing(cast, gina):
    """Every action that names no object, and those that may: nothing of the group is touched."""
    client, before = sign_in(gina), rows_of_harbour(cast)
    client.raise_request_exception = False
    for address in PLAIN:
        if address.name not in ENDS_THE_SIGN_IN:
            assert ask(client, "POST", path_of(address, cast)).status_code < 500, address.name

    assert rows_of_harbour(cast) == before


def rows_of_harbour(cast) -> list[Any]:
    """What the admins of Harbour Group, and the queues of the installation, hold of it."""
    of_quay = {"restaurant_uuid": cast.quay.uuid}
    found = [
        Restaurant.objects.filter(group=cast.harbour),
        Membership.objects.exclude(restaurant=cast.cellar),
        Reservation.objects.filter(restaurant__group=cast.harbour),
        Intent.objects.filter(restaurant__group=cast.harbour),
        SyncRequest.objects.filter(group_uuid=cast.harbour.uuid),
        Delivery.objects.filter(**of_quay),
        Job.objects.filter(slices__restaurant_uuid=cast.quay.uuid).distinct(),
        Group.objects.all(),
        Connection.objects.all(),
    ]
    return [
        list(rows.order_by("pk").values_list("pk", *STATES.get(rows.model, ()))) for rows in found
    ]


# What changes of a row when somebody acts on it.
STATES: dict[Any, tuple[str, ...]] = {
    Restaurant: ("name", "phone"),
    Membership: ("role", "user"),
    Reservation: ("version",),
    Intent: ("state",),
    SyncRequest: ("state", "requested_at"),
    Delivery: ("state",),
    Job: ("state",),
    Connection: ("auth_url", "base_url", "state"),
}
# Apps with pages that only owners open, or that ask for a right first.
OF_OWNERS = {"partner", "pos", "telephone", "people", "emergency_access"}
REFUSALS = {403, 404, 405}


def test_the_owner_reads_of_people_audit_and_health_but_no_guest(cast, olga):
    client = sign_in(olga)
    pages = {name: client.get(path).text for name, path in OWNERS_PAGES.items()}

    assert "bob@example.org" in client.get(f"/setup/people/{cast.bob.pk}/").text
    assert "Staff · Quay" in pages["people"]
    assert "Pier at the Harbour" in pages["audit"]
    assert "About the Quay." in pages["health"]
    assert pages["events"].count("<tr id=") >= len(Delivery.State)
    for address in WITH_OBJECTS:
        if address.app in {"customers", "reservations", "reviews"} and address.name not in PUBLIC:
            status = ask(client, "GET", path_of(address, cast)).status_code
            assert status in REFUSALS, address.name


OWNERS_PAGES = {
    "people": "/setup/people/",
    "audit": "/setup/people/audit/",
    "health": "/setup/mirror/",
    "events": "/setup/webhooks/",
}


def test_nothing_breaks_for_the_owner(cast, olga):
    client = sign_in(olga)
    for method in ("GET", "POST"):
        for address in ALL:
            if address.name not in ENDS_THE_SIGN_IN:
                status = ask(client, method, path_of(address, cast)).status_code
                assert status < 500, (method, address.name)


def test_a_group_is_made_by_an_owner_only(cast, gina, olga):
    data = {"uuid": str(uuid4()), "name": "Valley Group"}

    refused = sign_in(gina).post("/setup/restaurants/groups/add/", data)
    made = sign_in(olga).post("/setup/restaurants/groups/add/", data)

    assert (refused.status_code, made.status_code) == (403, 302)
