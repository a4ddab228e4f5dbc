"""A printed briefing has a number, and its code opens a page that says whether it is still true."""

from datetime import timedelta

import pytest
import time_machine

from customers.testing import make_customer
from reservations import personal_data
from reservations.models import KitchenAcknowledgement, PrintedBriefing, PrintedLine, Reservation
from reservations.testing import DINNER, make_reservation
from restaurants.testing import sign_in

NOW = DINNER - timedelta(hours=2)
DAY = "2026-01-17"
NOTE = "Allergic to nuts (carries an EpiPen)"

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def afternoon():
    with time_machine.travel(NOW, tick=False):
        yield


@pytest.fixture
def booking(quay):
    return make_reservation(quay, customer_note=NOTE)


def print_by(user):
    """What the printer gets."""
    return sign_in(user).post(f"/reservations/brief/print/?day={DAY}", follow=True)


@pytest.fixture
def paper(bob, booking):
    """The paper that hangs in the kitchen."""
    print_by(bob)
    return PrintedBriefing.objects.get()


def check(user, paper):
    """The page that the code on the paper opens."""
    return sign_in(user).get(f"/reservations/brief/printed/{paper.pk}/")


def answer(user, paper):
    found = check(user, paper).context["check"]
    return {
        "true": found.is_true,
        "changed": [line.booking.uuid for line in found.changed],
        "added": [line.booking.uuid for line in found.added],
        "gone": [row.pk for row in found.gone],
    }


def say(row, **facts):
    """The service reports something else."""
    Reservation.objects.filter(pk=row.pk).update(**facts)


def test_it_works(bob, booking):
    page = print_by(bob).content.decode()
    paper = PrintedBriefing.objects.get()

    assert f"Paper {paper.pk}" in page
    assert 'class="paper"' in page
    assert "Still true at 18:00" in check(bob, paper).content.decode()


def test_another_note_makes_it_untrue(bob, booking, paper):
    say(booking, customer_note=f"{NOTE} and to fish")

    assert answer(bob, paper) == {
        "true": False,
        "changed": [booking.uuid],
        "added": [],
        "gone": [],
    }
    assert "Not true any more" in check(bob, paper).content.decode()


def test_a_new_booking_makes_it_untrue(bob, paper, quay):
    added = make_reservation(quay, customer_note="coeliac")

    assert answer(bob, paper)["added"] == [added.uuid]


def test_a_new_booking_without_allergy_does_not(bob, paper, quay):
    make_reservation(quay, customer_note="window table", first_seen_at=NOW + timedelta(minutes=5))

    page = check(bob, paper).content.decode()

    assert "Still true" in page
    assert "1 booking of the day changed since" in page


@pytest.mark.parametrize(
    "facts",
    [{"status": "CANCELED"}, {"service_day": "2026-01-18"}, {"customer_note": ""}],
    ids=["cancelled", "moved", "no longer allergic"],
)
def test_what_left_is_named(facts, bob, booking, paper):
    say(booking, **facts)

    assert answer(bob, paper)["gone"] == [booking.uuid]


def test_a_tag_of_the_guest_makes_it_untrue(bob, quay, harbour):
    guest = make_customer(harbour, allergies_and_intolerances=["nuts"])
    make_reservation(quay, customer=guest)
    print_by(bob)
    guest.allergies_and_intolerances = ["nuts", "fish"]
    guest.derive()
    guest.save()

    assert not answer(bob, PrintedBriefing.objects.get())["true"]


def test_a_page_with_other_lines_has_no_number(bob, booking, paper):
    say(booking, customer_note=f"{NOTE} and to fish")
    page = sign_in(bob).get("/reservations/brief/", {"day": DAY, "printed": paper.pk})

    assert f"Paper {paper.pk} is not true any more" in page.content.decode()
    assert 'class="paper"' not in page.content.decode()


def test_a_page_of_another_day_has_no_number(bob, paper):
    page = sign_in(bob).get("/reservations/brief/", {"day": "2026-01-18", "printed": paper.pk})

    assert f"Paper {paper.pk}" not in page.content.decode()


@pytest.mark.parametrize("number", ["", "x", "-1", "9" * 30, "999"])
def test_an_invalid_number_is_no_paper(number, bob, booking):
    page = sign_in(bob).get("/reservations/brief/", {"day": DAY, "printed": number})

    assert page.status_code == 200
    assert 'class="paper"' not in page.content.decode()


def test_lines_that_the_last_paper_lacks_stand_on_top(bob, booking, paper, quay):
    added = make_reservation(quay, customer_note="coeliac")
    page = sign_in(bob).get("/reservations/brief/", {"day": DAY})
    groups = {
        group.key: [line.booking.uuid for line, _state in group.lines]
        for group in page.context["brief"].kitchen_groups
    }

    assert groups == {"changed": [added.uuid], "open": [booking.uuid]}
    assert f"not on paper {paper.pk} of 18:00" in page.content.decode()


def test_a_newer_paper_has_them(bob, booking, paper, quay):
    make_reservation(quay, customer_note="coeliac")
    print_by(bob)
    page = sign_in(bob).get("/reservations/brief/", {"day": DAY})

    assert [group.key for group in page.context["brief"].kitchen_groups] == ["open"]


def test_only_people_of_the_restaurant_open_it(charlie, paper):
    assert check(charlie, paper).status_code == 404


def test_without_the_right_to_health_data_nothing_is_printed_with_a_number(
    bob, paper, without_right
):
    without_right("customers.view_health")

    assert print_by(bob).status_code == 403
    assert check(bob, paper).status_code == 404


def test_no_word_of_the_guest_is_stored(booking, paper):
    line = PrintedLine.objects.get()

    assert line.reservation_uuid == booking.uuid
    assert len(line.digest) == 64
    assert not KitchenAcknowledgement.objects.exists()


def test_erasing_the_guest_takes_the_line_away(bob, quay, harbour):
    guest = make_customer(harbour)
    make_reservation(quay, customer=guest, customer_note=NOTE)
    print_by(bob)
    personal_data.erase(guest.pk)

    assert not PrintedLine.objects.exists()
