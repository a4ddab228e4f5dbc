"""Pace: how many are booked of a coming day, beside how many usually are by now."""

from collections.abc import Sequence
from datetime import date, datetime, timedelta

from django.db.models import OuterRef, Subquery
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from insights.day_notes.models import notes_by_day
from insights.expected.models import ExpectedService, ForecastRun
from insights.expected.pages.coming import ExpectedPage, ServiceLine
from insights.forecast import DAYS_AHEAD
from insights.requests import VIEW
from lib.dates import date_format
from lib.labels import labelled
from reservations.service_day.services import NAMES as SERVICE_NAMES
from restaurants.access import can
from restaurants.models import Restaurant
from restaurants.shell import PageNotice, Shell

FAR_SHARE, FAR_COVERS = 0.25, 15  # behind or ahead by as much, a week before, are far off
WEEK = timedelta(days=7)
SECTIONS = ("insights", "calendar")


def day_lines(shell: Shell) -> list[str]:
    """The lines below the heading of a coming day: its notes, and each service's pace."""
    if shell.is_today or not shell.user.is_authenticated:
        return []
    notes = notes_by_day(shell.scope_restaurants, shell.day, shell.day)
    return [*notes.get(shell.day, ()), *_paces(shell)]


def _paces(shell: Shell) -> list[str]:
    ahead = (shell.day - shell.today).days
    if not 0 < ahead < DAYS_AHEAD or not _may_see(shell):
        return []
    now = timezone.now()
    page = ExpectedPage(shell.scope_restaurants, now=now, first=shell.day, days=1)
    # A sum that leaves a restaurant out would stand beside the covers of all.
    ready = {line.service for line in page.lines if not line.too_early}
    partial = ready & {line.service for line in page.lines if line.too_early}
    lines = (line for line in page.services if line.service not in partial)
    return [words for line in lines if (words := pace_of(line))]


def _may_see(shell: Shell) -> bool:
    """Whether the person may see the insights of all restaurants that the screen adds up."""
    places = shell.scope_restaurants
    return bool(places) and all(can(shell.user, VIEW, one) for one in places)


def pace_of(line: ServiceLine, number: int = 0) -> str:
    """“Dinner: 86 booked, usually 104 by now; 120 expected”. Nothing where nothing is known."""
    one = line.days[number]
    if one.usual is None or one.is_closed:
        return ""
    words = _("%(service)s: %(booked)s booked, usually %(usual)s by now; %(covers)s expected") % {
        "service": line.name,
        "booked": one.booked,
        "usual": one.usual,
        "covers": one.spelt,
    }
    return f"{words}, {one.missing_words}" if one.missing else words


def usual_by_day(
    restaurants: Sequence[Restaurant], first: date, last: date, *, now: datetime
) -> dict[date, int]:
    """Covers usually booked by now, of all services together; only of days to come."""
    days = (last - first).days + 1
    page = ExpectedPage(restaurants, now=now, first=first, days=days)
    latest = max(page.today.values(), default=first)
    found: dict[date, int] = {}
    if page.left_out:
        return {}
    for line in page.services:
        for one in line.days:
            if one.usual is not None and one.day > latest:
                found[one.day] = found.get(one.day, 0) + one.usual
    return found


def week_ahead(restaurants: Sequence[Restaurant], *, now: datetime) -> list[str]:
    """The next seven days as sentences, for the mail, and what they leave out."""
    page = ExpectedPage(restaurants, now=now, days=WEEK.days)
    lines = []
    for number in range(WEEK.days):
        paces = [words for line in page.services if (words := pace_of(line, number))]
        if paces:
            day = page.first + timedelta(days=number)
            lines.append(labelled(date_format(day, "l j F"), " · ".join(paces)))
    return [*lines, *map(str, page.left_out)] if lines else []


def notice(shell: Shell) -> PageNotice | None:
    """Services far behind or ahead a week before, on the pages where somebody can look closer."""
    if shell.current_section not in SECTIONS:
        return None
    places = [one for one in shell.scope_restaurants if can(shell.user, VIEW, one)]
    lines = far_off(places, now=timezone.now())
    if not lines:
        return None
    title = ngettext(
        "%(n)s service in a week is far from its usual pace",
        "%(n)s services in a week are far from their usual pace",
        len(lines),
    )
    url = f"{reverse('insights:expected')}{shell.query}"
    title %= {"n": len(lines)}
    return PageNotice(title=title, lines=lines, url=url, link=_("How many will come?"))


def far_off(restaurants: Sequence[Restaurant], *, now: datetime) -> list[str]:
    """As known on this morning, so that the sentences stand still through the day. One query.

    What was forecast on an earlier one says nothing: the training stood still, and people booked.
    """
    days = {one.pk: one.service_day(now) + WEEK for one in restaurants}
    names = {one.pk: one.name for one in restaurants}
    held = ExpectedService.objects.filter(restaurant__in=days, day__in=set(days.values()))
    of_place = ForecastRun.objects.filter(pk=OuterRef("restaurant"))
    made = held.annotate(morning=Subquery(of_place.values("morning")))
    columns = ("restaurant_id", "day", "service", "booked", "usually_booked", "morning")
    rows = made.order_by("restaurant__name", "service").values_list(*columns)
    return [
        _sentence(names[pk], day, service, booked, round(usual))
        for pk, day, service, booked, usual, morning in rows
        if day == days[pk] and morning == day - WEEK and is_far(booked, usual)
    ]


def is_far(booked: float, usual: float) -> bool:
    off = abs(booked - usual)
    return off >= FAR_COVERS and off >= FAR_SHARE * usual


def _sentence(name: str, day: date, service: str, booked: int, usual: int) -> str:
    words = (
        _("%(restaurant)s, %(service)s on %(day)s: ahead, %(booked)s booked, usually %(usual)s.")
        if booked > usual
        else _("%(restaurant)s, %(service)s on %(day)s: behind, %(booked)s booked, "
               "usually %(usual)s.")
    )  # fmt: skip
    return words % {
        "restaurant": name,
        "service": SERVICE_NAMES[service],
        "day": date_format(day, "l j F"),
        "booked": booked,
        "usual": usual,
    }
