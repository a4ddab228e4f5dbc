"""The copy of the reviews, and what the team does about each."""

from reviews.models.alerts import AlertPreferences, ReviewAlert
from reviews.models.review import (
    NO_ANSWER,
    PUBLICATION_STATUSES,
    PUBLISHED,
    REWRITE,
    UNDER_WAY,
    WITHDRAWN,
    Review,
    ReviewQuerySet,
)
from reviews.models.rules import DEFAULT_RULES, Rules
from reviews.models.saved import SavedInboxView, SavedReply
from reviews.models.work import InboxQueue, Presence, ReplyStep, Stage, Work

__all__ = [
    "DEFAULT_RULES",
    "NO_ANSWER",
    "PUBLICATION_STATUSES",
    "PUBLISHED",
    "REWRITE",
    "UNDER_WAY",
    "WITHDRAWN",
    "ReviewAlert",
    "AlertPreferences",
    "InboxQueue",
    "Presence",
    "Review",
    "ReviewQuerySet",
    "Rules",
    "SavedReply",
    "SavedInboxView",
    "Stage",
    "ReplyStep",
    "Work",
]
