"""Views of triage: assign a review, archive it, restore it."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST
from django_htmx.http import reswap, retarget

from accounts.models import User
from accounts.requests import SignedInRequest
from lib.web.htmx import render_part
from restaurants.access import can
from reviews.details.pages import REPLY, SUGGEST
from reviews.forms import AssignForm, BulkForm
from reviews.models import Review, Work
from reviews.reply import workflow
from reviews.reply.views import address_of, back, forward, may_write, review_to_write, work_of
from reviews.requests import inbox_of
from reviews.triage.people import open_counts, who_may_answer


@require_http_methods(["GET", "HEAD", "POST"])
def assign(request: SignedInRequest, uuid: UUID) -> HttpResponse:
    """Assign a review to somebody who may answer it, or to nobody."""
    review = review_to_write(request, uuid)
    people = who_may_answer([review.restaurant])
    form = AssignForm(request.POST or None, people=people, initial={"to": _assignee_of(review)})
    if request.method == "POST" and form.is_valid():
        work_of(review)
        workflow.assign(uuid, **form.cleaned_data, by=request.user, now=timezone.now())
        return back(request, review)
    action = f"{reverse('reviews:assign', args=[uuid])}?{request.GET.urlencode()}"
    return _render_assign_form(request, form, [review], action=action, is_one=True)


def _assignee_of(review: Review) -> int | None:
    return Work.objects.filter(pk=review.pk).values_list("assignee", flat=True).first()


def _render_assign_form(
    request: SignedInRequest,
    form: AssignForm,
    reviews: list[Review],
    *,
    action: str,
    is_one: bool = False,
) -> HttpResponse:
    """Render the people to choose from with their open counts, as a page or in the drawer."""
    people = form.fields["to"].queryset  # type: ignore[attr-defined]  # a choice of rows
    known = open_counts(people, request.user)
    context = {
        "form": form,
        "people": [(one, known.get(getattr(one.data["value"], "value", 0))) for one in form["to"]],
        "reviews": reviews,
        "action": action,
        "back": address_of(request, reviews[0].pk if len(reviews) == 1 else None),
        "is_one": is_one,
    }
    response = render_part(request, "reviews/assign.html", context, parts=(), default="drawer")
    if form.errors:
        response.status_code = 422
        reswap(retarget(response, "#drawer-body"), "innerHTML")
    return response


@require_POST
def archive(request: SignedInRequest, uuid: UUID) -> HttpResponse:
    """Archive a review until it changes, and open the next."""
    review = review_to_write(request, uuid)
    work_of(review)
    following = inbox_of(request, now=timezone.now()).uuids
    try:
        workflow.archive(uuid, by=request.user, now=timezone.now())
    except workflow.Superseded:
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
    """Apply one step to every ticked review; those out of reach are skipped."""
    form = BulkForm(request.POST)
    if not form.is_valid():
        return redirect(address_of(request, None))
    rows = Review.objects.visible_to(request.user).filter(pk__in=form.cleaned_data["uuid"])
    found = rows.select_related("restaurant").defer("raw")
    reviews = [review for review in found if may_write(request, review)]
    verb = form.cleaned_data["verb"]
    if verb == "give":
        return _assign_many(request, reviews)
    done = sum(_step(request, review, verb=verb) for review in reviews)
    return _report(request, done)


def _report(request: SignedInRequest, done: int) -> HttpResponse:
    words = ngettext("%(n)s review moved.", "%(n)s reviews moved.", done) % {"n": done}
    messages.success(request, words)
    return redirect(address_of(request, None))


def _assign_many(request: SignedInRequest, reviews: list[Review]) -> HttpResponse:
    """Show the people; once one is chosen, assign what they may answer and report the rest."""
    if not reviews:
        return _report(request, 0)
    people = who_may_answer({one.restaurant_id: one.restaurant for one in reviews}.values())
    form = AssignForm(request.POST if "to" in request.POST else None, people=people)
    if not form.is_valid():
        action = f"{reverse('reviews:bulk')}?{request.GET.urlencode()}"
        return _render_assign_form(request, form, reviews, action=action)
    to = form.cleaned_data["to"]
    theirs = [review for review in reviews if to is None or _may_answer(to, review)]
    for review in theirs:
        work_of(review)
        workflow.assign(review.pk, **form.cleaned_data, by=request.user, now=timezone.now())
    if left := len(reviews) - len(theirs):
        words = ngettext(
            "%(n)s review stays where it is: %(person)s does not answer there.",
            "%(n)s reviews stay where they are: %(person)s does not answer there.",
            left,
        )
        messages.warning(request, words % {"n": left, "person": to})
    return _report(request, len(theirs))


def _may_answer(person: User, review: Review) -> bool:
    return any(can(person, right, review.restaurant) for right in (SUGGEST, REPLY))


def _step(request: SignedInRequest, review: Review, *, verb: str) -> bool:
    work_of(review)
    now, me = timezone.now(), request.user
    try:
        if verb == "archive":
            workflow.archive(review.pk, by=me, now=now)
        else:
            workflow.assign(review.pk, to=me if verb == "take" else None, by=me, now=now)
    except workflow.Superseded:
        return False
    return True
