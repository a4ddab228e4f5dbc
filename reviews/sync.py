"""Reviews from the service to rows."""

from collections.abc import Iterable, Iterator
from datetime import date, datetime, timedelta
from typing import Any
from uuid import UUID

from django.db.models import Q, QuerySet
from django.utils.translation import gettext_lazy as _lazy

from lib import coerce
from mirror.jobs.windows import utc_days
from mirror.kinds import EntityLocation, EntityRef, restaurant_of
from mirror.service_days import ClockColumns
from restaurants.directory import find_group, restaurants_of
from restaurants.models import Restaurant
from reviews.models import UNDER_WAY, Review

NOT_SET_UP = _lazy("The review belongs to the restaurant %(uuid)s, which is not set up here.")
LONGEST_REASON = 96  # the longest published moderation reason has 67 characters
# No event tells the fate of a reply. Most are judged within minutes, some take weeks.
LOOK_AGAIN = (
    timedelta(minutes=2),
    timedelta(minutes=10),
    timedelta(hours=1),
    timedelta(hours=6),
    *(timedelta(days=days) for days in range(1, 31)),
)

# The columns whose differences are listed as changes, and their words.
CHANGE_LABELS = {
    "is_valid": _lazy("valid"),
    "global_rating": _lazy("rating"),
    "comment": _lazy("comment"),
    "comment_status": _lazy("comment status"),
    "comment_moderation_reason": _lazy("why the comment was judged so"),
    "reply": _lazy("reply"),
    "reply_status": _lazy("reply status"),
    "reply_moderation_reason": _lazy("why the reply was judged so"),
}


def fetch(client: Any, uuid: UUID) -> Any:
    return client.review(uuid)


def list_uuids(
    client: Any, location: EntityLocation, start: date, end: date, by: str
) -> Iterator[UUID]:
    """The uuids of reviews of meals on these UTC days, both included, by restaurant.

    The service reads the end as 00:00 and refuses an end that is not after the start; it
    lists no group, so its restaurants are listed one by one.
    """
    for restaurant in _restaurants_to_list(location):
        yield from client.review_uuids(
            restaurant=restaurant, start=start, end=end + timedelta(days=1)
        )


def commented_uuids(client: Any, restaurant: UUID, start: date, end: date) -> Iterator[UUID]:
    """The uuids of a restaurant's reviews with a comment, by UTC day of the meal, both included."""
    uuids: Iterator[UUID] = client.review_uuids(
        restaurant=restaurant, start=start, end=end + timedelta(days=1), with_comment_only=True
    )
    return uuids


def _restaurants_to_list(location: EntityLocation) -> list[UUID]:
    if location.restaurant_uuid is not None:
        return [location.restaurant_uuid]
    group = find_group(location.group_uuid)
    return [restaurant.uuid for restaurant in restaurants_of(group)] if group else []


def known(location: EntityLocation, start: date, end: date) -> Iterator[UUID]:
    """The stored reviews of meals on these days, with a day around them for the time zones.

    Lists omit reviews that became invalid or were withdrawn, so these are read again as well. No
    list names a review without a date of the meal: the day it was written on is used.
    """
    wide = (start - timedelta(days=1), end + timedelta(days=1))
    undated = Q(service_day__isnull=True, created_ts__date__range=wide)
    held = Review.objects.filter(
        Q(service_day__range=wide) | undated, restaurant__uuid__in=_restaurants_to_list(location)
    )
    yield from held.present().values_list("uuid", flat=True).iterator()


def held(location: EntityLocation, start: date, end: date, _by: str) -> QuerySet[Any]:
    """The reviews of the copy that a listing of these UTC days must name: valid and public ones."""
    begin, stop = utc_days(start, end)
    public = Review.objects.present().filter(is_valid=True, comment_status__in=["", "PUBLISHED"])
    # The condition on service days selects the index.
    around = (start - timedelta(days=1), end + timedelta(days=1))
    here = public.filter(
        restaurant__uuid__in=_restaurants_to_list(location), service_day__range=around
    )
    return here.filter(meal_at__gte=begin, meal_at__lt=stop).values_list("uuid", flat=True)


def _by_the_clock(restaurant: Restaurant, meal_at: datetime | None) -> tuple[date | None]:
    return (restaurant.service_day(meal_at) if meal_at else None,)


CLOCK_COLUMNS = ClockColumns("review", Review, ("service_day",), _by_the_clock)


def build(answer: Any, location: EntityLocation, existing: Review | None) -> Review:
    """The row of an answer. Raises `Unplaceable` for a restaurant that is not set up here."""
    entity = answer.entity
    row = Review(
        restaurant=restaurant_of(entity, location, existing, refusal=NOT_SET_UP),
        is_valid=entity.is_valid,
        created_ts=coerce.instant(entity.created_ts),
        updated_ts=coerce.instant(entity.updated_ts),
        occasion=coerce.word(entity.experience_detail and entity.experience_detail.occasion),
    )
    _visit(row, entity)
    _ratings(row, entity.diner_rating)
    _comment(row, entity.comment)
    _reply(row, entity.restaurant_reply)
    return row


def related(row: Review) -> Iterable[EntityRef]:
    """The visit and the guest behind it."""
    location = EntityLocation(row.restaurant.group.uuid, row.restaurant.uuid)
    if row.reservation_id is not None:
        yield EntityRef("reservation", row.reservation_id, location)
    if row.customer_id is not None:
        yield EntityRef("customer", row.customer_id, EntityLocation(row.restaurant.group.uuid))


def reread(row: Review, now: datetime) -> datetime | None:
    """When to look whether a reply was published: on a rising schedule, for thirty days."""
    if row.reply_status not in UNDER_WAY:
        return None
    # Without the service's own time, from when we noticed.
    since = row.reply_updated_ts or row.reply_created_ts or row.changed_at
    later = (since + pause for pause in LOOK_AGAIN)
    return next((at for at in later if at > now), None)


def _visit(row: Review, entity: Any) -> None:
    if entity.reservation is not None:
        row.reservation_id = entity.reservation.reservation_uuid
        row.meal_at = coerce.instant(entity.reservation.meal_date)
    if row.meal_at is not None:
        row.service_day = row.restaurant.service_day(row.meal_at)
    if entity.customer is not None:
        row.customer_id = entity.customer.customer_uuid
        row.first_name = coerce.text(entity.customer.first_name)
        row.last_name = coerce.text(entity.customer.last_name)


def _ratings(row: Review, rating: Any) -> None:
    if rating is None:
        return
    row.global_rating = _score(rating.global_rating)
    row.ambience_rating = coerce.small(rating.ambience_rating)
    row.food_quality_rating = coerce.small(rating.food_quality_rating)
    row.service_rating = coerce.small(rating.service_rating)
    row.price_evaluation = coerce.word(rating.price_evaluation)
    row.waiting_time_evaluation = coerce.word(rating.waiting_time_evaluation)
    row.noise_level_evaluation = coerce.word(rating.noise_level_evaluation)


def _score(value: Any) -> Any:
    score = coerce.amount(value)
    return score if score is not None and 0 <= score <= 10 else None


def _comment(row: Review, comment: Any) -> None:
    if comment is None:
        return
    row.comment = coerce.text(comment.content)
    row.comment_language = coerce.word(comment.language)
    row.comment_status = coerce.word(comment.publication_status)
    row.comment_created_ts = coerce.instant(comment.created_ts)
    row.comment_updated_ts = coerce.instant(comment.updated_ts)
    row.comment_published_ts = coerce.instant(comment.published_ts)
    row.comment_moderation_reason = _reason(comment)


def _reply(row: Review, reply: Any) -> None:
    if reply is None:
        return
    row.reply = coerce.text(reply.content)
    row.reply_language = coerce.word(reply.language)
    row.reply_status = coerce.word(reply.publication_status)
    row.reply_created_ts = coerce.instant(reply.created_ts)
    row.reply_updated_ts = coerce.instant(reply.updated_ts)
    row.reply_published_ts = coerce.instant(reply.published_ts)
    row.reply_moderation_reason = _reason(reply)


def _reason(text: Any) -> str:
    return coerce.word(text.moderation_reason, longest=LONGEST_REASON)
