"""What the staff of the demo's restaurants do by themselves: they reply to reviews in time.

Without it the reviews that wait for a reply would grow by the hour and with each start.
"""

import sqlite3
from typing import Any

from partner_sandbox.clock import HOUR
from partner_sandbox.dice import dice
from partner_sandbox.entities import reviews
from partner_sandbox.entities.directory import SandboxRestaurant
from partner_sandbox.service import SandboxService
from partner_sandbox.webhooks.events import OWNER
from partner_sandbox.world import opinions

MOST_UNANSWERED = 24  # of twelve restaurants
MOST_TO_REWRITE = 6
LOW = 5
USUAL_DELAY = 20 * HOUR
UNANSWERED = "v.comment_status='PUBLISHED' AND v.reply_status IS NULL AND v.is_valid=1"
TO_REWRITE = "v.comment_status='PUBLISHED' AND v.reply_status='WAITING_REFORMULATE'"


def catch_up(service: SandboxService) -> None:
    """Reply to all that is too much, each at its own time and without events."""
    with service.store.writing() as db:
        for row in _too_much(service, db):
            _reply(service, db, row, at=min(row["created"] + USUAL_DELAY, service.clock.now()))


def reply_once(service: SandboxService) -> None:
    """Reply to the oldest of what is too much; its event lets others notice the reply."""
    with service.store.writing() as db:
        for row in _too_much(service, db)[:1]:
            changed = _reply(service, db, row, at=service.clock.now())
            place = _place(service, row)
            service.events.review(
                "reviewCommentPublished", row["uuid"], place, changed["reservation_uuid"]
            )


def _too_much(service: SandboxService, db: sqlite3.Connection) -> list[Any]:
    """The oldest first, and bad reviews last: those are for the newcomer to see.

    Of the replies to be rewritten one of each reason stays.
    """
    unanswered = sorted(_waiting(service, db, UNANSWERED), key=_is_bad)[:-MOST_UNANSWERED]
    rewrites = _waiting(service, db, TO_REWRITE)
    newest = {reviews.stored(row, "reply").get("reason"): row["id"] for row in rewrites}
    plain = [row for row in rewrites if row["id"] not in newest.values()]
    return [*unanswered, *plain[: max(0, len(rewrites) - MOST_TO_REWRITE)]]


def _is_bad(row: Any) -> bool:
    return bool(reviews.stored(row, "rating")["globalRating"] < LOW)


def _waiting(service: SandboxService, db: sqlite3.Connection, condition: str) -> list[Any]:
    rows = db.execute(f"{reviews.FIND} {condition} ORDER BY v.created, v.id").fetchall()
    groups = service.directory.groups
    return [row for row in rows if groups[_place(service, row).group_id].owner == OWNER]


def _place(service: SandboxService, row: Any) -> SandboxRestaurant:
    return service.directory.restaurants[row["restaurant_id"]]


def _reply(service: SandboxService, db: sqlite3.Connection, row: Any, *, at: int) -> Any:
    comment, luck = reviews.stored(row, "comment"), dice("reply", row["uuid"].hex())
    language = comment.get("language") or "en"
    reply = opinions.reply(luck, language, reviews.stored(row, "rating"), at)
    reply |= {"published": at}
    return reviews.change(db, row, at, reply_status="PUBLISHED", body={"reply": reply})
