"""The kitchen ticks what it has read, and what changes afterwards stands on top again."""

from datetime import timedelta

import pytest
import time_machine

from customers.testing import make_customer
from live.models import Announcement
from reservations import personal_data
from reservations.models import KitchenAcknowledgement, Reservation
from reservations.testing import DINNER, make_reservation
from restaurants.testing import sign_in

NOW = DINNER - timedelta(hours=2)
DAY = "2026-01-17"

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def afternoon():
    with time_machine.travel(NOW, tick=False):
        yield


@pytest.fixture
def booking(quay):
    return make_reservation(quay, customer_note="Allergic to nuts (carries an EpiPen)")


def groups(user):
    page = sign_in(user).get("/reservations/brief/", {"day": DAY})
    return {
        group.key: [line.booking.uuid for line, _state in group.lines]
        for group in page.context["brief"].kitchen_groups
    }


def digest_on(user, row):
    """The tick's digest as the page of this person has it."""
    page = sign_in(user).get("/reservations/brief/", {"day": DAY})
    pairs = [pair for group in page.context["brief"].kitchen_groups for pair in group.lines]
    return next(line.digest for line, _state in pairs if line.booking.uuid == row.uuid)


def tick(user, row, digest=None):
    sent = {"digest": digest_on(user, row) if digest is None else digest}
    return sign_in(user).post(f"/reservations/{row.uuid}/seen-by-kitchen/", sent, follow=True)


def say(row, note):
    """The service reports another note."""
    Reservation.objects.filter(pk=row.pk).update(customer_note=note)


def test_it_works(bob, booking):
    assert groups(bob) == {"open": [booking.uuid]}

    page = tick(bob, booking).content.decode()

    assert groups(bob) == {"seen": [booking.uuid]}
    assert "Kitchen: seen by Bob, 18:00" in page


def test_everybody_who_may_see_it_sees_by_whom(alice, bob, booking):
    tick(bob, booking)
    drawer = sign_in(alice).get(f"/reservations/{booking.uuid}/").content.decode()

    assert "Kitchen: seen by Bob, 18:00" in drawer


def test_the_host_sees_that_nobody_has_read_it(alice, booking):
    drawer = sign_in(alice).get(f"/reservations/{booking.uuid}/").content.decode()

    assert "Kitchen: not seen yet" in drawer


@pytest.mark.parametrize(
    "change",
    [
        {"customer_note": "Allergic to nuts and fish"},
        {"party_size": 7},
        {"meal_at": DINNER + timedelta(hours=1), "local_minutes": 21 * 60},
    ],
)
def test_what_changes_stands_on_top_again(bob, booking, quay, change):
    other = make_reservation(quay, customer_note="Coeliac")
    tick(bob, booking)
    Reservation.objects.filter(pk=booking.pk).update(**change)

    assert groups(bob) == {"changed": [booking.uuid], "open": [other.uuid]}


def test_another_tag_is_another_line(bob, quay, harbour):
    guest = make_customer(harbour, allergies_and_intolerances=["nuts"])
    row = make_reservation(quay, customer=guest)
    tick(bob, row)
    guest.allergies_and_intolerances = ["nuts", "fish"]
    guest.derive()
    guest.save()

    assert groups(bob) == {"changed": [row.uuid]}


def test_what_is_as_it_was_is_seen_again(bob, booking):
    """The service may send a field twice, and back."""
    before = booking.customer_note
    tick(bob, booking)
    say(booking, "Allergic to fish")
    say(booking, before)

    assert groups(bob) == {"seen": [booking.uuid]}


def test_a_line_that_changed_meanwhile_is_not_ticked(bob, booking):
    digest = digest_on(bob, booking)
    say(booking, "Allergic to fish")
    page = tick(bob, booking, digest).content.decode()

    assert "Nothing was ticked" in page
    assert not KitchenAcknowledgement.objects.exists()


@pytest.mark.parametrize("digest", ["", "0" * 64, "x" * 10_000, "\x00"])
def test_nonsense_ticks_nothing(bob, booking, digest):
    tick(bob, booking, digest)

    assert not KitchenAcknowledgement.objects.exists()


def test_the_first_of_two_ticks_stays(alice, bob, booking):
    digest = digest_on(alice, booking)
    tick(bob, booking, digest)
    tick(alice, booking, digest)

    assert KitchenAcknowledgement.objects.get().seen_by == bob


def test_an_outsider_finds_nothing(charlie, bob, booking):
    digest = digest_on(bob, booking)

    assert tick(charlie, booking, digest).status_code == 404
    assert not KitchenAcknowledgement.objects.exists()


def test_it_takes_the_right_to_see_health(bob, booking, without_right):
    digest = digest_on(bob, booking)
    without_right("customers.view_health")

    assert tick(bob, booking, digest).status_code == 403
    assert "Kitchen" not in sign_in(bob).get(f"/reservations/{booking.uuid}/").content.decode()


def test_open_screens_hear_of_it_without_a_word_of_the_guest(bob, booking):
    tick(bob, booking)
    line = Announcement.objects.get(kind="acknowledgement")

    assert (line.uuid, line.restaurant_id) == (booking.uuid, booking.restaurant_id)


def test_only_a_hash_is_stored(bob, booking):
    tick(bob, booking)
    stored = KitchenAcknowledgement.objects.values_list().get()

    assert "nuts" not in str(stored)


def test_erasing_the_guest_takes_the_ticks_along(bob, quay, harbour):
    guest = make_customer(harbour, allergies_and_intolerances=["nuts"])
    row = make_reservation(quay, customer=guest)
    tick(bob, row)
    personal_data.erase(guest.pk)

    assert not KitchenAcknowledgement.objects.exists()


def test_who_has_left_stands_last(bob, booking, quay):
    gone = make_reservation(quay, customer_note="Coeliac", meal_status="LEFT")

    assert list(groups(bob).items()) == [("open", [booking.uuid]), ("left", [gone.uuid])]
