"""Views for open screens: the stream, missed changes, and the beacon after painting."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import cache_control
from django.views.decorators.http import conditional_page, require_GET, require_POST

from accounts.requests import SignedInRequest
from live import latency
from live.announcements import Reading, read_after, read_recent, scope_of
from live.forms import PaintedForm, SinceForm
from live.hub import Hub, Stream
from live.poller import poll
from live.sse import EventStream

# The streams of this web process.
hub = Hub(poll=poll, capacity=settings.LIVE_STREAMS)


@require_GET
def stream(request: SignedInRequest) -> HttpResponseBase:
    """One stream per browser; 204 makes an EventSource give up, and the screen asks instead."""
    session_key = request.session.session_key or ""
    screen = Stream(scope=scope_of(request.user), session_key=session_key, user_id=request.user.pk)
    if not hub.join(screen):
        return HttpResponse(status=204)
    try:
        opening = read_missed(request)  # after joining, so that nothing falls between
    except Exception:
        hub.leave(screen)
        raise
    response = StreamingHttpResponse(
        EventStream(hub, screen, opening=opening), content_type="text/event-stream"
    )
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Accel-Buffering"] = "no"  # nginx would hold the lines back
    return response


@require_GET
def alerts(request: SignedInRequest) -> HttpResponse:
    """The alerts on top of every page, for a page that is already open."""
    return render(request, "components/alerts.html")


@require_GET
def freshness(request: SignedInRequest) -> HttpResponse:
    """How old the copy is, for a page that stays open: an outage shows on it too."""
    return render(request, "components/freshness.html")


@require_GET
@conditional_page
@cache_control(private=True, no_cache=True)
def changes(request: SignedInRequest) -> HttpResponse:
    """The same messages for a screen without a stream. 304 if nothing is new."""
    reading = read_missed(request)
    scope = scope_of(request.user)
    news = [scope.message(line) for line in reading.lines if scope.sees(line)]
    return JsonResponse({"cursor": reading.cursor, "complete": reading.complete, "changes": news})


def read_missed(request: HttpRequest) -> Reading:
    """Everything since the last id that the browser has, or since its page was requested."""
    form = SinceForm({**request.GET.dict(), **last_event_id(request)})
    if not form.is_valid():
        return read_after(-1, now=timezone.now())
    if form.cleaned_data["since"] is None:
        return read_recent(form.cleaned_data["age"], now=timezone.now())
    return read_after(form.cleaned_data["since"], now=timezone.now())


def last_event_id(request: HttpRequest) -> dict[str, str]:
    """What a browser that reconnects by itself sends; newer than what stands in the address."""
    number = request.headers.get("Last-Event-ID")
    return {"since": number} if number else {}


@require_POST
def painted(request: SignedInRequest) -> HttpResponse:
    """Record when a browser painted a change. The answer is always the same."""
    form = PaintedForm(request.POST)
    if not form.is_valid():
        return HttpResponse(status=422)
    latency.paint(**form.cleaned_data, scope=scope_of(request.user), now=timezone.now())
    return HttpResponse(status=204)
