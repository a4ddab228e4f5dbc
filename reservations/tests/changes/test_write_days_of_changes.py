"""A change names its day as every other screen does, in the reader's language."""

import pytest
from django.utils import translation

from reservations import actions
from reservations.changes.pages.summaries import ChangeSummary
from reservations.testing import make_intent

pytestmark = pytest.mark.django_db
EVENING = "2026-12-05T20:00:00+01:00"
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
    def test_of_a_booking(self, quay, language, words):
        payload = {"meal_date": EVENING, "party_size": 4}

        assert f"{words}, 20:00" in summary(quay, actions.CREATE, language, payload)

    def test_of_another_time(self, quay, language, words):
        payload = {"base": {"meal_date": None}, "changes": {"meal_date": EVENING}}

        assert f"{words}, 20:00" in summary(quay, actions.UPDATE, language, payload)

    def test_of_a_switch_of_online_booking(self, quay, language, words):
        assert f"{words}, 19:00–21:30" in summary(quay, actions.OVERRIDE, language, SWITCH)
