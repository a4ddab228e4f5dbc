"""The rows that the page of a review is made of."""

from typing import Any
from uuid import UUID

from accounts.models import User
from customers.models import Customer
from lib.database.compiled_queries import prepared_models
from reservations.models import Reservation
from reviews.models import Review

MOST_OTHERS = 6
MOST_EARLIER = 20


@prepared_models
def visible_visit(user_id: int, uuid: UUID) -> Any:
    rows = Reservation.objects.visible_to(User(pk=user_id)).filter(pk=uuid)
    return rows.select_related("restaurant").defer("raw")


@prepared_models
def visible_guest(user_id: int, uuid: UUID) -> Any:
    return Customer.objects.visible_to(User(pk=user_id)).present().light().filter(pk=uuid)


@prepared_models
def other_reviews(customer: UUID, but: UUID, places: list[int]) -> Any:
    rows = Review.objects.present().filter(customer=customer, restaurant__in=places)
    rows = rows.exclude(pk=but).select_related("restaurant").defer("raw")
    return rows.order_by("-created_ts", "pk")[:MOST_OTHERS]


def earlier_replies(review: Review) -> list[Review]:
    rows = Review.objects.present().filter(restaurant=review.restaurant_id)
    rows = rows.exclude(reply_status="").exclude(pk=review.pk)
    columns = ("first_name", "last_name", "global_rating", "reply", "reply_updated_ts")
    return list(rows.only(*columns).order_by("-reply_updated_ts", "pk")[:MOST_EARLIER])
