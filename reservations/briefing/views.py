"""View of the briefing."""

from urllib.parse import quote

from django.http import HttpResponse
from django.views.decorators.http import require_safe

from accounts.requests import SignedInRequest
from lib.web.addresses import opening
from lib.web.htmx import part_of, render_part
from reservations.briefing.pages import Briefing, moment_of
from reservations.service_day.requests import evening_of


@require_safe
def brief(request: SignedInRequest) -> HttpResponse:
    """The briefing of a day, or only its changes since it was printed."""
    evening = evening_of(request)
    if not part_of(request, parts=(), default="changes"):
        evening.read()
    briefing = Briefing(evening)
    since = moment_of(request.GET.get("since", "")) or evening.now
    address = opening(request.GET, "since") + quote(since.isoformat())
    context = {
        "evening": evening,
        "brief": briefing,
        "made_at": evening.as_local_time(since),
        "since_query": address,
        "changes": briefing.changes_since(since),
    }
    return render_part(request, "reservations/brief.html", context, parts=(), default="changes")
