"""Views of the inbox: its three panes, its fragments and its export."""

from datetime import datetime
from typing import Any, cast
from uuid import UUID, uuid4

from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.views.decorators.http import require_safe

from accounts.models import User
from accounts.requests import SignedInRequest
from lib.compiled_queries import prepared_models
from lib.htmx import render_part
from lib.spreadsheets import spreadsheet_response
from restaurants import exports
from restaurants.access import can, require
from restaurants.shell import shell_of
from reviews import export as spreadsheet
from reviews import workflow
from reviews.detail import REPLY, SUGGEST, ReviewDetail
from reviews.editing import Editor
from reviews.forms import SORTS, InboxParams
from reviews.inbox import InboxRow, ReviewInbox, for_rows
from reviews.models import Review, Work
from reviews.rows import RowContext, draw, draw_all

VIEW = "reviews.view_review"
PARTS = ("queues", "review", "about", "progress")


@require_safe
def index(request: SignedInRequest) -> HttpResponse:
    """A queue with its first review opened beside it; a phone shows the queue alone."""
    require(request, VIEW)
    inbox = inbox_of(request, now=timezone.now())
    first = inbox.rows[0].work.pk if inbox.rows and not request.htmx else None
    review = review_to_see(request, first) if first else None
    return page(request, inbox, review)


@require_safe
def show(request: SignedInRequest, uuid: UUID) -> HttpResponse:
    """One review in its place in the inbox."""
    review = review_to_see(request, uuid)
    inbox = inbox_of(request, now=timezone.now())
    response = page(request, inbox, review, is_opened=True)
    if request.htmx.target == "review":
        # Also after a redirect, where the link that was pressed names another address.
        response.headers["HX-Push-Url"] = request.get_full_path()
    return response


@require_safe
def row(request: SignedInRequest, uuid: UUID) -> HttpResponse:
    """One row of the list as it is now. A row that left the queue stays in place, and says so."""
    review_to_see(request, uuid)
    works = for_rows(Work.objects.visible_to(request.user))
    work = get_object_or_404(works.select_related("restaurant"), pk=uuid)
    known = {one.pk: one for one in shell_of(request).restaurants}
    params = InboxParams(request.GET)
    found = InboxRow(work, restaurant=known[work.restaurant_id], now=timezone.now())
    has_left = work.queue != params.queue and params.queue != "mine"
    return HttpResponse(draw(found, way_of(request), has_left=has_left))


@require_safe
def export(request: SignedInRequest, suffix: str) -> HttpResponseBase:
    """The reviews of the restaurants on the screen, as a file."""
    restaurants = exports.exportable_restaurants(request)
    exports.record(request, "reviews", suffix=suffix)
    reviews = Review.objects.visible_to(request.user).present()
    rows = spreadsheet.rows(reviews.for_restaurants(one.pk for one in restaurants))
    return spreadsheet_response(suffix, "reviews", rows, bom="bom" in request.GET)


# --- What the views of the app share -------------------------------------------------------------


def review_to_see(request: HttpRequest, uuid: UUID) -> Review:
    """A review within reach, with its restaurant: else 404, and 403 without the right."""
    user = cast(User, request.user)
    found = _any(uuid) if user.is_superuser else _of_person(user.pk, uuid)
    if not found:
        raise Http404
    review: Review = found[0]
    require(request, VIEW, review.restaurant)
    return review


def inbox_of(request: SignedInRequest, *, now: datetime) -> ReviewInbox:
    return ReviewInbox(
        shell_of(request).scope_restaurants, request.user, InboxParams(request.GET), now=now
    )


def way_of(request: SignedInRequest) -> RowContext:
    return RowContext(
        query=request.GET.urlencode(),
        many=len(shell_of(request).scope_restaurants) > 1,
        may_write=any(can(request.user, right) for right in (SUGGEST, REPLY)),
    )


def detail_of(request: SignedInRequest, review: Review, *, now: datetime) -> ReviewDetail:
    work: Work | None = next(iter(_work(review.pk)), None)
    if work is None:
        work = Work(review=review, restaurant=review.restaurant, since=now)
        workflow.place_unsaved(work, review, now=now)
    work.review = review
    base = request.GET.get("base", "")
    known = int(base) if base.isdecimal() and len(base) < 10 else None
    return ReviewDetail(review, work, request.user, now=now, base=known)


def page(
    request: SignedInRequest,
    inbox: ReviewInbox,
    review: Review | None,
    *,
    is_opened: bool = False,
    editor: Editor | None = None,
    status: int = 200,
) -> HttpResponse:
    """The whole inbox, or the fragment that the requesting element is named for."""
    detail = detail_of(request, review, now=inbox.now) if review else None
    way = way_of(request)
    context: dict[str, Any] = {
        "inbox": inbox,
        "params": inbox.params,
        "sorts": SORTS,
        "detail": detail,
        "editor": editor or (Editor(detail, address=request.GET) if detail else None),
        "is_opened": is_opened,
        "query": way.query,
        "rows": lambda: draw_all(inbox.rows, way),  # read by the list alone
        "key": uuid4(),
        "user_may_write": way.may_write,
    }
    response = render_part(
        request, "reviews/index.html", context, parts=PARTS, default="inbox-list"
    )
    response.status_code = status
    return response


@prepared_models
def _any(uuid: UUID) -> Any:
    return Review.objects.filter(pk=uuid).select_related("restaurant__group")


@prepared_models
def _of_person(user_id: int, uuid: UUID) -> Any:
    rows = Review.objects.visible_to(User(pk=user_id)).filter(pk=uuid)
    return rows.select_related("restaurant__group")


@prepared_models
def _work(review: UUID) -> Any:
    return Work.objects.filter(pk=review).select_related("assignee", "drafted_by")
