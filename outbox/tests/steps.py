"""A service that does what a test says, and the workers' part."""

from datetime import timedelta
from types import SimpleNamespace
from uuid import UUID, uuid4

from django.utils import timezone

from outbox import engine
from outbox.registry import Found, Look

CREATED = uuid4()


class Service:
    """What the service would do with an intent, and what a look at it would find."""

    def __init__(self):
        self.sent: list[UUID] = []
        self.answers: list[Exception] = []
        self.found = Look(Found.UNSURE)
        self.looks = 0
        self.looks_refused: list[Exception] = []
        self.is_confirmed = True

    def send(self, _client, intent):
        self.sent.append(intent.key)
        if self.answers:
            raise self.answers.pop(0)
        return SimpleNamespace(raw='{"ok": true}')

    def confirms(self, _intent, _answer):
        return self.is_confirmed

    def look(self, _client, _intent):
        self.looks += 1
        if self.looks_refused:
            raise self.looks_refused.pop(0)
        return self.found


def work(*, after=timedelta(seconds=1)):
    engine.work(now=timezone.now() + after)


def state_of(intent):
    intent.refresh_from_db()
    return intent.state
