"""The steps of an answer: write, suggest, send back, send, undo; assign and archive.

Each step locks the work row, so that the second of two people who act at once sees the first one's
step, and places the review again before it releases the lock.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone

from accounts.models import User
from live.announcements import announce_one
from outbox.models import Intent
from reviews.inbox.placement import digest, place_work, rules_by_restaurant, same_words
from reviews.models import (
    DEFAULT_RULES,
    AlertPreferences,
    Presence,
    ReplyStep,
    Review,
    ReviewAlert,
    Stage,
    Work,
)
from reviews.models.work import WRITING

State = Intent.State
# A pause in the writing after which the text so far is kept as a version of its own.
VERSION_AFTER = WRITING * 4
KINDS_OF_ENDS = {
    State.WITHDRAWN: ReplyStep.Kind.UNDONE,
    State.REFUSED: ReplyStep.Kind.FAILED,
    State.ASKS: ReplyStep.Kind.IN_DOUBT,
}


class Superseded(Exception):
    """Another person changed the review first, so that the step does not apply. Nothing changed."""


@contextmanager
def at_work(uuid: UUID, *, now: datetime) -> Iterator[Work]:
    """Lock the work row; after the step place it, save it and announce it to open screens."""
    with transaction.atomic():
        work = Work.objects.select_for_update(of=("self",)).get(pk=uuid)
        # Read under the lock: the mirror may have stored another version while we waited for it.
        review = Review.objects.select_related("restaurant__group").get(pk=uuid)
        work.review = review
        yield work
        rules = rules_by_restaurant([work.restaurant_id]).get(work.restaurant_id, DEFAULT_RULES)
        place_work(work, review, rules, now=now)
        work.version += 1
        work.save()
        announce_work(work)


def announce_work(work: Work) -> None:
    announce_one("work", work.pk, version=work.version, restaurant=work.review.restaurant)


def create_work(review: Review, *, now: datetime) -> Work:
    """Create the work row of a review that was stored before such rows existed."""
    fresh = Work(review=review, restaurant_id=review.restaurant_id, since=now)
    Work.objects.bulk_create([fresh], ignore_conflicts=True)
    return Work.objects.get(pk=review.pk)


def place_unsaved(work: Work, review: Review, *, now: datetime) -> None:
    """Fill the queue of a review without a stored row; nothing is saved."""
    rules = rules_by_restaurant([review.restaurant_id]).get(review.restaurant_id, DEFAULT_RULES)
    place_work(work, review, rules, now=now)


# --- Writing -------------------------------------------------------------------------------------


def save_draft(
    uuid: UUID, *, text: str, language: str, base: int, by: User, now: datetime
) -> tuple[Work, bool]:
    """Save the draft. False when a reply is being sent, or another person changed the draft since.

    In that case the text is kept as a version of its own.
    """
    with at_work(uuid, now=now) as work:
        touch(work, by, now=now)
        if (text, language) == (work.draft, work.language):
            return work, True
        is_behind = work.draft_no != base and work.drafted_by_id != by.pk
        if is_behind or work.stage == Stage.SENDING:
            keep(work, ReplyStep.Kind.DRAFT, by, now=now, text=text)
            return work, False
        _write(work, text, language, by=by, now=now)
    return work, True


def _write(work: Work, text: str, language: str, *, by: User, now: datetime) -> None:
    _keep_version(work, by, now=now)
    mark_alert_seen(work, by, now=now)
    work.draft, work.language = text, language
    work.draft_no += 1
    work.drafted_by, work.drafted_at = by, now
    if work.stage != Stage.RETURNED or not work.has_draft:
        work.stage = _stage_of_draft(work)


def _keep_version(work: Work, by: User, *, now: datetime) -> None:
    """Store the text so far as a version when another person continues, or after a pause."""
    paused = work.drafted_at is not None and now - work.drafted_at > VERSION_AFTER
    if (
        work.has_draft
        and work.drafted_by_id is not None
        and (work.drafted_by_id != by.pk or paused)
    ):
        keep(
            work, ReplyStep.Kind.DRAFT, work.drafted_by, now=work.drafted_at or now, text=work.draft
        )


def keep(work: Work, kind: str, by: User | None, *, now: datetime, **fields: Any) -> None:
    ReplyStep.objects.create(work=work, kind=kind, at=now, actor=by, **fields)


def touch(work: Work, user: User, *, now: datetime) -> None:
    """Record that somebody is writing."""
    Presence.objects.update_or_create(work=work, user=user, defaults={"seen_at": now})


def is_writing(uuid: UUID, user: User, *, now: datetime) -> None:
    """Record that somebody is writing, and announce it when they have just begun."""
    with transaction.atomic():
        work = Work.objects.select_related("review__restaurant").get(pk=uuid)
        was = work.presences.writing(now=now).filter(user=user).exists()
        touch(work, user, now=now)
        if not was:
            Work.objects.filter(pk=uuid).update(version=work.version + 1)
            work.version += 1
            announce_work(work)


def others_writing(work: Work, user: User, *, now: datetime) -> list[User]:
    rows = Presence.objects.filter(work=work, seen_at__gt=now - WRITING).exclude(user=user)
    return [row.user for row in rows.select_related("user")]


# --- Deciding ------------------------------------------------------------------------------------


def suggest(uuid: UUID, *, text: str, language: str, by: User, now: datetime) -> Work:
    with at_work(uuid, now=now) as work:
        _stop_if_sending(work)
        _write(work, text, language, by=by, now=now)
        work.stage, work.remark = Stage.SUGGESTED, ""
        keep(work, ReplyStep.Kind.SUGGESTED, by, now=now, text=text)
        work.presences.filter(user=by).delete()
    return work


def send_back(uuid: UUID, *, remark: str, by: User, now: datetime) -> Work:
    """Return a suggestion to its author with a remark."""
    with at_work(uuid, now=now) as work:
        if work.stage != Stage.SUGGESTED:
            raise Superseded
        work.stage, work.remark = Stage.RETURNED, remark
        keep(work, ReplyStep.Kind.RETURNED, by, now=now, text=work.draft, remark=remark)
    return work


def approve(uuid: UUID, *, text: str, language: str, key: UUID, by: User, now: datetime) -> Work:
    """Mark the reply as being sent. The caller submits the intent in the same transaction."""
    with at_work(uuid, now=now) as work:
        if work.intent_key == key:
            return work
        _stop_if_sending(work)
        _write(work, text, language, by=by, now=now)
        keep(work, ReplyStep.Kind.APPROVED, by, now=now, text=text)
        work.stage, work.intent_key, work.remark = Stage.SENDING, key, ""
        _clear_problem(work)
        work.presences.all().delete()
    return work


def _stop_if_sending(work: Work) -> None:
    if work.stage == Stage.SENDING:
        raise Superseded


def resume(intent: Intent, *, now: datetime) -> None:
    """Mark the reply as being sent again, unless another one has left since.

    The caller has the intent in the same transaction, so that no worker ends it in between.
    """
    if intent.uuid is None or not Work.objects.filter(pk=intent.uuid).exists():
        return
    with at_work(intent.uuid, now=now) as work:
        if work.intent_key != intent.key:
            raise Superseded
        work.stage = Stage.SENDING
        _clear_problem(work)


def ended(intent: Intent) -> None:
    """Record the end of an intent: sent, or the draft is restored with the reason."""
    if (
        intent.uuid is None
        or not Work.objects.filter(pk=intent.uuid, intent_key=intent.key).exists()
    ):
        return
    now = timezone.now()
    with at_work(intent.uuid, now=now) as work:
        if intent.state == State.DONE:
            _was_sent(work, intent, now=now)
        else:
            _was_not_sent(work, intent, now=now)


def _was_sent(work: Work, intent: Intent, *, now: datetime) -> None:
    work.sent_at, work.sent_text = intent.sent_at or now, intent.payload["content"]
    work.answers = digest(intent.payload["comment"])
    # What was written while the reply was in doubt is another text, and stays a draft.
    if same_words(work.draft, work.sent_text):
        work.draft = ""
        work.draft_no += 1
    work.stage = _stage_of_draft(work)
    keep(work, ReplyStep.Kind.SENT, intent.actor, now=now, text=work.sent_text)


def _stage_of_draft(work: Work) -> Stage:
    return Stage.DRAFT if work.has_draft else Stage.NONE


def _was_not_sent(work: Work, intent: Intent, *, now: datetime) -> None:
    undone = intent.state == State.WITHDRAWN
    work.stage = Stage.DRAFT
    _clear_problem(work)
    if not undone:
        _note_problem(work, intent, now=now)
    kind, text = KINDS_OF_ENDS[State(intent.state)], intent.payload["content"]
    keep(work, kind, intent.actor, now=now, text=text, message=work.message)


def _clear_problem(work: Work) -> None:
    work.problem, work.message, work.problem_at, work.is_in_doubt = "", None, None, False
    work.sentence = ""


def _note_problem(work: Work, intent: Intent, *, now: datetime) -> None:
    work.problem, work.message, work.problem_at = intent.problem, intent.message, now
    work.is_in_doubt = intent.state == State.ASKS


def end_stuck(*, now: datetime) -> int:
    """End replies that count as being sent although nothing sends them. Returns how many.

    Of an intent that ended, the steps and the text that left are recorded already.
    """
    under_way = Intent.objects.open().filter(key=OuterRef("intent_key"))
    stuck = Work.objects.filter(~Exists(under_way), stage=Stage.SENDING)
    return sum(_end_stuck(uuid, now=now) for uuid in stuck.values_list("pk", flat=True))


def _end_stuck(uuid: UUID, *, now: datetime) -> bool:
    with at_work(uuid, now=now) as work:
        key = work.intent_key
        intent = Intent.objects.filter(key=key).first() if key else None
        if work.stage != Stage.SENDING or (intent is not None and intent.is_open):
            return False  # another one leaves since
        work.stage = _stage_of_draft(work)
        if intent is not None and intent.state in (State.REFUSED, State.ASKS):
            _note_problem(work, intent, now=now)
    return True


# --- Triage --------------------------------------------------------------------------------------


def assign(uuid: UUID, *, to: User | None, by: User, now: datetime, remark: str = "") -> Work:
    """Assign it to somebody, who is notified unless they took it themselves, or to nobody."""
    alerts_sent = ReviewAlert.objects.of_assignment(uuid)
    is_known = not remark or alerts_sent.filter(user=to, remark=remark).exists()
    same = Work.objects.filter(pk=uuid, assignee=to) if is_known else Work.objects.none()
    if again := same.first():  # pressed twice, or on an old page
        return again
    with at_work(uuid, now=now) as work:
        work.assignee = to
        (alerts_sent.exclude(user=to) if to else alerts_sent).delete()
        if to is not None and to != by:
            keep(work, ReplyStep.Kind.ASSIGNED, by, now=now, text=str(to), remark=remark)
            notify_assignee(work, to, by=by, remark=remark, now=now)
    return work


def release(uuid: UUID, *, left: int, now: datetime) -> None:
    """Assign it to nobody again, because its assignee may no longer answer it; not if it is
    another's by now."""
    with at_work(uuid, now=now) as work:
        if work.assignee_id == left:
            work.assignee = None
            ReviewAlert.objects.of_assignment(uuid).delete()


def notify_assignee(work: Work, to: User, *, by: User, remark: str, now: datetime) -> None:
    """Create the alert in the app; mail it too to those who want that."""
    by_mail = AlertPreferences.objects.filter(user=to, given_by_mail=True).exists()
    news = {"by": by, "remark": remark, "at": now, "in_app": True, "by_mail": by_mail}
    ReviewAlert.objects.update_or_create(
        user=to,
        review_id=work.pk,
        kind=ReviewAlert.Kind.ASSIGNED,
        defaults=news | {"seen_at": None, "mailed_at": None},
    )


def mark_alert_seen(work: Work, by: User, *, now: datetime) -> None:
    """Mark the alert of an assigned person as seen once they work on the review."""
    if work.assignee_id == by.pk:
        ReviewAlert.objects.of_assignment(work.pk).unseen().filter(user=by).update(seen_at=now)


def archive(uuid: UUID, *, by: User, now: datetime) -> Work:
    """Archive it until it changes."""
    with at_work(uuid, now=now) as work:
        if work.stage == Stage.SENDING:
            raise Superseded
        work.archived_at, work.archived_by, work.seal = now, by, ""
        mark_alert_seen(work, by, now=now)
    return work


def restore(uuid: UUID, *, now: datetime) -> Work:
    with at_work(uuid, now=now) as work:
        work.archived_at = None
    return work


def next_after(works: "list[UUID]", uuid: UUID) -> UUID | None:
    """The one below in a list, else the one above."""
    if uuid not in works:
        return works[0] if works else None
    here = works.index(uuid)
    rest = works[here + 1 :] or works[:here][::-1]
    return rest[0] if rest else None
