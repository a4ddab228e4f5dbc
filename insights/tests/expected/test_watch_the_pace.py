"""How a coming day stands against the usual: on the board, in the calendar, as alert, by mail."""

from collections.abc import Iterator
from datetime import timedelta

import pytest
import time_machine

from insights import digest
from insights.day_notes.testing import make_day_note
from insights.expected.models import ForecastRun
from insights.expected.pace import far_off, is_far, week_ahead
from insights.tests.expected.test_show_expected import NOW, SATURDAY, TODAY, book, expect
from reservations.testing import make_reservation
from restaurants.testing import sign_in

WEDNESDAY = TODAY + timedelta(days=7)
USUAL = 103  # 100 this morning, 108 the next, and eight of the day's 24 hours are over


@pytest.fixture(autouse=True)
def _at_a_known_time() -> Iterator[None]:
    with time_machine.travel(NOW, tick=False):
        yield


def board(user, day=SATURDAY, **params):
    return sign_in(user).get("/", {"day": str(day), **params}).content.decode()


def calendar(user):
    return sign_in(user).get("/calendar/", {"day": str(SATURDAY)}).content.decode()


@pytest.mark.parametrize("zoom", ["arrivals", "pulse"])
def test_it_works(alice, quay, zoom):
    expect(quay)
    book(quay, 86)
    page = board(alice, scope=quay.uuid, zoom=zoom)

    assert f"Dinner: 86 booked, usually {USUAL} by now; 104 expected, about 3 no-shows" in page


def test_it_follows_the_board(alice, quay):
    """The fragment that the open board asks for when a booking arrives has the line as well."""
    expect(quay)
    book(quay, 86)
    client = sign_in(alice)
    address = {"day": str(SATURDAY), "scope": quay.uuid}
    part = client.get("/", address, headers={"HX-Request": "true", "HX-Target": "tiles"})

    assert "Dinner: 86 booked" in part.content.decode()


def test_today_and_the_past_have_none(alice, quay):
    expect(quay)
    for day in (TODAY, TODAY - timedelta(days=1)):
        assert "by now" not in board(alice, day=day, scope=quay.uuid)


def test_staff_see_no_usual(bob, quay):
    expect(quay)
    book(quay, 86)

    assert "by now" not in board(bob)
    assert "usually" not in calendar(bob)


def test_the_calendar_names_the_usual_of_coming_days(alice, quay):
    expect(quay)
    book(quay, 86)
    page = calendar(alice)

    assert f"Saturday 20 June: 86 covers, 1 booking, usually {USUAL} covers by now" in page
    assert "Wednesday 17 June: 0 covers, 0 bookings, usually" not in page


def test_a_sum_that_would_leave_a_restaurant_out_is_not_named(alice, quay, loft):
    expect(quay)
    book(quay, 86)
    book(loft, 20)

    assert "usually" not in calendar(alice)
    # In New York it is their lunch, so that the dinner is whole.
    assert f"Dinner: 86 booked, usually {USUAL} by now" in board(alice)

    book(loft, 20, meal_at=NOW.replace(day=20, hour=23))
    assert "by now" not in board(alice)
    assert f"Dinner: 86 booked, usually {USUAL} by now" in board(alice, scope=quay.uuid)


def test_the_mail_names_what_its_sums_leave_out(quay, loft):
    expect(quay)
    book(quay, 86)
    assert not any("Left out" in line for line in week_ahead([quay], now=NOW))

    book(loft, 20)
    lines = week_ahead([quay, loft], now=NOW)
    assert any(f"Dinner: 86 booked, usually {USUAL} by now" in line for line in lines)
    assert lines[-1] == "Left out, too early to say: Loft (Lunch)."
    assert week_ahead([loft], now=NOW) == []


@pytest.mark.parametrize(
    ("booked", "usual", "is_alert"),
    [(45, 60, True), (46, 60, False), (75, 60, True), (14, 0, False), (80, 100, False)],
)
def test_far_is_a_quarter_and_fifteen_covers(booked, usual, is_alert):
    assert is_far(booked, usual) is is_alert


def test_a_service_far_off_a_week_before_is_named_on_top(alice, bob, quay):
    expect(quay, booked=30, usually_booked=60.0)
    sentence = "Quay, Dinner on Wednesday 24 June: behind, 30 booked, usually 60."

    assert far_off([quay], now=NOW) == [sentence]
    assert sentence in calendar(alice)
    assert sentence not in board(alice)
    assert sentence not in calendar(bob)


def test_what_was_forecast_on_an_earlier_morning_is_not_named(quay):
    """Nothing was learnt for days, and people have booked meanwhile."""
    expect(quay, booked=30, usually_booked=60.0)
    ForecastRun.objects.update(morning=TODAY - timedelta(days=1))

    assert far_off([quay], now=NOW) == []


def notice_on(page):
    return page.partition('<aside class="notice"')[2].partition("</aside>")[0]


def test_it_is_no_fault_and_leads_to_the_forecast(alice, quay):
    expect(quay, booked=90, usually_booked=60.0)
    page = calendar(alice)

    assert "1 service in a week is far from its usual pace" in notice_on(page)
    assert 'href="/insights/expected/' in notice_on(page)
    assert 'aria-label="Faults"' not in page


def test_it_does_not_lead_to_the_page_on_which_it_stands(alice, quay):
    expect(quay, booked=90, usually_booked=60.0)
    notice = notice_on(sign_in(alice).get("/insights/expected/").text)

    assert "1 service in a week is far from its usual pace" in notice
    assert "href" not in notice


def test_the_weekly_mail_looks_ahead(alice, quay):
    expect(quay, booked=90, usually_booked=60.0)
    make_reservation(quay, meal_at=NOW - timedelta(days=5))
    book(quay, 86)
    text = digest.write([quay], TODAY - timedelta(days=9), now=NOW)

    assert "Saturday 20 June: Dinner: 86 booked, usually" in text
    assert "Quay, Dinner on Wednesday 24 June: ahead, 90 booked, usually 60." in text


class TestNotes:
    def test_it_works(self, dora, alice, quay):
        expect(quay)
        form = {"text": "Marathon", "first": SATURDAY, "last": SATURDAY, "place": quay.group.uuid}
        assert sign_in(dora).post("/calendar/notes/", form).status_code == 302

        assert "Marathon" in calendar(alice)
        assert "Marathon" in board(alice)
        assert "Marathon" in sign_in(alice).get("/insights/expected/").content.decode()
        assert "Marathon" in sign_in(dora).get("/setup/people/audit/").content.decode()

    def test_one_of_a_restaurant_names_it_among_others(self, alice, quay):
        make_day_note(quay, "Jazz", SATURDAY)

        assert "Jazz (Quay)" in calendar(alice)

    def test_it_hides_other_groups(self, alice, cellar):
        make_day_note(cellar, "Jazz", SATURDAY)

        assert "Jazz" not in calendar(alice)

    def test_only_admins_write_and_delete(self, alice, dora, quay):
        note = make_day_note(quay)
        address = f"/calendar/notes/{note.pk}/delete/"

        assert sign_in(alice).get("/calendar/notes/").status_code == 403
        assert sign_in(alice).post(address).status_code == 403
        assert sign_in(dora).post(address).status_code == 302
        assert not type(note).objects.exists()

    def test_the_last_day_is_not_before_the_first(self, dora, quay):
        form = {"text": "x", "first": SATURDAY, "last": TODAY, "place": quay.uuid}

        assert sign_in(dora).post("/calendar/notes/", form).status_code == 422
