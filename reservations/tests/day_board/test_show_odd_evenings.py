"""Evenings and bookings out of the ordinary, as they stand on the screen in every zoom."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
import time_machine
from django.utils.html import escape

from customers.testing import make_customer
from reservations.testing import DINNER, make_reservation
from restaurants.testing import make_restaurant, sign_in

BOARDS = ["arrivals", "stays", "list"]
ALL_ZOOMS = ["pulse", *BOARDS]
# The night to 25 October 2026 shows 02:30 twice in Paris, the one to 29 March skips it.
FIRST_SHOWING = datetime(2026, 10, 25, 2, 30, tzinfo=timezone(timedelta(hours=2)))
SECOND_SHOWING = FIRST_SHOWING + timedelta(hours=1)
BEFORE_THE_SKIP = datetime(2026, 3, 29, 0, 45, tzinfo=UTC)
AFTER_THE_SKIP = BEFORE_THE_SKIP + timedelta(minutes=30)


def look(user, *, at, address="/", **params):
    """A page as it stands at a moment."""
    with time_machine.travel(at, tick=False):
        answer = sign_in(user).get(address, params)
    assert answer.status_code == 200
    return answer


def text_of(answer):
    return answer.content.decode()


class TestTheNightThatRepeatsAnHour:
    @pytest.mark.parametrize("zoom", BOARDS)
    def test_both_showings_stand_in_the_same_evening(self, bob, quay, zoom):
        rows = [make_reservation(quay, meal_at=at) for at in (FIRST_SHOWING, SECOND_SHOWING)]
        page = text_of(look(bob, at=FIRST_SHOWING, zoom=zoom, day="2026-10-24", whole=1))

        assert all(f'id="r-{row.uuid}"' in page for row in rows)
        assert page.count('aria-label="02:30 CEST, 2 people') == 1
        assert page.count('aria-label="02:30 CET, 2 people') == 1

    @pytest.mark.parametrize("zoom", ["arrivals", "stays"])
    def test_cards_without_a_time_show_which_it_is(self, bob, quay, zoom):
        for at in (FIRST_SHOWING, SECOND_SHOWING):
            make_reservation(quay, meal_at=at)
        page = text_of(look(bob, at=FIRST_SHOWING, zoom=zoom, day="2026-10-24", whole=1))

        assert page.count(">02:30 CEST</span>") == page.count(">02:30 CET</span>") == 1

    def test_the_first_showing_stands_first_whatever_the_parties(self, bob, quay):
        second = make_reservation(quay, meal_at=SECOND_SHOWING, party_size=8)
        first = make_reservation(quay, meal_at=FIRST_SHOWING, party_size=2)
        page = text_of(look(bob, at=FIRST_SHOWING, zoom="list", day="2026-10-24", whole=1))

        assert page.index(f'id="r-{first.uuid}"') < page.index(f'id="r-{second.uuid}"')

    def test_the_kitchen_knows_which_is_which(self, bob, quay):
        for at in (FIRST_SHOWING, SECOND_SHOWING):
            make_reservation(quay, meal_at=at, customer_note="Allergic to fish")
        address = "/reservations/brief/"
        page = text_of(look(bob, at=FIRST_SHOWING, address=address, day="2026-10-24"))

        assert "<b>02:30 CEST</b>" in page
        assert "<b>02:30 CET</b>" in page

    def test_the_file_has_the_zone_too(self, alice, quay):
        for at in (FIRST_SHOWING, SECOND_SHOWING):
            make_reservation(quay, meal_at=at)
        address = "/reservations/export.csv"
        file = look(alice, at=FIRST_SHOWING, address=address, day="2026-10-24").getvalue().decode()

        assert "02:30 CEST," in file
        assert "02:30 CET," in file

    def test_a_zone_without_letters_is_named_by_its_offset(self, bob, quay):
        quay.timezone = "America/Santiago"
        quay.save(update_fields=["timezone"])
        for hour in (2, 3):  # UTC: at midnight the clocks went back to 23:00
            make_reservation(quay, meal_at=datetime(2026, 4, 5, hour, 30, tzinfo=UTC))
        page = text_of(look(bob, at=FIRST_SHOWING, zoom="list", day="2026-04-04", whole=1))

        assert "23:30 UTC-03" in page
        assert "23:30 UTC-04" in page

    def test_other_bookings_of_that_night_have_their_time_alone(self, bob, quay):
        make_reservation(quay, meal_at=FIRST_SHOWING - timedelta(hours=1))
        page = text_of(look(bob, at=FIRST_SHOWING, zoom="list", day="2026-10-24"))

        assert 'aria-label="01:30, 2 people' in page

    def test_the_pulse_adds_them_up(self, alice, quay, loft):
        for at in (FIRST_SHOWING, SECOND_SHOWING):
            make_reservation(quay, meal_at=at)
        answer = look(alice, at=FIRST_SHOWING, zoom="pulse", day="2026-10-24")
        row = next(row for row in answer.context["pulse"].rows if row.name == "Quay")

        assert [(cell.minutes, cell.covers) for cell in row.cells] == [(26 * 60 + 30, 4)]

    def test_late_is_a_matter_of_time_and_not_of_the_clock(self, bob, quay):
        """The clock shows 02:50 twice: 20 minutes after either 02:30."""
        make_reservation(quay, meal_at=FIRST_SHOWING, meal_status="SEATED")
        make_reservation(quay, meal_at=SECOND_SHOWING)
        now = FIRST_SHOWING + timedelta(minutes=20)
        page = text_of(look(bob, at=now, zoom="list", day="2026-10-24"))
        later = text_of(look(bob, at=now + timedelta(hours=1), zoom="list", day="2026-10-24"))

        assert "late 20 minutes" not in page
        assert "late 20 minutes" in later

    def test_the_drawer_shows_the_local_time(self, bob, quay):
        row = make_reservation(quay, meal_at=SECOND_SHOWING)
        page = text_of(look(bob, at=FIRST_SHOWING, address=row.get_absolute_url()))

        assert ">02:30 CET</time>" in page
        assert "Sat 24 Oct 2026" in page


class TestTheNightThatSkipsAnHour:
    @pytest.mark.parametrize("zoom", BOARDS)
    def test_it_goes_on_an_hour_later(self, bob, quay, zoom):
        for at in (BEFORE_THE_SKIP, AFTER_THE_SKIP):
            make_reservation(quay, meal_at=at)
        page = text_of(look(bob, at=BEFORE_THE_SKIP, zoom=zoom, day="2026-03-28", whole=1))

        assert "01:45, 2 people" in page
        assert "03:15, 2 people" in page
        assert "02:15, 2 people" not in page

    def test_the_day_after_begins_at_its_own_start(self, bob, quay):
        row = make_reservation(quay, meal_at=datetime(2026, 3, 29, 2, 0, tzinfo=UTC))
        page = text_of(look(bob, at=AFTER_THE_SKIP, zoom="list", day="2026-03-29"))

        assert f'id="r-{row.uuid}"' in page
        assert "04:00, 2 people" in page

    def test_lateness_counts_minutes_that_passed(self, bob, quay):
        make_reservation(quay, meal_at=BEFORE_THE_SKIP)
        make_reservation(quay, meal_at=BEFORE_THE_SKIP, meal_status="SEATED")
        page = text_of(look(bob, at=AFTER_THE_SKIP, zoom="list", day="2026-03-28"))

        assert "late 30 minutes" in page


@pytest.mark.parametrize("zoom", BOARDS)
def test_half_past_midnight_stands_after_the_evening(bob, quay, zoom):
    make_reservation(quay)
    late = make_reservation(quay, meal_at=datetime(2026, 1, 17, 23, 30, tzinfo=UTC))
    page = text_of(look(bob, at=DINNER, zoom=zoom, day="2026-01-17", whole=1))

    assert page.index("20:00, 2 people") < page.index("00:30, 2 people")
    assert f'id="r-{late.uuid}"' in page


@pytest.mark.parametrize("zoom", BOARDS)
def test_a_half_hour_zone_shows_its_local_time(alice, harbour, zoom):
    fort = make_restaurant(harbour, "Fort", timezone="Asia/Kolkata")
    make_reservation(fort, meal_at=datetime(2026, 1, 17, 14, 15, tzinfo=UTC))
    params = {"scope": str(fort.uuid), "zoom": zoom, "day": "2026-01-17", "whole": 1}

    assert "19:45, 2 people" in text_of(look(alice, at=DINNER, **params))


def test_local_times_half_an_hour_apart_stand_side_by_side(alice, quay, harbour):
    fort = make_restaurant(harbour, "Fort", timezone="Asia/Kolkata")
    for restaurant in (quay, fort):
        make_reservation(restaurant, meal_at=datetime(2026, 1, 17, 13, tzinfo=UTC))
    answer = look(alice, at=DINNER - timedelta(hours=6), zoom="pulse", day="2026-01-17")
    page = text_of(answer)

    assert [words for words, *_more in answer.context["pulse"].labels] == ["14:00", "18:30"]
    assert "14:00</" in page
    assert "18:30</" in page


class TestOddBookings:
    """In every zoom that has cards, and in the drawer."""

    def shown(self, bob, row, zoom):
        page = text_of(look(bob, at=DINNER, zoom=zoom, day="2026-01-17", whole=1))
        assert f'id="r-{row.uuid}"' in page
        return page

    @pytest.mark.parametrize("zoom", BOARDS)
    def test_a_walk_in_without_a_guest(self, bob, quay, zoom):
        row = make_reservation(quay, reservation_channel="Walk-in")

        assert "2 people, Walk-in" in self.shown(bob, row, zoom)

    def test_a_walk_in_in_the_drawer(self, bob, quay):
        row = make_reservation(quay, reservation_channel="Walk-in")
        page = text_of(look(bob, at=DINNER, address=row.get_absolute_url()))

        assert '<h2 id="booking-name" tabindex="-1">Walk-in</h2>' in page

    @pytest.mark.parametrize("zoom", ["arrivals", "list"])
    def test_a_status_that_nobody_knows(self, bob, quay, zoom):
        row = make_reservation(quay, status="ON_HOLD")

        assert "2 people, No guest, On hold" in self.shown(bob, row, zoom)

    @pytest.mark.parametrize("zoom", BOARDS)
    def test_a_mark_that_nobody_knows_still_takes_a_seat(self, bob, quay, zoom):
        row = make_reservation(quay, meal_status="DANCING", party_size=7)
        page = self.shown(bob, row, zoom)

        assert "7 people, No guest, Dancing" in page
        assert "<b>7</b> covers" in page

    @pytest.mark.parametrize("zoom", BOARDS)
    def test_a_party_of_sixty(self, bob, quay, zoom):
        row = make_reservation(quay, party_size=60)
        page = self.shown(bob, row, zoom)

        assert "20:00, 60 people" in page
        assert "<b>60</b> covers" in page

    @pytest.mark.parametrize("zoom", BOARDS)
    def test_a_long_note_with_markup_stays_text(self, bob, quay, zoom):
        note = "<img src=x onerror=alert(1)> "
        row = make_reservation(quay, customer_note=note * 180, restaurant_note=note * 180)
        page = self.shown(bob, row, zoom)

        assert "<img" not in page

    def test_the_drawer_has_the_whole_note_as_text(self, bob, quay):
        note = ("<u>Nuts & shellfish</u> " * 220)[:5000]
        row = make_reservation(quay, customer_note=note)
        page = text_of(look(bob, at=DINNER, address=row.get_absolute_url()))

        assert len(note) == 5000
        assert escape(note) in page
        assert "<u>Nuts" not in page

    @pytest.mark.parametrize("zoom", BOARDS)
    def test_a_name_from_right_to_left_keeps_to_itself(self, bob, quay, harbour, zoom):
        guest = make_customer(harbour, first_name="דוד", last_name="כהן")
        page = self.shown(bob, make_reservation(quay, customer=guest), zoom)

        assert ">כהן דוד</bdi>" in page

    @pytest.mark.parametrize(
        ("names", "shown"),
        [
            (("Élodie", "Roux"), "Roux É."),
            (("花子", "山田"), "山田 花子"),
            (("محمد", "الهاشمي"), "الهاشمي محمد"),
            (("יעל", "כהן"), "כהן יעל"),
            (("สมชาย", "ใจดี"), "ใจดี สมชาย"),
        ],
    )
    def test_only_a_script_with_capitals_has_initials(self, bob, quay, harbour, names, shown):
        first, last = names
        make_reservation(quay, customer=make_customer(harbour, first_name=first, last_name=last))

        assert shown in text_of(look(bob, at=DINNER))

    def test_a_name_from_right_to_left_in_the_drawer(self, bob, quay, harbour):
        guest = make_customer(harbour, first_name="ليلى", last_name="حداد")
        row = make_reservation(quay, customer=guest)
        page = text_of(look(bob, at=DINNER, address=row.get_absolute_url()))

        assert "<bdi>ليلى حداد</bdi>" in page.partition("<h2")[2].partition("</h2>")[0]


class TestTheBookingOfTheAddress:
    """?r=<uuid> opens a booking beside its board."""

    def test_it_works(self, bob, quay):
        row = make_reservation(quay)
        page = text_of(look(bob, at=DINNER, r=str(row.uuid)))

        assert (
            f'hx-get="/reservations/{row.uuid}/" hx-target="#drawer-body" hx-trigger="load' in page
        )

    def test_the_links_of_the_page_let_it_go(self, bob, quay):
        row = make_reservation(quay)
        page = text_of(look(bob, at=DINNER, r=str(row.uuid), zoom="list"))

        assert f"r={row.uuid}&" not in page.replace("&amp;", "&").replace("?r=", "?ask=")
        assert f'href="?r={row.uuid}' not in page

    def test_that_of_another_group_stays_closed(self, charlie, quay):
        row = make_reservation(quay)
        page = text_of(look(charlie, at=DINNER, r=str(row.uuid), zoom="pulse"))

        assert 'class="opened"' not in page
        assert f"/reservations/{row.uuid}/" not in page

    @pytest.mark.parametrize(
        "nonsense", ["", "1", "x" * 300, "00000000-0000-4000-8000-000000000000"]
    )
    def test_nonsense_opens_nothing(self, bob, nonsense):
        assert 'class="opened"' not in text_of(look(bob, at=DINNER, r=nonsense))
