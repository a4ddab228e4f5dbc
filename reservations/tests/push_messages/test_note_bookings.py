"""Bookings of today that people hear of: large parties, VIPs, late cancellations, the kitchen."""

import copy
from datetime import timedelta

import pytest
import time_machine

from accounts.models import User
from accounts.push.testing import running_push_service
from customers.testing import make_customer
from live.models import PushEvent
from live.push import sending
from live.push.testing import make_push_device
from mirror import kinds
from mirror.kinds import Stored
from reservations.briefing.acknowledgements import acknowledge
from reservations.briefing.pages import kitchen_line
from reservations.briefing.paper import record_print
from reservations.models import Reservation
from reservations.service_day.day import ServiceDay
from reservations.service_day.guest_changes import announce_bookings_of
from reservations.testing import DINNER, make_reservation
from restaurants.models import Membership
from restaurants.testing import make_member

pytestmark = pytest.mark.django_db

NOW = DINNER - timedelta(hours=1)


@pytest.fixture(autouse=True)
def _an_hour_before_dinner():
    with time_machine.travel(NOW, tick=False):
        yield


@pytest.fixture
def service():
    with running_push_service() as service:
        yield service


@pytest.fixture(autouse=True)
def bob_phone(bob, service):
    return make_push_device(bob, service.subscribe(), now=NOW)


def store(before, after, kind="reservation"):
    kinds.notify_watchers(kind, [Stored(before, after)])


def change(row, **fields):
    """The row as the mirror stores it next: the one from before, and the new one."""
    before = copy.copy(row)
    for name, value in {"version": row.version + 1, **fields}.items():
        setattr(row, name, value)
    row.set_service_day()
    row.save()
    store(before, row)


def heard(service):
    sending.send_due(now=NOW)
    return [text for _place, text in service.texts]


def test_it_works(quay, service):
    store(None, make_reservation(quay, party_size=8, created_at=NOW))

    assert heard(service) == ["A large party is booked for today."]
    [got] = service.received
    assert got.payload["title"] == "Quay"
    assert got.payload["url"] == f"/?scope={quay.uuid}&show=large"


def test_it_names_nobody(quay, service):
    guest = make_customer(quay.group, first_name="Zelda", last_name="Quimby", is_vip=True)
    row = make_reservation(quay, customer=guest, party_size=8, created_at=NOW)
    store(None, row)

    assert len(heard(service)) == 2
    words = ("Zelda", "Quimby", str(row.uuid), str(guest.uuid))
    payloads = str([got.payload for got in service.received])
    assert not [word for word in words if word in payloads]


def test_it_speaks_the_language_of_the_person(bob, quay, service):
    User.objects.filter(pk=bob.pk).update(language="fr")
    store(None, make_reservation(quay, party_size=8, created_at=NOW))

    assert heard(service) == ["Une grande tablée est réservée pour aujourd’hui."]


@pytest.mark.parametrize(
    "fields",
    [
        {"party_size": 7},
        {"meal_at": DINNER + timedelta(days=1)},
        {"meal_at": NOW - timedelta(hours=1)},
        {"status": "REQUESTED"},
        {"status": "CANCELED"},
        {"created_at": NOW - timedelta(days=3)},
    ],
    ids=str,
)
def test_what_is_no_news_of_today_is_not_heard_of(quay, service, fields):
    store(None, make_reservation(quay, **{"party_size": 8, "created_at": NOW, **fields}))

    assert heard(service) == []


def test_a_party_that_grows_is_heard_of_once(quay, service):
    row = make_reservation(quay, party_size=4, created_at=NOW - timedelta(days=30))
    change(row, party_size=10)
    change(row, party_size=9)

    assert heard(service) == ["A large party is booked for today."]


def test_a_vip_is_heard_of(quay, service):
    guest = make_customer(quay.group, is_vip=True)
    store(None, make_reservation(quay, customer=guest, created_at=NOW))

    assert heard(service) == ["A VIP is booked for today."]


def test_a_vip_who_is_read_after_the_booking_is_heard_of(quay, service):
    guest = make_customer(quay.group, is_vip=True)
    make_reservation(quay, customer=guest, created_at=NOW)
    store(None, guest, "customer")

    assert heard(service) == ["A VIP is booked for today."]


def test_a_guest_who_becomes_a_vip_is_heard_of(quay, service):
    guest = make_customer(quay.group, is_vip=True)
    make_reservation(quay, customer=guest, created_at=NOW - timedelta(days=30))
    before = copy.copy(guest)
    before.is_vip = False
    store(before, guest, "customer")

    assert heard(service) == ["A VIP is booked for today."]


def test_a_cancellation_shortly_before_the_meal_is_heard_of(quay, service):
    row = make_reservation(quay)
    change(row, status="CANCELED")

    assert heard(service) == ["A booking within the next two hours was cancelled."]


def test_an_early_cancellation_is_not(quay, service):
    row = make_reservation(quay, meal_at=DINNER + timedelta(hours=2))
    change(row, status="CANCELED")

    assert heard(service) == []


def test_a_request_that_is_taken_back_is_not(quay, service):
    row = make_reservation(quay, status="REQUESTED")
    change(row, status="CANCELED")

    assert heard(service) == []


def test_a_cancelled_large_party_is_not_announced_as_booked(quay, service):
    row = make_reservation(quay, party_size=8, created_at=NOW)
    store(None, row)
    change(row, status="CANCELED")

    assert heard(service) == ["A booking within the next two hours was cancelled."]


def read_by_the_kitchen(row, user):
    """The kitchen has ticked the line."""
    found = kitchen_line(row, now=NOW)
    assert found
    acknowledge(row, found[0].digest, day=row.service_day, user=user)


def make_careful(quay):
    return make_reservation(quay, customer_note="Allergic to nuts.")


def test_the_kitchen_hears_of_a_line_that_changed_after_it_was_read(bob, quay, service):
    row = make_careful(quay)
    read_by_the_kitchen(row, bob)
    change(row, customer_note="Allergic to nuts and sesame.")

    assert heard(service) == ["The kitchen’s list has changed."]
    assert service.received[0].payload["url"] == f"/reservations/brief/?scope={quay.uuid}"


def test_the_kitchen_hears_of_a_line_that_is_gone(bob, quay, service):
    row = make_careful(quay)
    read_by_the_kitchen(row, bob)
    change(row, customer_note="")

    assert heard(service) == ["The kitchen’s list has changed."]


def test_the_kitchen_hears_once_that_a_booking_was_cancelled(bob, quay, service):
    row = make_careful(quay)
    read_by_the_kitchen(row, bob)
    change(row, status="CANCELED")
    change(row, customer_note="Another day, perhaps.")

    sentences = heard(service)
    assert sentences.count("The kitchen’s list has changed.") == 1
    assert len(sentences) == 2


def test_the_kitchen_hears_of_a_guest_who_changed(bob, quay, service):
    guest = make_customer(quay.group, notes="Allergic to nuts.")
    row = make_reservation(quay, customer=guest)
    read_by_the_kitchen(row, bob)
    guest.notes = "Allergic to milk."
    guest.save()
    announce_bookings_of([guest.pk])

    assert heard(service) == ["The kitchen’s list has changed."]


CHANGED = ["The kitchen’s list has changed."]
NUTS = "Allergic to nuts."


@pytest.fixture
def paper(bob, quay):
    """Printed with another party on it."""
    other = make_careful(quay)
    return record_print(ServiceDay([quay], other.service_day, now=NOW, health=[quay.pk]), user=bob)


def test_the_kitchen_hears_of_an_allergy_that_is_not_on_its_paper(paper, quay, service):
    row = make_reservation(quay)
    record = make_reservation(quay)
    change(record, restaurant_note="Table 4")
    assert heard(service) == []
    change(row, customer_note=NUTS)

    assert heard(service) == CHANGED


def test_the_kitchen_hears_of_a_guest_who_is_not_on_its_paper(paper, quay, service):
    guest = make_customer(quay.group)
    make_reservation(quay, customer=guest)
    guest.notes = NUTS
    guest.save()
    announce_bookings_of([guest.pk])

    assert heard(service) == CHANGED


def test_the_kitchen_hears_of_a_new_booking_that_is_not_on_its_paper(paper, quay, service):
    store(None, make_reservation(quay, customer_note=NUTS, created_at=NOW - timedelta(days=3)))

    assert heard(service) == CHANGED


def test_the_kitchen_hears_of_a_booking_that_moves_to_today(paper, quay, service):
    row = make_reservation(quay, customer_note=NUTS, meal_at=DINNER + timedelta(days=1))
    change(row, meal_at=DINNER)

    assert heard(service) == CHANGED


def test_a_new_booking_without_an_allergy_is_none_of_the_kitchen(paper, quay, service):
    store(None, make_reservation(quay, created_at=NOW))

    assert heard(service) == []


@pytest.mark.parametrize(("ago", "count"), [(30, 1), (24 * 60 - 1, 0)])
def test_the_kitchen_hears_of_a_party_that_sits_already(paper, quay, ago, count):
    at = NOW - timedelta(minutes=ago)
    row = make_reservation(quay, meal_at=at, meal_status="SEATED")
    change(row, customer_note=NUTS)

    assert PushEvent.objects.filter(kind="kitchen").count() == count


def test_the_kitchen_hears_of_nobody_who_has_left(paper, quay, service):
    row = make_reservation(quay, meal_at=NOW - timedelta(minutes=30), meal_status="LEFT")
    change(row, customer_note=NUTS)

    assert heard(service) == []


@pytest.mark.parametrize("fields", [{"meal_status": "ARRIVED"}, {"restaurant_note": "Table 4"}])
def test_what_says_nothing_of_food_is_not_heard_of(bob, quay, service, fields):
    row = make_careful(quay)
    read_by_the_kitchen(row, bob)
    change(row, **fields)

    assert heard(service) == []


def test_a_line_that_nobody_has_read_is_not_heard_of(quay, service):
    change(make_careful(quay), customer_note="Allergic to sesame.")

    assert heard(service) == []


def test_it_takes_the_right_to_see_health(bob, quay, service, without_right):
    without_right("customers.view_health")
    row = make_careful(quay)
    read_by_the_kitchen(row, bob)
    change(row, customer_note="Allergic to sesame.")

    assert heard(service) == []


def test_it_takes_a_role_at_the_place(bob, quay, loft, service):
    Membership.objects.filter(user=bob).delete()
    make_member(bob, loft)
    store(None, make_reservation(quay, party_size=8, created_at=NOW))

    assert heard(service) == []


def test_without_devices_nothing_is_stored(bob, quay):
    bob.push_devices.all().delete()
    store(None, make_reservation(quay, party_size=8, created_at=NOW))

    assert Reservation.objects.exists()
    assert not PushEvent.objects.exists()
