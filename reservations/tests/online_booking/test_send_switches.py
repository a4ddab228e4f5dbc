"""Online booking opened or closed: the request, and what the time slots can prove."""

from datetime import date
from uuid import uuid4

import pytest

from outbox import verification
from outbox.models import Intent
from partner.http.transport import Lost
from reservations import actions
from reservations.tests.sending import (
    OTHER,
    QUAY,
    after,
    api,
    submit,
    work,
    work_until_settled,
)

pytestmark = pytest.mark.django_db
State = Intent.State
__all__ = ["api", "submit"]  # fixtures


def slot(clock, **changes):
    known = {"datetime": f"2099-12-04T{clock}:00+01:00", "offers": None, "hasNormalStock": False}
    return known | changes


SWITCHED = {
    "restaurantUuid": QUAY,
    "date": "2099-12-04",
    "startTime": "19:00",
    "endTime": "21:30",
    "isOpen": False,
}
SLOTS = {
    "none": [],
    "sold out": [slot("19:00"), slot("21:30", offers=[])],
    "on sale": [slot("19:00"), slot("20:00", hasNormalStock=True)],
    "on offer": [slot("20:00", offers=[str(uuid4())])],
    "around it": [slot("18:45", hasNormalStock=True), slot("21:45", hasNormalStock=True)],
}


class TestOverride:
    @pytest.fixture
    def switch(self, submit, quay):
        def switch(*, is_open=False, end="21:30"):
            payload = {"day": "2099-12-04", "start_time": "19:00", "end_time": end}
            return submit(
                actions.OVERRIDE, kind="availability", uuid=quay.uuid, is_open=is_open, **payload
            )

        return switch

    def test_it_works(self, api, switch):
        api.reply("override_availability", 200)
        intent = switch()
        work()

        assert after(intent).state == State.DONE
        assert api.bodies("override_availability")[0]["isOpen"] is False

    def test_an_answer_without_content_is_one(self, api, switch):
        api.reply("override_availability", (204, b""))
        intent = switch()
        work()

        assert after(intent).state == State.DONE
        assert len(api.sent("override_availability")) == 1

    def test_the_day_stays_the_restaurants_own(self, api, switch):
        api.reply("override_availability", 200)
        switch(is_open=True, end=None)
        work()

        body = api.bodies("override_availability")[0]
        assert body == {"date": str(date(2099, 12, 4)), "startTime": "19:00", "isOpen": True}

    @pytest.mark.parametrize(
        ("end", "times"),
        [
            ("21:30", ("19:00", "21:30")),
            ("21:30", ("19:00:00", "21:30:00")),
            (None, ("19:00",) * 2),
            ("21:30", (None, None)),  # the contract does not say that it names them
        ],
        ids=str,
    )
    @pytest.mark.parametrize("day", [SWITCHED["date"], None])
    def test_an_answer_that_names_no_other_time_confirms_it(self, api, switch, end, times, day):
        answer = SWITCHED | {"startTime": times[0], "endTime": times[1], "date": day}
        api.reply("override_availability", (200, answer))
        intent = switch(end=end)
        work()

        assert after(intent).state == State.DONE

    @pytest.mark.parametrize("is_open", [True, False])
    @pytest.mark.parametrize("slots", ["none", "sold out", "on sale", "on offer", "around it"])
    def test_slots_never_prove_a_switch_so_it_is_sent_again(self, api, switch, slots, is_open):
        api.reply("override_availability", [Lost(), 200])
        api.reply("list_timeslots", (200, SLOTS[slots]))
        intent = switch(is_open=is_open)
        work()
        assert after(intent).state != State.DONE
        work_until_settled()

        assert after(intent).state == State.DONE
        assert len(api.sent("override_availability")) == 2

    @pytest.mark.parametrize(
        "answer",
        [
            {},
            {"data": {}},
            SWITCHED | {"restaurantUuid": OTHER},
            SWITCHED | {"isOpen": True},
            SWITCHED | {"date": "2099-12-05"},
            SWITCHED | {"endTime": "19:00"},
            SWITCHED | {"startTime": "21:30"},
        ],
        ids=str,
    )
    def test_an_answer_about_something_else_is_no_confirmation(self, api, switch, answer):
        api.reply("override_availability", (200, answer))
        api.reply("list_timeslots", (200, []))
        intent = switch()
        work_until_settled()
        work_until_settled()

        assert after(intent).state == State.ASKS
        assert "did not confirm" in intent.sentence
        assert len(api.sent("override_availability")) == verification.MOST_SENDINGS
