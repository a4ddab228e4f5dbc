"""Pages of the app: the look-up with the log under it, the card of a caller, and the receiver."""

from datetime import timedelta
from uuid import UUID

from django.contrib.auth.decorators import login_not_required
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST, require_safe

from accounts.requests import SignedInRequest
from phone import events, recording, sync
from phone.callers import Caller
from phone.forms import LookUpForm
from phone.log import CallLine, Log
from phone.models import RIGHT, Call, PhoneSystem
from restaurants.access import places_with
from restaurants.models import Restaurant
from restaurants.shell import shell_of

MOST_BYTES = 16 * 1024
LONGEST_TOKEN = 512
MOST_CARDS = 3
# "Last call received" need not be written with every event: the caller's card waits for the disk.
USED_EVERY = timedelta(minutes=1)


@require_safe
def index(request: SignedInRequest) -> HttpResponse:
    restaurants = places_of(request)
    return page(request, LookUpForm({}, restaurants=restaurants))


@require_safe
def log(request: SignedInRequest) -> HttpResponse:
    """The log alone, for a page that follows it."""
    restaurants = places_of(request)
    return render(request, "phone/_log.html", {"log": log_of(request, restaurants)})


@require_safe
def row(request: SignedInRequest, uuid: UUID) -> HttpResponse:
    call = get_object_or_404(Call.objects.visible_to(request.user).for_log(), uuid=uuid)
    return render(request, "phone/_row.html", {"line": CallLine.of([call], request.user)[0]})


@require_safe
def ringing(request: SignedInRequest) -> HttpResponse:
    """Who calls right now, for the corner of every screen. Each call has its own card."""
    now = timezone.now()
    calls = Call.objects.visible_to(request.user).on_the_line(now=now).for_log()
    lines = [CallLine(call, request.user, now=now) for call in calls[:MOST_CARDS]]
    return render(request, "phone/_ringing.html", {"lines": lines})


@require_POST
def look_up(request: SignedInRequest) -> HttpResponse:
    """Who has this number, by our own copy. Posted, because an address would keep the number."""
    form = LookUpForm(request.POST, restaurants=places_of(request))
    return page(request, form)


@require_POST
def ask(request: SignedInRequest) -> HttpResponse:
    """What the service says about the number, after our own answer is on the screen."""
    form = LookUpForm(request.POST, restaurants=places_of(request))
    form.is_valid()
    if not form.read:
        return page(request, form)
    answer = sync.ask(form.place, form.read.e164)
    sync.catch_up(answer, now=timezone.now())
    return page(request, form, answer=answer)


@require_POST
@csrf_exempt
@login_not_required
def receive(request: HttpRequest) -> HttpResponse:
    """Receive an event of the telephone system. Without its token the answer is 404."""
    now = timezone.now()
    system = PhoneSystem.objects.first()
    if system is None or not system.accepts(token_of(request), now=now):
        return JsonResponse({"error": "not found"}, status=404)
    try:
        raw = request.read(MOST_BYTES + 1)
    except BadRequest as error:
        return JsonResponse({"error": str(error)}, status=400)
    if len(raw) > MOST_BYTES:
        return JsonResponse({"error": "the body is larger than 16 KiB"}, status=413)
    try:
        call_event = events.read(raw, content_type=request.content_type or "")
        call = recording.record(call_event, now=now)
    except events.OddCallEvent as odd:
        return JsonResponse({"error": str(odd)}, status=400)
    if system.used_at is None or now - system.used_at > USED_EVERY:
        PhoneSystem.objects.filter(pk=system.pk).update(used_at=now)
    return JsonResponse({"data": {"call": str(call.uuid), "outcome": call.outcome}})


def token_of(request: HttpRequest) -> str:
    """The token of the address. A missing, doubled or endless one is simply wrong."""
    given = request.GET.getlist("token")
    return given[0] if len(given) == 1 and len(given[0]) <= LONGEST_TOKEN else ""


def places_of(request: SignedInRequest) -> list[Restaurant]:
    """Where this person may see calls, those of the screen's scope first; nowhere is 403."""
    scope = {one.pk for one in shell_of(request).scope_restaurants}
    return sorted(places_with(request.user, RIGHT), key=lambda one: one.pk not in scope)


def log_of(request: SignedInRequest, restaurants: list[Restaurant]) -> Log:
    scope = {one.pk for one in shell_of(request).scope_restaurants}
    return Log(request.GET, [one for one in restaurants if one.pk in scope], user=request.user)


def page(
    request: SignedInRequest, form: LookUpForm, *, answer: sync.LookUpAnswer | None = None
) -> HttpResponse:
    """The whole page, or only the answer when the field asks for it."""
    form.is_valid()
    context = {"form": form, "number": form.read, "answer": answer, "place": form.place}
    if form.read:
        context["caller"] = Caller(
            form.read, restaurant=form.place, user=request.user, now=timezone.now()
        )
    if request.htmx and request.htmx.target in ("answer", "service"):
        return render(request, f"phone/_{request.htmx.target}.html", context)
    context["log"] = log_of(request, form.restaurants)
    return render(request, "phone/index.html", context)
