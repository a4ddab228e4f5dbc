"""Views of the boards of a service day: one board, one card, a board as a file."""

from typing import Any
from uuid import UUID

from django.http import Http404, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_safe

from accounts.requests import SignedInRequest
from lib.spreadsheets import spreadsheet_response
from lib.web.htmx import part_of, render_part
from reservations.day_board import export as spreadsheet
from reservations.day_board.forms import ZOOMS, BoardParams, CardForm
from reservations.day_board.pages import cards, stays
from reservations.day_board.pages.boards import Board
from reservations.day_board.pages.histogram import histogram
from reservations.day_board.pages.pulse import Pulse
from reservations.models import Reservation
from reservations.service_clock import UNIT
from reservations.service_day.bookings import BoardBooking
from reservations.service_day.day import ServiceDay, evening_of
from reservations.worklists.pages.open_past import LastNight
from restaurants import exports
from restaurants.shell import shell_of

PARTS = ("tiles", "hist")


@require_safe
def index(request: SignedInRequest) -> HttpResponse:
    """The service day in one of its zooms, or a fragment of it."""
    part, shell = part_of(request, parts=PARTS, default="board"), shell_of(request)
    if shell.is_out_of_reach and part:
        raise Http404  # of an open board: what is left would stand under the name of the place
    if shell.is_out_of_reach and shell.restaurants:
        return redirect(without_scope(request))
    opened = opened_by(request)
    evening = evening_of(shell)
    params = params_of(request, evening)
    shows_histogram = params.zoom != "pulse" or part == "hist"
    if params.zoom != "pulse" and part != "hist":
        evening.read()
    context = {
        "evening": evening,
        "params": params,
        "board": Board(evening, params),
        "hist": histogram(evening, request.GET) if shows_histogram else None,
        "pulse": Pulse(evening, request.GET, by_name=params.sort == "name"),
        "zooms": ZOOMS,
        "opened": opened,
        "is_part": bool(part),
        "last_night": LastNight(evening, scope=scope_of(request)),
    }
    return render_part(request, "reservations/index.html", context, parts=PARTS, default="board")


def without_scope(request: SignedInRequest) -> str:
    """The same board of all restaurants within reach."""
    address = request.GET.copy()
    del address["scope"]
    return f"{request.path}?{address.urlencode()}" if address else request.path


@require_safe
def card(request: SignedInRequest, uuid: UUID) -> HttpResponse:
    """The card of one booking on its board, or nothing when it has left the service day.

    The query parameters name its board.
    """
    get_object_or_404(Reservation.objects.visible_to(request.user), uuid=uuid)
    form, evening = CardForm(request.GET), evening_of(shell_of(request))
    if not form.is_valid() or (booking := evening.booking(uuid)) is None:
        return HttpResponse()
    return HttpResponse(cards.draw(booking, card_context_of(booking, evening, form.cleaned_data)))


@require_safe
def export(request: SignedInRequest, suffix: str) -> HttpResponseBase:
    """The bookings that match the filters of the board, as a file."""
    evening = evening_of(shell_of(request), exports.exportable_restaurants(request))
    exports.record(request, "reservations", suffix=suffix)
    rows = spreadsheet.rows(Board(evening, params_of(request, evening)))
    name = f"reservations-{evening.day}"
    return spreadsheet_response(suffix, name, rows, bom="bom" in request.GET)


def card_context_of(
    booking: BoardBooking, evening: ServiceDay, data: dict[str, Any]
) -> cards.CardContext:
    """A stay keeps its position and width on the board, whatever has changed."""
    stay = None
    if data["zoom"] == "stays":
        now = stays.stay_of(
            booking, evening, seen=stays.observed_stays([booking], evening)[booking.uuid]
        )
        start = now.start if data["slot"] is None else data["slot"]
        stay = now._replace(start=start, end=max(data["until"] or now.end, start + UNIT))
    return cards.CardContext(data["zoom"], data["many"], data["slot"], stay)


def opened_by(request: SignedInRequest) -> UUID | None:
    """The booking in the drawer by the address. Links of the page drop it."""
    data = request.GET.copy()
    row = data.pop("r", [""])[-1]
    request.GET = data  # type: ignore[assignment]  # a copy that can be changed
    try:
        uuid = UUID(str(row))
    except ValueError:
        return None
    within = Reservation.objects.visible_to(request.user).filter(uuid=uuid)
    return uuid if within.exists() else None


def scope_of(request: SignedInRequest) -> str:
    """The uuid of the place in scope, or "" for all."""
    scope = shell_of(request).scope
    return str(scope.uuid) if scope else ""


def params_of(request: SignedInRequest, evening: ServiceDay) -> BoardParams:
    """The board of the address; the default is the list on a phone, arrivals or pulse elsewhere."""
    several = len(evening.restaurants) > 1
    wide = "pulse" if several else "arrivals"
    return BoardParams(request.GET, default_zoom="list" if is_phone(request) else wide)


def is_phone(request: SignedInRequest) -> bool:
    """Whether the browser names itself a phone; most tablets do not."""
    browser = request.headers.get("User-Agent", "")
    return "Mobi" in browser and "iPad" not in browser
