"""The list of sent changes, in words."""

from collections.abc import Iterable
from typing import NamedTuple

from django.utils.functional import Promise

from outbox import registry
from outbox.models import Intent


class SentChangeRow(NamedTuple):
    """One intent of the list. No queries, and nothing of the guest: the linked page has that."""

    intent: Intent
    title: str | Promise
    state_word: str
    url: str


def rows_of(intents: Iterable[Intent]) -> list[SentChangeRow]:
    return [_row(intent) for intent in intents]


def _row(intent: Intent) -> SentChangeRow:
    action = registry.get(intent.action)
    return SentChangeRow(intent, action.title, registry.state_word(intent), action.page(intent))
