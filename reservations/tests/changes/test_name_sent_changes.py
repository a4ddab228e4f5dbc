"""The list of sent changes names booking, guest and what changed, to those who may see them."""

from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from customers.testing import make_customer
from mirror.models import Mirrored
from outbox.models import Intent
from outbox.pages import rows_of
from reservations import actions
from reservations.actions.changing import NOTE_MEANWHILE
from reservations.testing import make_intent, make_reservation
from restaurants.testing import sign_in

pytestmark = pytest.mark.django_db
PARIS_20 = "2026-01-17T20:00:00+01:00"
PARIS_2030 = "2026-01-17T20:30:00+01:00"


@pytest.fixture
def booking(quay, harbour):
    return make_reservation(quay, customer=make_customer(harbour))


@pytest.mark.parametrize(("state", "acts"), [("withdrawn", False), ("held", True)])
def test_a_change_with_nothing_left_to_do_has_no_space_for_buttons(bob, booking, state, acts):
    make_intent(booking.restaurant, uuid=booking.pk, state=state)
    page = sign_in(bob).get(f"/reservations/{booking.pk}/changes/").content.decode()

    assert "sent-change" in page
    assert ("notice__actions" in page) is acts


def look(user):
    return sign_in(user).get("/setup/outbox/").content.decode()


def subject(user):
    intents = Intent.objects.select_related("restaurant")
    return rows_of(intents, user)[0].subject


def new_booking(quay, **payload):
    known = {"meal_date": PARIS_20, "party_size": 4, "customer": {}, "guest": ""}
    return make_intent(quay, action=actions.CREATE, uuid=None, payload=known | payload)


def change(booking, *, message=None, **changes):
    base = {"meal_date": PARIS_20, "party_size": 2, "restaurant_note": "Nuts!"}
    return make_intent(
        booking.restaurant,
        action=actions.UPDATE,
        uuid=booking.pk,
        payload={"changes": changes, "base": base},
        message=message or {},
    )


def test_it_works(dora, quay, booking):
    make_intent(quay, uuid=booking.pk)
    page = look(dora)

    assert "Sat 17 Jan, 20:00 · 2 people" in page
    assert f'href="/reservations/{booking.pk}/"' in page
    assert f'<a href="/customers/{booking.customer_id}/"><bdi>Maria Rossi</bdi></a>' in page


def test_a_change_says_what_was_and_what_will_be(dora, booking):
    change(booking, meal_date=PARIS_2030, party_size=5)

    assert subject(dora).changes == (
        "Time: Sat 17 Jan, 20:00 → Sat 17 Jan, 20:30",
        "Party: 2 → 5",
    )


def test_notes_are_never_quoted(dora, booking):
    change(booking, restaurant_note="Celiac")
    page = look(dora)

    assert "Team note changed" in page
    assert "Celiac" not in page
    assert "Nuts!" not in page


def test_a_conflict_quotes_no_note_to_those_who_may_not_read_allergies(
    dora, booking, without_right
):
    message = {"text": str(NOTE_MEANWHILE), "params": {"note": "Shellfish"}, "next": ""}
    change(booking, restaurant_note="Celiac", message=message)
    assert "Shellfish" in look(dora)

    without_right("customers.view_health")
    page = look(dora)

    assert "Shellfish" not in page
    assert "The team note was changed meanwhile. Yours was not sent." in page


def test_a_switch_says_which_hours(dora, quay):
    payload = {"day": "2026-01-17", "start_time": "19:00", "end_time": "21:30", "is_open": False}
    make_intent(quay, action=actions.OVERRIDE, kind="availability", uuid=quay.uuid, payload=payload)

    assert subject(dora).changes == ("Close online: Sat 17 Jan, 19:00–21:30",)


class TestWithoutTheRightToSeeGuests:
    @pytest.fixture(autouse=True)
    def _no_guests(self, without_right):
        without_right("customers.view_customer")

    def test_the_booking_is_named_and_the_guest_is_not(self, dora, quay, booking):
        make_intent(quay, uuid=booking.pk)
        page = look(dora)

        assert "Sat 17 Jan, 20:00 · 2 people" in page
        assert "not shown to you" in page
        assert "Rossi" not in page
        assert str(booking.customer_id) not in page

    def test_a_typed_name_is_hidden_too(self, dora, quay):
        new_booking(quay, customer={"first_name": "Noor", "last_name": "Haddad"})

        assert subject(dora).is_guest_hidden
        assert "Haddad" not in look(dora)


def test_a_new_booking_that_is_not_in_the_copy_yet_is_as_it_was_typed(dora, quay):
    new_booking(quay, customer={"first_name": "Noor", "last_name": "Haddad"})
    shown = subject(dora)

    assert (shown.about, shown.url) == ("Sat 17 Jan, 20:00 · 4 people", "")
    assert (shown.guest, shown.guest_url) == ("Noor Haddad", "")


def test_a_new_booking_of_a_known_guest_leads_to_the_guest(dora, quay, harbour):
    guest = make_customer(harbour)
    new_booking(quay, customer={"first_name": "Maria"}, guest=str(guest.pk))

    assert subject(dora).guest_url == f"/customers/{guest.pk}/"


def test_a_guest_of_another_group_is_not_named(dora, quay, hill):
    booking = make_reservation(quay, customer=make_customer(hill))
    make_intent(quay, uuid=booking.pk)

    assert subject(dora).guest == ""


def test_an_erased_guest_has_no_name_and_no_link(dora, quay, harbour):
    guest = make_customer(harbour, presence=Mirrored.Presence.ERASED)
    booking = make_reservation(quay, customer=guest)
    make_intent(quay, uuid=booking.pk)

    assert (subject(dora).guest, subject(dora).guest_url) == ("erased", "")


def test_a_booking_that_is_gone_from_the_copy_has_no_link(dora, quay):
    make_intent(quay, uuid=uuid4())

    assert subject(dora).about == "This booking is not in the copy."
    assert subject(dora).url == ""


def test_a_walk_in_has_no_guest(dora, quay):
    make_intent(quay, uuid=make_reservation(quay).pk)

    assert (subject(dora).guest, subject(dora).is_guest_hidden) == ("", False)


def test_a_page_of_many_changes_takes_as_many_queries_as_one(dora, quay, harbour):
    client = sign_in(dora)

    def queries():
        with CaptureQueriesContext(connection) as seen:
            assert client.get("/setup/outbox/").status_code == 200
        return len(seen)

    def more():
        booking = make_reservation(quay, customer=make_customer(harbour))
        make_intent(quay, uuid=booking.pk)
        change(booking, party_size=3)
        new_booking(quay, customer={"first_name": "Noor"})

    more()
    queries()  # fills what is kept between requests
    few = queries()
    for _each in range(9):
        more()

    assert queries() == few
