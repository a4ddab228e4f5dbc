"""The prep sheet: covers by quarter of an hour, big parties, menus, languages, diets, targets."""

import re
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.urls import reverse

from customers.testing import make_customer
from insights.expected.models import ExpectedService, ForecastRun
from insights.models import Mark
from insights.prep.arrivals import together
from insights.prep.models import ServiceTarget
from insights.prep.pages import PrepPage
from insights.sums import recount
from mirror.health import first_reading
from mirror.testing import backfill_slice
from reservations.testing import make_reservation
from restaurants.models import Restaurant
from restaurants.testing import sign_in

NOW = datetime(2026, 6, 17, 10, tzinfo=UTC)
SATURDAY = date(2026, 6, 20)
EIGHT = datetime(2026, 6, 20, 18, tzinfo=UTC)  # 20:00 in Paris
QUARTER = timedelta(minutes=15)
WEEK = timedelta(weeks=1)
AGAIN = "load delay:9s"


@pytest.fixture(autouse=True)
def _at_a_known_time() -> Iterator[None]:
    with time_machine.travel(NOW, tick=False):
        yield


def expect(restaurant: Restaurant, covers: int) -> None:
    ForecastRun.objects.create(restaurant=restaurant, morning=NOW.date(), made_at=NOW)
    ExpectedService.objects.create(
        restaurant=restaurant, day=SATURDAY, service="evening", covers=covers, lower=covers - 9,
        upper=covers + 9, rule=0, last_four=covers, ratio=covers, booked=0, usually_booked=9.0,
        usually_next=9.0, no_shows=2.2,
    )  # fmt: skip


def book(restaurant: Restaurant, covers: int, at: datetime = EIGHT, **fields: Any):
    return make_reservation(restaurant, meal_at=at, party_size=covers, **fields)


def count(*restaurants: Restaurant) -> None:
    for one in restaurants:
        recount.rebuild(one, now=NOW)


def show(user, place: Restaurant | None = None) -> Any:
    scope = f"&scope={place.uuid}" if place else ""
    return sign_in(user).get(reverse("insights:prep") + f"?day={SATURDAY}{scope}")


def text(user, place: Restaurant) -> str:
    return str(show(user, place).content.decode())


def text_of_all(user) -> str:
    return str(show(user).content.decode()).partition('id="prep"')[2]


def quarters(restaurant: Restaurant) -> list[tuple[str, int, int | None]]:
    page = PrepPage([restaurant], SATURDAY, now=NOW)
    [prep] = page.sheet_of(restaurant, sees_health=False)
    return [(one.time, one.booked, one.expected) for one in prep.quarters]


def test_it_works(alice, quay):
    expect(quay, 20)
    book(quay, 9)
    book(quay, 4, EIGHT + QUARTER)
    ServiceTarget.objects.create(restaurant=quay, service="evening", weekday=5, covers=26)
    count(quay)
    page = text(alice, quay)

    assert "<b>20</b>" in page
    assert "11–29" in page
    assert "6 below" in page
    assert "Big parties" in page
    assert page.index("20:00") < page.index("20:15")


def test_a_day_that_was_never_read_is_not_empty(alice, quay):
    backfill_slice(quay, SATURDAY - timedelta(days=1), SATURDAY + timedelta(days=1))
    first_reading.DOUBTFUL.clear()
    page = text(alice, quay)

    assert "Nothing was read of this day yet" in page
    assert "This day is being read for the first time" in page
    assert "Nobody is booked" not in page


def test_what_is_still_to_come_arrives_as_at_like_services(quay):
    """Half of the guests of past Saturdays came at 20:00, half at 21:00."""
    for n in range(1, 5):
        book(quay, 10, EIGHT - n * WEEK)
        book(quay, 10, EIGHT - n * WEEK + 4 * QUARTER)
    expect(quay, 30)
    book(quay, 15)
    count(quay)
    found = quarters(quay)

    assert (found[0], found[-1]) == (("20:00", 15, 15), ("21:00", 0, 15))


def test_like_services_are_of_the_same_weekday_or_else_of_the_last_four_weeks(quay):
    expect(quay, 10)
    for n in (1, 2, 3):
        book(quay, 2, EIGHT - n * timedelta(days=1) - timedelta(days=4))
    count(quay)
    [prep] = PrepPage([quay], SATURDAY, now=NOW).sheet_of(quay, sees_health=False)

    assert prep.learnt_from == "The spread is learnt from 3 services of the last four weeks."


@pytest.mark.parametrize("expected", [0, 5, 13, 14, 40])
def test_quarters_add_up_to_what_is_expected(expected):
    found = together({1200: 6, 1215: 7}, expected, {1200: 3.0, 1230: 1.0, 1260: 0.5})

    assert sum(found.values()) == expected
    assert all(covers >= 0 for covers in found.values())


def test_without_a_forecast_it_shows_what_is_booked(alice, quay):
    book(quay, 4)
    count(quay)

    assert quarters(quay) == [("20:00", 4, None)]
    assert "Not forecast yet." in text(alice, quay)


class TestOverview:
    def test_it_has_no_column_without_a_number(self, alice, quay, loft):
        for place in (quay, loft):
            book(place, 4)
            count(place)
        page = text_of_all(alice)

        assert "Not forecast yet." in page
        assert "Expected" not in page
        assert "Target" not in page

    def test_a_forecast_and_a_target_have_theirs(self, alice, quay, loft):
        for place in (quay, loft):
            book(place, 4)
            count(place)
        expect(quay, 20)
        ServiceTarget.objects.create(restaurant=quay, service="evening", weekday=5, covers=26)
        page = text_of_all(alice)

        assert "Not forecast yet." not in page
        assert ("No-shows expected" in page, "6 below" in page) == (True, True)

    def test_a_phone_has_the_target_without_a_forecast_too(self, alice, quay, loft):
        """There the table has no column for it."""
        for place in (quay, loft):
            book(place, 4)
            count(place)
        ServiceTarget.objects.create(restaurant=quay, service="evening", weekday=5, covers=26)

        assert re.search(
            r'class="prep__of muted">Target 26</span>\s*<span class="prep__of muted">22 below<',
            text_of_all(alice),
        )


def test_menus_and_languages_are_counted_and_cancelled_bookings_are_not(alice, quay):
    guest = make_customer(quay.group, locale="fr_FR")
    offer: Any = {"offer_type": "MENU", "offer_name": {"en": "Tasting menu"}}
    book(quay, 4, customer=guest, **offer)
    book(quay, 2, **offer)
    book(quay, 5, status="CANCELED", **offer)
    count(quay)
    [prep] = PrepPage([quay], SATURDAY, now=NOW).sheet_of(quay, sees_health=False)

    assert [one[:3] for one in prep.extras.offers] == [("Tasting menu", 2, 6)]
    assert [one[:3] for one in prep.extras.languages] == [("French", 1, 4)]


def test_diets_are_shown_to_those_with_the_right_only(alice, without_right, quay):
    guest = make_customer(quay.group, allergies_and_intolerances=["Peanuts"])
    book(quay, 4, customer=guest)
    count(quay)

    assert "Allergies and diets" in text(alice, quay)
    without_right("customers.view_health")
    assert "Allergies and diets" not in text(alice, quay)


def test_several_restaurants_are_a_line_each_that_leads_to_the_sheet(alice, quay, loft):
    for place in (quay, loft):
        expect(place, 20)
        book(place, 9)
    count(quay, loft)
    page = show(alice).content.decode()

    assert f"?scope={quay.uuid}&amp;day={SATURDAY}" in page
    assert "Big parties" not in page


def test_staff_and_outsiders_see_none_of_it(bob, charlie, quay):
    book(quay, 9)
    count(quay)

    assert show(bob, quay).status_code == 403
    assert not show(charlie, quay).context["page"].lines


def test_the_file_has_a_line_for_each_quarter(alice, quay):
    expect(quay, 20)
    book(quay, 9)
    count(quay)
    response: Any = sign_in(alice).get(reverse("insights:prep_csv") + f"?day={SATURDAY}")
    lines = b"".join(response.streaming_content).decode().splitlines()

    assert lines[1:] == ["Quay,2026-06-20,Dinner,20:00,9,20,"]


class TestTargets:
    def url(self, place: Restaurant) -> str:
        return reverse("insights:targets", args=[place.uuid])

    @pytest.mark.parametrize("language", ["en", "fr", "es"])
    def test_a_line_begins_with_a_capital(self, dora, quay, language):
        """Django writes “lundi” and “lunes”, as a sentence needs them."""
        page = sign_in(dora).get(self.url(quay), headers={"accept-language": language}).text
        days = re.findall(r'<th scope="row">\s*(\w+)', page)

        assert len(days) == 7
        assert [day for day in days if not day[0].isupper()] == []

    def test_it_works(self, dora, quay):
        ServiceTarget.objects.create(restaurant=quay, service="midday", weekday=0, covers=40)
        data = {"evening-5": "110", "midday-0": "", "evening-6": "0"}
        sign_in(dora).post(self.url(quay), data)

        held = ServiceTarget.objects.order_by("weekday")
        assert list(held.values_list("service", "weekday", "covers")) == [
            ("evening", 5, 110),
            ("evening", 6, 0),
        ]

    def test_nonsense_is_refused_with_a_reason(self, dora, quay):
        response = sign_in(dora).post(self.url(quay), {"evening-5": "-3"})

        assert response.status_code == 422
        assert not ServiceTarget.objects.exists()

    def test_managers_do_not_set_them_and_outsiders_find_nothing(self, alice, charlie, quay):
        assert sign_in(alice).get(self.url(quay)).status_code == 403
        assert sign_in(charlie).get(self.url(quay)).status_code == 404


class TestWhileItIsCounted:
    """Diets and allergies of a day are counted some seconds after a booking of it was stored."""

    def test_it_reads_itself_again(self, alice, quay):
        book(quay, 4)
        Mark.objects.create(restaurant=quay, day=SATURDAY)
        shown = show(alice, quay).text

        assert AGAIN in shown
        # Once: the worker may be away for hours.
        assert AGAIN not in shown.partition('id="prep"')[2]

    def test_it_stays_once_it_is_counted(self, alice, quay, loft):
        book(quay, 4)
        count(quay)
        Mark.objects.create(restaurant=quay, day=SATURDAY + timedelta(days=1))
        Mark.objects.create(restaurant=loft, day=SATURDAY)

        assert AGAIN not in show(alice, quay).text
