"""A team marks what it knows of a booking: ours alone, on every screen, gone with the day."""

from datetime import timedelta

import pytest
import time_machine
from auditlog.models import LogEntry

from customers.testing import make_customer
from live.models import Announcement
from outbox.models import Intent
from reservations import personal_data
from reservations.host_marks.store import delete_past_marks
from reservations.models import ArrivalTracking, HostMark, Reservation
from reservations.testing import DINNER, make_reservation
from restaurants.testing import sign_in

NOW = DINNER + timedelta(minutes=25)
DAY = "2026-01-17"

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def clock():
    with time_machine.travel(NOW, tick=False) as moving:
        yield moving


@pytest.fixture
def late(quay, harbour):
    """A guest who is 25 minutes late, where arrivals are marked."""
    ArrivalTracking.objects.create(restaurant=quay, bookings=10, marked=10, measured_at=NOW)
    return make_reservation(quay, customer=make_customer(harbour, last_name="Rossi"))


def mark(user, row, value="on-the-way-20"):
    return sign_in(user).post(f"/reservations/{row.uuid}/marks/", {"mark": value}, follow=True)


def drawer(user, row):
    return sign_in(user).get(f"/reservations/{row.uuid}/").content.decode()


def card(user, row, zoom="list"):
    address = f"/reservations/{row.uuid}/card/"
    return sign_in(user).get(address, {"day": DAY, "zoom": zoom}).content.decode()


def test_it_follows_a_booking_to_another_restaurant_of_the_day(alice, late, loft):
    mark(alice, late)
    Reservation.objects.filter(pk=late.pk).update(restaurant=loft)

    assert "On the way, expected" in drawer(alice, late)
    assert "On the way, expected" in card(alice, late)


def late_count(user, zoom="list"):
    return sign_in(user).get("/", {"day": DAY, "zoom": zoom}).context["evening"].tiles.late


def test_it_works(bob, late):
    page = mark(bob, late).content.decode()
    [stored] = HostMark.objects.all()

    assert (stored.kind, stored.minutes, stored.made_by, stored.made_at) == (
        *("on-the-way", 20, bob, NOW),
    )
    assert "On the way, expected 20:45" in page
    assert "They are not sent" in page


@pytest.mark.parametrize("zoom", ["arrivals", "stays", "list"])
def test_it_is_on_every_card(bob, late, zoom):
    mark(bob, late)

    assert "On the way, expected 20:45" in card(bob, late, zoom)


def test_colleagues_see_who_set_it_and_when(alice, bob, late, clock):
    mark(bob, late)
    clock.shift(timedelta(minutes=5))

    assert "Bob" in drawer(alice, late)
    assert "20:25</time>" in drawer(alice, late)


@pytest.mark.parametrize("zoom", ["pulse", "arrivals", "stays", "list"])
def test_a_call_quiets_the_late_alert_until_then(bob, late, clock, zoom):
    before = late_count(bob, zoom)
    mark(bob, late, "on-the-way-10")
    marked = late_count(bob, zoom)
    clock.shift(timedelta(minutes=10, seconds=1))

    assert (before, marked, late_count(bob, zoom)) == (1, 0, 1)


def test_a_guest_on_the_way_is_due_soon(bob, late):
    mark(bob, late)
    page = sign_in(bob).get("/", {"day": DAY, "zoom": "list"})

    assert list(page.context["board"].by_urgency) == ["soon"]
    assert 'data-phase="due"' in drawer(bob, late)


def test_no_answer_quiets_for_ten_minutes_only(bob, late, clock):
    mark(bob, late, "no-answer")
    marked = late_count(bob)
    clock.shift(timedelta(minutes=10, seconds=1))

    assert (marked, late_count(bob)) == (0, 1)
    assert "Called at 20:25, no answer" in card(bob, late)


def test_who_was_called_after_an_hour_is_late_again(bob, late, clock):
    """Without a call nobody would wait any more: the restaurant forgot to mark the arrival."""
    clock.move_to(DINNER + timedelta(minutes=61))
    forgotten = late_count(bob)
    mark(bob, late, "on-the-way-10")
    clock.shift(timedelta(minutes=11))

    assert (forgotten, late_count(bob, "list"), late_count(bob, "pulse")) == (0, 1, 1)


def test_a_ready_table_quiets_nothing(bob, late):
    mark(bob, late, "table-ready")

    assert late_count(bob) == 1
    assert "Table ready" in card(bob, late)


def test_the_last_of_two_calls_counts(bob, late, clock):
    mark(bob, late, "no-answer")
    clock.shift(timedelta(minutes=1))
    mark(bob, late, "on-the-way-30")

    assert "On the way, expected 20:56" in card(bob, late)
    assert "no answer" not in card(bob, late)
    assert "Called at 20:25, no answer" in drawer(bob, late)


def test_it_can_be_taken_back_by_a_colleague(alice, bob, late):
    mark(bob, late)
    number = HostMark.objects.get().pk
    address = f"/reservations/{late.uuid}/marks/{number}/take-back/"
    page = sign_in(alice).post(address, follow=True).content.decode()
    again = sign_in(bob).post(address, follow=True)

    assert "On the way, expected" not in page
    assert not HostMark.objects.exists()
    assert again.status_code == 200
    assert late_count(bob) == 1


def test_open_screens_hear_of_a_new_version(bob, late):
    mark(bob, late)
    [line] = Announcement.objects.filter(kind="reservation", uuid=late.uuid)

    assert line.version == Reservation.objects.get(pk=late.pk).version == late.version + 1


def test_nothing_is_sent(bob, late):
    mark(bob, late)

    assert not Intent.objects.exists()


def test_one_tap_sent_twice_is_one_mark(bob, late):
    mark(bob, late)
    mark(bob, late)

    assert HostMark.objects.count() == 1


def test_both_are_in_the_audit_trail_without_the_guest(bob, late):
    mark(bob, late)
    number = HostMark.objects.get().pk
    sign_in(bob).post(f"/reservations/{late.uuid}/marks/{number}/take-back/")
    entries = LogEntry.objects.filter(additional_data__mark="on-the-way").order_by("pk")

    assert [(one.actor, one.additional_data["verb"]) for one in entries] == [
        (bob, "marked a booking"),
        (bob, "took a mark back"),
    ]
    assert "Rossi" not in str([one.additional_data for one in entries])


@pytest.mark.parametrize(
    "fields",
    [
        {"meal_status": "SEATED"},
        {"status": "CANCELED"},
        {"status": "REQUESTED"},
        {"presence": Reservation.Presence.GONE},
        {"meal_at": DINNER + timedelta(days=1)},
        {"meal_at": None},
    ],
    ids=str,
)
def test_only_who_is_expected_today_is_marked(bob, quay, fields):
    row = make_reservation(quay, **fields)
    mark(bob, row)

    assert 'name="mark"' not in drawer(bob, row)
    assert not HostMark.objects.exists()


def test_a_call_is_over_once_the_guest_is_here(bob, late):
    mark(bob, late)
    mark(bob, late, "table-ready")
    Reservation.objects.update(meal_status="ARRIVED")
    here = card(bob, late)
    Reservation.objects.update(meal_status="SEATED")

    assert "On the way" not in here
    assert "Table ready" in here
    assert "Table ready" not in card(bob, late)


@pytest.mark.parametrize("value", ["", "on-the-way-90", "late", "\x00"])
def test_nonsense_marks_nothing(bob, late, value):
    mark(bob, late, value)

    assert not HostMark.objects.exists()


def test_an_outsider_finds_nothing(charlie, bob, late):
    mark(bob, late)
    address = f"/reservations/{late.uuid}/marks/{HostMark.objects.get().pk}/take-back/"

    assert mark(charlie, late).status_code == 404
    assert sign_in(charlie).post(address).status_code == 404
    assert HostMark.objects.count() == 1


def test_it_takes_the_right_to_change_bookings(bob, late, without_right):
    without_right("reservations.change_reservation")

    assert mark(bob, late).status_code == 403
    assert 'name="mark"' not in drawer(bob, late)


def test_health_data_need_not_be_visible(bob, late, without_right):
    without_right("customers.view_health")
    mark(bob, late)

    assert HostMark.objects.exists()


def test_a_booking_that_moves_to_another_day_leaves_it_behind(bob, late):
    mark(bob, late)
    late.meal_at = DINNER + timedelta(days=1)
    late.set_service_day()
    late.save()

    assert "On the way, expected" not in drawer(bob, late)
    assert late_count(bob) == 0


def test_it_is_exported_with_the_guest(bob, late):
    mark(bob, late)
    [held] = personal_data.collect(late.customer_id)

    assert held["marked"] == [{"mark": "on-the-way", "minutes": 20, "at": NOW.isoformat()}]


def test_it_is_erased_with_the_guest(bob, late):
    mark(bob, late)
    personal_data.erase(late.customer_id)

    assert not HostMark.objects.exists()


def test_it_goes_with_its_day(bob, late):
    mark(bob, late)
    kept = delete_past_marks(now=NOW + timedelta(days=1))
    deleted = delete_past_marks(now=NOW + timedelta(days=3))

    assert (kept, deleted) == (0, 1)
