"""The calendar: how full each day is, in figures, and the way to its board."""

from datetime import UTC, date, datetime, timedelta

import pytest
import time_machine

from insights.models import Mark
from insights.month_calendar.pages import step_of
from insights.sums import recount
from mirror.health import first_reading
from mirror.testing import backfill_slice, complete
from reservations.testing import DINNER, make_reservation
from restaurants.models import Restaurant
from restaurants.testing import make_restaurant, sign_in

CALENDAR = "/calendar/"
NOW = datetime(2026, 1, 20, 12, tzinfo=UTC)
DAY = timedelta(days=1)


@pytest.fixture(autouse=True)
def _january():
    with time_machine.travel(NOW, tick=False):
        yield


def book(restaurant, *, covers=4, at=DINNER, **fields):
    make_reservation(restaurant, party_size=covers, meal_at=at, **fields)
    recount.rebuild(restaurant, now=NOW)


def page_of(user, **params):
    return sign_in(user).get(CALENDAR, params).content.decode()


def test_it_works(bob, quay):
    book(quay)
    book(quay, covers=7)
    page = page_of(bob)

    assert "January 2026" in page
    assert "Saturday 17 January: 11 covers, 2 bookings" in page
    assert 'class="month__covers">11<' in page


def test_a_day_leads_to_its_board(bob, alice, quay):
    book(quay)

    assert 'href="/?day=2026-01-17"' in page_of(bob)
    assert f'href="/?scope={quay.uuid}&amp;day=2026-01-17"' in page_of(alice, scope=quay.uuid)


def test_it_needs_no_right_to_insights(bob, quay):
    assert not bob.has_perm("insights.view_insights", quay)
    assert sign_in(bob).get(CALENDAR).status_code == 200


def test_it_hides_other_groups(charlie, quay):
    book(quay, covers=11)

    assert "11 covers" not in page_of(charlie)


def test_a_person_without_restaurants_reads_why_it_is_empty(django_user_model):
    nobody = django_user_model.objects.create_user("nobody@example.org")

    assert "You have no restaurant yet" in page_of(nobody)


def test_an_empty_month_says_so(bob):
    assert "Nothing is booked in these days yet" in page_of(bob)


def test_who_does_not_come_is_not_counted(bob, quay):
    book(quay, covers=4)
    book(quay, covers=5, status="CANCELED")
    book(quay, covers=6, status="NO_SHOW")

    assert "Saturday 17 January: 4 covers, 1 booking" in page_of(bob)


def test_requests_are_counted_apart(bob, quay):
    book(quay)
    book(quay, status="REQUESTED")

    assert "4 covers, 1 booking, 1 request" in page_of(bob)


def test_half_past_midnight_is_the_day_before(bob, quay):
    book(quay, at=datetime(2026, 1, 17, 23, 30, tzinfo=UTC))

    assert "Saturday 17 January: 4 covers" in page_of(bob)


def test_days_that_wait_to_be_counted_are_named(bob, quay):
    Mark.objects.create(restaurant=quay, day=date(2026, 1, 17))

    assert "Counting: 1 day" in page_of(bob)


class TestMonth:
    def test_it_begins_on_monday_and_shows_its_edges(self, bob):
        grid = sign_in(bob).get(CALENDAR).context["calendar"].grid

        assert grid[0][0].day == date(2025, 12, 29)
        assert [cell.is_outside for cell in grid[0]] == [True] * 3 + [False] * 4

    def test_the_edges_are_not_in_its_total(self, bob, quay):
        book(quay, at=DINNER - 18 * DAY)

        assert "Tuesday 30 December: 4 covers" in page_of(bob)
        assert sign_in(bob).get(CALENDAR).context["calendar"].total.covers == 0

    def test_it_leads_to_the_months_beside_it(self, bob):
        page = page_of(bob)

        assert 'href="?day=2025-12-31"' in page
        assert 'href="?day=2026-02-01"' in page

    def test_today_is_marked(self, bob):
        assert page_of(bob).count("month__day--today") == 1
        assert "month__day--today" not in page_of(bob, day="2026-03-01")

    @pytest.mark.parametrize("day", ["2000-01-01", "2200-12-31", "9999-12-31", "soon", ""])
    def test_no_day_breaks_it(self, bob, day):
        assert sign_in(bob).get(CALENDAR, {"day": day}).status_code == 200
        assert sign_in(bob).get(CALENDAR, {"day": day, "zoom": "week"}).status_code == 200


class TestWeek:
    def test_it_works(self, bob, quay):
        book(quay, at=DINNER)
        book(quay, at=DINNER + timedelta(hours=2), covers=3)
        page = page_of(bob, zoom="week", day="2026-01-14")
        hours = sign_in(bob).get(CALENDAR, {"zoom": "week", "day": "2026-01-14"})

        assert "Saturday 17 January: 7 covers, 2 bookings" in page
        assert [(row.hour, row.cells[5][0]) for row in hours.context["calendar"].hours] == [
            (20, 4),
            (21, 0),
            (22, 3),
        ]

    def test_the_hour_after_midnight_stands_last(self, bob, quay):
        book(quay, at=datetime(2026, 1, 17, 22, 30, tzinfo=UTC))
        book(quay, at=datetime(2026, 1, 17, 23, 30, tzinfo=UTC))
        params = {"zoom": "week", "day": "2026-01-14"}
        hours = sign_in(bob).get(CALENDAR, params).context["calendar"].hours

        assert [row.hour for row in hours] == [23, 0]

    def test_it_leads_to_the_weeks_beside_it(self, bob):
        page = page_of(bob, zoom="week", day="2026-01-14")

        assert 'href="?zoom=week&amp;day=2026-01-11"' in page
        assert 'href="?zoom=week&amp;day=2026-01-19"' in page


class TestRestaurants:
    def test_each_has_its_line_and_its_boards(self, alice, quay, loft):
        book(quay, covers=6)
        book(loft, covers=2)
        rows = list(sign_in(alice).get(CALENDAR).context["calendar"].rows)

        assert {row.restaurant.name: row.covers for row in rows} == {"Quay": "6", "Loft": "2"}
        assert f'href="/?scope={loft.uuid}&amp;day=2026-01-17"' in page_of(alice)

    def test_one_alone_has_no_second_table(self, bob):
        assert "Covers by restaurant" not in page_of(bob)

    @pytest.mark.parametrize("zoom", ["month", "week"])
    def test_queries_do_not_grow(self, alice, harbour, zoom, django_assert_max_num_queries):
        for number in range(6):
            make_reservation(make_restaurant(harbour, f"Sibling {number}"))
        for restaurant in Restaurant.objects.all():
            recount.rebuild(restaurant, now=NOW)
        client = sign_in(alice)

        # Session, user, rights, places, the queues of the rooms; days, hours, what waits.
        with django_assert_max_num_queries(18):
            client.get(CALENDAR, {"zoom": zoom, "day": "2026-01-17"})


@pytest.mark.parametrize(
    ("covers", "step"), [(0, 0), (1, 1), (15, 2), (50, 4), (99, 7), (100, 7), (140, 7)]
)
def test_a_little_is_never_nothing(covers, step):
    assert step_of(covers, 100) == step


def test_a_day_without_a_top_has_no_tint():
    assert step_of(3, 0) == 0


class TestUnread:
    """Days of which no booking is known are not shown as days without bookings."""

    @pytest.fixture(autouse=True)
    def _read_from_the_tenth(self, quay):
        backfill_slice(quay, date(2026, 1, 9), date(2026, 2, 20), state="done")
        complete(quay)
        first_reading.DOUBTFUL.clear()

    def test_a_day_from_before_the_copy_has_no_zero(self, bob):
        page = page_of(bob)

        assert "Friday 9 January: 0 covers, 0 bookings · not all was read" in page
        assert "Saturday 10 January: 0 covers, 0 bookings" in page
        assert page.count('class="month__covers">–<') == 12  # with three of December
        assert "The copy begins on 10 Jan 2026: bookings from before are missing." in page

    def test_a_booking_of_such_a_day_makes_it_at_least_that(self, bob, quay):
        book(quay, covers=5, at=datetime(2026, 1, 5, 19, tzinfo=UTC))

        assert 'class="month__covers">5+<' in page_of(bob)

    def test_what_waits_to_be_counted_stands_alone_where_no_sum_is_known(self, bob, quay):
        Mark.objects.create(restaurant=quay, day=date(2025, 6, 3))
        words = " ".join(page_of(bob, day="2025-06-01").split())

        assert '<p class="muted"> Counting: 1 day' in words

    def test_so_it_does_in_the_sum_of_the_month(self, bob, quay):
        book(quay, covers=5, at=datetime(2026, 1, 5, 19, tzinfo=UTC))

        assert "At least 5 covers, 1 booking" in page_of(bob)
        assert "At least" not in page_of(bob, day="2026-02-01")

    def test_only_the_lines_of_its_restaurant_stay_open(self, alice, quay, loft):
        book(quay, covers=5, at=datetime(2026, 1, 5, 19, tzinfo=UTC))
        book(loft, covers=2)
        backfill_slice(loft, date(2025, 12, 1), date(2026, 2, 20), state="done")
        complete(loft)
        first_reading.DOUBTFUL.clear()
        at_loft, at_quay = sign_in(alice).get(CALENDAR).context["calendar"].rows

        assert (at_quay.covers, at_loft.covers) == ("5+", "2")
        assert f'href="/?scope={quay.uuid}&amp;day=2026-01-05">5+</a>' in at_quay.cells
        assert f'href="/?scope={quay.uuid}&amp;day=2026-01-06">–</a>' in at_quay.cells
        assert "–" not in at_loft.cells

    def test_the_two_reasons_are_two_sentences(self, alice, loft):
        backfill_slice(loft, date(2026, 1, 1), date(2026, 2, 20))
        first_reading.DOUBTFUL.clear()
        page = page_of(alice)

        assert "Not read before 10 Jan 2026, bookings are missing: Quay</p>" in page
        assert "<p>Some days are being read for the first time" in page

    def test_a_month_from_before_the_copy_is_not_called_free(self, bob):
        assert "Nothing is booked in these days yet." not in page_of(bob, day="2025-06-01")
        assert "Nothing is booked in these days yet." in page_of(bob, day="2026-03-01")

    def test_a_file_leaves_its_numbers_open(self, alice):
        answer = sign_in(alice).get(f"{CALENDAR}export.csv")
        lines = b"".join(answer).decode().splitlines()

        assert "Quay,2026-01-09,,," in lines
        assert "Quay,2026-01-10,0,0,0" in lines

    def test_neither_does_a_file_of_hours_count_them(self, alice, quay):
        book(quay, covers=4, at=datetime(2026, 1, 10, 18, tzinfo=UTC))
        address = f"{CALENDAR}hours.csv?zoom=week&day=2026-01-10&scope={quay.uuid}"
        lines = b"".join(sign_in(alice).get(address)).decode().splitlines()

        assert "19:00,,,,,,4,0" in lines  # Monday the 5th to Friday the 9th are from before

    def test_days_that_are_being_read_are_no_days_without_bookings(self, bob, quay):
        backfill_slice(quay, date(2025, 12, 20), date(2026, 1, 9))
        first_reading.DOUBTFUL.clear()
        page = page_of(bob)

        assert "Some days are being read for the first time: bookings may be missing." in page
