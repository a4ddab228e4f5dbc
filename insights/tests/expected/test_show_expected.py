"""The page of what is booked and expected: its numbers, its rights, its file."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.urls import reverse

from insights.expected import training
from insights.expected.models import ExpectedService, ForecastRun
from insights.expected.pages.coming import ExpectedPage
from insights.models import Mark
from insights.sums import recount
from reservations.testing import make_reservation
from restaurants.models import Restaurant
from restaurants.testing import make_member, sign_in

NOW = datetime(2026, 6, 17, 10, tzinfo=UTC)
TODAY = date(2026, 6, 17)
DAY = timedelta(days=1)
SATURDAY = date(2026, 6, 20)
DINNER = datetime(2026, 6, 20, 18, tzinfo=UTC)


@pytest.fixture(autouse=True)
def _at_a_known_time() -> Iterator[None]:
    with time_machine.travel(NOW, tick=False):
        yield


def expect(restaurant: Restaurant, *, morning: date = TODAY, **fields: Any) -> None:
    """As if the night's training had found this for Saturday's dinner, and as much every day."""
    known = {"covers": 104, "lower": 92, "upper": 118, "rule": 0, "last_four": 99, "ratio": 90}
    ahead = {"booked": 80, "usually_booked": 100.0, "usually_next": 108.0}
    missed = {"no_shows": 3.4, "missed_before": 31, "came_before": 1204}
    ForecastRun.objects.update_or_create(
        restaurant=restaurant, defaults={"morning": morning, "made_at": NOW}
    )
    ExpectedService.objects.bulk_create(
        ExpectedService(
            restaurant=restaurant,
            day=morning + n * DAY,
            service="evening",
            **known | ahead | missed | fields,
        )
        for n in range(28)
    )


def book(restaurant: Restaurant, covers: int, **fields: Any) -> None:
    make_reservation(restaurant, **{"meal_at": DINNER, "party_size": covers, **fields})
    recount.rebuild(restaurant, now=NOW)


def show(user, query=""):
    return sign_in(user).get(reverse("insights:expected") + query)


def page_of(*restaurants: Restaurant) -> ExpectedPage:
    return ExpectedPage(restaurants, now=NOW)


def saturday(page: ExpectedPage):
    [line] = page.services
    return next(one for one in line.days if one.day == SATURDAY)


def test_it_works(alice, quay):
    expect(quay)
    book(quay, 86)
    page = show(alice, f"?scope={quay.uuid}").content.decode()

    assert "Saturday 20 June: 86 booked, 104 expected, range 92–118, about 3 no-shows" in page
    assert "forecast on 17 Jun 10:00 UTC" in page
    assert "<svg" in page
    assert "Numbers of each day" in page


def test_a_booking_counts_as_soon_as_it_is_stored(quay):
    expect(quay)
    book(quay, 86)
    make_reservation(quay, meal_at=DINNER, party_size=6)
    Mark.objects.create(restaurant=quay, day=SATURDAY)  # as the mirror does

    assert saturday(page_of(quay)).booked == 92


def test_only_confirmed_bookings_are_on_the_books(quay):
    book(quay, 4)
    for status in ("CANCELED", "REQUESTED", "NO_SHOW"):
        book(quay, 2, status=status)

    assert saturday(page_of(quay)).booked == 4
    Mark.objects.create(restaurant=quay, day=SATURDAY)
    assert saturday(page_of(quay)).booked == 4


def test_what_is_usual_by_now_grows_as_the_day_passes(quay):
    """10:00 UTC is eight hours into a day in Paris that begins at 04:00."""
    expect(quay)
    book(quay, 86)

    assert saturday(page_of(quay)).usual == round(100 + 8 * 8 / 24)


def test_restaurants_add_up_without_a_range(quay, cellar):
    for place in (quay, cellar):
        expect(place)
        book(place, 50)
    found = saturday(page_of(quay, cellar))

    assert (found.booked, found.covers, found.range) == (100, 208, "")


def test_one_without_a_forecast_is_left_out_of_the_sum_and_named(quay, cellar):
    expect(quay)
    for place in (quay, cellar):
        book(place, 50)
    page = page_of(quay, cellar)

    assert saturday(page).booked == 50
    assert page.left_out == ["Left out, too early to say: Cellar (Dinner)."]


def test_too_little_history_shows_a_sentence_and_no_number(alice, quay):
    book(quay, 6)
    training.train_due(now=NOW)
    response = show(alice, f"?scope={quay.uuid}")

    assert "Too early to say: 0 of 6 weeks." in response.content.decode()
    assert saturday(response.context["page"]).spelt == "–"


def test_before_the_first_night_it_says_so(alice, quay):
    book(quay, 6)

    assert "Not forecast yet." in show(alice).content.decode()


def test_a_forecast_of_days_ago_goes_as_far_as_it_went(quay):
    expect(quay, morning=TODAY - 3 * DAY)
    [line] = page_of(quay).services

    assert len(line.days) == 28
    assert [one.covers for one in line.days[-3:]] == [None] * 3


def test_expected_no_shows_name_what_they_are_learnt_from(alice, quay):
    expect(quay)
    page = show(alice, f"?scope={quay.uuid}").content.decode()

    assert "No-shows expected" in page
    assert "217 covers that did not come in the last 26 weeks, beside 8,428 that did" in page


def test_no_shows_add_up_and_are_unknown_where_one_place_marks_no_arrivals(quay, loft):
    for place in (quay, loft):
        expect(place)
    assert saturday(page_of(quay, loft)).missing == 7

    ExpectedService.objects.filter(restaurant=loft).update(no_shows=None)
    assert saturday(page_of(quay, loft)).missing is None


def test_a_simple_rule_in_its_place_is_named(alice, quay):
    expect(quay, rule=1)
    page = show(alice, f"?scope={quay.uuid}").content.decode()

    assert "Average of the last four" in page


def test_it_is_for_managers_and_hides_other_groups(alice, bob, charlie, quay, cellar):
    expect(cellar)
    book(cellar, 9)

    assert show(bob).status_code == 403
    assert "Cellar" not in show(alice).content.decode()
    assert "Cellar" in show(charlie).content.decode() or show(charlie).context["page"].is_one
    assert not show(alice, f"?scope={cellar.uuid}").context["page"].is_known


def test_of_a_place_where_one_is_staff_no_number_is_shown(bob, quay, cellar):
    make_member(bob, cellar, "manager")
    expect(quay)
    book(quay, 9)

    assert not show(bob).context["page"].is_known


def test_the_file_has_every_service_of_every_day(alice, quay):
    expect(quay)
    book(quay, 86)
    response: Any = sign_in(alice).get(reverse("insights:expected_csv"))
    lines = b"".join(response.streaming_content).decode().splitlines()

    assert len(lines) == 1 + 28
    assert lines[4].startswith("Quay,2026-06-20,Dinner,86,103,104,92,118,3,Forecast,2026-06-17")


def test_it_reads_stored_rows_whatever_the_number_of_restaurants(
    alice, quay, loft, django_assert_max_num_queries
):
    for place in (quay, loft):
        expect(place)
        book(place, 5)
    client = sign_in(alice)
    client.get(reverse("insights:expected"))
    with django_assert_max_num_queries(14) as queries:
        client.get(reverse("insights:expected"))

    own = [one["sql"] for one in queries if "'REQUESTED'" not in one["sql"]]
    assert not [sql for sql in own if "reservations_reservation" in sql]


def test_the_overview_leads_to_it(alice, quay):
    expect(quay)
    book(quay, 86)
    page = sign_in(alice).get(reverse("insights:index")).content.decode()

    assert "How many will come?" in page
    assert f"{7 * 104}" in page
