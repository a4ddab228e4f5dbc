"""The admins' list of every intent and its fate."""

from datetime import UTC, datetime
from html import unescape
from uuid import uuid4

import pytest
from django.db import connection
from django.utils import timezone

from outbox.models import Intent
from restaurants.testing import sign_in

State = Intent.State
LONG_AGO = datetime(2026, 1, 1, 12, tzinfo=UTC)


@pytest.fixture
def submit(quay):
    def submit(**fields):
        known = {"action": "reservation.cancel", "kind": "reservation", "uuid": uuid4()}
        when = {"payload": {}, "created_at": LONG_AGO, "not_before": LONG_AGO}
        return Intent.objects.create(restaurant=quay, **known | when | fields)

    return submit


def look(user, query=""):
    return sign_in(user).get(f"/setup/outbox/{query}")


def state_of(submit):
    submit.refresh_from_db()
    return submit.state


def test_it_works(dora, submit):
    page = look(dora).content.decode() if submit(state=State.ASKS) else ""

    assert "Cancel" in page
    assert "Try again" in page
    assert "1 Jan, 13:00:00 <small>UTC+1</small>" in page


def test_it_says_what_was_done(dora, submit):
    submit(state=State.DONE)

    assert "Cancelled" in look(dora).content.decode()


def test_an_empty_list_has_nothing_to_filter(dora, submit):
    assert 'class="chip"' not in look(dora).text
    submit(state=State.DONE)
    assert look(dora).text.count('class="chip"') == 2


def test_an_empty_list_leads_on(dora, submit, quay):
    assert (
        '<a class="button button--primary" href="/">Bookings of today'
        in look(dora).content.decode()
    )
    submit(state=State.DONE)

    page = look(dora, "?state=refused").content.decode()
    assert "No change is in this state" in page
    assert 'href="/setup/outbox/">Show all' in page


@pytest.mark.parametrize(
    ("state", "mark"), [("asks", "badge--warn"), ("refused", "badge--bad"), ("done", "")]
)
def test_what_waits_for_a_person_is_marked_among_the_others(dora, submit, state, mark):
    submit(state=state)
    page = look(dora).content.decode()

    assert ("badge--" in page) == bool(mark)
    assert mark in page


@pytest.mark.parametrize("person", ["alice", "bob", "charlie"])
def test_it_is_for_admins(cast, person):
    assert look(getattr(cast, person)).status_code == 403


def test_it_can_be_narrowed_to_a_state(dora, submit):
    submit(state=State.DONE, message={"text": "Went well"})
    submit(state=State.REFUSED, message={"text": "Went badly"})
    page = look(dora, "?state=refused").content.decode()

    assert "Went badly" in page
    assert "Went well" not in page


def test_what_waits_for_a_person_is_the_first_filter(dora, submit):
    for state in (State.DONE, State.REFUSED, State.HELD, State.ASKS):
        submit(state=state)
    page = look(dora).content.decode()

    found = [page.index(f"state={state}") for state in ("asks", "refused", "held", "done")]
    assert found == sorted(found)


def test_a_nonsense_state_is_no_filter(dora, submit):
    intent = submit()

    assert str(intent.key) in look(dora, "?state=nonsense&page=x").content.decode()


def test_a_question_can_be_sent_again(dora, submit):
    asks, browser = submit(state=State.ASKS), sign_in(dora)
    there = f"/setup/outbox/{asks.key}/again/?state=asks&amp;page=1"
    assert f'action="{there}"' in browser.get("/setup/outbox/?state=asks&page=1").text
    answer = browser.post(unescape(there))

    assert state_of(asks) == State.WAITING
    assert answer["Location"] == "/setup/outbox/?state=asks&page=1", "the list as it was"


def test_what_waits_can_be_taken_back(dora, submit):
    waits = submit(state=State.WAITING)
    sign_in(dora).post(f"/setup/outbox/{waits.key}/withdraw/")

    assert state_of(waits) == State.WITHDRAWN


def test_managers_decide_nothing_here(alice, submit):
    waits = submit(state=State.WAITING)
    answer = sign_in(alice).post(f"/setup/outbox/{waits.key}/withdraw/")

    assert answer.status_code == 403
    assert state_of(waits) == State.WAITING


@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL's plan follows the numbers")
@pytest.mark.django_db
def test_what_is_open_is_found_by_its_index():
    assert "intent_open" in Intent.objects.open().filter(not_before__lte=timezone.now()).explain()
