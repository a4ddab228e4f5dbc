"""Stays: bars in rows, their observed and their assumed part."""

from datetime import timedelta

import pytest
import time_machine

from mirror.models import Change
from reservations.models import Reservation
from reservations.testing import DINNER, make_reservation, new_reservation
from restaurants.testing import sign_in

NOW = DINNER + timedelta(minutes=60)


@pytest.fixture(autouse=True)
def _evening():
    with time_machine.travel(NOW, tick=False):
        yield


def look(user, **address):
    return sign_in(user).get("/", {"zoom": "stays", **address})


def text_of(response):
    return response.content.decode()


def stays_of(response):
    return response.context["board"].stays


def stay_of(user, row):
    blocks = stays_of(look(user)).blocks
    return next(stay for booking, stay in blocks if booking.uuid == row.uuid)


def see(row, word, *, minutes):
    Change.objects.create(
        kind="reservation",
        uuid=row.uuid,
        version=2,
        field="meal_status",
        after=word,
        seen_at=DINNER + timedelta(minutes=minutes),
    )


def test_it_works(bob, quay):
    row = make_reservation(quay, party_size=2)
    page = text_of(look(bob))

    assert f'id="r-{row.uuid}"' in page
    assert "Hatched = assumed stay" in page
    assert "until 21:30, assumed" in page


def test_it_hides_other_groups(charlie, quay):
    row = make_reservation(quay)

    assert str(row.uuid) not in text_of(look(charlie))


def test_those_who_do_not_come_take_no_lane(bob, quay):
    make_reservation(quay, status="CANCELED")
    make_reservation(quay, status="NO_SHOW")

    assert "Nobody is in house or expected" in text_of(look(bob, show="no-show"))


def test_a_lane_takes_the_next_party_when_it_is_free(bob, quay):
    for minutes in (0, 15, 90):
        make_reservation(quay, party_size=2, meal_at=DINNER + timedelta(minutes=minutes))
    (strip,) = stays_of(look(bob)).strips

    assert [sum(bool(cell.html) for cell in row) for row in strip.rows] == [2, 1]


def test_a_bar_that_is_narrower_than_its_name_has_space_beside_it(bob, quay):
    row = make_reservation(quay, party_size=2, meal_status="LEFT")
    see(row, "SEATED", minutes=0)
    see(row, "LEFT", minutes=20)
    for minutes in (30, 75):
        make_reservation(quay, party_size=2, meal_at=DINNER + timedelta(minutes=minutes))
    (strip,) = stays_of(look(bob)).strips

    assert [[cell.width for cell in row if cell.html] for row in strip.rows] == [[20, 90], [90]]


def test_a_short_last_bar_has_it_too(bob, quay):
    row = make_reservation(quay, party_size=2, meal_status="LEFT")
    see(row, "LEFT", minutes=10)

    assert stays_of(look(bob)).units * 5 == 120


def test_every_lane_is_as_wide_as_the_evening(bob, quay):
    for minutes in (0, 7, 60, 95):
        make_reservation(quay, party_size=5, meal_at=DINNER + timedelta(minutes=minutes))
    stays = stays_of(look(bob))
    (strip,) = stays.strips

    for row in strip.rows:
        assert sum(cell.span for cell in row) == stays.units


def test_what_was_read_is_drawn_apart_from_what_is_assumed(bob, quay):
    row = make_reservation(quay, party_size=2, meal_status="SEATED")
    see(row, "SEATED", minutes=10)
    stay = stay_of(bob, row)

    # Booked for 20:00, seen at 20:10; it is 21:00; ninety minutes are assumed.
    assert (stay.seen_from, stay.seen_to, stay.end) == (20 * 60 + 10, 21 * 60, 21 * 60 + 40)


def test_an_arrival_noticed_on_another_day_is_no_arrival(bob, quay):
    row = make_reservation(quay, party_size=2, meal_status="SEATED")
    see(row, "SEATED", minutes=3000)

    assert stay_of(bob, row).seen_from == 20 * 60


def test_the_bill_shortens_what_is_assumed(bob, quay):
    row = make_reservation(quay, party_size=8, meal_status="BILL")

    assert stay_of(bob, row).end == 21 * 60 + 15


def test_who_stays_longer_grows(bob, quay):
    row = make_reservation(
        quay, party_size=2, meal_status="SEATED", meal_at=DINNER - timedelta(minutes=42)
    )

    assert stay_of(bob, row).over == 12
    assert "+12" in text_of(look(bob))


def test_who_has_left_ends_where_they_were_seen_to_leave(bob, quay):
    row = make_reservation(quay, party_size=2, meal_status="LEFT")
    see(row, "SEATED", minutes=0)
    see(row, "LEFT", minutes=40)

    assert stay_of(bob, row).end == 20 * 60 + 40


def test_a_crowd_is_limited_with_a_notice(bob, quay):
    Reservation.objects.bulk_create(
        new_reservation(quay, meal_at=DINNER + timedelta(hours=3), party_size=2 + 6 * (n == 0))
        for n in range(61)
    )
    response = look(bob)

    assert len(stays_of(response).bookings) == 1
    assert "1 of 61 bookings" in text_of(response)


def test_a_large_party_that_has_left_is_not_of_a_crowd_on_its_day(bob, quay):
    Reservation.objects.bulk_create(
        new_reservation(quay, party_size=8, meal_status="LEFT") for _number in range(61)
    )

    assert stays_of(look(bob)).bookings == []
    with time_machine.travel(DINNER + timedelta(days=1)):
        assert len(stays_of(look(bob, day=DINNER.date().isoformat())).bookings) == 61


def test_a_filter_shows_the_whole_crowd(bob, quay):
    Reservation.objects.bulk_create(new_reservation(quay, customer_note="x") for _n in range(61))

    assert len(stays_of(look(bob, show="note")).bookings) == 61


class TestOrderOfRestaurants:
    """What is to be seen to stands first; of twelve in ten zones the first by name may sleep."""

    def names(self, user, **address):
        return [strip.name for strip in stays_of(look(user, **address)).strips]

    def test_who_is_in_house_comes_before_who_comes_later(self, alice, quay, loft):
        make_reservation(loft, meal_at=DINNER + timedelta(hours=2))
        make_reservation(quay, meal_status="SEATED")

        assert self.names(alice) == ["Quay", "Loft"]

    def test_who_comes_next_comes_first(self, alice, quay, loft):
        make_reservation(loft, meal_at=DINNER + timedelta(hours=2))
        make_reservation(quay, meal_at=DINNER + timedelta(hours=1))

        assert self.names(alice) == ["Quay", "Loft"]

    def test_who_has_only_guests_that_left_comes_last(self, alice, quay, loft):
        make_reservation(loft, meal_at=DINNER - timedelta(hours=6))
        make_reservation(quay, meal_at=DINNER + timedelta(hours=2))

        assert self.names(alice) == ["Quay", "Loft"]

    def test_who_has_just_left_sits_no_more(self, alice, quay, loft):
        make_reservation(loft, meal_at=DINNER, meal_status="LEFT")
        make_reservation(quay, meal_at=DINNER + timedelta(minutes=90))
        with time_machine.travel(
            NOW + timedelta(minutes=7), tick=False
        ):  # its bar ends at ten past
            assert self.names(alice) == ["Quay", "Loft"]

    def test_where_the_day_does_not_run_nobody_comes_first(self, alice, quay, loft):
        """There it is the next day already."""
        loft.timezone = "Pacific/Auckland"
        loft.save(update_fields=["timezone"])
        make_reservation(loft, meal_at=DINNER - timedelta(hours=12), service_day=DINNER.date())
        make_reservation(quay, meal_at=DINNER + timedelta(minutes=30))

        assert self.names(alice, day=DINNER.date().isoformat()) == ["Quay", "Loft"]

    def test_a_day_that_does_not_run_is_by_name(self, alice, quay, loft):
        day = DINNER + timedelta(days=2)
        make_reservation(loft, meal_at=day + timedelta(hours=1), service_day=day.date())
        make_reservation(quay, meal_at=day, service_day=day.date())

        assert self.names(alice, day=day.date().isoformat()) == ["Loft", "Quay"]


def test_each_restaurant_has_its_own_lanes(alice, quay, loft):
    make_reservation(quay)
    make_reservation(loft)
    strips = stays_of(look(alice)).strips

    assert [(strip.name, len(strip.rows)) for strip in strips] == [("Loft", 1), ("Quay", 1)]


def test_a_block_that_asks_for_itself_keeps_its_place(bob, quay):
    row = make_reservation(quay, meal_at=DINNER + timedelta(minutes=30))
    address = {"day": "2026-01-17", "zoom": "stays", "slot": "1200", "until": "1290"}
    card = text_of(sign_in(bob).get(f"/reservations/{row.uuid}/card/", address))

    assert "slot=1200&amp;until=1290" in card
    assert "→ 20:30" in card


def test_queries_do_not_grow(bob, quay, django_assert_max_num_queries):
    for _number in range(20):
        make_reservation(quay)
    client = sign_in(bob)

    # As the other zooms, and the history of changes.
    with django_assert_max_num_queries(17):
        client.get("/", {"zoom": "stays"})
