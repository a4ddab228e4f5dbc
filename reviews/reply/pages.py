"""The reply editor: its text, its language and the results of the checks."""

from functools import cached_property
from typing import Any, NamedTuple
from uuid import UUID

from django.utils.translation import gettext as _

from lib.dates import date_format
from lib.labels import language_choices, language_label
from reviews.details.pages import ReviewDetail
from reviews.models import REWRITE, Review, SavedReply
from reviews.reply.checks import KnownTexts, Piece, ReplyCheck, check, compare
from reviews.reply.snapshot import UnseenText, pack_snapshot

# The usual languages of guests come first; the one of the comment is always among them all.
USUAL_LANGUAGES = ("en", "fr", "es", "it", "de", "nl", "pt", "ca", "sv", "da")
NAMES_OF_OTHERS = 200  # latest guests whose names a reply should not hold
GOOD_LENGTH = (300, 900)


class OfferedReply(NamedTuple):
    """A saved reply, and how it reads for this guest."""

    reply: SavedReply
    text: str


def fill(text: str, values: dict[str, str]) -> str:
    """Fill in the known placeholders. Unknown ones stay in braces, and braces are not sent."""
    known = {f"{{{name}}}": value for name, value in values.items() if value}
    for braces, value in known.items():
        text = text.replace(braces, value)
    return text


class Editor:
    """The stored draft, or the text of the form that was just sent."""

    def __init__(
        self, detail: ReviewDetail, *, address: Any = None, typed: dict[str, Any] | None = None
    ) -> None:
        self.detail = detail
        self.review = detail.review
        self.work = detail.work
        self.typed = typed
        self.address = address or {}
        self.problem = ""  # why the text was refused, after a try
        self.unseen: UnseenText | None = None  # the part of the problem that stands in the review

    @property
    def text(self) -> str:
        if self.typed is not None:
            return str(self.typed["text"])
        if self.address.get("saved") and (picked := self._picked):
            return picked
        if self.work.has_draft or not self.is_rewriting:
            return self.work.draft
        return self.review.reply  # the text that was sent back is where the rewriting begins

    @property
    def snapshot(self) -> str:
        """What the person has seen: after a refusal for another reason it is what it was."""
        if self.typed is None or self.unseen is not None:
            return pack_snapshot(self.review, self.work)
        return str(self.typed["seen"])

    @cached_property
    def saved(self) -> list[OfferedReply]:
        """The group's saved replies, filled in; the comment's language first. One query."""
        rows = SavedReply.objects.filter(group=self.detail.restaurant.group_id)
        offered = [OfferedReply(row, fill(row.text, self._values())) for row in rows]
        return sorted(offered, key=lambda one: one.reply.language not in ("", self.proposed))

    def _values(self) -> dict[str, str]:
        day = self.review.service_day
        return {
            "first_name": self.review.first_name,
            "last_name": self.review.last_name,
            "restaurant": self.detail.restaurant.name,
            "date": date_format(day, "DATE_FORMAT") if day else "",
            "me": self.detail.user.name,
        }

    @property
    def _picked(self) -> str:
        """The saved reply that the address names, which is how it is chosen without script."""
        wanted = self.address.get("saved", "")
        return next((one.text for one in self.saved if str(one.reply.pk) == wanted), "")

    @property
    def is_rewriting(self) -> bool:
        return self.review.reply_status == REWRITE and not self.detail.is_sending

    @property
    def language(self) -> str:
        """The chosen language, else the comment's, else the guest's."""
        if self.typed is not None:
            return str(self.typed["language"])
        if self.work.draft_no:
            return self.work.language
        return self.proposed

    @property
    def proposed(self) -> str:
        if self.review.comment_language:
            return self.review.comment_language[:3]
        guest = self.detail.guest
        return guest.locale.split("_")[0][:3] if guest is not None else ""

    @property
    def languages(self) -> list[tuple[str, str]]:
        """The language of the comment, the usual ones, and every other that has a name."""
        first = dict.fromkeys(filter(None, (self.proposed, self.language, *USUAL_LANGUAGES)))
        rest = [(code, label) for code, label in language_choices() if code not in first]
        return [("", _("not stated")), *((code, language_label(code)) for code in first), *rest]

    @cached_property
    def findings(self) -> list[ReplyCheck]:
        """Two queries, unless nothing is written."""
        return check(self.text, self._known() if self.text.strip() else KnownTexts())

    @property
    def shown_findings(self) -> list[ReplyCheck]:
        """Nothing for an untouched editor, which may be empty or hold a text to rewrite."""
        untouched = self.typed is None and not self.work.has_draft
        return [] if untouched else [f for f in self.findings if f.code != "empty"]

    @property
    def would_overwrite(self) -> bool:
        """Whether another person's draft would be replaced by what was typed here."""
        if self.typed is None or self.work.draft_no == self.typed["base"]:
            return False
        others = self.work.drafted_by_id not in (None, self.detail.user.pk)
        return others and self.work.draft != self.text

    @property
    def blocks(self) -> list[ReplyCheck]:
        return [finding for finding in self.findings if finding.blocks]

    @property
    def warnings(self) -> list[ReplyCheck]:
        return [finding for finding in self.findings if not finding.blocks]

    def _known(self) -> KnownTexts:
        pairs = _names(self.review.restaurant_id, self.review.pk)
        return KnownTexts(
            own_names=(self.review.guest_name, self.detail.restaurant.name),
            other_names=tuple(" ".join(pair) for pair in pairs),
            earlier=tuple(row.reply for row in self.detail.earlier),
            sent_back=self.review.reply if self.is_rewriting else "",
            current="" if self.is_rewriting else self.review.reply,
        )

    @property
    def difference(self) -> list[Piece]:
        """What an update changes in the reply that is there."""
        before = self.review.reply
        return compare(before, self.text) if before and self.text.strip() else []

    @property
    def length(self) -> int:
        return len(self.text.strip())

    @property
    def length_words(self) -> str:
        if not self.length:
            return ""
        short, long = GOOD_LENGTH
        hint = _("short") if self.length < short else _("long") if self.length > long else _("good")
        return _("%(n)s characters, %(hint)s") % {"n": self.length, "hint": hint}


def _names(restaurant_id: int, but: UUID) -> Any:
    rows = Review.objects.present().filter(restaurant=restaurant_id).exclude(pk=but)
    return rows.order_by("-service_day").values_list("first_name", "last_name")[:NAMES_OF_OTHERS]
