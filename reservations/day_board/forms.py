"""The query parameters of a board: zoom, filters, order. Invalid ones are ignored."""

import re
from collections import Counter
from collections.abc import Callable, Collection
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

from django import forms
from django.http import QueryDict
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import npgettext_lazy

from lib.text import fold
from lib.web.addresses import opening
from reservations.phases import IN_HOUSE
from reservations.service_clock import SLOT, clock
from reservations.service_day.bookings import BoardBooking
from reservations.words import CHANNELS

ZOOMS = {"pulse": _("Pulse"), "arrivals": _("Arrivals"), "stays": _("Stays"), "list": _("List")}
OUT = {"cancelled", "refused"}  # hidden by default
# Of those who may come, unless no-shows or cancelled bookings are narrowed further.
OF_COMING = frozenset({"allergy", "noted", "maybe", "vip"})
KEPT = 8192  # bookings whose filters are known in each process


class BoardFilter(NamedTuple):
    label: Promise  # of the number that it shows
    icon: str
    test: Callable[[BoardBooking], bool]
    shortcut: str = ""


# Of several the label stands beside their number, before it on a phone.
FILTERS = {
    "late": BoardFilter(_("Late"), "phase-late", lambda b: b.phase.key == "late", "l"),
    "requests": BoardFilter(
        npgettext_lazy("bookings", "Request", "Requests", "n"),
        "phase-requested",
        lambda b: b.phase.key == "requested",
    ),
    "allergy": BoardFilter(
        npgettext_lazy("bookings", "Allergy, tagged", "Allergies, tagged", "n"),
        "allergy",
        lambda b: b.has_allergies,
        "x",
    ),
    "noted": BoardFilter(
        npgettext_lazy("bookings", "Allergy in a note", "Allergies in notes", "n"),
        "allergy-noted",
        lambda b: bool(b.note_codes.stated),
    ),
    "maybe": BoardFilter(
        npgettext_lazy("bookings", "Perhaps an allergy", "Perhaps an allergy", "n"),
        "allergy-maybe",
        lambda b: bool(b.note_codes.maybe),
    ),
    "here": BoardFilter(_("In house"), "phase-seated", lambda b: b.phase.key in IN_HOUSE),
    "vip": BoardFilter(_("VIP"), "vip", lambda b: b.is_vip, "v"),
    "large": BoardFilter(
        npgettext_lazy("bookings", "Party of 8+", "Parties of 8+", "n"),
        "people",
        lambda b: b.is_large,
    ),
    "note": BoardFilter(_("With a note"), "note", lambda b: bool(b.note_start)),
    "offer": BoardFilter(
        npgettext_lazy("bookings", "Offer", "Offers", "n"),
        "offer",
        lambda b: bool(b.row.offer_type),
    ),
    "no-show": BoardFilter(
        npgettext_lazy("bookings", "No-show", "No-shows", "n"),
        "phase-no-show",
        lambda b: b.phase.key == "no-show",
    ),
    "out": BoardFilter(
        npgettext_lazy("bookings", "Cancelled", "Cancelled", "n"),
        "phase-cancelled",
        lambda b: b.phase.key in OUT,
    ),
}
ORDERS: dict[str, tuple[Promise, Callable[[BoardBooking], Any]]] = {
    "time": (_("Time"), lambda b: b.minutes),
    "party": (_("Party"), lambda b: -(b.party_size or 0)),
    "name": (_("Guest"), lambda b: fold(b.name)),
    "phase": (_("Status"), lambda b: b.phase.word),
    "channel": (_("Channel"), lambda b: b.channel),
    "restaurant": (_("Restaurant"), lambda b: b.restaurant.name),
}


Span = tuple[int, int]  # local minutes
SPAN = re.compile(r"(\d{1,4})(?:-(\d{1,4}))?")


class BoardForm(forms.Form):
    zoom = forms.ChoiceField(choices=list(ZOOMS.items()), required=False)
    show = forms.MultipleChoiceField(choices=[(key, "") for key in FILTERS], required=False)
    channel = forms.ChoiceField(choices=list(CHANNELS.items()), required=False)
    q = forms.CharField(max_length=80, required=False)
    sort = forms.ChoiceField(
        choices=[(key, word) for key, (word, _key) in ORDERS.items()], required=False
    )
    whole = forms.BooleanField(required=False)
    slot = forms.CharField(max_length=9, required=False)

    def clean_slot(self) -> "Span | None":
        """“1200” is the quarter of an hour from 20:00; “1110-1380” a service until 23:00."""
        found = SPAN.fullmatch(self.cleaned_data["slot"])
        if found is None:
            return None
        start = int(found[1])
        return start, int(found[2]) if found[2] else start + SLOT


class CardForm(forms.Form):
    """The board, column and context that a card names when it requests itself."""

    zoom = forms.ChoiceField(choices=[(one, "") for one in ("arrivals", "stays", "list", "next")])
    slot = forms.IntegerField(min_value=0, max_value=48 * 60, required=False)
    until = forms.IntegerField(min_value=0, max_value=72 * 60, required=False)
    many = forms.BooleanField(required=False)


@lru_cache(maxsize=KEPT)
def filters_of(booking: BoardBooking) -> frozenset[str]:
    """The filters that a booking passes.

    Cached, because every board counts them: a changed row, phase or reader is another key.
    """
    return frozenset(key for key, one in FILTERS.items() if one.test(booking))


def count_by_filter(bookings: list[BoardBooking]) -> dict[str, int]:
    """How many bookings each filter alone would show: what is out is shown by its own only."""
    counted = dict.fromkeys(FILTERS, 0)
    for passed, number in Counter(map(filters_of, bookings)).items():
        for key in _counted(passed):
            counted[key] += number
    return counted


def _counted(passed: frozenset[str]) -> Collection[str]:
    if "out" in passed:
        return ("out",)
    return passed - OF_COMING if "no-show" in passed else passed


class BoardParams:
    """The valid choices; invalid ones are ignored."""

    def __init__(self, address: QueryDict, *, default_zoom: str) -> None:
        form = BoardForm(address)
        form.is_valid()
        data = form.cleaned_data
        self.address = address
        self.zoom: str = data.get("zoom") or default_zoom
        self.shown: list[str] = data.get("show") or []
        self.channel: str = data.get("channel") or ""
        self.words: list[str] = fold(data.get("q") or "").split()
        self.q: str = data.get("q") or ""
        self.sort: str = data.get("sort") or ""
        self.whole: bool = bool(data.get("whole"))
        self.slot: Span | None = data.get("slot")
        self.page: str = address.get("page", "1")

    @cached_property
    def query(self) -> str:
        """The whole address, which what is kept of a page depends on."""
        return self.address.urlencode()

    @property
    def is_filtered(self) -> bool:
        return bool(self.shown or self.channel or self.words or self.slot is not None)

    @property
    def board_zoom(self) -> str:
        """The board of a filter's link: the pulse shows no bookings to filter."""
        return "list" if self.zoom == "pulse" else self.zoom

    @property
    def slot_label(self) -> str:
        if self.slot is None:
            return ""
        start, end = self.slot
        return clock(start) if end - start == SLOT else f"{clock(start)}–{clock(end)}"

    @property
    def kept(self) -> list[tuple[str, str]]:
        """Hidden fields of the search form."""
        pairs = ((name, value) for name, values in self.address.lists() for value in values)
        return [(name, str(value)) for name, value in pairs if name not in ("q", "page")]

    def filter_url(self, key: str) -> str:
        """This board with the filter added, or removed when it is on; the pulse leads to a list."""
        others = [one for one in self.shown if one != key]
        shown = others if key in self.shown else [*others, key]
        address = self.address.copy()
        for gone in ("page", "zoom"):
            address.pop(gone, None)
        address["zoom"] = self.board_zoom
        return opening(address, "show") + "&show=".join(shown)

    def pick(self, bookings: list[BoardBooking]) -> list[BoardBooking]:
        """The bookings that match the filters, in the chosen order; by time if none is chosen."""
        picked = [booking for booking in bookings if self._wants(booking)]
        return sorted(picked, key=ORDERS[self.sort][1]) if self.sort else picked

    def _wants(self, booking: BoardBooking) -> bool:
        if booking.phase.key in OUT and "out" not in self.shown:
            return False
        if not booking.may_come and self._is_about_coming:
            return False
        if self.channel and booking.row.reservation_channel != self.channel:
            return False
        if self.slot is not None and not self.slot[0] <= booking.minutes < self.slot[1]:
            return False
        if self.shown and not filters_of(booking).issuperset(self.shown):
            return False
        return self._has_words(booking)

    @property
    def _is_about_coming(self) -> bool:
        shown = set(self.shown)
        return bool(shown & OF_COMING) and not shown & {"out", "no-show"}

    def _has_words(self, booking: BoardBooking) -> bool:
        if not self.words:
            return True
        row = booking.row
        names = (row.customer__first_name, row.customer__last_name, booking.note_start)
        text = fold(" ".join(filter(None, names)))
        return all(word in text for word in self.words)
