"""Views of alerts, their preferences, and the targets of a group."""

from uuid import UUID

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from accounts.requests import SignedInRequest
from restaurants.access import require
from restaurants.models import Group
from reviews.details.pages import REPLY
from reviews.forms import AlertPreferencesForm, RulesForm
from reviews.inbox import placement
from reviews.models import AlertPreferences, ReviewAlert, Rules, Work
from reviews.requests import VIEW

MOST_ALERTS = 50
FORM = ["GET", "HEAD", "POST"]


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
    """Apply the new rules to the stored reviews of the group. Four updates."""
    works = Work.objects.filter(restaurant__group=rules.group_id)
    limit = round(rules.low_rating * 100)
    works.filter(is_low=False, score__lte=limit).update(is_low=True, is_notified=True)
    works.filter(is_low=True, score__gt=limit).update(is_low=False)
    placement.mark_late_of(rules, now=timezone.now())


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
