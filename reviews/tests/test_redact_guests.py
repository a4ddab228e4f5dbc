"""What the reviews of an erased guest keep, and what their export holds."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from customers.privacy import erasure
from customers.testing import make_customer
from mirror.kinds import EntityLocation, EntityRef
from mirror.models import Change, Priority, SyncRequest
from mirror.queue import sync_requests
from outbox import transitions
from outbox.models import Intent
from reviews import personal_data
from reviews.models import ReplyStep, ReviewAlert, Stage, Work
from reviews.testing import make_reply_intent, make_review

NOW = datetime(2026, 11, 20, 19, tzinfo=UTC)
PAYLOAD = {
    "customer": {"customerUuid": "x", "firstName": "Zoë", "lastName": "Lefèvre"},
    "comment": {"content": "My nut allergy was forgotten", "language": "en"},
    "isValid": True,
}
PERSONAL_FIELDS: dict[str, Any] = {
    "first_name": "Zoë",
    "last_name": "Lefèvre",
    "comment": "My nut allergy was forgotten",
}


@pytest.fixture
def guest(harbour):
    return make_customer(harbour)


@pytest.fixture
def review(quay, guest):
    return make_review(
        quay, customer=guest, raw=json.dumps(PAYLOAD), global_rating=9, **PERSONAL_FIELDS
    )


def test_it_works(guest, review):
    erasure.erase(guest, actor=None, now=NOW)
    review.refresh_from_db()

    assert (review.first_name, review.last_name, review.comment) == ("", "", "")
    assert not any(word in review.raw for word in ("Zo", "Lef", "allergy"))
    assert review.global_rating == 9


def test_an_odd_answer_that_was_kept_aside_goes_too(guest, review):
    wanted = EntityRef("review", review.pk, EntityLocation())
    sync_requests.request([wanted], priority=Priority.EVENT, now=NOW)
    SyncRequest.objects.update(evidence="<html>Nuts!", state=SyncRequest.State.PARKED)
    erasure.erase(guest, actor=None, now=NOW)

    assert SyncRequest.objects.get(uuid=review.pk).evidence == ""


def test_reading_the_review_again_brings_nothing_back(guest, review):
    erasure.erase(guest, actor=None, now=NOW)
    review.save()
    personal_data.stored([review], NOW)
    review.refresh_from_db()

    assert review.comment == ""


def test_the_reviews_of_others_are_left_alone(quay, guest, harbour):
    other = make_review(quay, customer=make_customer(harbour), comment="Lovely")
    erasure.erase(guest, actor=None, now=NOW)
    other.refresh_from_db()

    assert other.comment == "Lovely"


def test_the_export_holds_all_words_that_an_erasure_removes(alice, quay, guest, review):
    """Each in a column of its own, so that none can be missed."""
    Work.objects.filter(pk=review.pk).update(draft="Word 1", sent_text="Word 2", remark="Word 3")
    step = {"work_id": review.pk, "kind": ReplyStep.Kind.RETURNED, "at": NOW}
    ReplyStep.objects.create(text="Word 4", remark="Word 5", **step)
    alert = {"user": alice, "at": NOW, "in_app": True, "by_mail": False}
    ReviewAlert.objects.create(review=review, remark="Word 6", **alert)
    payload = {"content": "Word 7", "language": "en", "before": "", "comment": "Word 8"}
    make_reply_intent(quay, uuid=review.pk, state=Intent.State.DONE, payload=payload)
    change = {"kind": "review", "uuid": review.pk, "version": 2, "seen_at": NOW}
    Change.objects.create(field="comment", before="Word 9", after="Word 10", **change)

    held = json.dumps(erasure.collect(guest)["reviews"])

    assert [number for number in range(1, 11) if f'Word {number}"' not in held] == []
    for number, words in personal_data.LINES.of(erasure.collect(guest)["reviews"]):
        assert "_" not in number + words
    erasure.erase(guest, actor=None, now=NOW)
    assert "Word" not in json.dumps(erasure.collect(guest)["reviews"])


def test_the_export_holds_the_review(guest, review):
    (held,) = erasure.collect(guest)["reviews"]

    assert held["review"] == PAYLOAD


def test_an_answer_that_has_not_left_never_leaves(quay, guest, review):
    intent = make_reply_intent(
        quay,
        uuid=review.pk,
        state=Intent.State.HELD,
        payload={"content": "Dear Zoë", "language": "en", "before": "", "comment": "My allergy"},
    )
    erasure.erase(guest, actor=None, now=NOW)
    intent.refresh_from_db()

    assert intent.state == Intent.State.WITHDRAWN
    assert intent.payload == {"content": "", "language": "en", "before": "", "comment": ""}


def test_an_answer_that_was_sent_forgets_its_words(quay, guest, review):
    intent = make_reply_intent(
        quay,
        uuid=review.pk,
        state=Intent.State.DONE,
        answer='{"content": "Dear Zoë"}',
        payload={"content": "Dear Zoë", "language": "en", "before": "", "comment": "My allergy"},
    )
    erasure.erase(guest, actor=None, now=NOW)
    intent.refresh_from_db()

    assert not any(word in f"{intent.payload} {intent.answer}" for word in ("Zo", "allergy"))


@pytest.mark.parametrize("state", [Intent.State.REFUSED, Intent.State.ASKS])
def test_an_answer_that_ends_after_the_erasure_brings_no_word_back(quay, guest, review, state):
    """It was under way meanwhile; its history keeps the text of what was not sent."""
    intent = make_reply_intent(
        quay,
        uuid=review.pk,
        state=Intent.State.SENDING,
        lease_until=NOW,
        payload={"content": "Dear Zoë", "language": "en", "before": "", "comment": "My allergy"},
    )
    Work.objects.filter(pk=review.pk).update(stage=Stage.SENDING, intent_key=intent.key)
    erasure.erase(guest, actor=None, now=NOW)
    intent.refresh_from_db()
    transitions.close(intent, state, problem="X", message="Refused.")

    assert ReplyStep.objects.filter(work=review.pk).exists()
    assert not any("Zo" in step.text for step in ReplyStep.objects.all())
