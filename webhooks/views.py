"""The delivery log for operators."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from accounts import audit
from accounts.models import User
from accounts.requests import SignedInRequest
from lib.broker.worker_signals import notify_workers
from mirror.health.reach import accounts_of, as_seen
from mirror.health.sections import Section, run_check
from restaurants.access import require
from webhooks import health
from webhooks.forms import DeliveryFilterForm
from webhooks.models import Delivery, DeliveryQuerySet
from webhooks.tasks import route

RIGHT = "mirror.view_health"
PAGE = 50


@require_safe
def index(request: SignedInRequest) -> HttpResponse:
    """The newest deliveries that the filters let through, a page at a time."""
    require(request, RIGHT)
    form = DeliveryFilterForm(request.GET)
    within_reach = Delivery.objects.visible_to(request.user)
    deliveries = form.narrow(within_reach.for_log())
    # By key and not by number: counting a table of millions would cost more than the page.
    if before := request.GET.get("before", ""):
        deliveries = deliveries.filter(pk__lt=int(before) if before.isdecimal() else 0)
    rows = list(deliveries[: PAGE + 1])
    context = {
        "form": form,
        "rows": rows[:PAGE],
        "older": rows[PAGE - 1].pk if len(rows) > PAGE else None,
        "odd_count": within_reach.odd().count(),
        "sections": _sections_for(request.user),
    }
    return render(request, "webhooks/index.html", context)


def _sections_for(user: User) -> list[Section]:
    now = timezone.now()
    accounts = accounts_of(user)
    events = run_check(health.sections, accounts, now, are_named=len(accounts) > 1)
    return [as_seen(user, part) for part in (*events, health.receiver_section(now))]


@require_POST
def route_again(request: SignedInRequest, pk: int) -> HttpResponse:
    require(request, RIGHT)
    chosen = Delivery.objects.visible_to(request.user).filter(pk=pk)
    get_object_or_404(chosen)
    return _routed_again(request, chosen)


@require_POST
def route_odd_again(request: SignedInRequest) -> HttpResponse:
    require(request, RIGHT)
    return _routed_again(request, Delivery.objects.visible_to(request.user).odd())


def _routed_again(request: SignedInRequest, deliveries: DeliveryQuerySet) -> HttpResponse:
    count = deliveries.route_again()
    audit.record(request.user, "had deliveries routed again", details={"count": count})
    notify_workers(route)
    sentence = ngettext(
        "%(count)d delivery is processed again.", "%(count)d deliveries are processed again.", count
    )
    messages.success(request, sentence % {"count": count})
    return redirect("webhooks:index")
