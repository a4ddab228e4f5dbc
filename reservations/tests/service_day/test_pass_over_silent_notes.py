"""The pulse reads only the notes in which something was found when they were stored."""

import json
from datetime import date, timedelta
from types import SimpleNamespace
from uuid import uuid4

import pytest
from django.utils import timezone

from customers import sync as guest_sync
from customers.allergies import version
from customers.allergies.lexicon import LANGUAGES
from customers.allergies.measuring import corpus
from customers.models import Customer, InternalNote
from customers.testing import LONG_AGO, make_customer
from mirror.kinds import EntityLocation
from partner import schemas
from partner.payloads import reading
from reservations import sync
from reservations.models import AGGREGATE_FIELDS, Reservation
from reservations.service_day.day import ServiceDay
from reservations.service_day.note_readings import read_unread
from reservations.testing import DINNER, make_reservation

DAY = date(2026, 1, 17)
SEEN = dict.fromkeys(("read_at", "first_seen_at", "changed_at"), LONG_AGO)
SILENT = "Window table if possible"
TELLING = "Allergic to nuts"
TELLING_AT = AGGREGATE_FIELDS.index("telling")


def counted(restaurant):
    """Stated and perhaps, as the pulse shows them."""
    day = ServiceDay([restaurant], DAY, now=DINNER, health={restaurant.pk})
    return day.noted.stated[restaurant.pk], day.noted.maybe[restaurant.pk]


def answer(schema, payload):
    entity, _findings = reading.read(schema, payload)
    return SimpleNamespace(entity=entity, payload=payload, raw=json.dumps(payload))


def store(row):
    row.uuid, row.raw = uuid4(), "{}"
    for name, value in SEEN.items():
        setattr(row, name, value)
    row.save(force_insert=True)
    return row


def arrived_guest(group, **fields):
    known = {"customerUuid": str(uuid4()), "lastName": "Rossi"}
    read = answer(schemas.CustomerPayload, known | fields)
    return store(guest_sync.build(read, EntityLocation(group.uuid), None))


def arrived(restaurant, *, guest=None, **fields):
    known = {
        "reservationUuid": str(uuid4()),
        "restaurantUuid": str(restaurant.uuid),
        "mealDate": "2026-01-17T20:00:00+01:00",
        "partySize": 2,
        "status": "RECORDED",
        "customerUuid": str(guest.pk) if guest else None,
    }
    return store(
        sync.build(answer(schemas.ReservationPayload, known | fields), EntityLocation(), None)
    )


def custom_field(value):
    return [{"uuid": str(uuid4()), "label": "Wishes", "value": value, "type": "text"}]


def bookings_read(restaurant):
    rows = Reservation.objects.for_restaurants([restaurant.pk]).aggregated(version.reading_number())
    return sum(len((one[TELLING_AT] or "").split()) for one in rows)


class TestStoredWithTheRow:
    @pytest.mark.parametrize(
        "fields",
        [
            {"customerNote": TELLING},
            {"restaurantNote": TELLING},
            {"customFields": custom_field(TELLING)},
            {"customerNote": "no onions please"},
        ],
    )
    def test_a_booking_that_tells_something_is_read(self, quay, fields):
        row = arrived(quay, **fields)

        assert row.notes_tell
        assert sum(counted(quay)) == 1

    @pytest.mark.parametrize(
        "fields",
        [
            {"notes": TELLING},
            {"favFood": "gluten-free bread"},
            {"favDrinks": "I am vegan"},
            {"customFields": custom_field(TELLING)},
        ],
    )
    def test_a_guest_whose_notes_tell_something_is_read(self, harbour, fields):
        assert arrived_guest(harbour, **fields).notes_tell

    def test_what_says_nothing_is_passed_over(self, quay, harbour):
        arrived(quay, customerNote=SILENT, guest=arrived_guest(harbour, notes="Likes the terrace"))

        assert bookings_read(quay) == 0

    def test_a_walk_in_has_only_its_own_notes(self, quay):
        arrived(quay, customerNote=SILENT)
        arrived(quay, customerNote=TELLING)

        assert bookings_read(quay) == 1
        assert counted(quay) == (1, 0)

    def test_an_internal_note_is_read_whatever_the_others_say(self, quay, harbour):
        guest = arrived_guest(harbour, notes=SILENT)
        arrived(quay, customerNote=SILENT, guest=guest)
        InternalNote.objects.create(customer_uuid=guest.pk, text=TELLING, changed_at=DINNER)

        assert counted(quay) == (1, 0)

    def test_a_guest_who_tells_something_is_enough(self, quay, harbour):
        arrived(quay, customerNote=SILENT, guest=arrived_guest(harbour, notes=TELLING))

        assert bookings_read(quay) == 1
        assert counted(quay) == (1, 0)

    def test_no_count_depends_on_it(self, quay, harbour):
        """Whatever was stored with the rows, the pulse shows what reading every note shows."""
        notes = [note.text for language in LANGUAGES for note in corpus(language)][::5]
        for number, text in enumerate(notes):
            if number % 2:
                arrived(quay, customerNote=text)
            else:
                arrived(quay, guest=arrived_guest(harbour, notes=text), restaurantNote=SILENT)
        before = counted(quay)
        Reservation.objects.update(notes_read_by=None)

        assert counted(quay) == before
        assert before[0] > len(notes) / 4


class TestGuestsWhoChange:
    """The bookings of a guest follow, by whatever way the notes have changed."""

    @pytest.fixture
    def guest(self, quay, harbour):
        guest = arrived_guest(harbour)
        arrived(quay, guest=guest)
        return guest

    def test_without_a_word_no_list_is_named(self, quay, guest):
        assert (guest.notes_read_by, guest.notes_tell) == (None, False)
        assert bookings_read(quay) == 0

    @pytest.mark.parametrize("texts", [(TELLING, ""), (SILENT, TELLING), ("", TELLING, SILENT)])
    def test_at_the_service(self, quay, harbour, guest, texts):
        for text in texts:
            known = {"customerUuid": str(guest.pk), "lastName": "Rossi", "notes": text}
            read = answer(schemas.CustomerPayload, known)
            row = guest_sync.build(read, EntityLocation(harbour.uuid), guest)
            Customer.objects.filter(pk=guest.pk).update(
                **{name: getattr(row, name) for name in ("notes", "notes_read_by", "notes_tell")}
            )

            assert counted(quay) == (int(text == TELLING), 0)

    def test_past_the_mirror(self, quay, guest):
        Customer.objects.filter(pk=guest.pk).delete()
        assert counted(quay) == (0, 0)

        make_customer(guest.group, uuid=guest.pk, notes=TELLING)
        assert counted(quay) == (1, 0)

    def test_another_guest_is_named(self, quay, harbour, guest):
        Reservation.objects.update(customer=arrived_guest(harbour, notes=TELLING))

        assert counted(quay) == (1, 0)

    def test_other_word_lists_found_nothing_among_words(self, quay, guest):
        number = version.reading_number() - 1
        Customer.objects.update(notes=TELLING, notes_read_by=number, notes_tell=False)

        assert counted(quay) == (1, 0)


class TestReadPastTheMirror:
    """What no answer of the service stored, or other word lists have read, may tell anything."""

    def test_a_row_that_nobody_read_is_read(self, quay):
        make_reservation(quay, customer_note=TELLING)

        assert counted(quay) == (1, 0)

    def test_a_guest_whom_nobody_read_is_read(self, quay, harbour):
        guest = make_customer(harbour, notes=TELLING)
        arrived(quay, guest=guest, customerNote=SILENT)

        assert counted(quay) == (1, 0)

    @pytest.mark.parametrize("model", [Reservation, Customer])
    def test_what_other_word_lists_found_silent_is_read(self, quay, harbour, model):
        arrived(
            quay, customerNote=TELLING, guest=arrived_guest(harbour, notes="Allergic to mustard")
        )
        model.objects.update(notes_read_by=version.reading_number() + 1, notes_tell=False)

        assert counted(quay) == (1, 0)


class TestReadAgain:
    """After an upgrade with other word lists the coming days are read again in the background."""

    @pytest.fixture
    def tonight(self, quay):
        now = timezone.now()
        return make_reservation(quay, meal_at=now + timedelta(hours=2), customer_note=SILENT)

    def test_bookings_and_their_guests(self, quay, harbour, tonight):
        guest = make_customer(harbour, notes=TELLING)
        Reservation.objects.update(customer=guest)
        read_unread(now=timezone.now())
        tonight.refresh_from_db()
        guest.refresh_from_db()

        assert (tonight.notes_tell, guest.notes_tell) == (False, True)
        assert {tonight.notes_read_by, guest.notes_read_by} == {version.reading_number()}

    def test_each_only_once(self, tonight):
        assert read_unread(now=timezone.now()) == 1
        assert read_unread(now=timezone.now()) == 0

    def test_nobody_reads_where_nothing_stands(self, harbour, tonight):
        Reservation.objects.update(customer=arrived_guest(harbour), customer_note=SILENT)

        assert read_unread(now=timezone.now()) == 1

    def test_other_word_lists_read_them_again(self, tonight):
        read_unread(now=timezone.now())
        Reservation.objects.update(notes_read_by=version.reading_number() + 1)

        assert read_unread(now=timezone.now()) == 1

    def test_a_booking_of_last_year_waits_for_nobody(self, quay):
        make_reservation(quay, meal_at=timezone.now() - timedelta(days=300), customer_note=TELLING)

        assert read_unread(now=timezone.now()) == 0
