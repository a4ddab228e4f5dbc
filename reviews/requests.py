"""What a request reaches: one review, the inbox in scope, the page of a review."""

from datetime import datetime
from typing import Any, cast
from uuid import UUID

from django.http import Http404, HttpRequest

from accounts.models import User
from accounts.requests import SignedInRequest
from lib.database.compiled_queries import prepared_models
from restaurants.access import can, require
from restaurants.shell import shell_of
from reviews.details.pages import REPLY, SUGGEST, ReviewDetail
from reviews.forms import InboxParams
from reviews.inbox.pages import ReviewInbox
from reviews.inbox.rows import RowContext
from reviews.models import Review, Work
from reviews.reply import workflow

VIEW = "reviews.view_review"


def review_to_see(request: HttpRequest, uuid: UUID) -> Review:
    """A review within reach, with its restaurant: else 404, and 403 without the right."""
    found: list[Review] = _visible_review(cast(User, request.user).pk, uuid)
    if not found:
        raise Http404
    require(request, VIEW, found[0].restaurant)
    return found[0]


@prepared_models
def _visible_review(user_id: int, uuid: UUID) -> Any:
    rows = Review.objects.visible_to(User(pk=user_id)).filter(pk=uuid)
    return rows.select_related("restaurant__group")


def inbox_of(request: SignedInRequest, *, now: datetime) -> ReviewInbox:
    return ReviewInbox(
        shell_of(request).scope_restaurants, request.user, InboxParams(request.GET), now=now
    )


def query_of(request: SignedInRequest) -> str:
    """The queue and filters of the address, without the draft that an open editor began with."""
    given = request.GET.copy()
    given.pop("base", None)
    return given.urlencode()


def way_of(request: SignedInRequest) -> RowContext:
    return RowContext(
        query=query_of(request),
        many=len(shell_of(request).scope_restaurants) > 1,
        may_write=any(can(request.user, right) for right in (SUGGEST, REPLY)),
    )


def detail_of(request: SignedInRequest, review: Review, *, now: datetime) -> ReviewDetail:
    stored = Work.objects.filter(pk=review.pk).select_related("assignee", "drafted_by")
    work = stored.first()
    if work is None:
        work = Work(review=review, restaurant=review.restaurant, since=now)
        workflow.place_unsaved(work, review, now=now)
    work.review = review
    base = request.GET.get("base", "")
    known = int(base) if base.isdecimal() and len(base) < 10 else None
    return ReviewDetail(review, work, request.user, now=now, base=known)
