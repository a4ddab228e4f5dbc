"""Requests new comments by hand."""

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from accounts.requests import SignedInRequest
from lib.broker.worker_signals import notify_workers
from mirror import tasks
from partner.auth import capabilities
from partner.errors import NotConfigured
from restaurants.access import can
from restaurants.models import Restaurant
from restaurants.shell import shell_of
from reviews.details.pages import REPLY, SUGGEST
from reviews.new_comments.listing import NewComments
from reviews.reply.views import address_of


@require_POST
def look(request: SignedInRequest) -> HttpResponse:
    """Request new comments of the restaurants on the screen, and report what was found."""
    restaurants = restaurants_to_look_at(request)
    if reason := reason_against(restaurants):
        messages.warning(request, reason)
        return redirect(address_of(request, None))
    comments = NewComments(restaurants)
    comments.look(by=request.user, now=timezone.now())
    if comments.found:
        notify_workers(tasks.work)
    report(request, comments)
    return redirect(address_of(request, None))


def restaurants_to_look_at(request: SignedInRequest) -> list[Restaurant]:
    """Where the person may write a reply; nowhere is 403."""
    within = shell_of(request).scope_restaurants
    found = [one for one in within if any(can(request.user, r, one) for r in (SUGGEST, REPLY))]
    if not found:
        raise PermissionDenied
    return found


def reason_against(restaurants: list[Restaurant]) -> str:
    """Why the service would refuse, as far as that is known before the request."""
    accounts = sorted({one.group.connection_id for one in restaurants}, key=str)
    try:
        rights = [capabilities.can("reviews", connection=account) for account in accounts]
        return next((right.reason for right in rights if not right), "")
    except NotConfigured as error:
        return error.sentence


def report(request: SignedInRequest, comments: NewComments) -> None:
    if comments.found:
        words = ngettext(
            "%(n)s new comment found. It appears here in a moment.",
            "%(n)s new comments found. They appear here in a moment.",
            comments.found,
        )
        messages.success(request, words % {"n": comments.found})
    elif not comments.problem:
        messages.info(request, _("No new comment about visits of the last 30 days."))
    if comments.problem:
        step = _("New comments still arrive by themselves once the service answers.")
        messages.warning(request, f"{comments.problem.sentence} {step}")
    if comments.left_out:
        words = ngettext(
            "%(n)s more restaurant was not asked.",
            "%(n)s more restaurants were not asked.",
            comments.left_out,
        )
        messages.info(request, words % {"n": comments.left_out})
