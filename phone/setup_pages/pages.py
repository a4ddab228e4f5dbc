"""The onboarding of a restaurant's telephone: which milestones were reported from here.

The service does not say how far it is, so the intents that left (`outbox`) are the record.
"""

from datetime import datetime
from itertools import accumulate
from typing import NamedTuple
from uuid import UUID, uuid4

from outbox.models import Intent
from partner.wording.vocabulary import MILESTONES
from phone import actions
from phone.milestones import FINAL, LABELS
from restaurants.models import Restaurant

State = Intent.State
# A step that went wrong: never the next one by itself.
DETOURS = frozenset(word for word in MILESTONES if word.startswith("Failed"))


class OnboardingStep(NamedTuple):
    """One milestone, and the last time that it was reported."""

    word: str
    intent: Intent | None
    is_next: bool
    key: UUID
    number: int  # of those that are taken one after the other; a detour repeats the one before

    @property
    def label(self) -> object:
        return LABELS.get(self.word, self.word)

    @property
    def is_done(self) -> bool:
        return bool(self.intent and self.intent.state == State.DONE)

    @property
    def is_open(self) -> bool:
        return bool(self.intent and self.intent.is_open)

    @property
    def at(self) -> datetime | None:
        return self.intent.ended_at or self.intent.created_at if self.intent else None

    @property
    def is_detour(self) -> bool:
        return self.word in DETOURS

    @property
    def is_final(self) -> bool:
        return self.word == FINAL


class Onboarding:
    def __init__(self, restaurant: Restaurant) -> None:
        """One query."""
        self.restaurant = restaurant
        intents = Intent.objects.filter(
            action=actions.REPORT_MILESTONE, kind="milestone", uuid=restaurant.uuid
        )
        last = {
            intent.payload.get("status"): intent for intent in intents.order_by("created_at", "pk")
        }
        done = [word for word in MILESTONES if word in last and last[word].state == State.DONE]
        ahead = MILESTONES[MILESTONES.index(done[-1]) + 1 :] if done else MILESTONES
        coming = next((word for word in ahead if word not in DETOURS), None)
        numbers = accumulate(int(word not in DETOURS) for word in MILESTONES)
        self.steps = [
            OnboardingStep(word, last.get(word), word == coming, uuid4(), number)
            for word, number in zip(MILESTONES, numbers, strict=True)
        ]

    @property
    def is_waiting(self) -> bool:
        return any(step.is_open for step in self.steps)
