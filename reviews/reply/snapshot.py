"""What a person had on screen while writing a reply: digests that the form carries.

A reply replaces the one that is there, and a published one cannot be restored. So it leaves only if
the comment and the replies are still those that the person saw, whatever the copy holds by now.
"""

from typing import NamedTuple

from django.utils.translation import gettext as _

from accounts.models import User
from outbox.models import Intent
from reviews.inbox.placement import digest, plain_words
from reviews.models import Review, Work

# A reply of ours that may be what the service shows. Of one in doubt nobody knows it.
LEFT = (Intent.State.DONE, Intent.State.ASKS)


class UnseenText(NamedTuple):
    """A text that the person did not see, and the sentence that says whose it is."""

    sentence: str
    text: str


class ReviewChanged(Exception):
    """The review is another one than the person saw. Nothing was sent."""


def pack_snapshot(review: Review, work: Work) -> str:
    return ".".join(_digest(text) for text in (review.comment, review.reply, work.sent_text))


def find_unseen(snapshot: str, review: Review, work: Work, *, by: User) -> UnseenText | None:
    """The comment or the reply that is not in the snapshot. One query, where a reply is not."""
    comment, *replies = snapshot.split(".")
    if comment != _digest(review.comment):
        words = _("The review has changed meanwhile. Nothing was sent; your text is below. Now:")
        return UnseenText(words, review.comment)
    for text in (review.reply, work.sent_text):
        if text.strip() and _digest(text) not in replies and not _is_own(text, work, by):
            words = _("There is another reply meanwhile. Nothing was sent; yours is below. Theirs:")
            return UnseenText(words, text)
    return None


def _is_own(text: str, work: Work, by: User) -> bool:
    rows = Intent.objects.about("review", work.pk).filter(actor=by, state__in=LEFT)
    sent = rows.values_list("payload__content", flat=True)
    return any(one and _digest(one) == _digest(text) for one in sent)


def _digest(text: str) -> str:
    return digest(plain_words(text))
