"""A booking is called what the service called it, in its answer or where it was found."""

import pytest

from outbox.models import Intent
from partner.http.transport import Lost
from partner.testing import recorded
from reservations import actions
from reservations.actions import booking
from reservations.testing import make_reservation
from reservations.tests.sending import (
    GUEST,
    NEW,
    after,
    api,
    book,
    booked,
    page_of,
    reservation,
    submit,
    work,
    work_until_settled,
)
from restaurants.testing import sign_in

pytestmark = pytest.mark.django_db
State = Intent.State
__all__ = ["api", "submit"]  # fixtures
WORDS = {
    "RECORDED": "Booked",
    "REQUESTED": "Asked, not confirmed",
    "REFUSED": "Refused",
    "CANCELED": "Cancelled",
}


def listed(user):
    return sign_in(user).get("/setup/outbox/").text


@pytest.fixture
def lost(api, submit):
    api.reply("create_reservation", Lost())
    api.reply("list_reservations", page_of(NEW))
    api.reply("get_customer", (200, recorded("get_customer") | {"email": GUEST["email"]}))
    return book(submit)


@pytest.mark.parametrize("status", WORDS)
def test_the_list_names_what_was_answered(api, submit, dora, status):
    api.reply("create_reservation", (200, booked(status=status)))
    book(submit)
    work()

    page = listed(dora)
    assert f">{WORDS[status]}</span>" in page
    assert (">Booked<" in page) is (status == "RECORDED")


def test_a_request_that_was_found_is_a_request_everywhere(api, lost, dora, quay):
    api.reply("get_reservation", reservation(status="REQUESTED"))
    work()
    assert after(lost).state == State.DONE
    page = sign_in(dora).get(f"/reservations/changes/{lost.key}/").text
    row = make_reservation(quay, uuid=NEW, status="REQUESTED")
    about = sign_in(dora).get(f"{row.get_absolute_url()}changes/").text

    assert "not confirmed" in lost.sentence
    for shown in (page, about, listed(dora)):
        assert "Asked, not confirmed" in shown
        assert "notice--good" not in shown
        assert "Booked" not in shown


def test_a_booking_that_was_found_is_confirmed(api, lost):
    api.reply("get_reservation", reservation())
    work()

    assert (after(lost).state, lost.sentence) == (State.DONE, "Confirmed.")


def test_one_booking_is_never_the_end_of_two(api, lost, monkeypatch):
    """Two looks read it at once: each has seen that it belongs to nobody."""
    api.reply("get_reservation", reservation())
    ends = {"not_before": lost.not_before, "created_at": lost.created_at, "payload": {}}
    fields = ends | {"action": actions.CREATE, "kind": "reservation", "result_uuid": NEW}
    with monkeypatch.context() as patched:
        patched.setattr(booking, "_results_of_others", lambda *_found: set())
        Intent.objects.create(restaurant=lost.restaurant, state=State.DONE, **fields)
        work()
        assert after(lost).state == State.CHECKING
        assert lost.result_uuid is None

    work_until_settled()
    assert (after(lost).state, lost.problem) == (State.ASKS, "not-found")
