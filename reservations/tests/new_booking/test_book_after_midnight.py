"""Times after midnight are of the night before: a host thinks in service days, the API in dates."""

from datetime import UTC, datetime, time, timedelta
from urllib.parse import parse_qs, quote, urlsplit

import pytest
import time_machine
from django.utils import timezone

from outbox import engine
from outbox.models import Intent
from partner.testing import FULL_SCOPES, FakeTransport, recorded, speak_through
from reservations.testing import make_reservation
from reservations.tests.new_booking.steps import look, send, slot, text_of
from restaurants.testing import sign_in

EARLY = "2026-01-17T00:30:00+01:00"  # of the Friday before
DINNER = "2026-01-17T20:00:00+01:00"
NIGHT = "2026-01-18T00:30:00+01:00"
NEXT_DINNER = "2026-01-18T20:00:00+01:00"
NOTE = "After midnight: Sunday 18 January, in the service of Saturday."


class ByDate(FakeTransport):
    """A service that lists times and days by local date, as the contract has it."""

    def __init__(self, *texts: str) -> None:
        dates = {text[:10] for text in texts}
        days = [{"date": one, "hasNormalStock": True} for one in sorted(dates)]
        super().__init__(
            list_party_sizes=(200, [4]),
            list_availabilities=(200, days),
            list_timeslots=lambda request: (200, self.listed(date_of(request))),
        )
        self.texts = texts

    def listed(self, date: str):
        return [slot(text) for text in self.texts if text.startswith(date)]

    @property
    def dates(self):
        return [date_of(request) for request in self.sent("list_timeslots")]


def date_of(request) -> str:
    [date] = parse_qs(urlsplit(request.path).query)["date"]
    return str(date)


@pytest.fixture
def api(db):
    transport = ByDate(EARLY, DINNER, NIGHT, NEXT_DINNER)
    speak_through(transport)
    return transport


@pytest.fixture
def at():
    with time_machine.travel(datetime(2026, 1, 17, 22, 30, tzinfo=UTC), tick=False) as clock:
        yield clock  # Saturday, 23:30 in Paris


def choices(response):
    return text_of(response).partition('id="booking"')[2]


def strip(page):
    """The chips of the days, by date."""
    days = page.partition('class="chips days"')[2].partition("</div>")[0]
    return {one.partition("day=")[2][:10]: one for one in days.split("<a ")[1:]}


@pytest.mark.usefixtures("at")
class TestLate:
    def test_it_works(self, api, bob, quay):
        page = choices(look(bob, quay, slot="", day=""))

        assert f"slot={quote(NIGHT, safe='')}" in page
        assert NOTE in page
        assert quote(NEXT_DINNER, safe="") not in page
        assert "No times for" not in page

    def test_its_day_is_not_called_full(self, api, bob, quay):
        """The service lists no time more for the date of the evening."""
        days = strip(choices(look(bob, quay, slot="", day="")))

        assert "nothing free" not in days["2026-01-17"]

    def test_the_right_instant_is_booked(self, api, bob, quay):
        assert send(bob, quay, state={"slot": quote(NIGHT), "day": "2026-01-17"}).status_code == 302

        assert Intent.objects.get().payload["meal_date"] == NIGHT
        assert api.dates[-1] == "2026-01-18"  # where the service lists it

    def test_the_summary_names_the_night_and_says_that_it_is_after_midnight(self, api, bob, quay):
        page = choices(look(bob, quay, slot=quote(NIGHT)))

        assert "Sat 17 Jan · 00:30 after midnight" in " ".join(page.split())

    def test_an_address_that_names_its_date_leads_to_its_night(self, api, bob, quay):
        page = choices(look(bob, quay, slot=quote(NIGHT), day="2026-01-18"))

        assert "Book for 4 people" in page
        assert NOTE in page

    def test_a_time_after_midnight_is_close_to_one_before(self, api, bob, quay):
        page = choices(look(bob, quay, slot="", day="", want="23:45"))

        assert "00:30" in page.partition("Closest:")[2].partition("</div>")[0]

    def test_other_restaurants_are_read_until_the_end_of_the_night(self, bob, alice, quay, loft):
        night = "2026-01-18T00:30:00-05:00"
        speak_through(ByDate(night))
        page = text_of(sign_in(alice).get("/reservations/new/anywhere/?size=4&day=2026-01-17"))

        assert f"scope={loft.uuid}" in page.partition(quote(night, safe=""))[0].rpartition("<a")[2]


class TestEveningBefore:
    @pytest.fixture(autouse=True)
    def _at_four(self):
        with time_machine.travel(datetime(2026, 1, 17, 15, tzinfo=UTC), tick=False):
            yield

    def test_both_dates_of_the_night_are_read(self, api, bob, quay):
        look(bob, quay, slot="")

        assert api.dates == ["2026-01-17", "2026-01-18"]

    def test_a_day_that_starts_at_midnight_is_one_date(self, api, bob, quay):
        quay.day_start = time(0)
        quay.save()
        page = choices(look(bob, quay, slot="", day="2026-01-18"))

        assert api.dates == ["2026-01-18"]
        assert quote(NIGHT, safe="") in page
        assert "After midnight" not in page

    def test_the_last_date_that_the_service_takes_has_its_evening(self, api, bob, quay):
        refused = (400, {"data": {"code": "INVALID_DATE", "message": "Too far ahead."}})
        api.reply("list_timeslots", [(200, [slot(DINNER)]), refused])

        assert quote(DINNER, safe="") in choices(look(bob, quay, slot=""))

    def test_where_the_second_list_fails_the_evening_is_offered_with_a_notice(self, api, bob, quay):
        failed = (503, {"message": "Service Unavailable"})
        api.reply(
            "list_timeslots",
            lambda one: (200, [slot(DINNER)]) if date_of(one) == DINNER[:10] else failed,
        )
        page = choices(look(bob, quay, slot=""))

        assert quote(DINNER, safe="") in page
        assert "The service is unavailable." in page

    def test_a_date_with_nothing_but_the_night_before_leads_there(self, bob, quay):
        speak_through(ByDate(DINNER, NIGHT))
        page = choices(look(bob, quay, slot="", day="2026-01-18"))

        assert "Its times after midnight are in the service of the day before:" in page
        assert "nothing free" in strip(page)["2026-01-18"]
        assert "day=2026-01-17" in page.partition("the day before:")[2].partition("</a>")[0]

    def test_a_date_that_is_called_free_and_lists_nothing_leads_nowhere(self, api, bob, quay):
        api.texts = (DINNER,)
        page = choices(look(bob, quay, slot="", day="2026-01-18"))

        assert "No times for 4" in page
        assert "Its times after midnight" not in page

    def test_a_booking_is_moved_to_a_time_after_midnight_of_its_night(self, api, bob, quay):
        row = make_reservation(quay, meal_date_text=DINNER, party_size=4)
        page = text_of(sign_in(bob).get(f"/reservations/{row.uuid}/change/"))

        assert quote(NIGHT, safe="") in page
        assert NOTE in page


class TestAfterMidnight:
    @pytest.fixture(autouse=True)
    def _at_ten_past(self):
        with time_machine.travel(datetime(2026, 1, 17, 23, 10, tzinfo=UTC), tick=False):
            yield

    def test_the_night_is_still_today(self, api, bob, quay):
        page = choices(look(bob, quay, slot="", day=""))

        assert quote(NIGHT, safe="") in page
        assert "Sat 17 Jan" in page.partition("booking-page__summary")[2].partition("</p>")[0]
        assert "nothing free" not in strip(page)["2026-01-17"]

    def test_another_year_is_named(self, api, bob, quay):
        assert "Sun 17 Jan 2027" in look(bob, quay, slot="", day="2027-01-17").content.decode()

    def test_no_date_is_read_that_is_past_for_the_service(self, api, bob, quay):
        look(bob, quay, slot="", day="")

        assert api.dates == ["2026-01-18"]
        assert "startDate=2026-01-18" in api.sent("list_availabilities")[0].path
        assert "startDate=2026-01-18" in api.sent("list_party_sizes")[0].path


@pytest.mark.usefixtures("at")
class TestWithoutSlot:
    def test_a_typed_time_after_midnight_is_of_the_chosen_night(self, bob, quay):
        scopes = f"{FULL_SCOPES} svc-restaurant:unrestricted-reservations"
        speak_through(FakeTransport(), scopes=scopes)
        free = {"free": "on", "want": "00:45", "slot": ""}
        page = choices(look(bob, quay, **free))
        assert NOTE in page

        send(bob, quay, state=free)
        assert Intent.objects.get().payload["meal_date"] == "2026-01-18T00:45:00+01:00"


class TestHourThatComesTwice:
    """The clocks go back on Sunday at three: both halves past two are of Saturday's service."""

    first, second = "2026-10-25T02:30:00+02:00", "2026-10-25T02:30:00+01:00"

    @pytest.fixture(autouse=True)
    def clock(self):
        with time_machine.travel(datetime(2026, 10, 24, 20, tzinfo=UTC), tick=False) as clock:
            yield clock

    @pytest.fixture
    def service(self, clock, db):
        service = ByDate(self.first, self.second)
        speak_through(service)
        return service

    def test_both_are_offered_and_differ(self, service, bob, quay):
        page = choices(look(bob, quay, slot="", day="2026-10-24"))

        assert page.index("02:30 CEST") < page.index("02:30 CET")
        assert page.index(quote(self.first, safe="")) < page.index(quote(self.second, safe=""))

    @pytest.mark.parametrize("chosen", [first, second])
    def test_one_that_has_waited_is_found_again(self, service, clock, bob, quay, chosen):
        answer = recorded("create_reservation") | {"restaurantUuid": str(quay.uuid)}
        service.reply("create_reservation", (200, answer))
        send(bob, quay, state={"slot": chosen.replace("+", "%2B"), "day": "2026-10-24"})
        clock.shift(timedelta(hours=1))
        engine.work(now=timezone.now())

        assert [one["mealDate"] for one in service.bodies("create_reservation")] == [chosen]


class TestServicesThatEndBefore:
    """The list of the next date costs a call, of each restaurant: it is read where it may tell."""

    @pytest.fixture(autouse=True)
    def dinner(self, quay):
        with time_machine.travel(datetime(2026, 1, 17, 17, tzinfo=UTC), tick=False):
            quay.set_service_periods(
                [(5, "Dinner", time(19), time(0)), (4, "Bar", time(21), time(2))]
            )
            yield

    def test_it_works(self, api, bob, quay):
        page = choices(look(bob, quay, slot=""))

        assert quote(DINNER, safe="") in page
        assert api.dates == ["2026-01-17"]

    def test_a_service_that_passes_midnight_is_read_whole(self, api, bob, quay):
        quay.set_service_periods([(5, "Dinner", time(19), time(1))])
        look(bob, quay, slot="")

        assert api.dates == ["2026-01-17", "2026-01-18"]

    def test_so_is_one_with_bookings_after_midnight(self, api, bob, quay):
        make_reservation(quay, meal_at=datetime(2026, 1, 10, 23, 30, tzinfo=UTC))
        look(bob, quay, slot="")

        assert api.dates == ["2026-01-17", "2026-01-18"]

    def test_also_months_ahead(self, api, bob, quay):
        make_reservation(quay, meal_at=datetime(2026, 1, 10, 23, 30, tzinfo=UTC))
        look(bob, quay, slot="", day="2026-04-18")

        assert api.dates == ["2026-04-18", "2026-04-19"]

    def test_anywhere_it_is_a_call_each(self, alice, quay, loft):
        loft.set_service_periods([(5, "Dinner", time(19), time(23))])
        api = ByDate()
        speak_through(api)
        sign_in(alice).get("/reservations/new/anywhere/?size=4&day=2026-01-17&want=22:30")

        assert api.dates == ["2026-01-17", "2026-01-17"]
