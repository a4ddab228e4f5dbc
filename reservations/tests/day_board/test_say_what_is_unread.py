"""The first reading: a board, the pulse and the briefing say what they do not know yet."""

from datetime import timedelta

import pytest
import time_machine
from django.urls import reverse
from django.utils.html import escape

from customers.testing import make_customer
from lib.dates import date_format
from mirror.health import first_reading
from mirror.testing import backfill_slice, complete
from reservations.testing import DINNER, make_reservation
from reservations.tests.new_booking.conftest import api
from restaurants.testing import sign_in

__all__ = ["api"]  # a fixture
DAY = DINNER.date()
pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _ask_the_database(quay, loft):
    """The quay's day was read, the loft's was not."""
    backfill_slice(quay, DAY - timedelta(days=1), DAY + timedelta(days=1), state="done")
    first_reading.DOUBTFUL.clear()


def look(user, address="/", **params):
    with time_machine.travel(DINNER - timedelta(hours=2), tick=False):
        first_reading.DOUBTFUL.clear()
        answer = sign_in(user).get(address, {"day": str(DAY), **params})
    assert answer.status_code == 200
    return answer.text


def numbers_of(page, place):
    label = f'<span class="pulse__label">{escape(place.name)}</span>'
    row = page.split(label)[1].split("</tr>")[0]
    return [cell.split("</td>")[0] for cell in row.split("<td")[1:4]]


@pytest.mark.parametrize("zoom", ["pulse", "arrivals", "stays", "list"])
def test_every_zoom_names_the_restaurants_that_are_unread(alice, quay, loft, zoom):
    page = look(alice, zoom=zoom)

    assert f"bookings may be missing: {escape(loft.name)}<" in page


def test_the_pulse_shows_no_zero_that_is_not_known(alice, quay, loft):
    page = look(alice, zoom="pulse")

    assert all("–" in number for number in numbers_of(page, loft))
    assert all("0" in number for number in numbers_of(page, quay))


def test_a_number_to_which_bookings_may_be_missing_is_at_least_that(alice, loft):
    make_reservation(loft, party_size=5)

    page = look(alice, zoom="pulse")

    assert "5+" in numbers_of(page, loft)[0]
    assert "<b>5+</b> covers" in page


@pytest.mark.parametrize("zoom", ["pulse", "arrivals", "stays", "list"])
def test_a_day_that_is_unread_is_not_called_free(alice, loft, zoom):
    page = look(alice, zoom=zoom, scope=str(loft.uuid))

    assert "This day is being read for the first time" in page
    assert "Nothing was read of this day yet" in page
    assert "Nothing is booked for this day" not in page


@pytest.mark.parametrize("zoom", ["pulse", "arrivals", "stays", "list"])
def test_an_unread_day_has_no_numbers_and_no_filters(alice, loft, zoom):
    """“– covers · 0 arrived · 0 in the next hour” stood above six filters of 0 bookings."""
    page = look(alice, zoom=zoom, scope=str(loft.uuid))

    assert "<b>–</b> covers · <b>–</b> arrived · <b>–</b> in the next hour" in page
    assert "board__nothing" in page  # which hides the filters


@pytest.mark.parametrize("zoom", ["pulse", "arrivals", "stays", "list"])
def test_a_new_restaurant_that_was_read_is_not_called_unread(dora, quay, zoom):
    """Its admin was sent to the set-up, below “Live” in the bar."""
    page = look(dora, zoom=zoom, scope=str(quay.uuid))

    assert "Nothing is booked for this day" in page
    assert "No booking has been read yet" not in page


def test_a_day_that_was_read_says_that_nothing_is_booked(alice, quay):
    page = look(alice, scope=str(quay.uuid))

    assert "Nothing is booked for this day" in page
    assert "being read" not in page


@pytest.mark.parametrize("zoom", ["pulse", "arrivals", "stays", "list"])
def test_a_day_from_before_the_copy_is_not_called_free(alice, quay, zoom):
    complete(quay)
    page = look(alice, zoom=zoom, scope=str(quay.uuid), day=str(DAY - timedelta(days=400)))

    assert f"The copy begins on {date_format(DAY)}" in page
    assert "This day was not read" in page
    assert "Nothing is booked for this day" not in page


def test_an_admin_may_have_earlier_days_read(dora, bob, quay):
    complete(quay)
    make_reservation(quay)
    long_ago = {"scope": str(quay.uuid), "day": str(DAY - timedelta(days=400))}

    assert reverse("mirror:backfills") in look(dora, **long_ago)
    assert reverse("mirror:backfills") not in look(bob, **long_ago)


def test_the_briefing_tells_the_kitchen_to_ask(alice, loft):
    page = look(alice, "/reservations/brief/", scope=str(loft.uuid))

    assert "This day is being read for the first time" in page
    assert "Ask at every table." in page


@pytest.mark.usefixtures("api")
@pytest.mark.parametrize(
    ("address", "claim"),
    [
        ("/reservations/requests/", "Nothing waits for an answer"),
        ("/reservations/open-past/", "Every past booking has an outcome"),
        ("/reservations/new/", "Nobody is expected yet"),
    ],
)
def test_no_other_page_calls_it_free(alice, quay, loft, address, claim):
    """“Every past booking has an outcome” stood where none had ever been read."""
    backfill_slice(quay, DAY - timedelta(days=9), DAY + timedelta(days=9), state="done")
    complete(quay)
    unread = look(alice, address, scope=str(loft.uuid), restaurant=str(loft.uuid))

    assert claim not in unread
    assert "read for the first time: bookings may be missing." in unread
    assert claim in look(alice, address, scope=str(quay.uuid), restaurant=str(quay.uuid))


class TestFirstVisit:
    @pytest.fixture
    def booking(self, quay, harbour):
        return make_reservation(quay, customer=make_customer(harbour))

    @pytest.mark.parametrize("zoom", ["arrivals", "stays", "list"])
    def test_no_visit_is_called_the_first_before_the_past_is_read(self, alice, booking, zoom):
        assert "1st visit" not in look(alice, zoom=zoom)

    def test_the_drawer_neither(self, alice, booking):
        page = look(alice, booking.get_absolute_url())

        assert "no visit read yet" in page
        assert "first visit" not in page

    def test_it_is_once_everything_was_read(self, alice, booking, harbour):
        for place in harbour.restaurants.all():
            complete(place)

        assert "1st visit" in look(alice, zoom="list")


def lines_of_file(user):
    with time_machine.travel(DINNER - timedelta(hours=2), tick=False):
        first_reading.DOUBTFUL.clear()
        answer = sign_in(user).get("/reservations/export.csv", {"day": str(DAY)})
    return answer.getvalue().decode().splitlines()


def test_the_file_ends_with_what_may_be_missing(alice, quay, loft):
    make_reservation(quay)
    lines = lines_of_file(alice)

    assert len(lines) == 3
    assert lines[-1].endswith(f'bookings may be missing: {loft.name}"')


def test_the_file_of_a_day_that_was_read_has_its_bookings_alone(alice, quay, loft):
    for place in (quay, loft):
        complete(place)
    make_reservation(quay)

    assert len(lines_of_file(alice)) == 2
