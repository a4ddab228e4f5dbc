"""Health, backfills, and the list of what needs a person. For admins."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from lib.worker_signals import notify_workers
from mirror import health, jobs, parked, tasks
from mirror.forms import BackfillForm
from mirror.models import Job, Request
from restaurants.access import require
from restaurants.models import Restaurant

RIGHT = "mirror.view_health"


@require_GET
def index(request: HttpRequest) -> HttpResponse:
    require(request, RIGHT)
    now = timezone.now()
    parts = health.sections(now)
    context = {
        "head": health.sentence(parts),
        "sections": parts,
        "parked": parked.newest(),
        "parked_count": parked.rows().count(),
        "jobs": jobs.with_progress(Job.objects.all()[:5]),
        "now": now,
    }
    return render(request, "mirror/health.html", context)


@require_http_methods(["GET", "POST"])
def backfills(request: HttpRequest) -> HttpResponse:
    require(request, RIGHT)
    restaurants = Restaurant.objects.visible_to(request.user).select_related("group")  # type: ignore[arg-type]  # signed in
    form = BackfillForm(
        request.POST or None, initial=BackfillForm.suggestion(), restaurants=restaurants
    )
    if request.method == "POST" and form.is_valid():
        job = jobs.backfill(
            since=form.cleaned_data["since"],
            until=form.cleaned_data["until"],
            now=timezone.now(),
            kinds_wanted=form.cleaned_data["kinds"],
            restaurants=list(form.cleaned_data["restaurants"] or restaurants),
            started_by=request.user,
        )
        notify_workers(tasks.advance)
        messages.success(request, _("The backfill has begun. Today comes first."))
        return redirect("mirror:backfill", pk=job.pk)
    found = Job.objects.select_related("started_by")[:50]
    context = {"form": form, "jobs": jobs.with_progress(found)}
    return render(request, "mirror/backfills.html", context, status=422 if form.errors else 200)


@require_GET
def backfill(request: HttpRequest, pk: int) -> HttpResponse:
    require(request, RIGHT)
    job = get_object_or_404(Job.objects.select_related("started_by"), pk=pk)
    progress = jobs.progress(job)
    context = {
        "job": job,
        "progress": progress,
        "failed": job.slices.filter(state="failed"),
        "eta": jobs.eta(job, progress, now=timezone.now()),
    }
    return render(request, "mirror/backfill.html", context)


@require_POST
def steer(request: HttpRequest, pk: int, verb: str) -> HttpResponse:
    """Pause, resume or cancel a job."""
    require(request, RIGHT)
    job = get_object_or_404(Job, pk=pk)
    now = timezone.now()
    {"pause": jobs.pause, "resume": jobs.resume, "cancel": jobs.cancel}[verb](job, now=now)
    notify_workers(tasks.advance)
    return redirect("mirror:backfill", pk=pk)


@require_POST
def sweep(request: HttpRequest) -> HttpResponse:
    require(request, RIGHT)
    jobs.sweep(now=timezone.now(), started_by=request.user)
    notify_workers(tasks.advance)
    messages.success(request, _("The sweep has begun."))
    return redirect("mirror:index")


@require_POST
def try_again(request: HttpRequest) -> HttpResponse:
    """One row, or with no `row` all of them."""
    require(request, RIGHT)
    count = parked.try_again(request.POST.get("row"), now=timezone.now())
    notify_workers(tasks.work)
    said = ngettext("%(n)d record is read again.", "%(n)d records are read again.", count)
    messages.success(request, said % {"n": count})
    return redirect("mirror:index")


@require_POST
def give_up(request: HttpRequest, pk: int) -> HttpResponse:
    require(request, RIGHT)
    row = get_object_or_404(Request, pk=pk, state=Request.State.PARKED)
    parked.give_up(row, now=timezone.now())
    messages.info(request, _("Given up. A new event about it will be read all the same."))
    return redirect("mirror:index")
