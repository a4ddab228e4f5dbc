"""What is done with a review beside answering it: give it to somebody, put it away."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from accounts.requests import SignedInRequest
from reviews import workflow
from reviews.forms import AssignForm, BulkForm
from reviews.models import Review
from reviews.people import who_may_answer
from reviews.views.inbox import inbox_of
from reviews.views.reply import (
    address_of,
    back,
    forward,
    may_write,
    review_to_write,
    work_of,
)


@require_POST
def assign(request: SignedInRequest, uuid: UUID) -> HttpResponse:
    """Give it to somebody who works at the restaurant, or to nobody."""
    review = review_to_write(request, uuid)
    form = AssignForm(request.POST)
    if not form.is_valid():
        return HttpResponse(status=400)
    work_of(review)
    to = who_may_answer(review.restaurant).filter(pk=form.cleaned_data["to"] or 0).first()
    workflow.assign(uuid, to=to, now=timezone.now())
    return back(request, review)


@require_POST
def archive(request: SignedInRequest, uuid: UUID) -> HttpResponse:
    """Put it away until it changes, and go on to the next."""
    review = review_to_write(request, uuid)
    work_of(review)
    following = inbox_of(request, now=timezone.now()).uuids
    try:
        workflow.archive(uuid, by=request.user, now=timezone.now())
    except workflow.Overtaken:
        messages.warning(request, _("A reply is on its way: archive it afterwards."))
        return back(request, review)
    return forward(request, review, following=following)


@require_POST
def restore(request: SignedInRequest, uuid: UUID) -> HttpResponse:
    review = review_to_write(request, uuid)
    work_of(review)
    workflow.restore(uuid, now=timezone.now())
    return back(request, review)


@require_POST
def bulk(request: SignedInRequest) -> HttpResponse:
    """The same step for every review that was ticked; what is out of reach is passed over."""
    form = BulkForm(request.POST)
    if form.is_valid():
        rows = Review.objects.visible_to(request.user).filter(pk__in=form.cleaned_data["uuid"])
        done = 0
        for review in rows.select_related("restaurant"):
            done += _step(request, review, verb=form.cleaned_data["verb"])
        messages.success(
            request, ngettext("%(n)s review moved.", "%(n)s reviews moved.", done) % {"n": done}
        )
    return redirect(address_of(request, None))


def _step(request: SignedInRequest, review: Review, *, verb: str) -> bool:
    if not may_write(request, review):
        return False
    work_of(review)
    now = timezone.now()
    try:
        if verb == "archive":
            workflow.archive(review.pk, by=request.user, now=now)
        else:
            workflow.assign(review.pk, to=request.user if verb == "take" else None, now=now)
    except workflow.Overtaken:
        return False
    return True
