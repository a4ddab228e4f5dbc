"""View that receives the events of a telephone system."""

from datetime import timedelta

from django.contrib.auth.decorators import login_not_required
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from phone.models import PhoneSystem
from phone.receiver import events, recording

LONGEST_TOKEN = 512
MOST_BYTES = 16 * 1024
# "Last call received" need not be written with every event: the caller's card waits for the disk.
USED_EVERY = timedelta(minutes=1)


@require_POST
@csrf_exempt
@login_not_required
def receive(request: HttpRequest) -> HttpResponse:
    """Receive an event of the telephone system. Without its token the answer is 404."""
    now = timezone.now()
    system = PhoneSystem.objects.of_token(token_of(request), now=now)
    if system is None:
        return JsonResponse({"error": "not found"}, status=404)
    try:
        raw = request.read(MOST_BYTES + 1)
    except BadRequest as error:
        return JsonResponse({"error": str(error)}, status=400)
    if len(raw) > MOST_BYTES:
        return JsonResponse({"error": "the body is larger than 16 KiB"}, status=413)
    try:
        call_event = events.read(raw, content_type=request.content_type or "")
        call = recording.record(call_event, system=system, now=now)
    except events.OddCallEvent as odd:
        return JsonResponse({"error": str(odd)}, status=400)
    if system.used_at is None or now - system.used_at > USED_EVERY:
        PhoneSystem.objects.filter(pk=system.pk).update(used_at=now)
    return JsonResponse({"data": {"call": str(call.uuid), "outcome": call.outcome}})


def token_of(request: HttpRequest) -> str:
    """The token of the address. A missing, doubled or endless one is simply wrong."""
    given = request.GET.getlist("token")
    return given[0] if len(given) == 1 and len(given[0]) <= LONGEST_TOKEN else ""
