"""The kinds of push messages about reviews: what they say, and whether it is still so."""

from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from live.push.kinds import PushKind
from live.push.models import PushEvent
from reviews.models import InboxQueue, Work
from reviews.push_messages.notices import LOW, SENT_BACK


def is_low(event: PushEvent, _now: datetime) -> bool:
    return _is(event, is_low=True)


def is_sent_back(event: PushEvent, _now: datetime) -> bool:
    return _is(event, queue=InboxQueue.REWRITE)


def _is(event: PushEvent, **facts: Any) -> bool:
    return _work(event).filter(**facts).exists()


def _queue_of(event: PushEvent) -> str:
    """Most low ratings wait for moderation or have no words: they need no reply yet, or ever."""
    return _work(event).values_list("queue", flat=True).first() or ""


def _work(event: PushEvent) -> QuerySet[Work]:
    uuid = UUID(event.subject.split()[0])
    return Work.objects.filter(pk=uuid, restaurant=event.restaurant_id)


def _inbox(event: PushEvent, query: str) -> str:
    scope = f"scope={event.restaurant.uuid}&" if event.restaurant else ""
    return f"{reverse('reviews:index')}?{scope}{query}"


PUSH_KINDS_OF_REVIEWS = (
    PushKind(
        place=50,
        name=LOW,
        label=_("A low rating"),
        sentence=_("A low rating has come in."),
        right="reviews.view_review",
        url=lambda event: _inbox(event, f"lane={_queue_of(event)}&low=1"),
        holds=is_low,
    ),
    PushKind(
        place=60,
        name=SENT_BACK,
        label=_("A reply sent back by moderation"),
        sentence=_("A reply was sent back by moderation."),
        right="reviews.reply_review",
        url=lambda event: _inbox(event, f"lane={InboxQueue.REWRITE.value}"),
        holds=is_sent_back,
    ),
)
