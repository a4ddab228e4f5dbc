"""What the health page says about the receiver."""

from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection

from mirror.health.sections import sections
from webhooks.health import receiver_section, silences
from webhooks.models import CountKey, Delivery, HourlyCount, hour_of
from webhooks.testing import delivery

NOW = datetime(2026, 6, 12, 18, 30, tzinfo=UTC)
A_WEEK = timedelta(weeks=1)
AN_HOUR = timedelta(hours=1)

pytestmark = pytest.mark.django_db


def hourly_count(count, *, at, what="routed", restaurant=""):
    HourlyCount.objects.add([(CountKey(what, hour_of(at), restaurant), count)])


def events():
    """The section about events of the only account."""
    (found,) = [part for part in sections(NOW) if part.name == "webhooks"]
    return found


@pytest.fixture
def usual_evenings(quay):
    """Ten events in each of the last three hours, in each of the last two weeks."""
    for weeks in (1, 2):
        for hours in range(4):
            hourly_count(10, at=NOW - weeks * A_WEEK - hours * AN_HOUR, restaurant=str(quay.uuid))


class TestJudgeHealth:
    def test_it_works(self):
        delivery(received_at=NOW - timedelta(minutes=1), state="routed", routed_at=NOW)

        found = events()

        assert (found.state, found.sentence) == ("good", "Events arrive.")
        assert found.facts["last_event_at"] == "2026-06-12T18:29:00+00:00"
        assert found.facts["per_minute"] == 0.2
        assert found.facts["lag_seconds"] == 60

    def test_after_a_quiet_hour_it_names_how_long_ago_the_last_one_came(self):
        delivery(received_at=NOW - timedelta(hours=5), state="routed")

        assert (events().state, events().sentence) == (
            "good",
            "The last event came 5\xa0hours ago.",
        )

    def test_none_is_processed_before_it_came(self):
        delivery(received_at=NOW + timedelta(milliseconds=5), state="routed", routed_at=NOW)

        assert events().facts["lag_seconds"] == 0

    def test_it_is_part_of_the_whole(self):
        assert "webhooks" in {part.name for part in sections(NOW)}

    def test_it_is_new_before_the_first_event(self):
        assert events().state == "new"

    def test_it_is_late_when_no_worker_takes_events_up(self):
        delivery(received_at=NOW - timedelta(seconds=61))

        assert events().state == "late"

    def test_it_is_late_when_events_were_refused(self):
        delivery(received_at=NOW, state="routed")
        hourly_count(1, what="unavailable", at=NOW)

        assert receiver_section(NOW).state == "late"

    def test_unrecognised_ones_are_shown(self):
        delivery(received_at=NOW, state="odd")

        assert events().sentence == "Events arrive; 1 was not recognised."

    def test_wrong_tokens_are_shown(self):
        hourly_count(3, what="wrong_token", at=NOW)

        assert ("Wrong token", 3) in receiver_section(NOW).rows


class TestHearSilence:
    @pytest.fixture(autouse=True)
    def _usual(self, usual_evenings):
        pass

    def test_it_works(self, quay):
        [silence] = silences(NOW)

        assert silence.restaurant == str(quay.uuid)
        assert silence.expected >= 30

    def test_it_is_named_on_the_health_page(self):
        delivery(received_at=NOW - timedelta(hours=5), state="routed")

        found = events()

        assert found.state == "late"
        assert "Quay" in found.sentence

    def test_an_event_ends_it(self, quay):
        hourly_count(1, at=NOW, restaurant=str(quay.uuid))

        assert silences(NOW) == []

    def test_a_quiet_hour_of_the_week_is_no_silence(self, quay):
        hourly_count(1, at=NOW, restaurant=str(quay.uuid))

        assert silences(NOW + timedelta(hours=9)) == []

    def test_a_short_pause_is_no_silence(self, quay):
        hourly_count(1, at=NOW - AN_HOUR, restaurant=str(quay.uuid))

        assert silences(NOW) == []

    def test_a_long_pause_is_one(self, quay):
        hourly_count(1, at=NOW - 3 * AN_HOUR, restaurant=str(quay.uuid))

        assert [silence.restaurant for silence in silences(NOW)] == [str(quay.uuid)]


def test_there_is_no_silence_without_a_history(quay):
    hourly_count(10, at=NOW - timedelta(days=3), restaurant=str(quay.uuid))

    assert silences(NOW) == []


@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL's plan follows the numbers")
def test_what_waits_is_found_by_its_index():
    assert "delivery_due" in Delivery.objects.waiting().explain()
