"""Views of the health page, and the list of what needs a person. For admins."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_POST

from accounts.requests import SignedInRequest
from lib.broker.worker_signals import notify_workers
from mirror import tasks
from mirror.health import failures, reach
from mirror.health.pages import HealthPage
from mirror.jobs import pages as jobs_pages
from mirror.queue import parked
from restaurants.access import require

RIGHT = reach.RIGHT


@require_GET
def index(request: SignedInRequest) -> HttpResponse:
    require(request, RIGHT)
    now = timezone.now()
    chosen = request.GET.get("account", "")
    parts = reach.sections(request.user, now=now)
    page = HealthPage(parts, chosen=int(chosen) if chosen.isdecimal() else None)
    waiting = reach.parked_of(request.user)
    context = {
        "page": page,
        "chosen": chosen,
        "parked": failures.of_requests(parked.newest(waiting)),
        "parked_count": waiting.count(),
        "jobs": jobs_pages.with_progress(reach.jobs_within(reach.here(request.user))[:5]),
        "now": now,
    }
    return render(request, "mirror/health.html", context)


@require_POST
def try_again(request: SignedInRequest) -> HttpResponse:
    """One row, or with no `row` all of them."""
    require(request, RIGHT)
    count = parked.try_again(
        reach.parked_of(request.user), request.POST.get("row"), now=timezone.now()
    )
    notify_workers(tasks.work)
    sentence = ngettext("%(n)d record is read again.", "%(n)d records are read again.", count)
    messages.success(request, sentence % {"n": count})
    return redirect("mirror:index")


@require_POST
def give_up(request: SignedInRequest, pk: int) -> HttpResponse:
    require(request, RIGHT)
    row = get_object_or_404(reach.parked_of(request.user), pk=pk)
    parked.give_up(row, now=timezone.now())
    messages.info(request, _("Given up. A new event about it is still read."))
    return redirect("mirror:index")
