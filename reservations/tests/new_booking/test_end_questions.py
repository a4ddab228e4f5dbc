"""A booking with an unknown outcome, and the person who sees in the service that it is there."""

import pytest
from django.utils import timezone

from outbox import engine
from outbox.models import Intent
from partner.http.transport import Lost
from partner.testing import recorded
from reservations.testing import make_intent
from reservations.tests.sending import (
    GUEST,
    NEW,
    after,
    api,
    book,
    page_of,
    reservation,
    submit,
    work_until_settled,
)
from restaurants.testing import sign_in

pytestmark = pytest.mark.django_db
State = Intent.State
__all__ = ["api", "submit"]  # fixtures
BUTTON = "It is there"


@pytest.fixture
def question(api, submit):
    """The answer got lost, and a look finds a booking that may be it."""
    api.reply("create_reservation", [Lost(), 409])
    api.reply("list_reservations", page_of(NEW))
    api.reply("get_reservation", reservation(partySize=9))
    api.reply("get_customer", (200, recorded("get_customer") | {"email": GUEST["email"]}))
    intent = book(submit)
    work_until_settled()
    assert after(intent).state == State.ASKS
    return intent


def page(user, intent):
    return sign_in(user).get(f"/reservations/changes/{intent.key}/").content.decode()


def find(user, intent):
    return sign_in(user).post(f"/reservations/changes/{intent.key}/found/")


def test_it_works(api, bob, question):
    assert BUTTON in page(bob, question)
    find(bob, question)
    work_until_settled()

    assert after(question).state == State.DONE
    assert "Bob found it in the service." in page(bob, question)
    assert len(api.sent("create_reservation")) == 1


def test_it_ends_a_question_that_comes_back(api, bob, question):
    """Sent again, it is refused as a double booking, and what is there may still be another."""
    engine.try_again(after(question), now=timezone.now())
    work_until_settled()
    assert after(question).state == State.ASKS

    find(bob, question)
    work_until_settled()

    assert after(question).state == State.DONE
    assert len(api.sent("create_reservation")) == 2


def test_one_that_was_sent_again_meanwhile_goes_on(bob, question):
    engine.try_again(after(question), now=timezone.now())
    find(bob, question)

    assert after(question).state == State.WAITING


def test_a_second_person_changes_nothing(bob, question):
    stale = after(question)
    find(bob, question)
    version = after(question).version

    assert not engine.end_as_found(Intent.objects.get(pk=stale.pk), message={})
    assert after(question).version == version


def test_a_cancellation_is_sent_again_without_harm(bob, quay):
    intent = make_intent(quay, state=State.ASKS)

    assert BUTTON not in page(bob, intent)
    find(bob, intent)
    assert after(intent).state == State.ASKS


def test_it_is_refused_with_get(bob, question):
    assert sign_in(bob).get(f"/reservations/changes/{question.key}/found/").status_code == 405


def test_outsiders_find_nothing(charlie, question):
    assert find(charlie, question).status_code == 404


def test_without_the_right_it_is_closed(bob, question, without_right):
    without_right("reservations.change_reservation")

    assert find(bob, question).status_code == 403
