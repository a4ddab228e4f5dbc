"""Low ratings and replies sent back by moderation that people hear of."""

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.push.testing import running_push_service
from live.push import sending
from live.push.testing import make_push_device
from restaurants.testing import sign_in
from reviews.alerts import mails
from reviews.models import REWRITE
from reviews.testing import make_comment, make_review, read_again

pytestmark = pytest.mark.django_db


@pytest.fixture
def service():
    with running_push_service() as service:
        yield service


@pytest.fixture(autouse=True)
def phones(alice, bob, service):
    """Alice may reply, Bob may not."""
    for person in (alice, bob):
        make_push_device(person, service.subscribe(), now=timezone.now())


def heard(service):
    sending.send_due(now=timezone.now())
    return [text for _place, text in service.texts]


def rate(quay, **fields):
    return make_review(quay, **{"global_rating": 2, "created_ts": timezone.now(), **fields})


def send_back(review, *, at=None):
    replied = {"reply": "Thank you.", "reply_updated_ts": at or timezone.now()}
    read_again(review, now=timezone.now(), reply_status=REWRITE, **replied)


def test_it_works(quay, service):
    rate(quay)
    mails.create_alerts(now=timezone.now())

    assert heard(service) == ["A low rating has come in."] * 2
    assert service.received[0].payload["url"] == f"/reviews/?scope={quay.uuid}&lane=closed&low=1"


@pytest.mark.parametrize("status", ["PUBLISHED", "NOT_REVIEWED"])
def test_it_opens_the_list_in_which_the_review_stands(alice, quay, service, status):
    review = rate(quay, comment="Cold.", comment_status=status)
    mails.create_alerts(now=timezone.now())
    heard(service)
    inbox = sign_in(alice).get(service.received[0].payload["url"]).text

    assert f"/reviews/{review.uuid}/" in inbox


def test_an_old_rating_is_no_news(quay, service):
    rate(quay, created_ts=timezone.now() - timedelta(days=9))
    mails.create_alerts(now=timezone.now())

    assert heard(service) == []


def test_a_rating_that_was_corrected_meanwhile_is_not_heard_of(quay, service):
    review = rate(quay)
    mails.create_alerts(now=timezone.now())
    read_again(review, global_rating=9)

    assert heard(service) == []


def test_a_reply_that_is_sent_back_is_heard_of_by_those_who_reply(quay, service):
    send_back(make_comment(quay))

    assert heard(service) == ["A reply was sent back by moderation."]
    assert service.received[0].payload["url"] == f"/reviews/?scope={quay.uuid}&lane=rewrite"


def test_it_is_heard_of_once_each_time(quay, service):
    review = make_comment(quay)
    send_back(review)
    read_again(review, now=timezone.now())
    assert len(heard(service)) == 1

    read_again(review, now=timezone.now(), reply_status="NOT_REVIEWED")
    send_back(review, at=timezone.now() + timedelta(minutes=5))
    assert len(heard(service)) == 2


def test_one_that_was_sent_back_long_ago_is_no_news(quay, service):
    send_back(make_comment(quay), at=timezone.now() - timedelta(days=30))

    assert heard(service) == []


def test_one_that_was_rewritten_meanwhile_is_not_heard_of(quay, service):
    review = make_comment(quay)
    send_back(review)
    read_again(review, now=timezone.now(), reply_status="PUBLISHED")

    assert heard(service) == []
