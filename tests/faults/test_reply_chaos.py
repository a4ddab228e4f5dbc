"""Replies while the service fails in every way and workers die: none is sent twice, none is lost.

The long run: `CHAOS_INTENTS=1000 CHAOS_SEED=7 pytest -m faults tests/faults/test_reply_chaos.py`.
"""

from collections import Counter
from datetime import date, timedelta
from uuid import UUID, uuid4

import pytest
from django.utils import timezone

from outbox import engine
from outbox.models import Intent
from partner import factory
from restaurants.models import Group, Restaurant
from restaurants.testing import make_user
from reviews import actions
from reviews.inbox.placement import same_words
from reviews.models import Work
from reviews.reply import workflow
from reviews.testing import make_comment
from tests.faults.steps import NUMBER, dice, hits_of_faults, work_until_all_end

pytestmark = [pytest.mark.faults, pytest.mark.slow, pytest.mark.django_db]
__all__ = ["dice"]  # a fixture
State = Intent.State
PER_PLACE = 200


@pytest.fixture
def intents(connect, sandbox):
    """A reply to each review that has none yet, up to a number."""
    connect("full")
    api, actor = factory.client(), make_user("chaos@example.org")
    made: list[Intent] = []
    for place in places_of(sandbox):
        for uuid in answerable(api, place, sandbox):
            if len(made) < NUMBER:
                made.append(answer(api, place, uuid, actor=actor, number=len(made)))
    assert len(made) >= min(NUMBER, 20)
    return made


def places_of(sandbox):
    for group in sandbox.world["groups"]:
        row = Group.objects.create(uuid=UUID(group["uuid"]), name=group["name"])
        for place in group["restaurants"]:
            known = {"uuid": UUID(place["uuid"]), "name": place["name"], "country": "FR"}
            zone = place.get("timezone", "Europe/Paris")
            yield Restaurant.objects.create(group=row, timezone=zone, **known)


def answerable(api, place, sandbox):
    today = date.fromisoformat(sandbox.world["anchor"])
    listed = api.review_uuids(
        restaurant=place.uuid,
        start=today - timedelta(days=14),
        end=today + timedelta(days=1),
        with_comment_only=True,
    )
    return [uuid for uuid in listed if api.review(uuid).entity.restaurant_reply is None]


def answer(api, place, uuid, *, actor, number):
    """What a manager's click does, without the ten seconds."""
    comment = api.review(uuid).entity.comment.content
    make_comment(place, uuid=uuid, comment=comment)
    text, key = f"Thank you, guest number {number}, and see you soon.", uuid4()
    now = timezone.now()
    workflow.approve(uuid, text=text, language="en", key=key, by=actor, now=now)
    payload = {"content": text, "language": "en", "before": "", "comment": comment}
    about = {"key": key, "kind": "review", "uuid": uuid, "restaurant": place}
    return engine.submit(actions.REPLY, payload=payload, actor=actor, **about)


def break_everything(sandbox):
    faults = [
        ({"status": 500, "after_effect": True}, 0.12),
        ({"status": 500}, 0.08),
        ({"drop": True, "after_effect": True}, 0.08),
        ({"drop": True}, 0.06),
        ({"status": 429, "retry_after": 1}, 0.05),
        ({"status": 503}, 0.05),
    ]
    for effect, rate in faults:
        sandbox.post("faults", match={"endpoint": "reply_to_review"}, effect=effect, rate=rate)
    sandbox.post("faults", match={"method": "GET"}, effect={"status": 500}, rate=0.03)


def test_no_reply_is_sent_twice_and_none_is_lost(sandbox, intents, dice):
    break_everything(sandbox)
    work_until_all_end(dice)
    assert any(hits_of_faults(sandbox)), "nothing went wrong"
    sandbox.delete("faults")

    ends: Counter[str] = Counter()
    for intent in intents:
        intent.refresh_from_db()
        ends[intent.state] += 1
        there = sandbox.get(f"truth/review/{intent.uuid}")["payload"]["restaurantReply"]
        arrived = there is not None and same_words(there["content"], intent.payload["content"])
        work = Work.objects.get(pk=intent.uuid)
        assert intent.state in (State.DONE, State.REFUSED, State.ASKS)
        assert arrived or intent.state != State.DONE
        kept = work.sent_text if intent.state == State.DONE else work.draft
        assert kept == intent.payload["content"]
    assert ends[State.DONE] > 0
