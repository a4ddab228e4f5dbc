"""Intents: changes that people send to the service, one row each, and the messages about them."""

from datetime import datetime
from typing import Any, Self
from uuid import uuid4

from django.conf import settings
from django.db import models
from django.utils.functional import Promise
from django.utils.translation import gettext, override
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from lib.database.inline_params import inline
from lib.dates import date_format
from partner import errors
from partner.wording import words as table
from restaurants.models import Restaurant

# What an intent says, stored as a code with parameters and translated for each reader. It is one
# of two things, and `{}` while there is nothing to say:
#   {"code": "NO_AVAILABILITY", "kind": "refused", "is_read": false}   the service's, from its table
#   {"text": "Now %(size)s people.", "params": {"size": 4}, "next": "…"}    ours, in English;
#   with "is_undone": true it adds that nothing was changed
Message = dict[str, Any]
DAY_AND_TIME = "D j M, H:i"


class IntentQuerySet(models.QuerySet["Intent"]):
    def visible_to(self, user: User) -> Self:
        return self.filter(restaurant__in=Restaurant.objects.visible_to(user))

    def open(self) -> Self:
        return self.filter(state__in=inline(*Intent.OPEN))

    def about(self, kind: str, uuid: object) -> Self:
        return self.filter(kind=kind, uuid=uuid)


class Intent(models.Model):
    """An intent to change something upstream.

    `key` is made when the form is shown, so that a double click or a resent form is one intent.
    Whatever the service answers, the row ends as done, refused, withdrawn or in doubt (a person
    decides).
    """

    class State(models.TextChoices):
        HELD = "held", _("Held, can be undone")
        WAITING = "waiting", _("Waiting to be sent")
        SENDING = "sending", _("Being sent")
        CHECKING = "checking", _("We could not tell. Checking…")
        DONE = "done", _("Done")
        REFUSED = "refused", _("Refused")
        WITHDRAWN = "withdrawn", _("Undone, nothing was sent")
        ASKS = "asks", _("Needs your decision")

    OPEN = (State.HELD, State.WAITING, State.SENDING, State.CHECKING)
    UNSETTLED = (*OPEN, State.REFUSED, State.ASKS)

    key = models.UUIDField(unique=True, default=uuid4)
    action = models.CharField(max_length=40)
    kind = models.CharField(max_length=16)
    uuid = models.UUIDField(null=True)  # the entity to change; a new booking has none yet
    restaurant = models.ForeignKey(Restaurant, models.PROTECT, related_name="+")
    payload = models.JSONField()
    reason = models.TextField(blank=True)  # kept here only; the API takes none
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )
    created_at = models.DateTimeField()

    version = models.PositiveIntegerField(default=1)  # grows with every step: screens compare it
    state = models.CharField(max_length=9, choices=State, default=State.WAITING)
    not_before = models.DateTimeField()
    lease_until = models.DateTimeField(null=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    looks = models.PositiveSmallIntegerField(default=0)
    # How often it was sent without a conclusive answer.
    unconfirmed_count = models.PositiveSmallIntegerField(default=0)
    # The first moment at which the request may have left this machine.
    sent_at = models.DateTimeField(null=True)

    answer = models.TextField(blank=True)  # the body, character for character
    result_uuid = models.UUIDField(null=True)
    problem = models.CharField(max_length=64, blank=True)  # the service's code, or our word
    message = models.JSONField(default=dict)  # untranslated: see Message
    ended_at = models.DateTimeField(null=True)
    # Its guest was erased before it ended: outbox.transitions.
    forgets = models.BooleanField(default=False)

    objects = IntentQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at"]
        indexes = [
            # The next to be sent or looked up: outbox.engine.claim.
            models.Index(
                fields=["not_before"],
                condition=models.Q(state__in=["held", "waiting", "sending", "checking"]),
                name="intent_open",
            ),
            # The history of a booking, and the marks of a day's: reservations.changes.day_marks.
            models.Index(fields=["kind", "uuid", "created_at"], name="intent_about"),
            models.Index(fields=["restaurant", "created_at"], name="intent_of_restaurant"),
        ]

    def __str__(self) -> str:
        return f"{self.action} {self.uuid or self.key} {self.state}"

    @property
    def is_open(self) -> bool:
        return self.state in self.OPEN

    @property
    def sentence(self) -> str:
        """What happened and what did not, as a translated sentence."""
        return sentence_of(self.message)

    @property
    def next_step(self) -> str:
        may_happen = self.is_open or self.state == self.State.ASKS
        if may_happen and "kind" in self.message:
            code, kind = self.message["code"], self.message["kind"]
            return table.next_step_of_open(code, kind=kind, is_unsent=self.can_be_withdrawn)
        return next_step_of(self.message)

    @property
    def tries_again_at(self) -> datetime | None:
        """When an intent that could not be sent is tried again."""
        waits = self.state == self.State.WAITING and bool(self.problem)
        return self.not_before if waits else None

    @property
    def can_be_withdrawn(self) -> bool:
        """Whether nothing was sent yet and no look-up of the outcome is running."""
        return self.state in (self.State.HELD, self.State.WAITING) and self.sent_at is None


def say(text: "str | Promise", *, next_step: "str | Promise" = "", **params: Any) -> Message:
    """Build a message from a sentence of ours, which must be marked for translation.

    A local time among the parameters is named with its day, as each reader's language writes it.
    """
    if not text:
        return {}
    stored = {
        name: {"at": value.isoformat()} if isinstance(value, datetime) else value
        for name, value in params.items()
    }
    return {"text": _source(text), "params": stored, "next": _source(next_step)}


def say_error(error: errors.PartnerError, *, is_read: bool = False) -> Message:
    """Build a message from an error: its own sentence if it has one, else the table's.

    An intent counts as a write even if the request was never made: nothing changed.
    """
    own: Message | None = getattr(error, "message", None)
    if own is not None:
        return own
    if isinstance(error, errors.InvalidRequest):
        with override(None):
            step = error.next_step if table.field_of(error.code) else ""
            undone = {} if is_read else {"is_undone": True}
            return {"text": error.sentence, "params": {}, "next": step} | undone
    return {"code": error.code, "kind": error.kind, "is_read": is_read}


def sentence_of(message: Message) -> str:
    """What happened and what did not, in the language of the current reader."""
    if "kind" in message:
        return table.sentence(message["code"], kind=message["kind"], is_read=message["is_read"])
    text = _ours(message, "text")
    return f"{text} {table.NOTHING_CHANGED}" if message.get("is_undone") else text


def next_step_of(message: Message) -> str:
    if "kind" in message:
        return table.next_step(message["code"], kind=message["kind"], is_queued=True)
    return _ours(message, "next")


def _ours(message: Message, part: str) -> str:
    text = message.get(part)
    if not text:
        return ""
    words = gettext(text)
    params = message.get("params") or {}
    shown = {name: _shown(value) for name, value in params.items()}
    return words % shown if shown else words


def _shown(value: Any) -> Any:
    if isinstance(value, dict) and "at" in value:
        return date_format(datetime.fromisoformat(value["at"]), DAY_AND_TIME)
    return value


def _source(text: "str | Promise") -> str:
    """The untranslated text, which is the key in the catalogues."""
    with override(None):
        return str(text)
