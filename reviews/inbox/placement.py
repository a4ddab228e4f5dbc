"""Computes the inbox queue of a review from the copy and from the team's work.

The queue is stored and indexed, so that a page reads fifty rows and never sorts a table. It is
computed again when the mirror stores the review (in the same transaction), at every step of the
team, and once a minute for what depends on time.
"""

import hashlib
import html
import json
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from mirror.models import Mirrored
from reviews.models import (
    DEFAULT_RULES,
    PUBLISHED,
    REWRITE,
    WITHDRAWN,
    InboxQueue,
    Review,
    Rules,
    Stage,
    Work,
)
from reviews.models.work import OPEN
from reviews.push_messages import notices

COMING = ("NOT_REVIEWED", REWRITE)  # a comment that may still be published
UNKNOWN_SCORE = 9999
NOT_PUBLISHED = "REVIEW_HAS_NO_PUBLISHED_COMMENT"
AT_ONCE = 500  # rows of one step of the clock's work
PLACED_FIELDS = ("queue", "why", "since", "is_late", "is_low", "score", "seal", "archived_at")

# The reason for the queue, where the queue alone does not explain it.
WHY = {
    "changed": _("Changed since your reply"),
    "rating": _("A rating without words"),
    "invalid": _("Removed from the public score"),
    "withdrawn": _("The comment was withdrawn"),
    "refused": _("The reply was refused for good"),
    "reply-gone": _("The reply was withdrawn"),
    "gone": _("No longer in the service"),
    "unseen": _("Not visible in the data we receive"),
    "moderation": _("The comment is being checked"),
    "unknown": _("The service says a word we do not know"),
}


class QueuePlace(NamedTuple):
    queue: InboxQueue
    why: str = ""


def place_of(review: Review, work: Work) -> QueuePlace:
    """Return the queue of a review. A pure function that holds the whole rule."""
    if work.archived_at is not None:
        return QueuePlace(InboxQueue.ARCHIVED)
    if work.stage == Stage.SENDING:
        return QueuePlace(InboxQueue.SENT)
    return _not_answerable(review) or _not_yet(review, work) or _answerable(review, work)


def _not_answerable(review: Review) -> QueuePlace | None:
    if review.presence != Mirrored.Presence.PRESENT:
        return QueuePlace(InboxQueue.CLOSED, "gone")
    if review.is_valid is False:
        return QueuePlace(InboxQueue.CLOSED, "invalid")
    if not review.comment and not review.comment_status:
        return QueuePlace(InboxQueue.CLOSED, "rating")
    return None


def _not_yet(review: Review, work: Work) -> QueuePlace | None:
    if review.comment_status in COMING:
        return QueuePlace(InboxQueue.WAITING, "moderation")
    if review.comment_status in ("REJECTED", "ARCHIVED", "DELETED"):
        return QueuePlace(InboxQueue.CLOSED, "withdrawn")
    if review.comment_status != PUBLISHED:
        return QueuePlace(InboxQueue.WAITING, "unknown")
    if was_refused_unpublished(review, work):
        return QueuePlace(InboxQueue.WAITING, "moderation")
    return None


def was_refused_unpublished(review: Review, work: Work) -> bool:
    """The service refused a reply because of the comment, and was not read again since."""
    if work.problem != NOT_PUBLISHED or work.problem_at is None:
        return False
    return bool(review.read_at <= work.problem_at)


def _answerable(review: Review, work: Work) -> QueuePlace:
    if review.reply_status == "REJECTED":
        return QueuePlace(InboxQueue.CLOSED, "refused")
    if work.stage == Stage.SUGGESTED:
        return QueuePlace(InboxQueue.APPROVE)
    if is_ahead(review, work):
        return QueuePlace(InboxQueue.SENT, "unseen")
    if review.reply_status == REWRITE:
        return QueuePlace(InboxQueue.REWRITE)
    if work.stage in (Stage.DRAFT, Stage.RETURNED):
        return QueuePlace(InboxQueue.DRAFTS)
    return _answered(review, work)


def _answered(review: Review, work: Work) -> QueuePlace:
    if review.reply_status in WITHDRAWN:
        return QueuePlace(InboxQueue.CLOSED, "reply-gone")
    if not review.reply and not review.reply_status:
        return QueuePlace(InboxQueue.REPLY)
    if is_outdated(review, work):
        return QueuePlace(InboxQueue.REPLY, "changed")
    if review.reply_status == PUBLISHED:
        return QueuePlace(InboxQueue.PUBLISHED)
    return QueuePlace(InboxQueue.SENT, "" if review.reply_status else "unseen")


def is_ahead(review: Review, work: Work) -> bool:
    """Whether the copy lacks a reply that we sent: it is older, or never has replies."""
    if work.sent_at is None or same_words(review.reply, work.sent_text):
        return False
    updated = review.reply_updated_ts
    return updated is None or updated < work.sent_at


def is_outdated(review: Review, work: Work) -> bool:
    """The guest wrote something else after we had answered."""
    if work.answers:
        return work.answers != digest(review.comment)
    changed, replied = review.comment_updated_ts, review.reply_updated_ts
    return bool(changed and replied and changed > replied)


def same_words(one: str, other: str) -> bool:
    """Compare texts as people read them: the service may return characters as escapes."""
    return plain_words(one) == plain_words(other)


def plain_words(text: str) -> str:
    text = text.replace("\\n", "\n").replace("\\r", "").replace('\\"', '"')
    return " ".join(html.unescape(text).split())


def digest(*parts: object) -> str:
    text = json.dumps([str(part) for part in parts])
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def seal_of(review: Review) -> str:
    """The hash of what would bring an archived review back when it changes."""
    rating = "" if review.global_rating is None else f"{review.global_rating:.3f}"
    state = (review.comment, review.comment_status, review.reply_status, review.is_valid)
    return digest(rating, *state)


def since_of(review: Review, work: Work, place: QueuePlace) -> datetime:
    """When the review entered its queue, by the timestamps of the service."""
    written = review.comment_published_ts or review.comment_created_ts or review.created_ts
    known = {
        InboxQueue.REWRITE: review.reply_updated_ts,
        InboxQueue.SENT: work.sent_at or review.reply_updated_ts,
        InboxQueue.PUBLISHED: review.reply_published_ts or review.reply_updated_ts,
        InboxQueue.WAITING: review.created_ts,
        InboxQueue.CLOSED: review.created_ts,
    }
    changed = review.comment_updated_ts if place.why == "changed" else None
    return known.get(place.queue) or changed or written or review.first_seen_at


def place_work(work: Work, review: Review, rules: Rules, *, now: datetime) -> None:
    """Fill the derived columns of a row. Nothing is saved."""
    seal = seal_of(review)
    if work.archived_at is not None and work.seal and work.seal != seal:
        work.archived_at = None
    place = place_of(review, work)
    rating = review.global_rating
    work.queue, work.why, work.seal = place.queue, place.why, seal
    work.since = since_of(review, work, place)
    work.score = UNKNOWN_SCORE if rating is None else round(rating * 100)
    work.is_low = rating is not None and rating <= rules.low_rating
    work.is_late = place.queue in OPEN and now - work.since > rules.target


def rules_by_restaurant(restaurants: Iterable[int]) -> dict[int, Rules]:
    """The rules of the groups of these restaurants. One query; groups without rules are absent."""
    known = Rules.objects.filter(group__restaurants__in=set(restaurants))
    pairs = known.values_list("group__restaurants", "target_hours", "low_rating")
    return {pk: Rules(target_hours=hours, low_rating=low) for pk, hours, low in pairs}


def place_reviews(reviews: Sequence[Review], now: datetime) -> None:
    """Place reviews that the mirror has just stored, in its transaction. Four statements at most.

    The lock serialises this with the steps of the team: neither overwrites the other.
    """
    rows = {review.pk: review for review in reviews}
    held = Work.objects.select_for_update().filter(pk__in=rows).order_by("pk")
    known = {work.pk: work for work in held}
    rules = rules_by_restaurant(review.restaurant_id for review in reviews)
    new = [
        Work(review_id=pk, restaurant_id=row.restaurant_id, since=now)
        for pk, row in rows.items()
        if pk not in known
    ]
    sent_back = []
    for work in (*known.values(), *new):
        review, queue_before = rows[work.pk], work.queue
        work.restaurant_id = review.restaurant_id
        place_work(work, review, rules.get(review.restaurant_id, DEFAULT_RULES), now=now)
        if work.queue == InboxQueue.REWRITE != queue_before:
            sent_back.append(work)
    Work.objects.bulk_create(new)
    if known:
        Work.objects.bulk_update(known.values(), [*PLACED_FIELDS, "restaurant"])
    notices.note_sent_back(sent_back, now=now)


def place_pending(*, now: datetime) -> int:
    """Place rows that have no queue yet. Returns how many."""
    return _place_again(Work.objects.unplaced(), now=now)


def mark_late(*, now: datetime) -> int:
    """Mark rows that became late and unmark those that are not any more. Returns how many."""
    moved = sum(mark_late_of(rules, now=now) for rules in Rules.objects.all())
    return moved + _mark(DEFAULT_RULES.target, now=now, restaurant__group__review_rules=None)


def mark_late_of(rules: Rules, *, now: datetime) -> int:
    """The same for one group."""
    return _mark(rules.target, now=now, restaurant__group=rules.group_id)


def _mark(target: timedelta, *, now: datetime, **where: Any) -> int:
    rows = Work.objects.filter(queue__in=OPEN, **where)
    due = now - target
    late = rows.filter(is_late=False, since__lt=due).update(is_late=True)
    return late + rows.filter(is_late=True, since__gte=due).update(is_late=False)


def place_refused(*, now: datetime) -> int:
    """Place rows again whose reply was refused because the comment was not published."""
    refused = Work.objects.filter(queue=InboxQueue.WAITING, problem=NOT_PUBLISHED)
    return _place_again(refused, now=now)


def _place_again(rows: QuerySet[Work], *, now: datetime) -> int:
    done, last = 0, UUID(int=0)
    while pks := list(
        rows.filter(pk__gt=last).order_by("pk").values_list("pk", flat=True)[:AT_ONCE]
    ):
        _place_chunk(pks, now=now)
        done, last = done + len(pks), pks[-1]
    return done


def _place_chunk(pks: list[UUID], *, now: datetime) -> None:
    with transaction.atomic():
        held = Work.objects.select_for_update(of=("self",)).filter(pk__in=pks)
        works = list(held.select_related("review").order_by("pk"))
        rules = rules_by_restaurant(work.restaurant_id for work in works)
        for work in works:
            place_work(work, work.review, rules.get(work.restaurant_id, DEFAULT_RULES), now=now)
        Work.objects.bulk_update(works, PLACED_FIELDS)
