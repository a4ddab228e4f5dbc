"""Reviews of a world: ratings, comments, moderation and the restaurant's replies."""

import json
from random import Random
from typing import Any

from partner_sandbox.clock import DAY, HOUR
from partner_sandbox.directory import SandboxRestaurant
from partner_sandbox.vocabulary import NOISE_LEVELS, OCCASIONS, PRICES, WAITING_TIMES
from partner_sandbox.world import words

LANGUAGES = ("en", "fr", "es", "it", "de")
COMMENT_FATES = (
    ("PUBLISHED", None),
    ("NOT_REVIEWED", None),
    ("REJECTED", "REJECT_USER_NOT_PRESENT_IN_R"),
    ("WAITING_REFORMULATE", "REFORMULATE_OFFENSIVE_LANGUAGE"),
    ("ARCHIVED", None),
    ("DELETED", "REJECT_USER_REQUEST_TO_REMOVE_REVIEW"),
)
REPLY_FATES = (
    ("PUBLISHED", None),
    ("NOT_REVIEWED", None),
    ("WAITING_REFORMULATE", "REFORMULATE_REPLY_PRIVATE_DATA"),
    ("REJECTED", "REJECT_REPLY_NOT_COMPLIANT"),
)


def opinion(luck: Random, place: SandboxRestaurant, created: int, *, now: int) -> tuple[Any, ...]:
    """The columns of a review from `is_valid` on, as it stands now.

    Fresh ones mostly still wait for an answer, and nothing is moderated or answered after now.
    """
    fresh = now - created < 6 * DAY
    score = min(10.0, max(1.0, luck.gauss(8.3, 1.6)))
    body: dict[str, Any] = {"rating": rating(luck, score)}
    if luck.random() < 0.6:
        body["experience"] = {"occasion": luck.choice((*OCCASIONS, None))}
    comment_status = reply_status = None
    updated = created
    if luck.random() < 0.68:
        weights = (70, 20, 2, 6, 1, 1) if fresh else (92, 0.3, 4, 1, 1.5, 1.2)
        comment_status, reason = luck.choices(COMMENT_FATES, weights)[0]
        updated = created + luck.randrange(1, 20) * HOUR // 4
        if updated > now:
            comment_status, reason, updated = "NOT_REVIEWED", None, created
        body["comment"] = comment(luck, place, score, created)
        _settle(body["comment"], comment_status, reason, updated)
    if comment_status == "PUBLISHED" and luck.random() < (0.25 if fresh else 0.62):
        reply_status, reason = luck.choices(
            REPLY_FATES, (60, 20, 12, 8) if fresh else (93, 0, 1, 6)
        )[0]
        written = updated + luck.randrange(2 * HOUR, 2 * DAY)
        if written + HOUR <= now:
            body["reply"] = _reply(body["comment"]["language"], score, written)
            updated = written + HOUR
            _settle(body["reply"], reply_status, reason, updated)
        else:
            reply_status = None
    is_valid = luck.random() > 0.012
    text = json.dumps(body, ensure_ascii=False, separators=(",", ":"))
    return int(is_valid), comment_status, reply_status, created, updated, text


def rating(luck: Random, score: float) -> dict[str, Any]:
    def near() -> int | None:
        return min(10, max(0, round(score + luck.gauss(0, 0.9)))) if luck.random() < 0.94 else None

    worse = min(4, max(0, round((10 - score) / 2)))
    return {
        "globalRating": round(score * 2) / 2,
        "ambienceRating": near(),
        "foodQualityRating": near(),
        "serviceRating": near(),
        "priceEvaluation": luck.choice((None, *PRICES[1:4], PRICES[worse])),
        "waitingTimeEvaluation": luck.choice((None, *WAITING_TIMES[1:3], WAITING_TIMES[worse])),
        "noiseLevelEvaluation": luck.choice((None, *NOISE_LEVELS)),
    }


def comment(luck: Random, place: SandboxRestaurant, score: float, written: int) -> dict[str, Any]:
    home = place.locale[:2]
    known = home if home in LANGUAGES else "en"
    language = known if luck.random() < 0.65 else luck.choice(LANGUAGES)
    text = luck.choice((words.PRAISE if score >= 7 else words.BLAME)[language])
    return {
        "content": text,
        "language": language if luck.random() < 0.95 else None,
        "created": written,
        "updated": written,
    }


def _reply(language: str | None, score: float, written: int) -> dict[str, Any]:
    texts = words.REPLIES if score >= 7 else words.UNHAPPY_REPLIES
    text = texts[language or "en"]
    return {"content": text, "language": language, "created": written, "updated": written}


def _settle(text: dict[str, Any], status: str | None, reason: str | None, at: int) -> None:
    text["updated"] = at
    if status in ("PUBLISHED", "ARCHIVED"):
        text["published"] = at
    if reason:
        text["reason"] = reason
