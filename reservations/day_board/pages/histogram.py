"""The geometry of the histogram. Pure."""

from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import groupby

from django.http import QueryDict
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from lib.web.addresses import opening
from reservations.service_clock import SLOT, clock
from reservations.service_day.day import ServiceDay
from reservations.service_day.services import DayService, services_of
from reservations.service_day.sums import QuarterHour

BAR, HEIGHT = 10, 80  # units of the histogram's picture; the browser stretches it
GAP = 1
KEPT = 256  # histograms in each process, about ten kilobytes each


@dataclass(frozen=True, slots=True)
class HistogramBar:
    slot: QuarterHour
    words: str
    x: int
    y: int
    width: int
    height: int
    is_past: bool


@dataclass(frozen=True)
class Histogram:
    """Bars are covers arriving; the line is covers in house by assumed stays.

    Each has its own scale, because the bars of a long evening would be too low otherwise; both
    peaks are named above the picture. The HTML is cached by its arguments.
    """

    slots: tuple[QuarterHour, ...]
    nows: tuple[int, ...]  # of the clocks of its restaurants
    link: str  # to the bookings of a slot or a service, which goes at the end
    services: tuple[DayService, ...] = ()
    stays_from: str = ""  # what assumed stays are taken from

    height = HEIGHT

    @property
    def html(self) -> SafeString:
        return _draw(self, get_language())

    @cached_property
    def peak(self) -> QuarterHour | None:
        return max(self.slots, key=lambda slot: slot.in_house, default=None)

    @cached_property
    def rush(self) -> QuarterHour | None:
        return max(self.slots, key=lambda slot: slot.covers, default=None)

    @property
    def width(self) -> int:
        return len(self.slots) * BAR

    @cached_property
    def bars(self) -> list[HistogramBar]:
        return [self._bar(index, slot) for index, slot in enumerate(self.slots)]

    def _bar(self, index: int, slot: QuarterHour) -> HistogramBar:
        height = round(slot.covers * HEIGHT / ((self.rush and self.rush.covers) or 1))
        is_past = bool(self.nows) and slot.minutes + SLOT <= min(self.nows)
        words = _("%(time)s: %(bookings)d bookings, %(covers)d covers, %(in_house)d in house") % {
            "time": slot.label,
            "bookings": slot.bookings,
            "covers": slot.covers,
            "in_house": slot.in_house,
        }
        return HistogramBar(slot, words, index * BAR, HEIGHT - height, BAR - GAP, height, is_past)

    @property
    def line(self) -> str:
        """A step line through the tops of “in house”."""
        top = (self.peak and self.peak.in_house) or 1
        steps = ((i * BAR, HEIGHT - s.in_house * HEIGHT // top) for i, s in enumerate(self.slots))
        return " ".join(f"{x},{y} {x + BAR},{y}" for x, y in steps)

    @property
    def now_lines(self) -> list[tuple[str, float]]:
        """The time and the position of each now that is within the histogram."""
        first = self.slots[0].minutes if self.slots else 0
        places = [(clock(now), round((now - first) * BAR / SLOT, 1)) for now in self.nows]
        return [(time, x) for time, x in places if 0 <= x <= self.width]

    @property
    def bands(self) -> list[tuple[int, DayService | None]]:
        """The services below the slots: the width of each in slots, and the gaps between."""
        covering = [self._service_at(slot.minutes) for slot in self.slots]
        return [(len(list(slots)), service) for service, slots in groupby(covering)]

    def _service_at(self, minutes: int) -> DayService | None:
        return next((s for s in self.services if s.start <= minutes < s.end), None)

    @property
    def hours(self) -> list[str]:
        """A label under every slot; only full hours have words."""
        return [clock(slot.minutes)[:2] if slot.minutes % 60 == 0 else "" for slot in self.slots]


def histogram(evening: ServiceDay, address: QueryDict) -> Histogram:
    link = opening(address, "slot")
    slots, services = tuple(evening.slots), services_of(evening)
    return Histogram(slots, nows_of(evening), link, services, evening.stays_from)


def nows_of(evening: ServiceDay) -> tuple[int, ...]:
    """The local times of the restaurants, each once, where the service day is running."""
    local_times = evening.local_times.values()
    return tuple(sorted({minutes for minutes in local_times if minutes is not None}))


@lru_cache(maxsize=KEPT)
def _draw(hist: Histogram, _language: str | None) -> SafeString:
    return render_to_string("reservations/_histogram.html", {"hist": hist})
