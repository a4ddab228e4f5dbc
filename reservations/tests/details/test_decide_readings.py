"""A person confirms or dismisses what a note says: it counts so everywhere, for this note."""

from datetime import timedelta

import pytest
import time_machine
from auditlog.models import LogEntry

from customers.models import NoteDecision
from customers.privacy import erasure
from customers.testing import make_customer
from live.models import Announcement
from reservations.models import Reservation
from reservations.testing import DINNER, make_reservation
from restaurants.testing import sign_in

NOW = DINNER - timedelta(hours=2)
DAY = "2026-01-17"
HINT = "no onions please"
STATED = "My wife is allergic to nuts"


@pytest.fixture(autouse=True)
def afternoon():
    with time_machine.travel(NOW, tick=False):
        yield


@pytest.fixture
def guest(harbour):
    return make_customer(harbour, last_name="Rossi")


@pytest.fixture
def booking(quay, guest):
    return make_reservation(quay, customer=guest, customer_note=STATED)


def drawer(user, row):
    return sign_in(user).get(f"/reservations/{row.uuid}/")


def digest(user, row):
    (mention,) = drawer(user, row).context["details"].note_mentions
    return mention.digests[0]


def press(user, row, button, scope="booking"):
    sent = {button: digest(user, row), "scope": scope}
    return sign_in(user).post(f"/reservations/{row.uuid}/reading/", sent)


def on_board(user, **address):
    page = sign_in(user).get("/", {"day": DAY, "zoom": "list", **address})
    return {one.uuid: one.note_codes for one in page.context["board"].picked}


def in_kitchen(user):
    brief = sign_in(user).get("/reservations/brief/", {"day": DAY}).context["brief"]
    return {(row.name, row.certainty) for row in brief.allergens}


def test_it_works(alice, bob, booking):
    press(bob, booking, "dismiss")
    page = drawer(alice, booking).content.decode()

    assert "Dismissed for this booking by Bob, 17 Jan, 18:00" in page
    assert "allergic to <mark>nuts</mark>" in page
    assert on_board(alice)[booking.uuid].stated == ()
    assert on_board(alice, show="noted") == {}
    assert in_kitchen(alice) == set()


def test_a_confirmed_hint_counts_as_stated_and_never_as_a_tag(bob, quay):
    row = make_reservation(quay, customer_note=HINT)
    press(bob, row, "confirm")

    assert "Confirmed for this booking by Bob" in drawer(bob, row).content.decode()
    assert on_board(bob)[row.uuid][:2] == (("onion",), ())
    assert on_board(bob, show="allergy") == {}
    assert in_kitchen(bob) == {("Onion", "stated")}


def test_it_can_be_taken_back(bob, booking):
    press(bob, booking, "dismiss")
    press(bob, booking, "take_back")

    assert "by Bob" not in drawer(bob, booking).content.decode()
    assert on_board(bob)[booking.uuid].stated == ("nuts",)


def test_another_note_undoes_it(bob, booking):
    press(bob, booking, "dismiss")
    Reservation.objects.filter(pk=booking.pk).update(customer_note=f"{STATED}. Severe!")

    assert on_board(bob)[booking.uuid].stated == ("nuts",)


def test_each_thing_is_decided_alone(bob, quay):
    row = make_reservation(quay, customer_note="allergic to nuts and fish")
    (mention,) = drawer(bob, row).context["details"].note_mentions
    chosen = next(digest for digest, name in mention.readings if name == "Fish")
    sign_in(bob).post(f"/reservations/{row.uuid}/reading/", {"dismiss": chosen})

    assert on_board(bob)[row.uuid].stated == ("nuts",)


def test_for_the_guest_it_holds_for_every_booking_with_that_note(bob, booking, quay, guest):
    later = make_reservation(quay, customer=guest, customer_note=STATED, party_size=6)
    other = make_reservation(quay, customer=make_customer(guest.group), customer_note=STATED)
    press(bob, booking, "dismiss", scope="guest")

    assert [on_board(bob)[row.uuid].stated for row in (booking, later, other)] == [
        (),
        (),
        ("nuts",),
    ]
    assert "Dismissed for this guest by Bob" in drawer(bob, later).content.decode()


def test_what_was_decided_for_the_booking_comes_first(alice, bob, booking):
    press(alice, booking, "dismiss", scope="guest")
    press(alice, booking, "take_back")
    press(bob, booking, "confirm")
    NoteDecision.objects.create(
        about=booking.customer_id,
        is_of_guest=True,
        digest=NoteDecision.objects.get().digest,
        outcome="d",
        decided_by=alice,
        decided_at=NOW,
    )

    assert "Confirmed for this booking by Bob" in drawer(alice, booking).content.decode()
    assert on_board(bob)[booking.uuid].stated == ("nuts",)


def test_the_page_of_the_guest_has_the_same(bob, quay, guest):
    type(guest).objects.filter(pk=guest.pk).update(notes="Coeliac")
    row = make_reservation(quay, customer=guest)
    page = sign_in(bob).get(f"/customers/{guest.uuid}/")
    (panel,) = (one for one in page.context["profile"].top if one.panel.name == "note-mentions")
    chosen = panel.facts[0].digests[0]
    page = sign_in(bob).post(f"/customers/{guest.uuid}/reading/", {"dismiss": chosen}, follow=True)

    assert "Dismissed for this guest by Bob" in page.content.decode()
    assert on_board(bob)[row.uuid].stated == ()


@pytest.mark.parametrize(
    "sent",
    [{}, {"confirm": "0" * 64}, {"confirm": "\x00"}, {"dismiss": "x" * 10_000}],
)
def test_what_no_note_says_is_not_decided(bob, booking, sent):
    page = sign_in(bob).post(f"/reservations/{booking.uuid}/reading/", sent)
    profile = sign_in(bob).post(f"/customers/{booking.customer_id}/reading/", sent, follow=True)

    for answer in (page, profile):
        assert "Nothing was decided" in answer.content.decode()
    assert not NoteDecision.objects.exists()


def test_an_outsider_finds_nothing(bob, charlie, booking):
    sent = {"dismiss": digest(bob, booking)}
    for address in (f"/reservations/{booking.uuid}/", f"/customers/{booking.customer_id}/"):
        assert sign_in(charlie).post(f"{address}reading/", sent).status_code == 404


def test_it_takes_the_right_to_see_health(bob, booking, without_right):
    sent = {"dismiss": digest(bob, booking)}
    without_right("customers.view_health")

    for address in (f"/reservations/{booking.uuid}/", f"/customers/{booking.customer_id}/"):
        assert sign_in(bob).post(f"{address}reading/", sent).status_code == 403
    assert "Confirm or dismiss" not in drawer(bob, booking).content.decode()


@pytest.mark.parametrize("scope", ["booking", "guest"])
def test_other_screens_hear_of_it(bob, booking, scope):
    press(bob, booking, "dismiss", scope=scope)
    line = Announcement.objects.filter(kind="reservation").latest("pk")

    assert (line.uuid, line.version) == (booking.uuid, booking.version + 1)


def test_the_audit_trail_has_it_without_a_word_of_the_note(bob, booking):
    press(bob, booking, "dismiss")
    press(bob, booking, "take_back")
    entries = LogEntry.objects.filter(additional_data__booking=str(booking.uuid)).order_by("pk")

    verbs = [one.additional_data["verb"] for one in entries]
    assert verbs == ["dismissed a reading", "took a decision back"]
    assert "nut" not in "".join(str(one.additional_data) for one in entries)


def test_only_a_hash_is_stored(bob, booking):
    press(bob, booking, "dismiss")

    assert "nut" not in str(NoteDecision.objects.values_list().get())


def test_the_guest_can_take_it_away_and_erasing_deletes_it(bob, booking, guest):
    press(bob, booking, "dismiss")
    NoteDecision.objects.create(
        about=guest.pk, is_of_guest=True, digest="0" * 64, outcome="c", decided_at=NOW
    )
    held = erasure.collect(guest)
    assert held["bookings"][0]["decided_readings"][0]["outcome"] == "d"
    assert held["decided_readings"][0]["outcome"] == "c"

    erasure.erase(guest, actor=None, now=NOW)
    assert not NoteDecision.objects.exists()
