"""What guests write afterwards, and what moderation makes of it."""

import json
import uuid
from typing import Any

from partner_sandbox.clock import DAY, MINUTE
from partner_sandbox.entities import reservations, reviews
from partner_sandbox.entities.customers import compact
from partner_sandbox.happenings.happening import Happening, NotPossible
from partner_sandbox.life import future
from partner_sandbox.world import opinions, people

Done = dict[str, Any] | None
RECENT = 40 * DAY
DECISIONS = {"publish": "PUBLISHED", "reformulate": "WAITING_REFORMULATE", "reject": "REJECTED"}
UNREVIEWED = (
    "r.status='RECORDED' AND r.meal_status='LEFT' AND r.customer_id IS NOT NULL"
    " AND NOT EXISTS (SELECT 1 FROM review v WHERE v.reservation_id=r.id)"
)


def review(happening: Happening) -> Done:
    """A guest who has eaten rates the evening, mostly with a comment that goes to moderation."""
    visit = happening.reservation(UNREVIEWED, (-14 * DAY, -30 * MINUTE))
    if visit is None:
        return None
    if visit["customer_id"] is None:
        raise NotPossible("Nobody is known to have sat at this table.")
    luck, place = happening.service.luck, happening.place_of(visit)
    score = float(happening.options.get("score", min(10.0, max(1.0, luck.gauss(8.2, 1.8)))))
    body: dict[str, Any] = {"rating": opinions.rating(luck, score)}
    commented = happening.options.get("comment", luck.random() < 0.75)
    if commented:
        seen = opinions.Visit(place, visit["party_size"], _language(happening, visit))
        body["comment"] = opinions.comment(luck, seen, body["rating"], happening.now)
    row = _insert(happening, visit, body)
    done = happening.announce_review(row, "reviewRatingCreated")
    if commented:
        # Also sent when a new comment enters moderation (contract: Review events).
        happening.announce_review(row, "reviewCommentUnpublished")
        future.plan(happening.service, happening.db, "moderate_comment", row["id"])
    return {**done, "globalRating": body["rating"]["globalRating"], "comment": bool(commented)}


def _language(happening: Happening, visit: Any) -> str:
    query = "SELECT body FROM customer WHERE id=?"
    row = happening.db.execute(query, (visit["customer_id"],)).fetchone()
    return people.language_of(json.loads(row["body"]))


def _insert(happening: Happening, visit: Any, body: dict[str, Any]) -> Any:
    raw = uuid.uuid4().bytes
    happening.db.execute(
        "INSERT INTO review (uuid, restaurant_id, reservation_id, customer_id, meal, is_valid,"
        " comment_status, created, updated, body) VALUES (?,?,?,?,?,1,?,?,?,?)",
        (
            raw,
            visit["restaurant_id"],
            visit["id"],
            visit["customer_id"],
            visit["meal"],
            "NOT_REVIEWED" if "comment" in body else None,
            happening.now,
            happening.now,
            compact(body),
        ),
    )
    return reviews.find(happening.db, raw)


def publish_comment(happening: Happening) -> Done:
    """Moderation publishes a comment."""
    row = happening.review("v.comment_status='NOT_REVIEWED'", RECENT)
    if row is not None:  # what moderation had planned for it is decided now
        planned = "DELETE FROM pending WHERE what='moderate_comment' AND target=?"
        happening.db.execute(planned, (row["id"],))
    return _moderate_comment(happening, row, "PUBLISHED", None)


def unpublish_comment(happening: Happening) -> Done:
    """A published comment is taken back."""
    row = happening.review("v.comment_status='PUBLISHED'", RECENT)
    return _moderate_comment(happening, row, "ARCHIVED", None)


def moderate_comment(happening: Happening) -> Done:
    """Moderation decides about a comment: publish, reformulate or reject."""
    row = happening.review("v.comment_status='NOT_REVIEWED'", RECENT)
    chance = happening.service.luck.random()
    usual = "publish" if chance < 0.86 else "reformulate" if chance < 0.94 else "reject"
    decision = happening.option("decision", tuple(DECISIONS), usual)
    reason = {
        "publish": None,
        "reformulate": "REFORMULATE_IRRELEVANT_CONTENT",
        "reject": "REJECT_CUSTOMER_NOT_FOLLOW_MODERATION_RULES",
    }[decision]
    return _moderate_comment(happening, row, DECISIONS[decision], reason)


def _moderate_comment(happening: Happening, row: Any, status: str, reason: str | None) -> Done:
    if row is None:
        return None
    if row["comment_status"] is None:
        raise NotPossible("This review has no comment.")
    row = reviews.moderate(
        happening.db, row, "comment", happening.now, status=status, reason=reason
    )
    published = status == "PUBLISHED"
    event = "reviewCommentPublished" if published else "reviewCommentUnpublished"
    return {**happening.announce_review(row, event), "publicationStatus": status}


def invalidate_review(happening: Happening) -> Done:
    """A review stops counting, or counts again."""
    row = happening.review("v.is_valid=1", RECENT)
    if row is None:
        return None
    valid = 1 - row["is_valid"]
    done = happening.change_review(row, "reviewValidityChanged", is_valid=valid)
    return {**done, "isValid": bool(valid)}


def moderate_reply(happening: Happening) -> Done:
    """Moderation decides about a restaurant's reply; no event tells of it."""
    row = happening.review("v.reply_status='NOT_REVIEWED'", RECENT)
    if row is None:
        return None
    if row["reply_status"] is None:
        raise NotPossible("This review has no reply.")
    usual, reason = moderation_of(reviews.stored(row, "reply")["content"])
    decision = happening.option("decision", tuple(DECISIONS), usual)
    if decision != usual:
        reason = {"publish": None, "reject": "REJECT_REPLY_NOT_COMPLIANT"}.get(
            decision, "REFORMULATE_REPLY_NOT_COMPLIANT"
        )
    status = DECISIONS[decision]
    reviews.moderate(happening.db, row, "reply", happening.now, status=status, reason=reason)
    if decision == "reformulate":
        wait = future.REFORMULATION_PERIOD
        future.plan(happening.service, happening.db, "end_reformulation", row["id"], wait)
    return {"review": reservations.uuid_text(row["uuid"]), "publicationStatus": status}


def moderation_of(content: str) -> tuple[str, str | None]:
    """What moderation thinks of a reply: by its words, so that a test can choose the outcome."""
    if content.isupper() and len(content) > 12:
        return "reformulate", "REFORMULATE_REPLY_ALL_CAPS_UNINTELLIGIBLE_NON_ORIGINAL_CONTENT"
    if "@" in content or "http" in content or sum(c.isdigit() for c in content) > 7:
        return "reformulate", "REFORMULATE_REPLY_PRIVATE_DATA"
    if any(word in content.lower() for word in ("liar", "menteur", "idiot", "lawyer")):
        return "reject", "REJECT_REPLY_NOT_COMPLIANT"
    return "publish", None


def end_reformulation(happening: Happening) -> Done:
    """A reply that was sent back and never rewritten is refused."""
    row = happening.review("v.reply_status='WAITING_REFORMULATE'", RECENT)
    if row is None or row["reply_status"] != "WAITING_REFORMULATE":
        return None
    reason = "REJECT_REPLY_REFORMULATION_PERIOD_ENDED"
    reviews.moderate(happening.db, row, "reply", happening.now, status="REJECTED", reason=reason)
    return {"review": reservations.uuid_text(row["uuid"]), "publicationStatus": "REJECTED"}
