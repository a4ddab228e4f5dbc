"""How wrong the forecasts were: what is stored, what is added up, what is shown."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.urls import reverse

from insights.expected import training
from insights.expected.errors import errors_of
from insights.expected.models import PastForecast
from insights.expected.reading import bookings_by_service
from insights.expected.testing import fill
from insights.forecast.backtest import backtest
from reservations.models import Reservation
from restaurants.models import Restaurant
from restaurants.testing import sign_in

NOW = datetime(2026, 6, 17, 10, tzinfo=UTC)
TODAY = date(2026, 6, 17)
DAY = timedelta(days=1)


@pytest.fixture(autouse=True)
def _at_a_known_time() -> Iterator[None]:
    with time_machine.travel(NOW, tick=False):
        yield


def keep(restaurant: Restaurant, *, days_ago: int = 1, horizon: int = 1, **fields: Any) -> None:
    known = {"covers": 50, "lower": 45, "upper": 55, "rule": 0, "last_four": 40, "ratio": 60}
    PastForecast.objects.create(
        restaurant=restaurant, day=TODAY - days_ago * DAY, horizon=horizon,
        **{"service": "evening", "came": 48} | known | fields,
    )  # fmt: skip


def show(user, query=""):
    return sign_in(user).get(reverse("insights:forecast_errors") + query)


def rows_of(response):
    return response.context["page"].table.rows


def test_it_works(alice, quay):
    keep(quay)
    keep(quay, days_ago=2, came=60, rule=1, is_walk=True)
    response = show(alice, f"?scope={quay.uuid}")

    [row] = rows_of(response)
    #                           off by, bias, inside, last four, ratio, by a rule, afterwards
    assert [str(one) for one in row[2:]] == [
        "2", "0.1111", "-0.0741", "0.5", "0.2593", "0.1111", "1", "1"
    ]  # fmt: skip
    assert "1 day before: off by 11.1 %; the better simple rule 11.1 %" in response.content.decode()


def test_yesterday_stands_by_itself(alice, quay):
    keep(quay)
    keep(quay, days_ago=2, came=60)
    [row] = rows_of(show(alice, f"?scope={quay.uuid}&period=day"))

    assert row[2] == 1


def test_a_service_that_was_not_held_counts_nowhere(alice, quay):
    keep(quay, came=None)

    assert not show(alice).context["page"].is_known


def test_restaurants_stand_one_by_one_and_together(alice, quay, loft):
    keep(quay, days_ago=2)
    keep(loft, days_ago=2)
    rows = rows_of(show(alice))

    assert [(row[0], row[2]) for row in rows] == [("All together", 2), ("Loft", 1), ("Quay", 1)]


def test_it_is_for_managers_and_hides_other_groups(alice, bob, cellar):
    keep(cellar)

    assert show(bob).status_code == 403
    assert not show(alice).context["page"].is_known


def test_the_file_has_no_sums(alice, quay, loft):
    keep(quay, days_ago=2)
    keep(loft, days_ago=2)
    response: Any = sign_in(alice).get(reverse("insights:forecast_errors_csv"))
    lines = b"".join(response.streaming_content).decode().splitlines()

    assert [line.split(",")[0] for line in lines[1:]] == ["Loft", "Quay"]


class TestStoring:
    def test_what_came_is_stored_once_the_day_is_over(self, quay):
        fill(quay, now=NOW, weeks=8)
        training.train_due(now=NOW)
        kept = PastForecast.objects.filter(restaurant=quay, horizon=1)
        assert kept.get(day=TODAY).came is None

        Reservation.objects.filter(service_day=TODAY).update(status="RECORDED")
        training.train_due(now=NOW + DAY)

        today = Reservation.objects.filter(service_day=TODAY)
        assert kept.get(day=TODAY).came == sum(one.party_size or 0 for one in today)

    def test_a_later_correction_is_followed(self, quay):
        fill(quay, now=NOW, weeks=8)
        training.train_due(now=NOW)
        training.train_due(now=NOW + DAY)
        Reservation.objects.filter(service_day=TODAY).update(status="NO_SHOW")

        training.train_due(now=NOW + 2 * DAY)

        assert PastForecast.objects.get(horizon=1, day=TODAY).came == 0

    def test_the_errors_are_those_of_the_backtest(self, quay):
        fill(quay, now=NOW, weeks=16)
        training.train_due(now=NOW)
        found = errors_of([quay.pk], TODAY - 56 * DAY, TODAY - DAY)
        report = backtest({"Quay": bookings_by_service(quay, today=TODAY)}, today=TODAY)

        for horizon, figures in report.horizons.items():
            own = found[quay.pk, horizon]
            assert own.services == figures["services"]
            assert own.wape == pytest.approx(figures["wape"], abs=0.02)  # whole covers
            assert own.inside_share == pytest.approx(figures["inside_80"], abs=1e-4)
