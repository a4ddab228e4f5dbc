"""Steps that the tests of a reply share: what people press, and what the service answers."""

from datetime import timedelta
from uuid import uuid4

from django.utils import timezone

from outbox import engine
from partner.testing import recorded
from restaurants.testing import sign_in
from reviews.actions import HOLD
from reviews.models import Review, Work
from reviews.reply.snapshot import pack_snapshot

TEXT = "Dear Jo, thank you for your kind words."


def url(review, verb=""):
    return f"/reviews/{review.pk}/{verb}/" if verb else f"/reviews/{review.pk}/"


def post(user, review, verb, **data):
    return sign_in(user).post(url(review, verb), data, follow=True)


def send(user, review, text=TEXT, **data):
    known = {"text": text, "language": "en", "key": uuid4(), "base": 0, "seen": seen(review)}
    return post(user, review, "send", **known | data)


def seen(review):
    """What a person has on screen who opens the review now."""
    return pack_snapshot(Review.objects.get(pk=review.pk), work(review))


def work(review):
    return Work.objects.get(pk=review.pk)


def answer(review, *, reply=None, **changes):
    """The service's answer about a review."""
    return (
        200,
        recorded("get_review") | {"reviewUuid": str(review.pk), "restaurantReply": reply} | changes,
    )


def reply_of(text, status="NOT_REVIEWED"):
    reply = recorded("reply_to_review")["restaurantReply"]
    return reply | {"content": text, "publicationStatus": status}


def let_it_leave(*, after=0.0):
    later = timezone.now() + HOLD + timedelta(seconds=1 + after)
    engine.work(now=later)
