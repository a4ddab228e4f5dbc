"""Reviews of a world: ratings, comments, moderation and the restaurant's replies.

The ratings come first and the text is put together from them, so that both say the same.
"""

import json
from dataclasses import dataclass
from random import Random
from typing import Any

from partner_sandbox.clock import DAY, HOUR
from partner_sandbox.entities.directory import SandboxRestaurant
from partner_sandbox.vocabulary import NOISE_LEVELS, PRICES, WAITING_TIMES
from partner_sandbox.world.texts.sentences import LANGUAGES

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
TONES = ((8.5, "great"), (7.0, "good"), (5.0, "mixed"), (0.0, "bad"))
GLAD = ("great", "good")
MARKS = (
    ("foodQualityRating", "food"), ("serviceRating", "service"), ("ambienceRating", "ambience"),
)  # fmt: skip
SCALES = (
    ("waitingTimeEvaluation", WAITING_TIMES, ("fast", "slow")),
    ("noiseLevelEvaluation", NOISE_LEVELS, ("quiet", "loud")),
    ("priceEvaluation", PRICES, ("cheap", "dear")),
)
BAD = ("food_poor", "service_poor", "ambience_poor", "slow", "loud", "dear")
# How many pleasant and unpleasant things a text of each tone speaks of, at most.
SPOKEN_OF = {"great": (2, 0), "good": (2, 1), "mixed": (1, 2), "bad": (0, 3)}


@dataclass(frozen=True)
class Visit:
    """What a review is of."""

    place: SandboxRestaurant
    size: int
    language: str  # of the guest
    answered: float = 0.62  # the share of comments that the restaurant has replied to in the end

    @property
    def written_in(self) -> str:
        """The guest's language, if the service has reviews in it; else the restaurant's."""
        known = (self.language, self.place.locale[:2])
        return next((language for language in known if language in LANGUAGES), "en")


def opinion(luck: Random, visit: Visit, created: int, *, now: int) -> tuple[Any, ...]:
    """The columns of a review from `is_valid` on, as it stands now.

    Fresh ones mostly still wait for an answer, and nothing is moderated or answered after now.
    """
    fresh = now - created < 6 * DAY
    rated = rating(luck, min(10.0, max(1.0, luck.gauss(8.3, 1.6))))
    body: dict[str, Any] = {"rating": rated}
    if luck.random() < 0.6:
        body["experience"] = {"occasion": _occasion(luck, visit.size)}
    comment_status = reply_status = None
    updated = created
    if luck.random() < 0.68:
        weights = (70, 20, 2, 6, 1, 1) if fresh else (92, 0.3, 4, 1, 1.5, 1.2)
        comment_status, reason = luck.choices(COMMENT_FATES, weights)[0]
        updated = created + luck.randrange(1, 20) * HOUR // 4
        if updated > now:
            comment_status, reason, updated = "NOT_REVIEWED", None, created
        body["comment"] = comment(luck, visit, rated, created)
        _settle(body["comment"], comment_status, reason, updated)
    if comment_status == "PUBLISHED" and luck.random() < (0.25 if fresh else visit.answered):
        reply_status, reason = luck.choices(
            REPLY_FATES, (60, 20, 12, 8) if fresh else (93, 0, 1, 6)
        )[0]
        written = updated + luck.randrange(2 * HOUR, 2 * DAY)
        if written + HOUR <= now:
            body["reply"] = reply(luck, visit.written_in, rated, written)
            updated = written + HOUR
            _settle(body["reply"], reply_status, reason, updated)
        else:
            reply_status = None
    is_valid = luck.random() > 0.012
    text = json.dumps(body, ensure_ascii=False, separators=(",", ":"))
    return int(is_valid), comment_status, reply_status, created, updated, text


def rating(luck: Random, score: float) -> dict[str, Any]:
    """Marks and words around one score; noise lowers the mark for the ambience."""

    def near(less: float = 0) -> int | None:
        mark = min(10, max(0, round(score - less + luck.gauss(0, 0.9))))
        return mark if luck.random() < 0.94 else None

    wait = _step(luck, (10 - score) / 2.2)
    noise = _step(luck, 1 + (10 - score) / 4)
    return {
        "globalRating": round(score * 2) / 2,
        "ambienceRating": near(max(0, noise - 2)),
        "foodQualityRating": near(),
        "serviceRating": near(max(0, wait - 2)),
        "priceEvaluation": _word(luck, PRICES, _step(luck, 1.4 + (10 - score) / 4)),
        "waitingTimeEvaluation": _word(luck, WAITING_TIMES, wait),
        "noiseLevelEvaluation": _word(luck, NOISE_LEVELS, noise),
    }


def _step(luck: Random, middle: float) -> int:
    return min(4, max(0, round(luck.gauss(middle, 0.8))))


def _word(luck: Random, scale: tuple[str, ...], step: int) -> str | None:
    return scale[step] if luck.random() < 0.82 else None


def _occasion(luck: Random, size: int) -> str | None:
    alone = ("ALONE", "BUSINESS")
    pair = ("ROMANTIC", "ROMANTIC", "FRIENDS", "BUSINESS", "FAMILY")
    table = ("FAMILY", "FRIENDS", "FAMILY", "BUSINESS")
    fitting: tuple[str | None, ...] = alone if size == 1 else pair if size == 2 else table
    return luck.choice((*fitting, None))


def comment(luck: Random, visit: Visit, rated: dict[str, Any], written: int) -> dict[str, Any]:
    language = visit.written_in
    return {
        "content": text_of(luck, language, rated),
        "language": language if luck.random() < 0.95 else None,
        "created": written,
        "updated": written,
    }


def tone_of(rated: dict[str, Any]) -> str:
    return next(tone for least, tone in TONES if rated["globalRating"] >= least)


def text_of(luck: Random, language: str, rated: dict[str, Any]) -> str:
    """An opening, what was notable, and perhaps a farewell."""
    sentences, tone = LANGUAGES[language], tone_of(rated)
    topics = [tone, *_spoken_of(luck, rated, tone)]
    if luck.random() < 0.5 and tone in ("great", "bad"):
        topics.append("back" if tone == "great" else "never")
    return " ".join(luck.choice(sentences[topic]) for topic in topics)


def _spoken_of(luck: Random, rated: dict[str, Any], tone: str) -> list[str]:
    topics = notable(rated)
    luck.shuffle(topics)
    most_good, most_bad = SPOKEN_OF[tone]
    good = [topic for topic in topics if topic not in BAD][:most_good]
    return [*good, *[topic for topic in topics if topic in BAD][:most_bad]]


def notable(rated: dict[str, Any]) -> list[str]:
    """What of the ratings is far enough from the middle to be written about."""
    found = []
    for name, topic in MARKS:
        mark = rated[name]
        if mark is not None and not 5 < mark < 8:
            found.append(f"{topic}_{'good' if mark >= 8 else 'poor'}")
    for name, scale, (low, high) in SCALES:
        step = scale.index(rated[name]) if rated[name] else 2
        if step != 2:
            found.append(low if step < 2 else high)
    return found


def reply(luck: Random, language: str, rated: dict[str, Any], written: int) -> dict[str, Any]:
    topic = "thanks" if tone_of(rated) in GLAD else "sorry"
    text = luck.choice(LANGUAGES[language][topic])
    return {"content": text, "language": language, "created": written, "updated": written}


def _settle(text: dict[str, Any], status: str | None, reason: str | None, at: int) -> None:
    text["updated"] = at
    if status in ("PUBLISHED", "ARCHIVED"):
        text["published"] = at
    if reason:
        text["reason"] = reason
