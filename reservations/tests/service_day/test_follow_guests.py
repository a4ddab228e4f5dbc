"""What changes of a guest changes the coming bookings: open boards read their cards again."""

import json
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest

from customers.models import Customer
from customers.privacy.erasure import erase
from customers.testing import make_customer
from live.models import Announcement
from mirror.kinds import EntityLocation, EntityRef
from mirror.models import Change, Priority
from mirror.queue import store, sync_requests
from mirror.queue.store import ReadResult
from partner import errors, schemas
from partner.payloads import reading
from reservations.models import Reservation
from reservations.service_day.guest_changes import RECORDED, SHOWN
from reservations.testing import DINNER, make_reservation
from restaurants.testing import make_user, sign_in

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.time_machine(DINNER, tick=False),
]

# One change of the service for each thing that a card shows of a guest.
CHANGES: dict[str, dict[str, Any]] = {
    "first_name": {"firstName": "Giulia"},
    "last_name": {"lastName": "Bianchi"},
    "is_vip": {"isVip": True},
    "allergies_and_intolerances": {"allergiesAndIntolerances": ["nuts"]},
    "dietary_restrictions": {"dietaryRestrictions": ["vegan"]},
    "notes": {"notes": "Carries an EpiPen"},
    "fav_food": {"favFood": "Allergic to fish"},
    "fav_drinks": {"favDrinks": "Allergic to sulphites"},
    "other_tags": {"otherTags": ["Nut allergy"]},
    "custom_fields": {
        "customFields": [{"label": "Diet", "type": "string", "value": "halal", "id": "1"}]
    },
    "needs_caution": {"riskLevel": ["caution"]},
    "birthday": {"birthDate": "1980-01-18"},
}


@pytest.fixture
def guest(harbour):
    guest = make_customer(harbour, first_name="Marco", last_name="Rossi")
    read(guest)
    return guest


@pytest.fixture
def tonight(quay, guest):
    return make_reservation(quay, customer=guest)


def read(guest, **fields):
    """The service answers this of the guest, and the mirror stores it."""
    payload = {"customerUuid": str(guest.uuid), "firstName": "Marco", "lastName": "Rossi", **fields}
    entity, _findings = reading.read(schemas.CustomerPayload, payload)
    known = {"entity": entity, "payload": payload, "raw": json.dumps(payload)}
    request(guest)
    settle(answer=SimpleNamespace(**known, drift=(), started_at=DINNER))


def request(guest):
    ref = EntityRef("customer", guest.uuid, EntityLocation(guest.group.uuid))
    sync_requests.request([ref], priority=Priority.PERSON, now=DINNER)


def settle(*, now=DINNER, **result):
    [claim] = sync_requests.claim(limit=9, now=now)
    store.settle([ReadResult(claim, **result)], now=now)


def announced(row):
    return list(Announcement.objects.filter(uuid=row.pk).values_list("version", flat=True))


def version_of(row):
    return Reservation.objects.get(pk=row.pk).version


def test_it_works(guest, tonight):
    read(guest, allergiesAndIntolerances=["nuts"])

    assert announced(tonight) == [tonight.version + 1] == [version_of(tonight)]


def test_every_column_that_is_shown_has_its_change():
    assert CHANGES.keys() == set(SHOWN)


@pytest.mark.parametrize("column", SHOWN)
def test_whatever_a_card_shows_of_the_guest(guest, tonight, column):
    before = getattr(Customer.objects.get(pk=guest.pk), column)
    read(guest, **CHANGES[column])

    assert getattr(Customer.objects.get(pk=guest.pk), column) != before
    assert announced(tonight) == [tonight.version + 1]
    assert Change.objects.filter(uuid=guest.pk, field__in=RECORDED).exists()  # for a printed page


def test_what_no_card_shows_announces_nothing(guest, tonight):
    read(guest, favSeating="By the window")

    assert announced(tonight) == []
    assert version_of(tonight) == tonight.version


def test_what_the_team_notes_of_the_guest(bob, guest, tonight):
    sign_in(bob).post(f"/customers/{guest.pk}/house-note/", {"text": "Allergic to nuts"})

    assert announced(tonight) == [tonight.version + 1]


def test_a_guest_who_is_read_after_the_booking(harbour, quay, guest):
    row = make_reservation(quay, customer=guest)
    Customer.objects.filter(pk=guest.pk).delete()
    read(guest)

    assert announced(row) == [row.version + 1]


def test_a_guest_who_is_gone_from_the_service(guest, tonight):
    request(guest)
    for hours in range(3):  # the service has to say so more than once
        settle(error=errors.NotFound(status=404), now=DINNER + timedelta(hours=hours))

    assert announced(tonight) == [tonight.version + 1]


def test_an_erased_guest(guest, tonight):
    erase(Customer.objects.get(pk=guest.pk), actor=make_user("dora"), now=DINNER)

    assert announced(tonight) == [tonight.version + 1]


def test_each_coming_booking_and_none_of_the_past(quay, guest):
    later = make_reservation(quay, customer=guest, meal_at=DINNER + timedelta(days=9))
    undated = make_reservation(quay, customer=guest, meal_at=None)
    past = make_reservation(quay, customer=guest, meal_at=DINNER - timedelta(days=9))
    read(guest, isVip=True)

    assert [len(announced(row)) for row in (later, undated, past)] == [1, 1, 0]


def test_bookings_of_other_guests_stay_as_they_are(harbour, quay, guest):
    other = make_reservation(quay, customer=make_customer(harbour))
    read(guest, isVip=True)

    assert announced(other) == []


def test_booking_and_guest_read_together_have_two_versions(guest, tonight):
    """Whoever shows the first one reads the second one too."""
    read(guest, isVip=True)
    read(guest, isVip=False)

    assert announced(tonight) == [tonight.version + 1, tonight.version + 2]
