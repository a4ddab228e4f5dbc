"""The shell of every page: the restaurants in reach, the chosen scope and day, menu and queues.

Scope and day live in the address (`?scope=<uuid>&day=2026-06-14`), so that every screen can be
shared, bookmarked and gone back to. Views read the same object with `shell_of(request)`.
"""

import calendar
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import cached_property
from itertools import groupby
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import Promise

from lib.database.compiled_queries import CountQuery, numbers
from lib.registration import ExtensionPoint
from lib.web.addresses import opening
from restaurants.access import can, within_reach
from restaurants.models import Group, Restaurant
from restaurants.setup.links import SETUP_LINKS
from restaurants.setup.pages import GUIDE_IS_OVER, SetupGuide, setup_guide
from restaurants.tour.pages import Tour

FIRST_YEAR, LAST_YEAR = 2000, 2200


class Shell:
    """Every answer is lazy: a fragment that reads none of them costs no query."""

    def __init__(self, request: HttpRequest) -> None:
        # A request refused for its Host header never reached the authentication middleware.
        self.user: Any = getattr(request, "user", AnonymousUser())
        self.current_section = request.resolver_match.app_name if request.resolver_match else ""
        self.session = getattr(request, "session", {})
        self.address = request.GET
        self.scope_param = request.GET.get("scope", "")
        self.day_param = request.GET.get("day", "")

    @cached_property
    def restaurants(self) -> list[Restaurant]:
        """Everything within reach. One query."""
        if not self.user.is_authenticated:
            return []
        return within_reach(self.user)

    @cached_property
    def groups(self) -> list[tuple[Group, list[Restaurant]]]:
        pairs = groupby(self.restaurants, key=lambda restaurant: restaurant.group)
        return [(group, list(members)) for group, members in pairs]

    @cached_property
    def scope(self) -> Group | Restaurant | None:
        """The group or restaurant that the address names; None means all within reach."""
        places: list[Group | Restaurant] = [group for group, _members in self.groups]
        places += self.restaurants
        return next((place for place in places if str(place.uuid) == self.scope_param), None)

    @property
    def is_out_of_reach(self) -> bool:
        """Whether the person has no role anywhere, or none at the place that the address names."""
        return not self.restaurants or bool(self.scope_param and not self.scope)

    @cached_property
    def scope_name(self) -> str:
        """The place in scope, or the only restaurant within reach; "" for all of several."""
        if self.scope:
            return self.scope.name
        return self.restaurants[0].name if len(self.restaurants) == 1 else ""

    @cached_property
    def scope_restaurants(self) -> list[Restaurant]:
        """The restaurants that this screen is about."""
        scope = self.scope
        if isinstance(scope, Restaurant):
            return [scope]
        if isinstance(scope, Group):
            return [one for one in self.restaurants if one.group_id == scope.pk]
        return self.restaurants

    @cached_property
    def timezone(self) -> str:
        """The time zone that all restaurants of the scope share; "" where they differ."""
        zones = {one.timezone for one in self.scope_restaurants}
        return zones.pop() if len(zones) == 1 else ""

    @cached_property
    def today(self) -> date:
        """The service day that is running where the first restaurant of the scope stands."""
        now = timezone.now()
        if self.scope_restaurants:
            return self.scope_restaurants[0].service_day(now)
        return timezone.localdate(now)

    @cached_property
    def day(self) -> date:
        try:
            day = datetime.strptime(self.day_param, "%Y-%m-%d").date()  # noqa: DTZ007, plain date
        except ValueError:
            return self.today
        # Beyond these there is no month before or after to lead to.
        return day if FIRST_YEAR <= day.year <= LAST_YEAR else self.today

    @cached_property
    def is_today(self) -> bool:
        return self.day == self.today

    @property
    def previous_day(self) -> date:
        return self.day - timedelta(days=1)

    @property
    def next_day(self) -> date:
        return self.day + timedelta(days=1)

    @cached_property
    def weeks(self) -> list[list[date]]:
        """The month of the chosen day, in whole weeks from Monday."""
        return calendar.Calendar().monthdatescalendar(self.day.year, self.day.month)

    @property
    def previous_month(self) -> date:
        return self.day.replace(day=1) - timedelta(days=1)

    @property
    def next_month(self) -> date:
        return self.day.replace(day=28) + timedelta(days=4)

    @cached_property
    def query(self) -> str:
        """The query string of links to other pages: `?scope=…&day=…`, or nothing."""
        kept = {"scope": self.scope_param if self.scope else ""}
        kept["day"] = "" if self.is_today else self.day.isoformat()
        params = {name: value for name, value in kept.items() if value}
        return f"?{urlencode(params)}" if params else ""

    @cached_property
    def day_link(self) -> str:
        """This page on another day, whose date goes at the end."""
        return opening(self.address, "day")

    @cached_property
    def scope_link(self) -> str:
        """This page about another place, whose uuid goes at the end."""
        return opening(self.address, "scope")

    @cached_property
    def places(self) -> tuple[tuple[str, ...], ...]:
        """Everything that the menu of restaurants shows: the cache key of its fragment."""
        return tuple(
            (str(one.uuid), one.name, one.colour, str(one.group.uuid), one.group.name)
            for one in self.restaurants
        )

    @cached_property
    def is_admin(self) -> bool:
        """Whether the link to the setup pages is shown. The pages check the right themselves."""
        return any(section.name == "setup" for section in self.sections)

    @cached_property
    def guide(self) -> SetupGuide | None:
        """The guide to the real service, on setup pages until it is over. A query per step."""
        if self.section != "setup" or GUIDE_IS_OVER.value():
            return None
        return setup_guide(self.user, section=self.current_section)

    @cached_property
    def sections(self) -> list["MenuSection"]:
        """The menu, by the person's rights. One query, unless the request has run it."""
        return [
            section
            for section in MENU_SECTIONS
            if not section.rights or any(can(self.user, right) for right in section.rights)
        ]

    @cached_property
    def section_names(self) -> str:
        return " ".join(section.name for section in self.sections)

    @property
    def section(self) -> str:
        """The name of the section that is marked as current in the menus."""
        if any(self.current_section == link.url_namespace for link in SETUP_LINKS):
            return "setup"
        return "reservations" if self.current_section == "calendar" else self.current_section

    @property
    def sandbox(self) -> str:
        """The address of the sandbox in the demo, where every page shows a banner; else empty."""
        return str(settings.DEMO_SANDBOX)

    @cached_property
    def tour(self) -> Tour:
        """How far this person is on the tour of the demo. No query."""
        return Tour(self.session)

    @cached_property
    def queues(self) -> list["WaitingCount"]:
        """What waits for a person. One query, however many kinds of work there are."""
        counts = numbers([queue.count(self) for queue in QUEUES])
        return [
            WaitingCount(queue=queue, count=count)
            for queue, count in zip(QUEUES, counts, strict=True)
            if count
        ]

    @property
    def queue_counts(self) -> list[tuple[str, int]]:
        """Every count with its label: part of the cache key of the menu that shows them."""
        return [(str(waiting.queue.label), waiting.count) for waiting in self.queues]

    @cached_property
    def alerts(self) -> list[str]:
        """Sentences about faults that the person can do something about. A query each."""
        return [sentence for find in ALERTS for sentence in find(self)]

    @cached_property
    def notices(self) -> list["PageNotice"]:
        """What apps have to say above a page that is no fault. A query each, where they speak."""
        return [notice for find in NOTICES if (notice := find(self))]

    @cached_property
    def day_lines(self) -> list[str]:
        """What apps say of the day, such as its pace, if it is to come. A few queries each."""
        return [line for find in DAY_LINES for line in find(self)]

    @cached_property
    def freshness(self) -> "FreshnessLabel | None":
        """How old the copy is, if an app says so. One query."""
        return next((find(self) for find in FRESHNESS), None)


@dataclass(frozen=True, kw_only=True)
class MenuSection:
    place: int
    name: str
    label: Promise
    icon: str
    keys: str
    rights: tuple[str, ...] = ()  # any of them

    @property
    def url(self) -> str:
        return reverse(f"{self.name}:index")


@dataclass(frozen=True, kw_only=True)
class Queue:
    """Work that waits for a person, counted in the top bar.

    `count` returns the query that counts it, or None where there is nothing to count.
    """

    label: str | Promise
    url_name: str
    count: Callable[[Shell], CountQuery | None]
    query: str = ""  # what the page shows of it
    is_urgent: bool = False


@dataclass(frozen=True, kw_only=True)
class WaitingCount:
    queue: Queue
    count: int


@dataclass(frozen=True, kw_only=True)
class FreshnessLabel:
    """How old the data of a screen is: live, polling, stale, offline or none, and in words."""

    state: str
    words: str | Promise
    url_name: str = ""


@dataclass(frozen=True, kw_only=True)
class PageNotice:
    """Something to know before reading on, and the page that says more."""

    title: str
    lines: list[str]
    url: str
    link: str

    @property
    def is_long(self) -> bool:
        return len(self.lines) > 3

    @property
    def path(self) -> str:
        """Of the page that says more; on it a link would lead nowhere."""
        return self.url.partition("?")[0]


MENU_SECTIONS: ExtensionPoint[MenuSection] = ExtensionPoint(
    "Sections of the menu", order=lambda section: section.place
)
QUEUES: ExtensionPoint[Queue] = ExtensionPoint("Counts in the top bar")
FRESHNESS: ExtensionPoint[Callable[[Shell], FreshnessLabel]] = ExtensionPoint("How old the data is")
DAY_LINES: ExtensionPoint[Callable[[Shell], list[str]]] = ExtensionPoint(
    "Lines below the heading of a day"
)
ALERTS: ExtensionPoint[Callable[[Shell], list[str]]] = ExtensionPoint("Banners about faults")
NOTICES: ExtensionPoint[Callable[[Shell], PageNotice | None]] = ExtensionPoint("Notices")


def shell_of(request: HttpRequest) -> Shell:
    """The shell of this request, built once however many views and templates read it."""
    shell: Shell = vars(request).setdefault("_shell", Shell(request))
    return shell
