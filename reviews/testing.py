"""Reviews for tests: rows as the mirror would have written and filed them."""

from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

from accounts.models import User
from outbox.models import Intent
from restaurants.models import Group, Restaurant
from reviews import actions
from reviews.inbox import placement
from reviews.models import Review, SavedInboxView, SavedReply

LONG_AGO = datetime(2026, 1, 1, 12, tzinfo=UTC)
COMMENTED = {"comment": "Lovely evening.", "comment_language": "en", "comment_status": "PUBLISHED"}


def new_review(restaurant: Restaurant, **fields: Any) -> Review:
    known = {"uuid": uuid4(), "raw": "{}", "is_valid": True, "created_ts": LONG_AGO}
    seen = dict.fromkeys(("read_at", "first_seen_at", "changed_at"), LONG_AGO)
    if meal_at := fields.get("meal_at"):
        known["service_day"] = restaurant.service_day(meal_at)
    return Review(restaurant=restaurant, **{**seen, **known, **fields})


def make_review(restaurant: Restaurant, *, now: datetime = LONG_AGO, **fields: Any) -> Review:
    review = new_review(restaurant, **fields)
    review.save(force_insert=True)
    review.refresh_from_db()  # as the database spells it: a rating is a decimal
    placement.place_reviews([review], now)
    return review


def make_comment(restaurant: Restaurant, **fields: Any) -> Review:
    """A review that can be answered."""
    return make_review(
        restaurant, **{**COMMENTED, "first_name": "Jo", "last_name": "Martin", **fields}
    )


def read_again(review: Review, *, now: datetime = LONG_AGO, **fields: Any) -> Review:
    """What the mirror does when the service says something new."""
    for name, value in fields.items():
        setattr(review, name, value)
    review.version += 1
    review.save(force_update=True)
    placement.place_reviews([review], now)
    return review


def make_reply_intent(restaurant: Restaurant, **fields: Any) -> Intent:
    """An intent to answer some review, unless the fields say otherwise."""
    known = {
        "action": actions.REPLY,
        "kind": "review",
        "uuid": make_comment(restaurant).pk,
        "payload": {"content": "Thank you.", "language": "en", "before": "", "comment": ""},
        "created_at": LONG_AGO,
        "not_before": LONG_AGO,
    }
    return Intent.objects.create(restaurant=restaurant, **known | fields)


def make_saved_reply(group: Group, **fields: Any) -> SavedReply:
    known = {"title": "Thanks", "text": "Dear {first_name}, thank you.", "language": "en"}
    return SavedReply.objects.create(group=group, **known | fields)


def make_saved_view(user: User, **fields: Any) -> SavedInboxView:
    return SavedInboxView.objects.create(user=user, **{"name": "Low", "query": "low=1"} | fields)
