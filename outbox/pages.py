"""The list of sent changes, in words."""

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from typing import NamedTuple

from django.utils.functional import Promise

from accounts.models import User
from lib.dates import utc_offset
from outbox import registry
from outbox.models import Intent
from outbox.registry import IntentSubject, Subjects

NO_SUBJECT = IntentSubject()
# Those that wait for a person are marked among the others, and so is what ended otherwise.
TONES = {Intent.State.ASKS: "warn", Intent.State.REFUSED: "bad"}


class SentChangeRow(NamedTuple):
    """One intent of the list, with what this reader may see of its guest."""

    intent: Intent
    title: str | Promise
    state_word: str
    subject: IntentSubject

    @property
    def made_at(self) -> datetime:
        """The restaurant's local time, as in the booking; a zone would let templates convert it."""
        return self._local.replace(tzinfo=None)

    @property
    def offset(self) -> str:
        return utc_offset(self._local)

    @property
    def _local(self) -> datetime:
        return self.intent.restaurant.local(self.intent.created_at)

    @property
    def tone(self) -> str:
        if self.intent.state == Intent.State.DONE:
            return "warn" if registry.get(self.intent.action).word(self.intent) else ""
        return TONES.get(Intent.State(self.intent.state), "")

    @property
    def sentence(self) -> str:
        return self.subject.sentence or self.intent.sentence

    @property
    def next_step(self) -> str:
        return self.intent.next_step


def rows_of(intents: Iterable[Intent], user: User) -> list[SentChangeRow]:
    """A fixed number of queries for each kind of subject on the page, however many rows it has."""
    listed = list(intents)
    subjects = _subjects(listed, user)
    return [_row(intent, subjects.get(intent.pk, NO_SUBJECT)) for intent in listed]


def _row(intent: Intent, subject: IntentSubject) -> SentChangeRow:
    title = registry.get(intent.action).title
    return SentChangeRow(intent, title, registry.state_word(intent), subject)


def _subjects(intents: Sequence[Intent], user: User) -> Subjects:
    """Actions that share a function share its queries."""
    by_finder: dict[Callable[[Sequence[Intent], User], Subjects], list[Intent]] = {}
    for intent in intents:
        by_finder.setdefault(registry.get(intent.action).subjects, []).append(intent)
    found: dict[int, IntentSubject] = {}
    for subjects_of, group in by_finder.items():
        found |= subjects_of(group, user)
    return found
