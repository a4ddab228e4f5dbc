"""What a guest rated, as bars with words: the seven that are known, and any that is new."""

import json
import re
from decimal import Decimal
from typing import Any, NamedTuple

from django.utils.formats import number_format
from django.utils.translation import gettext_lazy as _

from lib.labels import label_of, readable
from lib.text import as_data
from reviews.models import Review

MOST = 10
SCORES = {
    "globalRating": ("global_rating", _("Overall")),
    "foodQualityRating": ("food_quality_rating", _("Food")),
    "serviceRating": ("service_rating", _("Service")),
    "ambienceRating": ("ambience_rating", _("Ambience")),
}
# From the pleasant end to the other: where on the scale a word stands.
SCALES = {
    "priceEvaluation": (
        "price_evaluation",
        _("Price"),
        {
            "VERY_CHEAP": _("Very cheap"),
            "CHEAP": _("Cheap"),
            "AVERAGE": _("Average"),
            "EXPENSIVE": _("Expensive"),
            "VERY_EXPENSIVE": _("Very expensive"),
        },
    ),
    "waitingTimeEvaluation": (
        "waiting_time_evaluation",
        _("Waiting"),
        {
            "VERY_FAST": _("Very fast"),
            "FAST": _("Fast"),
            "AVERAGE": _("Average"),
            "SLOW": _("Slow"),
            "VERY_SLOW": _("Very slow"),
        },
    ),
    "noiseLevelEvaluation": (
        "noise_level_evaluation",
        _("Noise"),
        {
            "VERY_QUIET": _("Very quiet"),
            "QUIET": _("Quiet"),
            "MODERATE": _("Moderate"),
            "LOUD": _("Loud"),
            "VERY_LOUD": _("Very loud"),
        },
    ),
}
OCCASIONS = {
    "BUSINESS": _("Business"),
    "FRIENDS": _("With friends"),
    "ROMANTIC": _("Romantic"),
    "FAMILY": _("With the family"),
    "ALONE": _("Alone"),
}


class RatingBar(NamedTuple):
    """One rating. `value` of `most` is drawn; None is shown as missing."""

    label: Any
    words: Any
    value: float | None = None
    most: int = MOST
    is_scale: bool = False


def bars(review: Review) -> list[RatingBar]:
    return [*_scores(review), *_scales(review), *_unknown(review)]


def _scores(review: Review) -> list[RatingBar]:
    rows = []
    for column, label in SCORES.values():
        value = getattr(review, column)
        rows.append(RatingBar(label, figure(value), None if value is None else float(value)))
    return rows


def figure(value: Decimal | int | None) -> str:
    """8, 8.5 or 8,5: a score as people of this language write it."""
    return "" if value is None else str(number_format(Decimal(value).normalize()))


def _scales(review: Review) -> list[RatingBar]:
    rows = []
    for column, label, words in SCALES.values():
        data = getattr(review, column)
        place = list(words).index(data) + 1 if data in words else None
        rows.append(RatingBar(label, label_of(data, words), place, len(words), is_scale=True))
    return rows


def _unknown(review: Review) -> list[RatingBar]:
    """Ratings that the service has and we do not know yet, under their own names."""
    try:
        rating = as_data(review.raw)["dinerRating"]
        known = {*SCORES, *SCALES}
        strange = {k: v for k, v in rating.items() if k not in known and v is not None}
    except (KeyError, TypeError, AttributeError):
        return []
    return [_strange(name, value) for name, value in strange.items()]


def _strange(name: str, value: Any) -> RatingBar:
    label = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).removesuffix(" Rating").capitalize()
    if isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= MOST:
        return RatingBar(label, figure(Decimal(str(value))), float(value))
    if isinstance(value, str):
        return RatingBar(label, readable(value))
    return RatingBar(label, json.dumps(value)[:60])


def scale_label(review: Review, column: str) -> str:
    """Return the word of one of the scales, by its column."""
    labels = next(words for name, _label, words in SCALES.values() if name == column)
    return label_of(getattr(review, column), labels)


def occasion_label(review: Review) -> str:
    return label_of(review.occasion, OCCASIONS)
