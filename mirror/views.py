"""Health, backfills, and the list of what needs a person. For admins."""

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from accounts.requests import SignedInRequest
from lib.worker_signals import notify_workers
from mirror import health, jobs, parked, reach, tasks
from mirror.forms import BackfillForm
from restaurants.access import require
from restaurants.models import Restaurant

RIGHT = reach.RIGHT


@require_GET
def index(request: SignedInRequest) -> HttpResponse:
    require(request, RIGHT)
    now = timezone.now()
    parts = reach.sections(request.user, now=now)
    waiting = reach.parked_within(request.user)
    context = {
        "head": health.sentence(parts),
        "sections": parts,
        "parked": parked.newest(waiting),
        "parked_count": waiting.count(),
        "jobs": jobs.with_progress(reach.jobs_within(request.user)[:5]),
        "now": now,
    }
    return render(request, "mirror/health.html", context)


@require_http_methods(["GET", "POST"])
def backfills(request: SignedInRequest) -> HttpResponse:
    require(request, RIGHT)
    watched = Restaurant.objects.visible_to(request.user, RIGHT)
    restaurants = watched.select_related("group")
    form = BackfillForm(
        request.POST or None, initial=BackfillForm.suggestion(), restaurants=restaurants
    )
    if request.method == "POST" and form.is_valid():
        job = jobs.backfill(
            since=form.cleaned_data["since"],
            until=form.cleaned_data["until"],
            now=timezone.now(),
            kind_names=form.cleaned_data["kinds"],
            restaurants=list(form.cleaned_data["restaurants"] or restaurants),
            started_by=request.user,
        )
        notify_workers(tasks.advance)
        messages.success(request, _("The backfill has begun. Today comes first."))
        return redirect("mirror:backfill", pk=job.pk)
    found = reach.jobs_within(request.user).select_related("started_by")[:50]
    context = {"form": form, "jobs": jobs.with_progress(found)}
    return render(request, "mirror/backfills.html", context, status=422 if form.errors else 200)


@require_GET
def backfill(request: SignedInRequest, pk: int) -> HttpResponse:
    require(request, RIGHT)
    job = get_object_or_404(reach.jobs_within(request.user).select_related("started_by"), pk=pk)
    progress = jobs.progress(job)
    context = {
        "job": job,
        "progress": progress,
        "failed": job.slices.filter(state="failed"),
        "eta": jobs.eta(job, progress, now=timezone.now()),
    }
    return render(request, "mirror/backfill.html", context)


@require_POST
def steer(request: SignedInRequest, pk: int, verb: str) -> HttpResponse:
    """Pause, resume or cancel a job."""
    require(request, RIGHT)
    job = get_object_or_404(reach.jobs_within(request.user), pk=pk)
    now = timezone.now()
    {"pause": jobs.pause, "resume": jobs.resume, "cancel": jobs.cancel}[verb](job, now=now)
    notify_workers(tasks.advance)
    return redirect("mirror:backfill", pk=pk)


@require_POST
def sweep(request: SignedInRequest) -> HttpResponse:
    """Compare every group with the service: for owners."""
    require(request, RIGHT)
    if not request.user.owns_installation:
        raise PermissionDenied
    jobs.sweep(now=timezone.now(), started_by=request.user)
    notify_workers(tasks.advance)
    messages.success(request, _("The sweep has begun."))
    return redirect("mirror:index")


@require_POST
def try_again(request: SignedInRequest) -> HttpResponse:
    """One row, or with no `row` all of them."""
    require(request, RIGHT)
    count = parked.try_again(
        reach.parked_within(request.user), request.POST.get("row"), now=timezone.now()
    )
    notify_workers(tasks.work)
    sentence = ngettext("%(n)d record is read again.", "%(n)d records are read again.", count)
    messages.success(request, sentence % {"n": count})
    return redirect("mirror:index")


@require_POST
def give_up(request: SignedInRequest, pk: int) -> HttpResponse:
    require(request, RIGHT)
    row = get_object_or_404(reach.parked_within(request.user), pk=pk)
    parked.give_up(row, now=timezone.now())
    messages.info(request, _("Given up. A new event about it will be read all the same."))
    return redirect("mirror:index")
