"""The outbox action that sends the reply to a review and checks whether it arrived.

`payload` is `{"content", "language", "before", "comment"}`: the reply to send, and the reply and
the comment that the person saw before. The review is fetched just before the reply is sent, so that
a reply which somebody wrote elsewhere meanwhile is not overwritten unseen, and none answers a
comment that nobody here has read; one that left from here is nobody else's. Only a person's click
creates an intent.
"""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from lib import coerce
from lib.dates import date_format
from outbox.models import Intent, say
from outbox.registry import (
    Action,
    DecisionRefused,
    Found,
    IntentSubject,
    Look,
    Redacted,
    Settled,
    Subjects,
    only,
)
from outbox.transitions import renew_lease
from partner.errors import Conflict
from reservations.actions.subjects import GuestNames
from reviews.inbox.placement import same_words
from reviews.models import Review
from reviews.reply import workflow
from reviews.reply.snapshot import LEFT

REPLY = "review.reply"
VIEW_RIGHT = "reviews.view_review"
# A reply cannot be deleted upstream: the only true undo is not to have sent it.
HOLD = timedelta(seconds=10)


class AnsweredMeanwhile(Conflict):
    """Another reply was published meanwhile. Nothing was sent."""

    def __init__(self) -> None:
        super().__init__(code="ANSWERED_MEANWHILE")
        self.message = say(
            _("Somebody has answered elsewhere meanwhile. Nothing was sent; your draft is kept."),
            next_step=_("Compare the two, and send again if yours should replace it."),
        )


class CommentChanged(Conflict):
    """The guest wrote something else after the person had answered. Nothing was sent."""

    def __init__(self) -> None:
        super().__init__(code="COMMENT_CHANGED")
        self.message = say(
            _("The guest changed the review meanwhile. Nothing was sent; your draft is kept."),
            next_step=_("Read it again, and send the reply if it still fits."),
        )


def send(client: Any, intent: Intent) -> Any:
    payload, review = intent.payload, client.review(intent.uuid).entity
    comment, there = _text_of(review.comment), _text_of(review.restaurant_reply)
    if comment and payload["comment"] and not same_words(comment, payload["comment"]):
        raise CommentChanged
    if not _is_known(there, intent) and not same_words(there, payload["content"]):
        raise AnsweredMeanwhile
    renew_lease(intent)
    return client.reply_to_review(
        intent.uuid, content=payload["content"], language=payload["language"]
    )


def redact(payload: dict[str, Any]) -> Redacted:
    """Keep the language; the comment and our reply may name the guest, and are blank."""
    blank = dict.fromkeys(("content", "before", "comment"), "")
    return Redacted(blank | only(payload, ("language",)), can_be_sent=False)


def confirms(intent: Intent, answer: Any) -> bool:
    """Whether the answer about the review repeats the reply or, as the contract allows, has none.

    A service that shows no reply before moderation has accepted it all the same: `following`
    requests the review again from then on.
    """
    if answer.entity.restaurant_reply is None:
        return True
    return same_words(_text_of(answer.entity.restaurant_reply), intent.payload["content"])


def look(client: Any, intent: Intent) -> Look:
    """Done when the review shows our reply and did not before; not done if it shows the old one."""
    answer, payload = client.review(intent.uuid), intent.payload
    there = _text_of(answer.entity.restaurant_reply)
    if same_words(there, payload["content"]):
        is_old = _is_known(payload["content"], intent)
        return Look(Found.UNPROVEN if is_old else Found.DONE)
    # Without the field in the answer nobody knows whether the reply arrived.
    has_field = "restaurantReply" in answer.payload
    untouched = has_field and _is_known(there, intent)
    return Look(Found.NOT_DONE if untouched else Found.UNSURE)


def settle(intent: Intent, answer: Any) -> Settled:
    reply = answer.entity.restaurant_reply
    if reply is not None and (at := coerce.instant(reply.updated_ts)):
        intent.sent_at = at  # by the service's clock, which its next answer is compared with
    return Settled(
        uuid=intent.uuid, sentence=_("Sent. The service moderates replies; it is not public yet.")
    )


def turned(intent: Intent) -> None:
    """Mark the review as being sent, in the transaction in which a person decides to retry."""
    try:
        if intent.state == Intent.State.WAITING:
            workflow.resume(intent, now=timezone.now())
    except workflow.Superseded:
        sentence = gettext("A newer reply has left since. This one was not sent again.")
        raise DecisionRefused(sentence) from None


def _is_known(text: str, intent: Intent) -> bool:
    """Whether the reply is the one that the person saw, or one that left from here earlier.

    Our copy may lack a reply of ours for minutes: it is nobody else's all the same. One query,
    where it is not what the person saw.
    """
    if same_words(text, intent.payload["before"]):
        return True
    replies = Intent.objects.about(intent.kind, intent.uuid).filter(action=REPLY, pk__lt=intent.pk)
    ours = replies.filter(state__in=LEFT).values_list("payload__content", flat=True)
    return any(one and same_words(text, one) for one in ours)


def _text_of(part: Any) -> str:
    return coerce.text(part.content) if part is not None else ""


def subjects(intents: Sequence[Intent], user: User) -> Subjects:
    """The reviews that replies are about. Two queries: reviews and guests."""
    uuids = [one.uuid for one in intents if one.uuid]
    columns = ("uuid", "restaurant_id", "customer_id", "created_ts", "first_name", "last_name")
    reviews = Review.objects.visible_to(user, VIEW_RIGHT).only(*columns).in_bulk(uuids)
    found = {one.pk: reviews.get(one.uuid) for one in intents}
    wanted = [(one.restaurant, _guest_of(found[one.pk])) for one in intents]
    names = GuestNames(user, wanted)
    return {one.pk: _subject(one, found[one.pk], names) for one in intents}


def _subject(intent: Intent, review: Review | None, names: GuestNames) -> IntentSubject:
    if review is None:
        return IntentSubject()
    written, about = review.created_ts, gettext("Review")
    if written is not None:
        day = date_format(intent.restaurant.local(written), "j M Y")
        about = gettext("Review of %(day)s") % {"day": day}
    subject = IntentSubject(about, reverse("reviews:show", args=[review.pk]))
    name = f"{review.first_name} {review.last_name}".strip()
    return names.add(subject, intent.restaurant, review.customer_id, typed=name)


def _guest_of(review: Review | None) -> UUID | None:
    return review.customer_id if review else None


OWN_ACTIONS = (
    Action(
        name=REPLY,
        title=_("Reply"),
        done=_("Reply sent"),
        subjects=subjects,
        send=send,
        confirms=confirms,
        look=look,
        settle=settle,
        ended=workflow.ended,
        turned=turned,
        redact=redact,
    ),
)
