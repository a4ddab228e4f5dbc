"""Reviews as rows of a spreadsheet."""

from collections.abc import Iterator
from typing import Any

from django.utils.translation import gettext as _

from reviews.models import ReviewQuerySet
from reviews.ratings import occasion_label, scale_label

AT_A_TIME = 2000


def rows(reviews: ReviewQuerySet) -> Iterator[list[Any]]:
    """The header, then every review, the newest first, read piece by piece."""
    yield [
        _("Restaurant"),
        _("Written"),
        _("Visit"),
        _("First name"),
        _("Last name"),
        _("Rating"),
        _("Food"),
        _("Service"),
        _("Ambience"),
        _("Price"),
        _("Waiting time"),
        _("Noise"),
        _("Occasion"),
        _("Comment"),
        _("Comment status"),
        _("Reply"),
        _("Reply status"),
        _("Valid"),
        _("uuid"),
    ]
    ordered = reviews.select_related("restaurant").defer("raw").order_by("-created_ts", "uuid")
    for review in ordered.iterator(chunk_size=AT_A_TIME):
        yield [
            review.restaurant.name,
            review.created_ts,
            review.service_day,
            review.first_name,
            review.last_name,
            review.global_rating,
            review.food_quality_rating,
            review.service_rating,
            review.ambience_rating,
            scale_label(review, "price_evaluation"),
            scale_label(review, "waiting_time_evaluation"),
            scale_label(review, "noise_level_evaluation"),
            occasion_label(review),
            review.comment,
            review.comment_status_label,
            review.reply,
            review.reply_status_label,
            review.is_valid,
            review.uuid,
        ]
