"""The worklist of evenings that nobody closed, and the sentence above the board."""

from datetime import UTC, datetime, timedelta

import pytest
import time_machine

from customers.testing import make_customer
from mirror.models import Mirrored
from reservations.models import ArrivalTracking
from reservations.testing import DINNER, make_reservation
from restaurants.testing import make_restaurant, sign_in

LIST = "/reservations/open-past/"
LIST_BEFORE = "/reservations/unclosed/"  # as bookmarks have it
# The morning after.
NOW = DINNER + timedelta(hours=14)
DAY_AGO = timedelta(days=1)


@pytest.fixture(autouse=True)
def _morning():
    with time_machine.travel(NOW, tick=False):
        yield


def page_of(user, address=LIST, **params):
    return sign_in(user).get(address, params).content.decode()


def tracking(restaurant, *, marked):
    ArrivalTracking.objects.create(
        restaurant=restaurant, bookings=100, marked=marked, measured_at=NOW
    )


def test_it_works(bob, quay, harbour):
    quay.host_app_url = "https://host.example/quay"
    quay.save()
    make_reservation(quay, customer=make_customer(harbour), party_size=7)
    page = page_of(bob)

    assert "Maria Rossi" in page
    assert "Sat 17 Jan" in page
    assert "https://host.example/quay" in page


def test_a_bookmark_from_before_an_upgrade_opens_it(bob, quay):
    recent, older = make_reservation(quay), make_reservation(quay, meal_at=DINNER - 7 * DAY_AGO)
    page = sign_in(bob).get(f"{LIST_BEFORE}?days=1", follow=True).content.decode()

    assert str(recent.uuid) in page
    assert str(older.uuid) not in page


def test_it_hides_other_groups(charlie, quay):
    row = make_reservation(quay)

    assert str(row.uuid) not in page_of(charlie)


def test_staff_of_one_restaurant_see_that_one(bob, loft):
    row = make_reservation(loft)

    assert str(row.uuid) not in page_of(bob)


@pytest.mark.parametrize(
    "closed",
    [
        {"meal_status": "LEFT"},
        {"status": "NO_SHOW"},
        {"status": "CANCELED"},
        {"status": "REQUESTED"},
        {"presence": Mirrored.Presence.GONE},
    ],
    ids=["left", "no-show", "cancelled", "only asked for", "gone upstream"],
)
def test_what_has_an_end_is_not_listed(bob, quay, closed):
    row = make_reservation(quay, **closed)

    assert str(row.uuid) not in page_of(bob)
    assert "Every past booking has an outcome" in page_of(bob)


@pytest.mark.parametrize("word", ["", "SEATED", "BILL", "DANCING"])
def test_what_was_never_ended_is_listed_with_its_last_mark(bob, quay, word):
    make_reservation(quay, meal_status=word)
    shown = {"": "No mark", "SEATED": "Seated", "BILL": "Bill", "DANCING": "Dancing"}

    assert shown[word] in page_of(bob)


def test_the_running_evening_is_not_over(bob, quay):
    today = make_reservation(quay, meal_at=NOW - timedelta(hours=1))

    assert str(today.uuid) not in page_of(bob)


def test_after_midnight_the_evening_still_runs(bob, quay):
    row = make_reservation(quay)
    with time_machine.travel(datetime(2026, 1, 18, 2, tzinfo=UTC), tick=False):  # 03:00 in Paris
        assert str(row.uuid) not in page_of(bob)


def test_each_restaurant_has_its_own_yesterday(alice, quay, loft):
    """At 04:30 in Paris the evening is over there; in New York it is 22:30 and goes on."""
    over = make_reservation(quay)
    running = make_reservation(loft, meal_at=DINNER + timedelta(hours=6))
    with time_machine.travel(datetime(2026, 1, 18, 3, 30, tzinfo=UTC), tick=False):
        page = page_of(alice, days=1)

    assert str(over.uuid) in page
    assert str(running.uuid) not in page


class TestFilters:
    def test_yesterday_or_further_back(self, bob, quay):
        week_old = make_reservation(quay, meal_at=DINNER - 5 * DAY_AGO)
        month_old = make_reservation(quay, meal_at=DINNER - 20 * DAY_AGO)

        assert str(week_old.uuid) not in page_of(bob, days=1)
        assert str(week_old.uuid) in page_of(bob)
        assert str(month_old.uuid) not in page_of(bob)
        assert str(month_old.uuid) in page_of(bob, days=28)

    def test_no_mark_or_arrived(self, bob, quay):
        unmarked = make_reservation(quay)
        seated = make_reservation(quay, meal_status="SEATED")

        assert str(seated.uuid) not in page_of(bob, show="unmarked")
        assert str(unmarked.uuid) not in page_of(bob, show="here")
        assert str(seated.uuid) in page_of(bob, show="here")

    def test_one_restaurant(self, alice, quay, loft):
        make_reservation(quay)
        other = make_reservation(loft)

        assert str(other.uuid) not in page_of(alice, scope=quay.uuid)

    def test_a_filter_that_nothing_fits_offers_all(self, bob, quay):
        make_reservation(quay)

        assert "No matches for this filter" in page_of(bob, show="here")

    @pytest.mark.parametrize("nonsense", [{"days": "9999"}, {"show": "x"}, {"page": "-3"}])
    def test_nonsense_is_ignored(self, bob, quay, nonsense):
        row = make_reservation(quay)

        assert str(row.uuid) in page_of(bob, **nonsense)


class TestArrivalTracking:
    def test_where_arrivals_are_never_marked_nothing_is_open(self, bob, quay):
        tracking(quay, marked=10)
        row = make_reservation(quay)
        page = page_of(bob)

        assert str(row.uuid) not in page
        assert "Quay does not mark arrivals" in page

    def test_where_they_are_marked_it_is_listed(self, bob, quay):
        tracking(quay, marked=90)
        row = make_reservation(quay)

        assert str(row.uuid) in page_of(bob)


class TestManyOfThem:
    def test_each_restaurant_has_its_count(self, alice, quay, loft):
        for _number in range(3):
            make_reservation(quay)
        make_reservation(loft)
        places = sign_in(alice).get(LIST).context["worklist"].places

        assert {place.restaurant.name: place.count for place in places} == {"Quay": 3, "Loft": 1}

    def test_queries_do_not_grow(self, alice, quay, harbour, django_assert_max_num_queries):
        siblings = [make_restaurant(harbour, f"Sibling {number}") for number in range(5)]
        for restaurant in [quay, *siblings] * 3:
            make_reservation(restaurant, customer=make_customer(harbour))
        client = sign_in(alice)

        # Session, user, rights, places, the queues of the apps; arrival tracking, counts, page.
        with django_assert_max_num_queries(18):
            client.get(LIST)

    def test_a_long_list_has_pages(self, bob, quay):
        for _number in range(101):
            make_reservation(quay)

        assert page_of(bob).count('id="reservation-') == 100
        assert page_of(bob, page=2).count('id="reservation-') == 1


class TestTheSentenceAboveTheBoard:
    def test_it_works(self, bob, quay):
        tracking(quay, marked=90)
        for _number in range(2):
            make_reservation(quay)
        page = page_of(bob, "/")

        assert "2 bookings of yesterday have no outcome in the reservation app" in page
        assert "/reservations/open-past/?days=1" in page

    def test_it_keeps_the_restaurant(self, alice, quay):
        tracking(quay, marked=90)
        make_reservation(quay)

        assert f"?scope={quay.uuid}&amp;days=1" in page_of(alice, "/", scope=quay.uuid)

    def test_it_is_not_there_when_all_is_closed(self, bob, quay):
        tracking(quay, marked=90)
        make_reservation(quay, meal_status="LEFT")

        assert "outcome in the reservation app" not in page_of(bob, "/")

    def test_it_is_not_there_where_nobody_marks(self, bob, quay):
        tracking(quay, marked=0)
        make_reservation(quay)

        assert "outcome in the reservation app" not in page_of(bob, "/")

    def test_it_is_about_today_only(self, bob, quay):
        tracking(quay, marked=90)
        make_reservation(quay)

        assert "outcome in the reservation app" not in page_of(bob, "/", day="2026-01-20")
