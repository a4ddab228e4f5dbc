"""What the bookings of an erased guest keep, and what their export holds."""

import json
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from uuid import uuid4

import pytest

from customers import personal_data
from customers.models import Customer
from customers.privacy import erasure, retention
from customers.testing import make_customer
from mirror.kinds import EntityLocation, EntityRef
from mirror.models import Change, Priority, SyncRequest
from mirror.queue import store, sync_requests
from mirror.queue.store import ReadResult
from outbox.models import Intent
from partner import schemas
from partner.payloads import reading
from reservations import personal_data as personal_data_of_bookings
from reservations.actions import CREATE
from reservations.models import Reservation
from reservations.testing import DINNER, make_intent, make_reservation
from restaurants.testing import sign_in

State = Intent.State
NOW = datetime(2026, 11, 20, 19, tzinfo=UTC)


@pytest.fixture
def guest(harbour):
    return make_customer(harbour)


@pytest.fixture
def booking(quay, guest):
    raw = json.dumps({"partySize": 2, "customerNote": "Nuts!", "restaurantNote": "Zoë's table"})
    notes = {"customer_note": "Nuts!", "restaurant_note": "Zoë's table"}
    booking = make_reservation(quay, customer=guest, raw=raw, **notes)
    Change.objects.create(
        kind="reservation",
        uuid=booking.pk,
        version=2,
        seen_at=NOW,
        field="customer_note",
        after="N",
    )
    Change.objects.create(
        kind="reservation", uuid=booking.pk, version=2, seen_at=NOW, field="party_size", after="2"
    )
    return booking


def erase(guest):
    erasure.erase(guest, actor=None, now=NOW)


def test_it_works(guest, booking):
    erase(guest)
    booking.refresh_from_db()

    assert (booking.customer_note, booking.restaurant_note) == ("", "")
    assert "Nuts" not in booking.raw
    assert (booking.party_size, booking.meal_at, booking.status) == (2, DINNER, "RECORDED")
    assert [change.field for change in Change.objects.all()] == ["party_size"]


def test_nothing_says_that_a_note_named_an_allergy(guest, booking):
    Reservation.objects.update(notes_tell=True, notes_read_by=1)
    erase(guest)
    booking.refresh_from_db()

    assert (booking.notes_tell, booking.notes_read_by) == (False, None)


def test_an_odd_answer_that_was_kept_aside_goes_too(guest, booking):
    wanted = EntityRef("reservation", booking.pk, EntityLocation())
    sync_requests.request([wanted], priority=Priority.EVENT, now=NOW)
    SyncRequest.objects.update(evidence="<html>Nuts!", state=SyncRequest.State.PARKED)
    erasure.erase(guest, actor=None, now=NOW)

    assert SyncRequest.objects.get(uuid=booking.pk).evidence == ""


def read(restaurant, guest, *, uuid=None, now=NOW, **facts):
    """Store what the service answers of a booking, as the mirror does."""
    uuid = uuid or uuid4()
    payload = {
        "reservationUuid": str(uuid),
        "restaurantUuid": str(restaurant.uuid),
        "mealDate": "2026-12-24T20:00:00+01:00",
        "partySize": 3,
        "status": "RECORDED",
        "customerUuid": str(guest.pk),
        "customerNote": "Nuts, again!",
    } | facts
    entity, drift = reading.read(schemas.ReservationPayload, payload)
    answer = SimpleNamespace(
        entity=entity, payload=payload, raw=json.dumps(payload), drift=drift, started_at=now
    )
    wanted = EntityRef("reservation", uuid, EntityLocation(restaurant_uuid=restaurant.uuid))
    sync_requests.request([wanted], priority=Priority.EVENT, now=now)
    (claim,) = (one for one in sync_requests.claim(limit=5, now=now) if one.uuid == uuid)
    store.settle([ReadResult(claim, answer, None, now)], now=now)
    return Reservation.objects.get(pk=uuid)


def test_reading_the_booking_again_brings_no_note_back(quay, guest, booking):
    erase(guest)
    row = read(quay, guest, uuid=booking.pk, mealDate="2026-01-17T20:00:00+01:00")

    assert row.party_size == 3
    assert row.customer_note == ""
    assert "Nuts" not in row.raw
    assert not Change.objects.filter(field="customer_note").exists()


def test_what_was_sent_from_here_is_forgotten_too(quay, guest, booking):
    payload = {"party_size": 2, "customer": {"email": "zoe@example.org"}, "customer_note": "Nuts!"}
    make_intent(quay, action=CREATE, result_uuid=booking.pk, payload=payload, state=State.DONE)
    erase(guest)

    assert Intent.objects.get().payload == {"party_size": 2}


def test_the_bookings_of_others_are_left_alone(quay, guest, harbour):
    other = make_reservation(quay, customer=make_customer(harbour), customer_note="Window")
    erase(guest)
    other.refresh_from_db()

    assert other.customer_note == "Window"


def test_the_export_holds_bookings_changes_and_intents(quay, guest, booking, harbour):
    make_intent(quay, uuid=booking.pk, payload={"party_size": 2})
    make_reservation(quay, customer=make_customer(harbour), raw='{"customerNote": "Neighbour"}')
    (held,) = erasure.collect(guest)["bookings"]

    assert held["booking"]["customerNote"] == "Nuts!"
    assert len(held["changes"]) == 2
    assert held["sent"][0]["sent"] == {"party_size": 2}


def test_the_retention_clock_counts_from_the_last_booking(guest, booking):
    assert personal_data.last_seen([guest.pk]) == {guest.pk: DINNER}


def test_who_has_booked_since_is_passed_over(guest, booking, harbour):
    other = make_customer(harbour)
    both = [guest.pk, other.pk]

    assert personal_data.maybe_unseen(both, since=DINNER) == [other.pk]
    assert personal_data.maybe_unseen(both, since=DINNER + timedelta(seconds=1)) == both


class TestBookedSince:
    """Whoever books again writes what they do not eat again, and the kitchen has to read it."""

    LATER = NOW + timedelta(days=30)
    SINCE = "2026-12-19T10:00:00Z"

    def test_the_notes_stay(self, quay, guest):
        erase(guest)
        row = read(quay, guest, now=self.LATER, createdAt=self.SINCE)

        assert row.customer_note == "Nuts, again!"
        assert "Nuts" in row.raw
        assert row.notes_tell

    @pytest.mark.parametrize("created", [SINCE, None], ids=["at a known time", "at some time"])
    def test_reading_again_leaves_them(self, quay, guest, created):
        erase(guest)
        row = read(quay, guest, now=self.LATER, createdAt=created)
        later = self.LATER + timedelta(hours=1)
        row = read(quay, guest, uuid=row.pk, now=later, createdAt=created, partySize=4)

        assert (row.party_size, row.customer_note) == (4, "Nuts, again!")

    @pytest.mark.parametrize(
        "facts",
        [
            {"createdAt": "2026-11-19T10:00:00Z"},
            {"createdAt": None, "mealDate": "2026-01-17T20:00:00+01:00"},
            {"createdAt": None, "mealDate": None},
        ],
        ids=["booked before", "a meal before", "no date at all"],
    )
    def test_what_was_read_for_the_first_time_only_now_is_redacted(self, quay, guest, facts):
        erase(guest)
        row = read(quay, guest, now=self.LATER, **facts)

        assert row.customer_note == ""
        assert "Nuts" not in row.raw

    @pytest.mark.parametrize("created", ["2026-11-20T16:00:00", "2026-11-20T10:00", "2026-11-20"])
    def test_a_time_of_booking_without_an_offset_may_be_of_the_west(self, quay, guest, created):
        """It was erased at 19:00 UTC, which is 14:00 in New York."""
        erase(guest)
        row = read(quay, guest, now=NOW + timedelta(hours=2), createdAt=created)

        assert row.customer_note == "Nuts, again!"
        assert personal_data_of_bookings.holds_since(guest.pk, NOW)

    def test_with_an_offset_it_is_as_it_says(self, quay, guest):
        erase(guest)
        created = "2026-11-20T13:59:00-05:00"
        row = read(quay, guest, now=NOW + timedelta(hours=2), createdAt=created)

        assert row.customer_note == ""

    @pytest.mark.parametrize(("minutes", "is_kept"), [(20, False), (70, True)])
    def test_without_a_time_of_booking_clocks_may_differ(self, quay, guest, minutes, is_kept):
        erase(guest)
        row = read(quay, guest, now=NOW + timedelta(minutes=minutes), createdAt=None)

        assert (row.customer_note != "") is is_kept

    def test_a_second_erasure_takes_them(self, dora, quay, guest, time_machine):
        erase(guest)
        row = read(quay, guest, now=self.LATER, createdAt=self.SINCE)
        time_machine.move_to(self.LATER + timedelta(days=30), tick=False)
        client, address = sign_in(dora), f"/customers/{guest.pk}/erase/"
        assert address in client.get(f"/customers/{guest.pk}/").text

        client.post(address, {"sure": "on"})
        row.refresh_from_db()
        again = read(quay, guest, uuid=row.pk, now=self.LATER + timedelta(days=31), partySize=5)

        assert (row.customer_note, again.customer_note) == ("", "")
        assert address not in client.get(f"/customers/{guest.pk}/").text

    def test_retention_takes_them(self, quay, guest, settings):
        settings.GUEST_RETENTION_MONTHS = 12
        erase(guest)
        row = read(quay, guest, now=self.LATER, createdAt=self.SINCE)
        assert retention.purge(now=self.LATER + timedelta(days=300)) == 0

        assert retention.purge(now=self.LATER + timedelta(days=400)) == 1
        row.refresh_from_db()
        assert row.customer_note == ""
        assert retention.purge(now=self.LATER + timedelta(days=800)) == 0


class TestBookingStillToCome:
    """Of one that was made before the erasure nothing is left to erase."""

    @pytest.fixture(autouse=True)
    def row(self, quay, guest):
        made = {"created_at": NOW - timedelta(days=3), "meal_at": NOW + timedelta(days=3)}
        row = make_reservation(quay, customer=guest, customer_note="Nuts!", **made)
        Reservation.objects.update(first_seen_at=NOW - timedelta(days=3))
        erase(guest)
        return row

    def test_the_page_offers_no_second_erasure(self, dora, guest):
        page = sign_in(dora).get(f"/customers/{guest.pk}/").text

        assert f"/customers/{guest.pk}/erase/" not in page

    def test_whoever_reads_of_no_new_note_learns_where_it_is(self, quay, guest, row, bob):
        row = read(quay, guest, uuid=row.pk, now=NOW + timedelta(days=1), createdAt="2026-11-17")
        page = sign_in(bob).get(f"/reservations/{row.pk}/").text

        assert (row.customer_note, "Nuts" in page) == ("", False)
        assert "nor notes of bookings from before" in " ".join(page.split())

    def test_a_second_one_changes_nothing(self, guest):
        erasure.erase(guest, actor=None, now=NOW + timedelta(days=1))

        assert Customer.objects.get().changed_at == NOW

    def test_retention_counts_the_guest_once(self, settings):
        settings.GUEST_RETENTION_MONTHS = 12

        assert retention.purge(now=NOW + timedelta(days=800)) == 0


class TestGoneAtTheService:
    """The copy of a guest who was deleted there is erased after a month."""

    @pytest.mark.parametrize(("hours", "is_kept"), [(72, True), (-2, True), (-26, False)])
    def test_not_before_the_last_booking_is_over(self, quay, guest, hours, is_kept):
        gone = {"presence": "gone", "changed_at": NOW - timedelta(days=31)}
        Customer.objects.update(**gone)
        meal_at = NOW + timedelta(hours=hours)
        booking = make_reservation(quay, customer=guest, meal_at=meal_at, customer_note="Nuts!")
        until = retention.keep_until(Customer.objects.get(), now=NOW)
        assert until
        retention.purge(now=NOW)
        booking.refresh_from_db()

        assert (booking.customer_note == "Nuts!") is is_kept
        assert (until > NOW) is is_kept
        if is_kept:
            assert retention.purge(now=until + timedelta(minutes=1)) == 1
