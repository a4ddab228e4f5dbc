"""Reviews as personal data of a guest: exported, and redacted when the guest is erased.

Scores stay, because they are the restaurant's figures. Names and texts are removed, also when the
review is read again; the public page is the service's.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from customers.fact_lines import FactLines, verbose_names
from customers.personal_data import (
    KeptKeys,
    PersonalDataProvider,
    erasures_among,
    redact_answer,
    whole,
)
from lib.text import as_data
from mirror.models import Change
from mirror.queue import parked
from outbox import engine
from outbox.models import Intent
from reviews import ratings
from reviews.inbox import placement
from reviews.models import PUBLICATION_STATUSES, ReplyStep, Review, ReviewAlert, Work
from reviews.moderation import reasons

KIND = "review"
PERSONAL_FIELDS = {"first_name": "", "last_name": "", "comment": ""}
# What stays of an answer. The rest goes, so that a field that the service adds is erased too.
KEPT_KEYS: KeptKeys = {
    **whole("reviewUuid restaurantUuid isValid createdTs updatedTs restaurantReply"),
    "reservation": whole("reservationUuid mealDate"),
    "customer": whole("customerUuid"),
    "dinerRating": whole(
        "globalRating ambienceRating foodQualityRating serviceRating priceEvaluation"
        " waitingTimeEvaluation noiseLevelEvaluation"
    ),
    "comment": whole("language publicationStatus createdTs updatedTs publishedTs moderationReason"),
    "experienceDetail": whole("occasion"),
}


def collect(guest: UUID) -> list[dict[str, Any]]:
    """Every review as the service sent it, with its changes and what the team wrote about it."""
    reviews = list(Review.objects.filter(customer=guest).order_by("created_ts"))
    keys = [row.pk for row in reviews]
    changes: dict[UUID, list[dict[str, str]]] = defaultdict(list)
    for change in Change.objects.filter(kind=KIND, uuid__in=keys):
        line = {"seen_at": change.seen_at.isoformat(), "field": change.field}
        changes[change.uuid].append(line | {"from": change.before, "to": change.after})
    written = _written(keys)
    unread = parked.evidence_of(KIND, keys, guest=guest)
    return [
        {
            "review": as_data(row.raw),
            **unread.get(row.pk, {}),
            "changes": changes[row.pk],
            "written": written[row.pk],
        }
        for row in reviews
    ]


def _written(keys: list[UUID]) -> dict[UUID, list[dict[str, str]]]:
    """Drafts, remarks, steps and intents of replies: what is redacted with the guest."""
    found: dict[UUID, list[dict[str, str]]] = defaultdict(list)
    for work in Work.objects.filter(pk__in=keys):
        found[work.pk] += _texts(work.draft, work.sent_text, work.remark)
    for alert in ReviewAlert.objects.filter(review__in=keys):
        found[alert.review_id] += _texts(alert.remark)
    for intent in _intents(keys):
        if intent.uuid:
            found[intent.uuid] += _texts(*map(intent.payload.get, ("content", "comment")))
    for step in ReplyStep.objects.filter(work__in=keys).order_by("at", "pk"):
        found[step.work_id] += _texts(step.text, step.remark, at=step.at.isoformat())
    return found


def _texts(*texts: str | None, **facts: str) -> list[dict[str, str]]:
    return [{"text": text} | facts for text in texts if text]


def lock(guest: UUID) -> Q:
    keys = list(_reviews(guest).values_list("pk", flat=True))
    engine.locked(_intents(keys))
    return Q(kind=KIND, uuid__in=keys)


def erase(guest: UUID) -> None:
    """Locks in the order of `outbox.transitions.close`: the intents, the requests, the reviews."""
    keys = list(_reviews(guest).values_list("pk", flat=True))
    intents = engine.locked(_intents(keys))
    parked.blank_evidence(KIND, keys)
    held = list(_reviews(guest).select_for_update())
    engine.redact(intents, now=timezone.now())  # first: a withdrawn one restores its text as draft
    _redact(held)


def _reviews(guest: UUID) -> QuerySet[Review]:
    return Review.objects.filter(customer=guest).order_by("pk")


def _intents(keys: list[UUID]) -> QuerySet[Intent]:
    return Intent.objects.filter(kind=KIND, uuid__in=keys)


def stored(rows: Sequence[Review], now: datetime) -> None:
    """Place stored reviews, and redact those of erased guests again."""
    placement.place_reviews(rows, now)
    if gone := erasures_among(row.customer_id for row in rows):
        _redact([row for row in rows if row.customer_id in gone])


def _redact(rows: Iterable[Review]) -> None:
    keys = []
    for row in rows:
        keys.append(row.pk)
        Review.objects.filter(pk=row.pk).update(
            raw=redact_answer(row.raw, KEPT_KEYS), **PERSONAL_FIELDS
        )
    # What the team wrote about them names them too. The reply itself is public, and the service's.
    ReplyStep.objects.filter(work__in=keys).delete()
    Work.objects.filter(pk__in=keys).update(draft="", sent_text="", remark="")
    ReviewAlert.objects.filter(review__in=keys).update(remark="")
    Change.objects.filter(kind=KIND, uuid__in=keys, field__in=list(PERSONAL_FIELDS)).delete()


LINES = FactLines(
    fields={
        **verbose_names(Review),
        "review": _("review"),
        "review_uuid": _("review's number"),
        "restaurant_uuid": _("restaurant's number"),
        "reservation_uuid": _("booking's number"),
        "customer_uuid": _("guest's number"),
        "reservation": _("booking"),
        "customer": _("guest"),
        "meal_date": _("time"),
        "created_ts": _("written"),
        "updated_ts": _("changed"),
        "published_ts": _("published"),
        "diner_rating": _("ratings"),
        "content": _("text"),
        "language": _("language"),
        "publication_status": _("status"),
        "moderation_reason": _("why it was judged so"),
        "experience_detail": _("the visit"),
        "restaurant_reply": _("reply"),
        "changes": _("changes"),
        "seen_at": _("seen"),
        "field": _("what"),
        "from": _("before"),
        "to": _("after"),
        "written": _("reply"),
        "text": _("text"),
        "at": _("when"),
    },
    words={
        "price_evaluation": ratings.SCALES["priceEvaluation"][2],
        "waiting_time_evaluation": ratings.SCALES["waitingTimeEvaluation"][2],
        "noise_level_evaluation": ratings.SCALES["noiseLevelEvaluation"][2],
        "occasion": ratings.OCCASIONS,
        "publication_status": PUBLICATION_STATUSES,
        "moderation_reason": reasons.LABELS,
    },
)


PROVIDER = PersonalDataProvider(
    "reviews", title=_("Reviews"), collect=collect, erase=erase, lock=lock, lines=LINES
)
