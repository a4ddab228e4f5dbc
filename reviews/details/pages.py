"""The page of one review: the review, the visit, the guest, and the progress of the reply."""

from datetime import datetime, timedelta
from functools import cached_property
from typing import Any, NamedTuple

from django.db.models import Count, Q
from django.utils.translation import gettext as _

from accounts.models import User
from customers.models import Customer
from lib.text import as_data
from mirror.models import Change, Mirrored
from outbox.models import Intent
from partner.auth import capabilities
from partner.auth.capabilities import Capability
from partner.errors import NotConfigured
from partner.wording.words import field_of
from reservations.guest_panels.came import visited
from reservations.models import Reservation
from restaurants.access import can, within_reach
from reviews import ratings
from reviews.details import queries
from reviews.inbox.pages import tone_of
from reviews.inbox.placement import WHY, was_refused_unpublished
from reviews.models import (
    DEFAULT_RULES,
    PUBLISHED,
    REWRITE,
    InboxQueue,
    ReplyStep,
    Review,
    Rules,
    Stage,
    Work,
)
from reviews.moderation import reasons
from reviews.reply import workflow

SUGGEST = "reviews.suggest_reply"
REPLY = "reviews.reply_review"
RAW = "mirror.view_health"
GUESTS = "customers.view_customer"
SHOWN_EARLIER = 5


class VisitCounts(NamedTuple):
    visits: int
    no_shows: int


class ProgressMark(NamedTuple):
    """One step of a reply's progress: done, current or next."""

    word: str
    state: str
    at: datetime | None = None
    by: User | None = None
    tone: str = ""


class ReviewDetail:
    """Every property is lazy; each costs at most one query."""

    def __init__(
        self, review: Review, work: Work, user: User, *, now: datetime, base: int | None = None
    ) -> None:
        self.base = base  # number of the draft that the open editor started from
        self.review = review
        self.work = work
        self.user = user
        self.now = now
        self.restaurant = review.restaurant

    # --- The review --------------------------------------------------------------------------

    @cached_property
    def bars(self) -> list[ratings.RatingBar]:
        return ratings.bars(self.review)

    @property
    def tone(self) -> str:
        return tone_of(self.review.global_rating, is_low=self.work.is_low)

    @property
    def occasion(self) -> str:
        return ratings.occasion_label(self.review)

    @property
    def why(self) -> Any:
        return WHY.get(self.work.why, "")

    @property
    def written_at(self) -> datetime | None:
        at = self.review.comment_created_ts or self.review.created_ts
        return self.restaurant.local(at) if at else None

    @property
    def comment_reason(self) -> str:
        return reasons.in_words(self.review.comment_moderation_reason)

    @property
    def reply_reason(self) -> str:
        return reasons.in_words(self.review.reply_moderation_reason)

    @property
    def is_sent_back(self) -> bool:
        return self.review.reply_status == REWRITE and self.work.queue != InboxQueue.SENT

    @property
    def payload(self) -> Any:
        return as_data(self.review.raw)

    @cached_property
    def sees_raw(self) -> bool:
        return can(self.user, RAW, self.restaurant)

    @cached_property
    def may_send(self) -> bool:
        return can(self.user, REPLY, self.restaurant)

    @cached_property
    def may_write(self) -> bool:
        return self.may_send or can(self.user, SUGGEST, self.restaurant)

    @property
    def why_not(self) -> str:
        """Why no reply can be written, or ""."""
        row = self.review
        withdrawn = row.comment_status in ("REJECTED", "ARCHIVED", "DELETED")
        reasons = (
            (not self.may_write, _("Your role does not answer reviews.")),
            (
                row.presence != Mirrored.Presence.PRESENT,
                _("The service no longer has it here. This is our last copy."),
            ),
            (
                row.is_valid is False,
                _("It was removed from the public score, so it cannot be answered."),
            ),
            (
                not row.comment and not row.comment_status,
                _("The guest rated without words: the service publishes no reply to that."),
            ),
            (
                row.reply_status == "REJECTED",
                _("The service refused the reply for good; it cannot be changed."),
            ),
            (withdrawn, _("The comment is not public any more, so a reply is not possible.")),
        )
        return next((sentence for applies, sentence in reasons if applies), "")

    @property
    def why_not_sent(self) -> str:
        """Why a draft cannot be sent yet, or ""."""
        if self.is_sending:
            return _("The reply is on its way.")
        row = self.review
        if row.comment_status != PUBLISHED or was_refused_unpublished(row, self.work):
            return _("The comment is not published yet. Your draft is kept until it is.")
        return self.right.reason if self.right is not None else ""

    @cached_property
    def right(self) -> Capability | None:
        """Whether our key may reply; None without a connection. Up to two queries."""
        try:
            connection = self.restaurant.group.connection_id
            return capabilities.can("reviews", connection=connection)
        except NotConfigured:
            return None

    @property
    def refused_field(self) -> str:
        """The field of the reply that the service, or our own check, did not accept."""
        return "" if self.is_sending else field_of(self.work.problem)

    @property
    def is_sending(self) -> bool:
        return self.work.stage == Stage.SENDING

    @property
    def is_suggested(self) -> bool:
        return self.work.stage == Stage.SUGGESTED

    @property
    def is_returned(self) -> bool:
        return self.work.stage == Stage.RETURNED

    @property
    def is_update(self) -> bool:
        """Whether sending replaces a reply that is there."""
        return bool(self.review.reply)

    @cached_property
    def writers(self) -> list[User]:
        """Who else is writing a reply. One query."""
        return workflow.others_writing(self.work, self.user, now=self.now)

    @property
    def has_newer_draft(self) -> bool:
        """Whether somebody else changed the draft since this editor was opened."""
        work = self.work
        is_behind = self.base is not None and self.base < work.draft_no and work.has_draft
        return is_behind and work.drafted_by_id not in (None, self.user.pk)

    # --- How far it is -----------------------------------------------------------------------

    @cached_property
    def steps(self) -> list[ReplyStep]:
        """Who did what, the newest first. One query."""
        return list(ReplyStep.objects.filter(work=self.work.pk).select_related("actor"))

    @cached_property
    def intent(self) -> Intent | None:
        """The latest intent to send. One query."""
        if self.work.intent_key is None:
            return None
        rows = Intent.objects.filter(key=self.work.intent_key)
        return rows.select_related("actor", "restaurant").first()

    @property
    def marks(self) -> list[ProgressMark]:
        """Written → Approved → Sent → In moderation → the outcome."""
        reached = self._reached()
        return [
            self._written(reached),
            self._approved(reached),
            self._sent(reached),
            self._moderated(reached),
            self._outcome(),
        ]

    def _reached(self) -> int:
        """The number of the last finished step: 0 nothing … 5 moderated."""
        status, work = self.review.reply_status, self.work
        if work.stage == Stage.SENDING:
            return 2
        if work.stage in (Stage.DRAFT, Stage.SUGGESTED, Stage.RETURNED) and work.has_draft:
            return 1
        if work.queue == InboxQueue.SENT and work.why == "unseen":
            return 3
        if status in (PUBLISHED, REWRITE, "REJECTED", "ARCHIVED", "DELETED"):
            return 5
        if status:
            return 4
        return 3 if work.sent_at else 0

    def _latest(self, *kinds: str) -> ReplyStep | None:
        return next((step for step in self.steps if step.kind in kinds), None)

    @property
    def given(self) -> ReplyStep | None:
        """The step that assigned it to its present assignee, with the remark."""
        step = self._latest(ReplyStep.Kind.ASSIGNED)
        holder = self.work.assignee
        return step if step and holder and step.text == str(holder) else None

    def _written(self, reached: int) -> ProgressMark:
        step = self._latest(ReplyStep.Kind.SUGGESTED)
        if reached == 1 and step is None:
            return ProgressMark(_("Written"), "now", self.work.drafted_at, self.work.drafted_by)
        word = _("Suggested") if self.is_suggested else _("Written")
        return _mark(word, 1, reached, step)

    def _approved(self, reached: int) -> ProgressMark:
        return _mark(_("Approved"), 2, reached, self._latest(ReplyStep.Kind.APPROVED))

    def _sent(self, reached: int) -> ProgressMark:
        mark = _mark(_("Sent"), 3, reached, self._latest(ReplyStep.Kind.SENT))
        return (
            mark
            if mark.at
            else mark._replace(at=self.review.reply_created_ts if reached > 2 else None)
        )

    def _moderated(self, reached: int) -> ProgressMark:
        if self.work.queue == InboxQueue.SENT and self.work.why == "unseen":
            return ProgressMark(_("Not visible in the data we receive"), "next")
        return _mark(_("In moderation"), 4, reached, None)

    def _outcome(self) -> ProgressMark:
        row = self.review
        if self._reached() < 5:
            return ProgressMark(_("Published"), "next")
        if row.reply_status == PUBLISHED:
            return ProgressMark(_("Published"), "now", row.reply_published_ts, tone="good")
        tone = "bad" if row.reply_status == "REJECTED" else "warn"
        words = {REWRITE: _("Sent back"), "REJECTED": _("Refused")}
        word = words.get(row.reply_status, row.reply_status_label)
        return ProgressMark(word, "now", row.reply_updated_ts, tone=tone)

    # --- The visit and the guest -------------------------------------------------------------

    @cached_property
    def visit(self) -> Reservation | None:
        """The booking behind the review, once it has been read. One query."""
        if self.review.reservation_id is None:
            return None
        return next(iter(queries.visible_visit(self.user.pk, self.review.reservation_id)), None)

    @cached_property
    def seated_after(self) -> int | None:
        """Minutes from the booked time until somebody marked the guests as seated. One query."""
        if self.visit is None or self.visit.meal_at is None:
            return None
        seen = Change.objects.filter(
            kind="reservation", uuid=self.visit.pk, field="meal_status", after="SEATED"
        )
        at = seen.order_by("seen_at").values_list("seen_at", flat=True).first()
        return round((at - self.visit.meal_at) / timedelta(minutes=1)) if at else None

    @cached_property
    def guest(self) -> Customer | None:
        """The guest's profile, for those who may see guests. One query."""
        if self.review.customer_id is None or not can(self.user, GUESTS, self.restaurant):
            return None
        return next(iter(queries.visible_guest(self.user.pk, self.review.customer_id)), None)

    @cached_property
    def visits(self) -> VisitCounts | None:
        """How often the guest came to the group, within the person's reach. One query."""
        if self.review.customer_id is None:
            return None
        before = Reservation.objects.present().for_restaurants(self._reach)
        before = before.filter(customer=self.review.customer_id, meal_at__lte=self.now)
        counted: dict[str, int] = before.aggregate(
            visits=Count("pk", filter=visited(self.now)),
            no_shows=Count("pk", filter=Q(status="NO_SHOW")),
        )
        return VisitCounts(**counted)

    @cached_property
    def others(self) -> list[Review]:
        """The guest's other reviews at restaurants within reach. One query."""
        if self.review.customer_id is None:
            return []
        return queries.other_reviews(self.review.customer_id, self.review.pk, self._reach)

    @property
    def _reach(self) -> list[int]:
        """The restaurants within the person's reach. One query, shared with the menus."""
        return [one.pk for one in within_reach(self.user)]

    @cached_property
    def earlier(self) -> list[Review]:
        """The latest replies of this restaurant, from the mirror. One query."""
        return queries.earlier_replies(self.review)

    @property
    def shown_earlier(self) -> list[Review]:
        return self.earlier[:SHOWN_EARLIER]

    # --- The clock ---------------------------------------------------------------------------

    @cached_property
    def rules(self) -> Rules:
        """The rules of the group for its inbox. One query."""
        return Rules.objects.filter(group=self.restaurant.group_id).first() or DEFAULT_RULES

    @property
    def clock(self) -> str:
        """The time left until the target, or over it, in words, while the review is open."""
        if not self.work.is_open:
            return ""
        left = self.work.since + self.rules.target - self.now
        data = {"target": in_hours(self.rules.target), "time": in_hours(abs(left))}
        if left > timedelta(0):
            return _("%(time)s left of %(target)s") % data
        return _("%(time)s over the target of %(target)s") % data


def in_hours(span: timedelta) -> str:
    """3 d, 5 h: whole days from two days on."""
    hours = span // timedelta(hours=1)
    return _("%(n)s d") % {"n": hours // 24} if hours >= 48 else _("%(n)s h") % {"n": hours}


def _mark(word: str, number: int, reached: int, step: ReplyStep | None) -> ProgressMark:
    state = "next" if number > reached else "now" if number == reached else "done"
    if step is None or state == "next":
        return ProgressMark(word, state)
    return ProgressMark(word, state, step.at, step.actor)
