"""The actions that can be sent. Each app registers its own; the engine knows no domain."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType
from typing import Any, NamedTuple
from uuid import UUID

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from lib.labels import labelled
from lib.registration import ExtensionPoint
from outbox.models import Intent
from partner import errors


class Found(Enum):
    """Result of looking up an intent whose outcome is unknown."""

    DONE = "done"
    NOT_DONE = "not done"
    # Nothing that can be read proves it either way, and sending it again changes nothing.
    UNPROVEN = "unproven"
    # It may be there, and sending it again might do it twice: a person decides.
    UNSURE = "unsure"


class Look(NamedTuple):
    found: Found
    uuid: UUID | None = None  # of what was created, when it was found
    settled: "Settled | None" = None  # what it is, as an answer would have stated it


class Settled(NamedTuple):
    """What a successful answer means. `sentence` is translated when somebody reads it."""

    uuid: UUID | None = None
    sentence: str | Promise = ""
    params: Mapping[str, Any] = MappingProxyType({})
    next_step: str | Promise = ""


class Redacted(NamedTuple):
    """An intent without personal data, and whether it can still be sent."""

    payload: dict[str, Any]
    can_be_sent: bool = True


def only(fields: Mapping[str, Any], kept: Collection[str]) -> dict[str, Any]:
    """Those that are kept, so that a field which is added later is redacted too."""
    return {name: value for name, value in fields.items() if name in kept}


def _redact_all(_payload: dict[str, Any]) -> Redacted:
    return Redacted({})


class DecisionRefused(Exception):
    """Raised by `turned` when a retry makes no sense any more: the intent stays as it was."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


class IntentSubject(NamedTuple):
    """What an intent is about and what it changes, as one reader may see it."""

    about: str = ""  # the booking, the review, the call
    url: str = ""  # its page, "" where this reader cannot open it
    changes: tuple[str, ...] = ()
    guest: str = ""
    guest_url: str = ""
    is_guest_hidden: bool = False  # there is a guest, whom this reader may not see
    sentence: str = ""  # in place of the message of the intent, which this reader may not see


Subjects = Mapping[int, IntentSubject]  # by the primary key of the intent


@dataclass(frozen=True, kw_only=True)
class Action:
    """How to send one kind of intent, and how to find out whether it happened.

    `send(client, intent)` makes the one request and returns the partner's `Answer`; if it reads
    anything first, it renews the lease (`outbox.transitions`) before the request.
    `confirms(intent, answer)` returns whether a good answer states that this intent was carried
    out; any other is treated like a lost one. `look(client, intent)` reads the current state.
    `settle(intent, answer)` says what the answer means; it runs inside the closing transaction
    and must not touch the network. `is_done(error)` names refusals that mean that the intent is
    already true. `repeats` means that sending again is harmless once a look has found “not done”;
    a creation is never repeated without a person. `ended(intent)` is called for every intent in
    the transaction that closes it. `turned(intent)` is called, also inside the transaction, when it
    is stored, ends, or a person decides about it: what shows its entity is another now. It raises
    `DecisionRefused` to undo the decision, with a sentence for that person.
    `redact(payload)` returns what of the payload may stay of an erased guest: nothing, unless the
    action lists it. `title` names the action and stands before a colon, so it has none itself;
    `done` names its result and stands alone; `word(intent)` names it where the answer was another,
    or "". `subjects(intents, user)` describes intents of this action for one reader, with a fixed
    number of queries. What is useless after a while refuses itself in `send`, by `InvalidRequest`.
    """

    name: str
    title: str | Promise
    done: str | Promise = _("Done")
    word: Callable[[Intent], str] = lambda _intent: ""
    subjects: Callable[[Sequence[Intent], User], Subjects] = lambda _intents, _user: {}
    send: Callable[[Any, Intent], Any]
    confirms: Callable[[Intent, Any], bool]
    look: Callable[[Any, Intent], Look]
    settle: Callable[[Intent, Any], Settled] = lambda _intent, _answer: Settled()
    is_done: Callable[[errors.PartnerError], bool] = lambda _error: False
    repeats: bool = True
    ended: Callable[[Intent], None] = lambda _intent: None
    turned: Callable[[Intent], None] = lambda _intent: None
    redact: Callable[[dict[str, Any]], Redacted] = _redact_all


ACTIONS: ExtensionPoint[Action] = ExtensionPoint("Actions that are sent")


def get(name: str) -> Action:
    return ACTIONS.named(name)


def state_word(intent: Intent) -> str:
    """The state of an intent; once it is done, the result: “Booked”."""
    if intent.state == Intent.State.DONE:
        action = get(intent.action)
        return action.word(intent) or str(action.done)
    if intent.state == Intent.State.WITHDRAWN and intent.unconfirmed_count:
        return gettext("Undone, not sent again")  # it had left once, without an effect
    return str(intent.get_state_display())


def headline(intent: Intent) -> str:
    """“Booked”, or “Book: Waiting to be sent” until it is."""
    word = state_word(intent)
    return word if intent.state == Intent.State.DONE else labelled(get(intent.action).title, word)
