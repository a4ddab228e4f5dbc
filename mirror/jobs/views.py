"""Views of backfills and sweeps. For admins."""

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from accounts.requests import SignedInRequest
from lib.broker.worker_signals import notify_workers
from mirror import tasks
from mirror.health import failures, reach
from mirror.health.views import RIGHT
from mirror.jobs import lifecycle
from mirror.jobs import pages as jobs_pages
from mirror.jobs.forms import BackfillForm
from restaurants.access import require
from restaurants.models import Group, Restaurant


@require_http_methods(["GET", "POST"])
def backfills(request: SignedInRequest) -> HttpResponse:
    require(request, RIGHT)
    watched = Restaurant.objects.visible_to(request.user, RIGHT)
    restaurants = watched.select_related("group")
    form = BackfillForm(
        request.POST or None, initial=BackfillForm.suggestion(request.GET), restaurants=restaurants
    )
    if request.method == "POST" and form.is_valid():
        for own in lifecycle.by_account(form.cleaned_data["restaurants"] or restaurants):
            job = lifecycle.backfill(
                since=form.cleaned_data["since"],
                until=form.cleaned_data["until"],
                now=timezone.now(),
                kind_names=form.cleaned_data["kinds"],
                restaurants=own,
                started_by=request.user,
            )
        notify_workers(tasks.advance)
        messages.success(request, _("The backfill has begun. Today comes first."))
        return redirect("mirror:backfill", pk=job.pk)
    found = reach.jobs_within(reach.here(request.user)).select_related("started_by")[:50]
    context = {"form": form, "jobs": jobs_pages.with_progress(found)}
    return render(request, "mirror/backfills.html", context, status=422 if form.errors else 200)


@require_GET
def backfill(request: SignedInRequest, pk: int) -> HttpResponse:
    require(request, RIGHT)
    job = get_object_or_404(
        reach.jobs_within(reach.here(request.user)).select_related("started_by"), pk=pk
    )
    progress = jobs_pages.progress(job)
    context = {
        "job": job,
        "progress": progress,
        "failed": failures.of_slices(job, job.slices.filter(state="failed")),
        "eta": jobs_pages.eta(job, progress, now=timezone.now()),
    }
    return render(request, "mirror/backfill.html", context)


@require_POST
def steer(request: SignedInRequest, pk: int, verb: str) -> HttpResponse:
    """Pause, resume or cancel a job."""
    require(request, RIGHT)
    job = get_object_or_404(reach.jobs_within(reach.here(request.user)), pk=pk)
    now = timezone.now()
    {"pause": lifecycle.pause, "resume": lifecycle.resume, "cancel": lifecycle.cancel}[verb](
        job, now=now
    )
    notify_workers(tasks.advance)
    return redirect("mirror:backfill", pk=pk)


@require_POST
def sweep(request: SignedInRequest) -> HttpResponse:
    """Compare every group of the own connections with the service: for owners."""
    require(request, RIGHT)
    if not request.user.is_owner:
        raise PermissionDenied
    owned = Restaurant.objects.filter(group__in=Group.objects.owned_by(request.user))
    within_reach = owned.select_related("group").order_by("pk")
    accounts = lifecycle.by_account(within_reach)
    for own in accounts:
        lifecycle.sweep(now=timezone.now(), restaurants=own, started_by=request.user)
    notify_workers(tasks.advance)
    if accounts:
        messages.success(request, _("The comparison has begun."))
    else:
        messages.warning(request, _("Set up a restaurant first."))
    return redirect("mirror:index")
