"""A worker that stands still between what it reads first and the change itself sends nothing."""

from datetime import timedelta

import pytest
from django.utils import timezone

from outbox import engine
from outbox.models import Intent
from outbox.transitions import LEASE
from partner.client import Client
from reservations import actions
from reservations.tests.sending import NEW, TIME, after, api, reservation, submit, work

pytestmark = pytest.mark.django_db
LATER = LEASE.total_seconds() + 2
__all__ = ["api", "submit"]  # fixtures


def test_a_change_that_another_worker_has_sent_meanwhile(api, submit, monkeypatch):
    before = {"meal_date": TIME, "party_size": 4, "restaurant_note": ""}
    intent = submit(actions.UPDATE, uuid=NEW, changes={"party_size": 5}, base=before)
    api.reply("get_reservation", reservation())
    api.reply("update_reservation", 200)
    read = Client.reservation

    def stand_still(client, uuid):
        """Until another one has looked three times, and sent it."""
        answer = read(client, uuid)
        monkeypatch.setattr(Client, "reservation", read)
        for seconds in (0, 10, 80, 90):
            work(after=LATER + seconds)
        return answer

    monkeypatch.setattr(Client, "reservation", stand_still)
    claimed = engine.claim(now=timezone.now() + timedelta(seconds=1))
    assert claimed
    engine.step(claimed)

    assert after(intent).state == Intent.State.DONE
    assert len(api.sent("update_reservation")) == 1
