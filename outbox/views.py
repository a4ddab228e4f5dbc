"""The list of intents, for admins: filter, send again, withdraw."""

from uuid import UUID

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import Count
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from accounts.requests import SignedInRequest
from lib.broker.worker_signals import notify_workers
from outbox import engine
from outbox.forms import IntentFilterForm
from outbox.models import Intent
from outbox.pages import rows_of
from outbox.registry import DecisionRefused
from outbox.tasks import work
from restaurants.access import require
from restaurants.models import Restaurant

RIGHT = "mirror.view_health"
PER_PAGE = 50
FIRST = (Intent.State.ASKS, Intent.State.REFUSED)  # those that wait for a person


@require_safe
def index(request: SignedInRequest) -> HttpResponse:
    """List intents, newest first. Guests are named to those who may see them."""
    require(request, RIGHT)
    form = IntentFilterForm(request.GET)
    form.is_valid()
    within = Restaurant.objects.visible_to(request.user, RIGHT)
    rows = Intent.objects.filter(restaurant__in=within)
    counted = dict(rows.order_by().values_list("state").annotate(n=Count("pk")))
    if state := form.cleaned_data.get("state"):
        rows = rows.filter(state=state)
    rows = rows.select_related("actor", "restaurant").defer("answer")
    page = Paginator(rows, PER_PAGE).get_page(form.cleaned_data.get("page"))
    ordered = [*FIRST, *(one for one in Intent.State if one not in FIRST)]
    states = [(one.value, one.label, counted.get(one.value, 0)) for one in ordered]
    context = {"page": page, "rows": rows_of(page, request.user), "states": states, "state": state}
    return render(request, "outbox/index.html", context)


@require_POST
def try_again(request: SignedInRequest, key: UUID) -> HttpResponse:
    """Send an intent with an unknown outcome once more."""
    intent = intent_of(request, key)
    try:
        if engine.try_again(intent, now=timezone.now()):
            notify_workers(work)
    except DecisionRefused as refused:
        messages.warning(request, refused.sentence)
    return back_to_list(request)


@require_POST
def withdraw(request: SignedInRequest, key: UUID) -> HttpResponse:
    """Withdraw an intent that was not sent yet. A sent one stays as it is."""
    engine.withdraw(intent_of(request, key), now=timezone.now())
    return back_to_list(request)


def back_to_list(request: SignedInRequest) -> HttpResponse:
    """Redirect to the list as the person had it, with its filter and page."""
    return redirect(f"{reverse('outbox:index')}?{request.GET.urlencode()}".rstrip("?"))


def intent_of(request: SignedInRequest, key: UUID) -> Intent:
    """The intent of this key. Without the right the answer is 403, whether or not it exists."""
    require(request, RIGHT)
    rows = Intent.objects.visible_to(request.user).select_related("restaurant__group")
    intent = get_object_or_404(rows, key=key)
    require(request, RIGHT, intent.restaurant)
    return intent
