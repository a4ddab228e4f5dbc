"""What people set up for their reviews: saved replies and views, targets, alerts; the figures."""

from uuid import UUID

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.requests import SignedInRequest
from lib.spreadsheets import spreadsheet_response
from restaurants import exports
from restaurants.access import can, require
from restaurants.models import Group, Restaurant
from restaurants.shell import shell_of
from reviews import placement
from reviews.detail import REPLY
from reviews.forms import (
    AlertPreferencesForm,
    InboxParams,
    NumbersForm,
    RulesForm,
    SavedReplyForm,
    SaveViewForm,
)
from reviews.inbox import MOST_VIEWS
from reviews.models import AlertPreferences, ReviewAlert, Rules, SavedInboxView, SavedReply, Work
from reviews.numbers import DIMENSIONS, PERIODS, Numbers
from reviews.views.inbox import VIEW

MOST_ALERTS = 50
FIGURES = "insights.view_insights"
FORM = ["GET", "HEAD", "POST"]


# --- Saved replies -------------------------------------------------------------------------------


@require_safe
def replies(request: SignedInRequest) -> HttpResponse:
    require(request, VIEW)
    rows = SavedReply.objects.visible_to(request.user).select_related("group")
    may_change = Group.objects.run_by(request.user, REPLY).exists()
    return render(request, "reviews/replies.html", {"replies": rows, "may_change": may_change})


@require_http_methods(FORM)
def add_reply(request: SignedInRequest) -> HttpResponse:
    require(request, REPLY)
    return _edit_reply(request, SavedReply())


@require_http_methods(FORM)
def edit_reply(request: SignedInRequest, pk: int) -> HttpResponse:
    return _edit_reply(request, reply_to_change(request, pk))


@require_POST
def delete_reply(request: SignedInRequest, pk: int) -> HttpResponse:
    reply_to_change(request, pk).delete()
    messages.success(request, _("The saved reply is gone."))
    return redirect("reviews:replies")


def _edit_reply(request: SignedInRequest, reply: SavedReply) -> HttpResponse:
    groups = Group.objects.run_by(request.user, REPLY)
    form = SavedReplyForm(request.POST or None, instance=reply, groups=groups)
    if request.method == "POST" and form.is_valid():
        form.save()
        return redirect("reviews:replies")
    context = {"form": form, "reply": reply, "back": reverse("reviews:replies")}
    return render(request, "reviews/edit_reply.html", context, status=422 if form.errors else 200)


def reply_to_change(request: SignedInRequest, pk: int) -> SavedReply:
    rows = SavedReply.objects.visible_to(request.user).select_related("group")
    reply = get_object_or_404(rows, pk=pk)
    if not Group.objects.run_by(request.user, REPLY).filter(pk=reply.group_id).exists():
        raise PermissionDenied
    return reply


# --- Saved views ---------------------------------------------------------------------------------


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


# --- Targets and alerts --------------------------------------------------------------------------


@require_http_methods(FORM)
def rules(request: SignedInRequest, uuid: UUID) -> HttpResponse:
    """How fast a group answers, and which rating is low."""
    group = get_object_or_404(Group.objects.visible_to(request.user), uuid=uuid)
    if not Group.objects.run_by(request.user, REPLY).filter(pk=group.pk).exists():
        raise PermissionDenied
    known = Rules.objects.filter(group=group).first() or Rules(group=group)
    form = RulesForm(request.POST or None, instance=known)
    if request.method == "POST" and form.is_valid():
        apply_rules(form.save())
        return redirect("reviews:alerts")
    context = {"form": form, "group": group, "back": reverse("reviews:alerts")}
    return render(request, "reviews/rules.html", context, status=422 if form.errors else 200)


def apply_rules(rules: Rules) -> None:
    """Apply the new rules to stored reviews. Three updates, whatever their number."""
    works = Work.objects.filter(restaurant__group=rules.group_id)
    limit = round(rules.low_rating * 100)
    works.filter(is_low=False, score__lte=limit).update(is_low=True, is_notified=True)
    works.filter(is_low=True, score__gt=limit).update(is_low=False)
    placement.mark_late(now=timezone.now())


@require_http_methods(FORM)
def alerts(request: SignedInRequest) -> HttpResponse:
    """The person's alerts, and the preferences for them."""
    require(request, VIEW)
    preferences = AlertPreferences.objects.filter(pk=request.user.pk).first()
    form = AlertPreferencesForm(
        request.POST or None, instance=preferences or AlertPreferences(user=request.user)
    )
    if request.method == "POST" and form.is_valid():
        form.save()
        messages.success(request, _("Saved."))
        return redirect("reviews:alerts")
    rows = ReviewAlert.objects.visible_to(request.user).filter(in_app=True)
    context = {
        "form": form,
        "alerts": rows.select_related("by", "review__restaurant").defer("review__raw")[
            :MOST_ALERTS
        ],
        "groups": Group.objects.run_by(request.user, REPLY).select_related("review_rules"),
        "default": Rules(),
    }
    return render(request, "reviews/alerts.html", context, status=422 if form.errors else 200)


@require_POST
def seen(request: SignedInRequest) -> HttpResponse:
    """Mark the person's alerts as seen."""
    require(request, VIEW)
    ReviewAlert.objects.visible_to(request.user).unseen().update(seen_at=timezone.now())
    return redirect("reviews:alerts")


# --- Figures -------------------------------------------------------------------------------------


@require_safe
def numbers(request: SignedInRequest) -> HttpResponse:
    require(request, FIGURES)
    shown = shell_of(request).scope_restaurants
    places = [one for one in shown if can(request.user, FIGURES, one)]
    context = {
        "numbers": numbers_of(request, places),
        "periods": PERIODS,
        "dimensions": DIMENSIONS,
    }
    return render(request, "reviews/numbers.html", context)


@require_safe
def numbers_csv(request: SignedInRequest) -> HttpResponseBase:
    """The figures of the restaurants on the screen, as a file."""
    places = exports.exportable_restaurants(request)
    exports.record(request, "review figures", suffix="csv")
    rows = numbers_of(request, places).spreadsheet_rows()
    return spreadsheet_response("csv", "review-figures", rows, bom="bom" in request.GET)


def numbers_of(request: SignedInRequest, places: list[Restaurant]) -> Numbers:
    form = NumbersForm(request.GET)
    form.is_valid()
    dimension = form.cleaned_data.get("by") or ""
    return Numbers(
        places,
        days=form.cleaned_data.get("days") or 90,
        dimension=dimension if dimension in DIMENSIONS else "global_rating",
        today=shell_of(request).today,
    )
