"""A change names its day as every other screen does, in the reader's language."""

from urllib.parse import parse_qsl, urlsplit

import pytest
from django.utils import translation

from reservations import actions
from reservations.changes.corrections import correction_url
from reservations.changes.pages.summaries import ChangeSummary
from reservations.new_booking.pages.outcome import BookingOutcome
from reservations.testing import make_intent

pytestmark = pytest.mark.django_db
EVENING = "2026-12-05T20:00:00+01:00"
# One instant as the service may write it.
SPELLINGS = (
    "2026-12-05T19:00:00.000Z",
    "2026-12-05T14:00:00-05:00",
    "2026-12-05T20:00:00",
    "2026-12-06T04:00:00+09:00",
)
SWITCH = {"day": "2026-12-05", "start_time": "19:00", "end_time": "21:30", "is_open": False}


def summary(quay, action, language, payload):
    intent = make_intent(quay, action=action, uuid=None, payload=payload)
    with translation.override(language):
        return ChangeSummary(intent).summary


@pytest.mark.parametrize(
    ("language", "words"),
    [("en", "Sat 5 Dec 2026"), ("fr", "sam 5 déc 2026"), ("es", "sáb 5 dic 2026")],
)
class TestDays:
    @pytest.mark.parametrize("spelling", SPELLINGS)
    def test_by_the_clock_at_the_restaurant(self, quay, language, words, spelling):
        payload = {"base": {"meal_date": spelling}, "changes": {"meal_date": spelling}}
        line = summary(quay, actions.UPDATE, language, payload)
        booked = {"meal_date": spelling, "party_size": 4}

        assert line.count(f"{words}, 20:00") == 2
        assert f"{words}, 20:00" in summary(quay, actions.CREATE, language, booked)

    def test_of_a_booking(self, quay, language, words):
        payload = {"meal_date": EVENING, "party_size": 4}

        assert f"{words}, 20:00" in summary(quay, actions.CREATE, language, payload)

    def test_of_another_time(self, quay, language, words):
        payload = {"base": {"meal_date": None}, "changes": {"meal_date": EVENING}}

        assert f"{words}, 20:00" in summary(quay, actions.UPDATE, language, payload)

    def test_of_a_switch_of_online_booking(self, quay, language, words):
        assert f"{words}, 19:00–21:30" in summary(quay, actions.OVERRIDE, language, SWITCH)


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_other_times_are_searched_around_the_local_one(bob, quay, spelling):
    payload = {"meal_date": spelling, "party_size": 4, "customer": {}, "without_slot": True}
    fields = {"action": actions.CREATE, "uuid": None, "payload": payload, "state": "refused"}
    intent = make_intent(quay, problem="INVALID_MEAL_DATE", **fields)
    query = dict(parse_qsl(BookingOutcome(intent, bob).next_query))
    corrected = dict(parse_qsl(urlsplit(correction_url(intent)).query))

    assert (query["day"], query["want"]) == ("2026-12-05", "20:00")
    assert (corrected["day"], corrected["want"]) == ("2026-12-05", "20:00")
