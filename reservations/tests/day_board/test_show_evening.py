"""The first screen: an evening in three zooms, and the parts that ask for themselves."""

from datetime import UTC, date, datetime, timedelta

import pytest
import time_machine
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils.html import escape

from customers.testing import make_customer
from mirror.health import first_reading
from mirror.models import Mirrored
from reservations.day_board.pages.next_up import FEW
from reservations.models import ArrivalTracking
from reservations.testing import DINNER, make_reservation
from restaurants.testing import make_restaurant, sign_in

DAY = "2026-01-17"
NOW = DINNER + timedelta(minutes=20)


@pytest.fixture(autouse=True)
def _evening():
    with time_machine.travel(NOW, tick=False):
        yield


@pytest.fixture
def marks_arrivals(quay):
    ArrivalTracking.objects.create(restaurant=quay, bookings=100, marked=90, measured_at=NOW)


def look(user, *, part="", **address):
    headers = {"HX-Request": "true", "HX-Target": part} if part else {}
    return sign_in(user).get("/", address, headers=headers)


def text_of(response):
    return response.content.decode()


def test_it_works(bob, quay, harbour):
    make_reservation(quay, customer=make_customer(harbour))
    response = look(bob)

    assert response.status_code == 200
    assert "Rossi M." in text_of(response)
    assert "20:00" in text_of(response)


def test_only_today_counts_who_is_in_and_who_comes_within_the_hour(bob, quay):
    make_reservation(quay, party_size=3)
    make_reservation(quay, party_size=5, meal_at=DINNER + timedelta(days=9))

    assert "in the next hour" in text_of(look(bob))
    later = text_of(look(bob, day="2026-01-26"))
    assert "<b>5</b> covers" in later
    assert "in the next hour" not in later


def test_it_hides_other_groups(charlie, quay, harbour):
    row = make_reservation(quay, customer=make_customer(harbour))

    for zoom in ("pulse", "arrivals", "list"):
        assert str(row.uuid) not in text_of(look(charlie, zoom=zoom))
    assert "Quay" not in text_of(look(charlie, zoom="pulse"))


def test_staff_of_one_restaurant_see_that_one(bob, loft):
    row = make_reservation(loft)

    assert str(row.uuid) not in text_of(look(bob, zoom="list"))


def test_a_person_without_restaurants_gets_an_explanation(django_user_model):
    nobody = django_user_model.objects.create_user("nobody@example.org")

    assert "You have no restaurant yet" in text_of(look(nobody))


@pytest.mark.parametrize(
    ("agent", "opens_on"),
    [
        ("Mozilla/5.0 (X11; Linux x86_64) Chrome/130.0", "pulse"),
        ("Mozilla/5.0 (iPad; CPU OS 12_4) Version/12.1 Mobile/15E148", "pulse"),
        ("Mozilla/5.0 (Linux; Android 14) Chrome/130.0 Mobile Safari/537.36", "list"),
        ("Mozilla/5.0 (iPhone; CPU iPhone OS 17_0) Version/17.0 Mobile/15E148", "list"),
    ],
)
def test_a_phone_opens_on_the_list(alice, quay, loft, agent, opens_on):
    make_reservation(quay)
    answer = sign_in(alice).get("/", headers={"User-Agent": agent})

    assert answer.context["params"].zoom == opens_on


def test_an_empty_day_says_so(bob):
    assert "Nothing is booked for this day" in text_of(look(bob))


@pytest.mark.parametrize("zoom", ["pulse", "arrivals", "stays", "list"])
def test_an_empty_day_leads_to_a_new_booking(alice, quay, loft, zoom):
    empty = "Nothing is booked for this day"
    page = text_of(look(alice, zoom=zoom))

    assert page.count(empty) == 1
    assert 'href="/reservations/new/">New booking</a>' in page
    assert '">New booking</a>' not in text_of(look(alice, zoom=zoom, day="2026-01-10"))


def test_without_any_read_an_admin_is_led_to_the_setup(dora, bob, quay):
    first_reading.DOUBTFUL.clear()
    page = text_of(look(dora))

    assert "No booking has been read yet" in page
    assert 'href="/setup/">Open setup' in page
    assert "No booking has been read yet" not in text_of(look(bob))


@pytest.mark.parametrize("zoom", ["pulse", "arrivals", "list"])
def test_an_empty_day_after_reads_does_not_lead_to_the_setup(dora, quay, zoom):
    make_reservation(quay, meal_at=DINNER + timedelta(days=2))
    page = text_of(look(dora, zoom=zoom))

    assert "No booking has been read yet" not in page
    assert "Nothing is booked for this day" in page


def test_several_restaurants_open_on_the_pulse(alice, quay, loft):
    make_reservation(quay, party_size=7)

    assert 'class="table pulse"' in text_of(look(alice))


def test_one_restaurant_opens_on_its_arrivals(alice, quay, loft):
    make_reservation(quay)

    assert 'class="arrivals"' in text_of(look(alice, scope=str(quay.uuid)))


def test_another_day_shows_its_own(bob, quay):
    row = make_reservation(quay, meal_at=DINNER + timedelta(days=1))

    assert str(row.uuid) not in text_of(look(bob))
    assert str(row.uuid) in text_of(look(bob, day="2026-01-18"))


def test_half_past_midnight_is_still_this_evening(bob, quay):
    row = make_reservation(quay, meal_at=datetime(2026, 1, 17, 23, 30, tzinfo=UTC))

    assert f"r-{row.uuid}" in text_of(look(bob, zoom="list"))
    assert "00:30" in text_of(look(bob, zoom="list"))


def test_what_is_gone_upstream_is_on_no_board(bob, quay):
    row = make_reservation(quay, presence=Mirrored.Presence.GONE)

    assert str(row.uuid) not in text_of(look(bob, zoom="list"))


class TestNumbers:
    """Every zoom costs the same few queries, however many bookings there are."""

    @pytest.mark.parametrize("zoom", ["pulse", "arrivals", "list"])
    def test_queries_do_not_grow(self, alice, quay, harbour, zoom, django_assert_max_num_queries):
        for _number in range(30):
            make_reservation(quay, customer=make_customer(harbour, is_vip=True))
        client = sign_in(alice)

        # Session, user, their rights, restaurants, arrival tracking (two of new ones), services,
        # aggregates or bookings, marks of changes, last night, freshness, what waits, alerts; of
        # the pulse also the notes, and the bookings of a few restaurants.
        with django_assert_max_num_queries(14 if zoom == "pulse" else 13):
            client.get("/", {"zoom": zoom, "whole": "1"})

    def test_the_pulse_of_many_reads_sums_and_of_bookings_only_the_notes(
        self, alice, quay, harbour
    ):
        make_reservation(quay, customer=make_customer(harbour))
        for number in range(FEW):
            make_restaurant(harbour, f"Mill {number}")
        client = sign_in(alice)
        with CaptureQueriesContext(connection) as queries:
            page = text_of(client.get("/", {"zoom": "pulse"}))

        assert "Nothing is booked" not in page
        assert not [one for one in queries.captured_queries if "offer_type" in one["sql"]]

    def test_tiles_count_covers_and_what_needs_a_person(self, bob, quay, harbour, marks_arrivals):
        make_reservation(quay, party_size=4)
        make_reservation(quay, party_size=3, meal_status="SEATED")
        make_reservation(quay, party_size=9, status="CANCELED")
        make_reservation(quay, party_size=2, status="REQUESTED")
        tiles = look(bob).context["evening"].tiles

        assert (tiles.covers, tiles.covers_in, tiles.late, tiles.requests) == (7, 3, 1, 1)

    def test_the_next_hour_counts_who_is_expected(self, bob, quay):
        make_reservation(quay, party_size=4, meal_at=NOW + timedelta(minutes=50))
        make_reservation(quay, party_size=5, meal_at=NOW + timedelta(minutes=70))

        assert look(bob).context["evening"].tiles.next_hour == 4

    def test_stays_overlap_in_house(self, bob, quay):
        make_reservation(quay, party_size=2)
        make_reservation(quay, party_size=4, meal_at=DINNER + timedelta(minutes=75))
        evening = look(bob).context["evening"]

        # Two stay 90 minutes after 20:00, four come at 21:15.
        assert (evening.peak.label, evening.peak.in_house) == ("21:15", 6)

    def test_each_restaurant_is_placed_by_its_local_time(self, alice, quay, loft):
        make_reservation(quay)
        make_reservation(loft)
        evening = look(alice).context["evening"]

        assert {slot.label for slot in evening.slots if slot.covers} == {"20:00", "14:00"}
        assert evening.spans_zones


class TestLate:
    def test_it_works(self, bob, quay, marks_arrivals):
        make_reservation(quay)

        assert "late 20 minutes" in text_of(look(bob))

    def test_nobody_is_late_where_arrivals_are_not_marked(self, bob, quay):
        make_reservation(quay)
        page = text_of(look(bob))

        assert "late 20 minutes" not in page
        assert "arrivals are not marked there" in page

    def test_many_such_restaurants_have_one_line(self, dora, harbour):
        for number in range(6):
            make_reservation(make_restaurant(harbour, f"Sibling {number}"))
        page = text_of(look(dora))

        assert page.count("arrivals are not marked there") == 1
        assert "Sibling 0, Sibling 1, Sibling 2 and 3 more: arrivals" in page

    def test_those_that_it_does_not_name_open_below_it(self, dora, harbour):
        for number in range(6):
            make_reservation(make_restaurant(harbour, f"Sibling {number}"))
        page = text_of(look(dora))

        assert "Sibling 2 · Sibling 3 · Sibling 4 · Sibling 5</p>" in page

    def test_where_none_marks_them_none_is_named(self, alice, quay, loft):
        for place in (quay, loft):
            make_reservation(place)
        page = text_of(look(alice))

        assert "No restaurant marks arrivals; late alerts are off." in page
        assert "arrivals are not marked there" not in page


class TestOddBookings:
    """Whatever the service sends is shown, and shown as text."""

    def shown(self, bob, quay, **fields):
        make_reservation(quay, **fields)
        return text_of(look(bob, zoom="list"))

    def test_a_walk_in_has_no_name(self, bob, quay):
        assert "Walk-in" in self.shown(bob, quay, reservation_channel="Walk-in")

    def test_a_guest_who_has_not_been_read_yet(self, bob, quay):
        assert "Not read yet" in self.shown(bob, quay, customer_id=quay.uuid)

    def test_an_unknown_status_is_made_readable(self, bob, quay):
        assert "Pending payment" in self.shown(bob, quay, status="PENDING_PAYMENT")

    def test_a_party_of_sixty(self, bob, quay):
        assert "<b>60</b>" in self.shown(bob, quay, party_size=60)

    def test_markup_in_a_long_note_stays_text(self, bob, quay):
        note = "<script>alert(1)</script>" * 200
        page = self.shown(bob, quay, customer_note=note)

        assert "<script>alert" not in page
        assert escape("<script>alert") in page

    def test_a_name_in_another_script(self, bob, quay, harbour):
        guest = make_customer(harbour, first_name="דוד", last_name="כהן")

        assert "כהן" in self.shown(bob, quay, customer=guest)

    def test_a_half_hour_zone(self, alice, harbour):
        fort = make_restaurant(harbour, "Fort", timezone="Asia/Kolkata")
        make_reservation(fort)

        assert "00:30" in text_of(look(alice, scope=str(fort.uuid), zoom="list", day=DAY))


class TestHealth:
    def test_allergies_are_shown_to_those_who_may_see_them(self, bob, quay, harbour):
        guest = make_customer(harbour, allergies_and_intolerances=["nuts"])
        make_reservation(quay, customer=guest)

        assert "Allergy: nuts" in text_of(look(bob, zoom="list"))

    def test_they_stay_hidden_from_the_others(self, bob, quay, harbour, without_right):
        without_right("customers.view_health")
        guest = make_customer(harbour, allergies_and_intolerances=["nuts"], rank="caution")
        make_reservation(quay, customer=guest)
        response = look(bob, zoom="list")

        assert "nuts" not in text_of(response)
        assert "Caution" not in text_of(response)
        assert response.context["evening"].tiles.allergies == 0


class TestParts:
    """What a part of the page gets when it asks for itself."""

    @pytest.mark.parametrize("part", ["tiles", "hist", "board"])
    def test_it_works(self, bob, quay, part):
        make_reservation(quay)
        page = text_of(look(bob, part=part))

        assert f'id="{part}"' in page
        assert "<html" not in page
        assert f'id="{part}"' in text_of(look(bob))

    def test_an_unknown_part_gets_the_board(self, bob, quay):
        make_reservation(quay)

        assert 'id="board"' in text_of(look(bob, part="passwords"))


class TestCard:
    def ask(self, user, row, **address):
        known = {"day": DAY, "zoom": "list"}
        return sign_in(user).get(f"/reservations/{row.uuid}/card/", known | address)

    def test_it_works(self, bob, quay):
        row = make_reservation(quay, version=3)
        card = text_of(self.ask(bob, row))

        assert card.startswith("<tr")
        assert f'data-live="reservation:{row.uuid}"' in card
        assert 'data-version="3"' in card

    def test_it_is_the_same_as_on_the_board(self, bob, quay):
        row = make_reservation(quay)
        card = text_of(self.ask(bob, row, zoom="arrivals", slot=20 * 60))

        assert card in text_of(look(bob, whole="1"))

    def test_outsiders_find_nothing(self, charlie, quay):
        assert self.ask(charlie, make_reservation(quay)).status_code == 404

    def test_a_booking_that_left_the_evening_is_taken_away(self, bob, quay):
        row = make_reservation(quay, meal_at=DINNER + timedelta(days=1))

        assert text_of(self.ask(bob, row)) == ""

    def test_one_that_changed_its_time_says_so_in_its_former_column(self, bob, quay):
        row = make_reservation(quay, meal_at=DINNER + timedelta(minutes=30))

        assert "→ 20:30" in text_of(self.ask(bob, row, zoom="arrivals", slot=20 * 60))

    def test_a_strange_place_gets_nothing(self, bob, quay):
        assert text_of(self.ask(bob, make_reservation(quay), zoom="moon")) == ""


def test_birthdays_show_a_week_before_and_over_new_year(bob, quay, harbour):
    guest = make_customer(harbour, birth_date=date(1980, 1, 2))
    day_before_the_year_ends = datetime(2026, 12, 30, 19, tzinfo=UTC)
    make_reservation(quay, customer=guest, meal_at=day_before_the_year_ends)

    assert 'data-mark="birthday"' in text_of(look(bob, zoom="list", day="2026-12-30"))
