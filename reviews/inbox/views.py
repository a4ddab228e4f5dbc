"""Views of the inbox: its three panes, its fragments, its export and the views kept of it."""

from typing import Any
from uuid import UUID, uuid4

from django.contrib import messages
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe
from django_htmx.http import push_url

from accounts.requests import SignedInRequest
from lib.database.replica import reads_replica
from lib.spreadsheets import spreadsheet_response
from lib.web.htmx import render_part
from restaurants import exports
from restaurants.access import require
from restaurants.shell import shell_of
from reviews.forms import SORTS, InboxParams, SaveViewForm
from reviews.inbox import export as spreadsheet
from reviews.inbox.pages import MOST_VIEWS, InboxRow, ReviewInbox, for_rows
from reviews.inbox.rows import draw, draw_all
from reviews.models import Review, SavedInboxView, Work
from reviews.reply.pages import Editor
from reviews.requests import VIEW, detail_of, inbox_of, review_to_see, way_of

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
        push_url(response, request.get_full_path())
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
@reads_replica
def export(request: SignedInRequest, suffix: str) -> HttpResponseBase:
    """The reviews of the restaurants on the screen, as a file."""
    restaurants = exports.exportable_restaurants(request)
    exports.record(request, "reviews", suffix=suffix)
    reviews = Review.objects.visible_to(request.user).present()
    rows = spreadsheet.rows(reviews.for_restaurants(one.pk for one in restaurants))
    return spreadsheet_response(suffix, "reviews", rows, bom="bom" in request.GET)


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


@require_POST
def save_view(request: SignedInRequest) -> HttpResponse:
    """Save the queue and filters of the address under a name."""
    require(request, VIEW)
    form = SaveViewForm(request.POST)
    query = InboxParams(request.GET).query
    if SavedInboxView.objects.filter(user=request.user).count() >= MOST_VIEWS:
        messages.error(request, _("You have many views; delete one of them first."))
    elif form.is_valid():
        SavedInboxView.objects.create(
            user=request.user, name=form.cleaned_data["name"], query=query
        )
    return redirect(f"{reverse('reviews:index')}?{query}")


@require_POST
def delete_view(request: SignedInRequest, pk: int) -> HttpResponse:
    get_object_or_404(SavedInboxView, user=request.user, pk=pk).delete()
    return redirect("reviews:index")
