"""Changes compare only days known on both sides, and headlines name what they leave out."""

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest
import time_machine
from django.urls import reverse

from customers.testing import make_customer
from insights import digest
from insights.sums import recount
from mirror.health import first_reading
from mirror.testing import backfill_slice, complete
from reservations.testing import make_reservation
from restaurants.models import Restaurant
from restaurants.testing import sign_in

NOW = datetime(2026, 6, 17, 15, tzinfo=UTC)  # a Wednesday
NOON = NOW.replace(hour=12)
WEEKS = range(1, 29)  # days ago of the last four weeks
BEFORE = range(29, 57)


@pytest.fixture(autouse=True)
def _at_a_known_time() -> Iterator[None]:
    with time_machine.travel(NOW):
        yield


def book(restaurant: Restaurant, days_ago: Iterable[int], covers: int, **more) -> None:
    for days in days_ago:
        meal_at = NOON - timedelta(days=days)
        make_reservation(restaurant, meal_at=meal_at, party_size=covers, **more)


def show(user, slug="fullness", query=""):
    for restaurant in Restaurant.objects.all():
        recount.rebuild(restaurant, now=NOW)
    response = sign_in(user).get(reverse("insights:show", args=[slug]) + query)
    return response.context["answer"], " ".join(response.content.decode().split())


def change_of(answer):
    return answer.delta and answer.delta.words


class TestGaps:
    """Ten covers a day now, eight before: each gap leaves that at +25 %."""

    @pytest.mark.parametrize(
        "gap",
        [
            pytest.param(range(50, 57), id="at the beginning"),
            pytest.param(range(29, 36), id="at the end"),
            pytest.param(range(38, 45), id="in the middle"),
            pytest.param([*range(29, 33), *range(53, 57)], id="at both ends"),
        ],
    )
    def test_days_that_are_unknown_before_are_not_compared(self, alice, quay, gap):
        book(quay, WEEKS, 10)
        book(quay, [day for day in BEFORE if day not in gap], 8)
        answer, page = show(alice)

        assert answer.number == "280"
        assert change_of(answer) == "+25 %"
        assert f"changes compare {28 - len(gap)} days known on both sides" in page

    def test_days_that_are_unknown_now_are_not_compared(self, alice, quay):
        book(quay, WEEKS[7:], 10)
        book(quay, BEFORE, 8)
        answer, page = show(alice)

        assert change_of(answer) == "+25 %"
        assert "21 of 28 days known and open" in page

    def test_a_gap_of_one_restaurant_leaves_out_its_days_only(self, alice, quay, loft):
        book(quay, WEEKS, 10)
        book(quay, BEFORE, 8)
        book(loft, WEEKS, 10)
        book(loft, BEFORE[:14], 20)
        answer, _page = show(alice)

        assert change_of(answer) == "−17 %"  # 280 + 140 against 224 + 280

    def test_a_gap_does_not_draw_a_line_at_nought(self, alice, quay):
        book(quay, WEEKS, 10)
        book(quay, BEFORE[7:], 8)
        answer, _page = show(alice)

        lines = [point.before for point in answer.picture.points]
        assert lines.count(None) == 7
        assert 0 not in lines


@pytest.mark.parametrize("slug", ["campaigns", "diets"])
class TestPlainCounts:
    """Bars of campaigns and diets count parties: a gap would look like growth."""

    @pytest.fixture
    def fields(self, harbour):
        guest = make_customer(harbour, dietary_restrictions=["Vegan"])
        return {"customer": guest, "utm": {"utm_source": "mail"}}

    def test_days_known_on_one_side_change_nothing(self, alice, quay, fields, slug):
        book(quay, WEEKS, 2, **fields)
        book(quay, BEFORE[:20], 2, **fields)
        answer, _page = show(alice, slug)

        assert answer.number == "28"
        assert change_of(answer) == "±0 %"
        assert {point.before for point in answer.picture.points} == {None}

    def test_whole_ranges_stand_beside_each_other(self, alice, quay, fields, slug):
        book(quay, WEEKS, 2, **fields)
        book(quay, BEFORE, 2, **fields)
        answer, _page = show(alice, slug)

        assert {point.before for point in answer.picture.points} == {28}


class TestAverage:
    def test_it_divides_by_days_that_were_open_and_known(self, alice, quay):
        book(quay, WEEKS[:13], 10)
        answer, page = show(alice)

        assert "10 per open day" in answer.caption
        assert "13 of 28 days known and open" in page

    def test_a_closed_weekday_is_neither_divided_by_nor_compared(self, alice, quay):
        closed = [day for day in (*WEEKS, *BEFORE) if (NOON - timedelta(days=day)).weekday() == 0]
        book(quay, [day for day in WEEKS if day not in closed], 12)
        book(quay, [day for day in BEFORE if day not in closed], 10)
        answer, page = show(alice)

        assert "12 per open day" in answer.caption
        assert change_of(answer) == "+20 %"
        assert "24 of 28 days known and open" in page

    def test_a_day_with_cancelled_bookings_alone_was_not_open(self, alice, quay):
        book(quay, WEEKS[:2], 10)
        book(quay, WEEKS[2:4], 10, status="CANCELED")
        answer, _page = show(alice)

        assert "10 per open day" in answer.caption


class TestFewDays:
    @pytest.mark.parametrize(("days", "change"), [(13, None), (14, "+25 %")])
    def test_four_weeks_need_fourteen_days_on_both_sides(self, alice, quay, days, change):
        book(quay, WEEKS, 10)
        book(quay, BEFORE[:days], 8)
        answer, page = show(alice)

        assert change_of(answer) == change
        assert ("no change is shown: 13 of 14 days known on both sides" in page) == (days == 13)

    @pytest.mark.parametrize(("days", "change"), [(3, None), (4, "−5 %")])
    def test_a_week_needs_half_of_its_days(self, alice, quay, days, change):
        book(quay, range(1, 8), 19)
        book(quay, range(8, 8 + days), 20)

        assert change_of(show(alice, query="?range=1w")[0]) == change


class TestNewRestaurant:
    def test_one_that_joined_last_month_makes_no_growth(self, alice, quay, loft):
        book(quay, WEEKS, 10)
        book(quay, BEFORE, 8)
        book(loft, WEEKS, 30)
        answer, page = show(alice)

        assert answer.number == "1,120"
        assert change_of(answer) == "+25 %"
        assert "not compared, as nothing is known of them before: Loft" in page
        assert ["Loft", 840, None, 28, 0] in answer.table.rows

    def test_it_changes_no_mean_either(self, alice, quay, loft):
        for days, bill in ((WEEKS, 30), (BEFORE, 20)):
            book(quay, days, 1, bill_amount=Decimal(bill), bill_currency="EUR")
        book(loft, WEEKS, 1, bill_amount=Decimal(900), bill_currency="EUR")

        assert change_of(show(alice, "spend")[0]) == "+50 %"


class TestLeftOut:
    def test_spend_names_restaurants_of_another_currency(self, alice, quay, loft):
        book(quay, (1, 2), 2, bill_amount=Decimal(10), bill_currency="EUR")
        book(loft, (1,), 2, bill_amount=Decimal(99), bill_currency="USD")
        answer, page = show(alice, "spend")

        assert answer.left_out == ["Left out, another currency: Loft (USD)."]
        assert "Left out, another currency: Loft (USD)." in page

    def test_spend_names_restaurants_without_bills(self, alice, quay, loft):
        book(quay, (1,), 2, bill_amount=Decimal(10), bill_currency="EUR")
        book(loft, (1,), 2)

        assert show(alice, "spend")[0].left_out == ["Left out, no bills: Loft."]

    def test_absence_names_restaurants_without_marks(self, alice, quay, loft):
        book(quay, (1,), 2, meal_status="LEFT")
        book(loft, (1,), 2)

        assert show(alice, "absence")[0].left_out == [
            "Left out, too few arrivals marked in this time: Loft."
        ]

    def test_the_weekly_mail_names_them_too(self, alice, quay, loft):
        book(quay, (8,), 2, bill_amount=Decimal(10), bill_currency="EUR")
        book(loft, (8,), 2)
        for restaurant in (quay, loft):
            recount.rebuild(restaurant, now=NOW)
        week = (NOON - timedelta(days=9)).date()

        assert "\n  Left out, no bills: Loft." in digest.write([quay, loft], week, now=NOW)


class TestUnread:
    """Of a day that is being read for the first time no number is known to be whole."""

    @pytest.fixture(autouse=True)
    def _read_but_for_a_week(self, quay, loft):
        complete(loft)
        day = NOW.date()
        backfill_slice(quay, day - timedelta(days=90), day - timedelta(days=36), state="done")
        backfill_slice(quay, day - timedelta(days=37), day - timedelta(days=28))
        backfill_slice(quay, day - timedelta(days=29), day + timedelta(days=30), state="done")
        first_reading.DOUBTFUL.clear()

    def test_its_part_is_not_compared(self, alice, quay):
        book(quay, WEEKS, 10)
        book(quay, range(29, 37), 1)
        book(quay, range(37, 57), 8)
        answer, page = show(alice)

        assert change_of(answer) == "+25 %"
        assert "changes compare 20 days known on both sides" in page
        assert "Some days are being read" not in page

    def test_its_part_is_not_in_the_mean_of_a_day(self, alice, quay, loft):
        book(quay, range(29, 37), 1)
        book(quay, range(37, 57), 8)
        book(loft, range(29, 57), 2)
        answer, _page = show(alice, query="?range=own&since=2026-04-22&until=2026-05-19")

        assert answer.number == "224+"
        assert "10 per open day" in answer.caption

    def test_the_page_says_that_some_may_be_missing(self, alice, quay):
        book(quay, range(29, 57), 8)
        _answer, page = show(alice, query="?range=own&since=2026-05-01&until=2026-05-20")

        assert "Some days are being read for the first time: bookings may be missing." in page

    def test_so_does_one_of_days_from_before_the_copy(self, alice, quay):
        book(quay, WEEKS, 10)
        _answer, page = show(alice, query="?range=own&since=2026-01-01&until=2026-06-16")

        assert "Not read before 20 Mar 2026, bookings are missing: Quay" in page

    def test_so_does_the_weekly_mail(self, alice, quay):
        book(quay, WEEKS, 10)
        letter = digest.write([quay], NOW.date() - timedelta(days=37), now=NOW)

        assert "Some days are being read for the first time: bookings may be missing." in letter


class TestToday:
    """Of today a part has come: a range until today ends yesterday, and shows so."""

    UNTIL_TODAY = f"?range=own&since={NOW.date() - timedelta(days=28)}&until={NOW.date()}"

    def test_whoever_is_expected_tonight_is_no_booking_that_was_kept(self, alice, quay):
        book(quay, WEEKS[:7], 2, meal_status="LEFT")
        book(quay, WEEKS[:7], 2, status="NO_SHOW")
        book(quay, [0] * 9, 2)
        answer, page = show(alice, "absence", self.UNTIL_TODAY)

        assert answer.number == "50.0 %"
        assert "20 May 2026 – 16 Jun 2026" in page

    @pytest.mark.parametrize("slug", ["fullness", "spend", "channels", "lead"])
    def test_it_changes_no_question(self, alice, quay, slug):
        facts = {"bill_amount": Decimal(80), "bill_currency": "EUR", "created_at": NOW}
        book(quay, [*WEEKS, *BEFORE], 8, **facts)
        before = show(alice, slug, self.UNTIL_TODAY)[0]
        book(quay, [0], 99, reservation_channel="Offline", **facts)
        after = show(alice, slug, self.UNTIL_TODAY)[0]

        assert (after.number, after.caption, change_of(after)) == (
            before.number,
            before.caption,
            change_of(before),
        )

    def test_today_alone_is_answered_as_by_default(self, alice, quay):
        book(quay, [0], 9)
        today = f"?range=own&since={NOW.date()}&until={NOW.date()}"

        assert "20 May 2026 – 16 Jun 2026" in show(alice, "fullness", today)[1]

    def test_what_guests_do_not_eat_is_not_compared_until_tonight(self, alice, quay):
        note = {"customer_note": "allergic to nuts"}
        book(quay, [0, *WEEKS, *BEFORE], 8, **note)
        answer, page = show(alice, "diets", self.UNTIL_TODAY)

        assert "Nuts, in a note: 29" in page
        assert answer.delta is None
        assert "before:" not in page
