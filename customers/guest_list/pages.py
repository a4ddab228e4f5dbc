"""The guest list: its filters, its columns and its pages, from the address.

Apps above add filters and columns that only they can compute, as they add
panels to a guest's page. Everything is in the address, so that any list can be shared, saved and
exported.
"""

from calendar import isleap
from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass, field
from datetime import date, timedelta
from functools import cached_property
from typing import Any, NamedTuple
from urllib.parse import urlencode
from uuid import UUID

from django.core.paginator import Page, Paginator
from django.db.models import Q
from django.http import QueryDict
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from customers.forms import SIZES, ListForm
from customers.guest_list import coverage
from customers.models import Customer, CustomerQuerySet, DuplicateScore
from customers.search import queries
from customers.search.queries import GuestQuery
from customers.search.ranking import find_guests
from lib.labels import language_label
from lib.registration import ExtensionPoint
from restaurants.access import can
from restaurants.models import Group, Restaurant

HEALTH = "customers.view_health"
BIRTHDAYS_AHEAD = 14  # days


@dataclass(frozen=True)
class ListContext:
    """The context of a list: the person, the restaurants in scope, the service day."""

    user: User
    restaurants: list[Restaurant]
    groups: list[Group]
    day: date
    # What the columns of one page share, by the app that looked it up.
    kept: dict[Any, Any] = field(default_factory=dict, compare=False)

    @property
    def countries(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(one.country for one in self.restaurants))


@dataclass(frozen=True)
class ListFilter:
    """A filter of the list. `pick` filters a queryset by an index."""

    key: str
    _: KW_ONLY
    label: str | Promise
    icon: str
    place: int
    pick: Callable[[CustomerQuerySet, ListContext], CustomerQuerySet]
    right: str = ""


@dataclass(frozen=True)
class ListColumn:
    """A column of the list. `values` returns the cells of a page in a fixed number of queries."""

    key: str
    _: KW_ONLY
    label: str | Promise
    place: int
    values: Callable[[Sequence[Customer], ListContext], dict[UUID, Any]]
    css: str = ""
    is_usual: bool = True  # shown unless the address names others
    right: str = ""


class GuestFilterChip(NamedTuple):
    label: str | Promise
    icon: str
    is_on: bool
    url: str


class GuestRow(NamedTuple):
    guest: Customer
    cells: list[tuple[ListColumn, Any]]
    sees_health: bool


FILTERS: ExtensionPoint[ListFilter] = ExtensionPoint(
    "Filters of the guest list", order=lambda one: one.place
)
COLUMNS: ExtensionPoint[ListColumn] = ExtensionPoint(
    "Columns of the guest list", order=lambda one: one.place
)


class GuestList:
    """The guests that an address selects, as one person may see them."""

    def __init__(self, address: QueryDict, where: ListContext) -> None:
        self.address = address
        self.where = where
        form = ListForm(address)
        form.is_valid()
        data = form.cleaned_data
        self.q: str = data.get("q", "").strip()[: queries.LONGEST]
        self.language: str = data.get("language") or ""
        self.sizes = SIZES
        self.size = int(data.get("size") or SIZES[0])
        self.guest_query = GuestQuery(self.q, countries=where.countries)
        self.page_number = address.get("page", "1")

    @cached_property
    def filters(self) -> list[ListFilter]:
        """Those that this person may use."""
        return [one for one in FILTERS if not one.right or can(self.where.user, one.right)]

    @cached_property
    def chosen(self) -> list[ListFilter]:
        shown = self.address.getlist("show")
        return [one for one in self.filters if one.key in shown]

    @property
    def is_narrowed(self) -> bool:
        return bool(self.chosen or self.q or self.language)

    @cached_property
    def query(self) -> str:
        """The query string of a saved view, without the search words, which may name a person."""
        data = [("show", one.key) for one in self.chosen]
        data += [("language", self.language)] if self.language else []
        data += [("columns", one.key) for one in self.picked]
        data += [("size", str(self.size))] if self.size != SIZES[0] else []
        return urlencode(data)

    @property
    def is_search(self) -> bool:
        return bool(self.q) and not (self.chosen or self.language)

    @property
    def guests(self) -> CustomerQuerySet:
        """All that match, by name."""
        rows = self._narrowed()
        if self.q:
            rows = queries.matching(self.guest_query, rows)
        return rows.order_by("last_name_key", "uuid")

    def _narrowed(self) -> CustomerQuerySet:
        rows = Customer.objects.present().filter(group__in=[g.pk for g in self._groups])
        for one in self.chosen:
            rows = one.pick(rows, self.where)
        if self.language:
            rows = rows.filter(Q(locale=self.language) | Q(locale__startswith=f"{self.language}_"))
        return rows

    @property
    def _groups(self) -> list[Group]:
        """Groups where the person holds the right to every chosen filter."""
        rights = {one.right for one in self.chosen if one.right}
        return [
            g for g in self.where.groups if all(can(self.where.user, r, group=g) for r in rights)
        ]

    @cached_property
    def page(self) -> "Page[Customer]":
        """A search shows the likeliest first; a list goes by name.

        An invalid page is page 1. Up to six queries; two more where it has guests without a name.
        """
        if self.is_search:
            keys = [group.pk for group in self.where.groups]
            found = find_guests(
                self.guest_query, groups=keys, user=self.where.user, now=timezone.now()
            )
            return Paginator(found.guests, self.size).get_page(self.page_number)
        guests: Any = _NamedFirst(self.guests.for_lines())  # a paginator takes slices and no more
        pages = _Pages(guests, self.size)
        if not self.is_narrowed:
            pages.known = sum(coverage.count_of(group) for group in self.where.groups)
        return pages.get_page(self.page_number)

    @property
    def has_more(self) -> bool:
        """Whether a search stopped at the likeliest."""
        return self.is_search and self.page.paginator.count >= queries.CANDIDATES

    @cached_property
    def all_columns(self) -> list[ListColumn]:
        """Those that this person may see."""
        return [one for one in COLUMNS if not one.right or can(self.where.user, one.right)]

    @cached_property
    def columns(self) -> list[ListColumn]:
        return self.picked or [one for one in self.all_columns if one.is_usual]

    @cached_property
    def picked(self) -> list[ListColumn]:
        """The columns that the address names."""
        named = self.address.getlist("columns")
        return [one for one in self.all_columns if one.key in named]

    @cached_property
    def rows(self) -> list[GuestRow]:
        """The guests of the page with their cells.

        One query a column that asks others, one for the guests.
        """
        guests = list(self.page)
        values = [(column, column.values(guests, self.where)) for column in self.columns]
        of_health = {g.pk for g in self.where.groups if can(self.where.user, HEALTH, group=g)}
        return [
            GuestRow(
                g, [(column, known.get(g.pk)) for column, known in values], g.group_id in of_health
            )
            for g in guests
        ]

    @property
    def chips(self) -> list[GuestFilterChip]:
        on = [one.key for one in self.chosen]
        return [
            GuestFilterChip(one.label, one.icon, one.key in on, self._with("show", one.key, on))
            for one in self.filters
        ]

    @property
    def taken_off(self) -> list[tuple[str, str]]:
        """Search and language, each with the address without it."""
        known = {"language": language_label(self.language), "q": self.q}
        return [(words, self._without(name)) for name, words in known.items() if words]

    @property
    def column_choices(self) -> list[tuple[ListColumn, bool]]:
        return [(one, one in self.columns) for one in self.all_columns]

    @property
    def kept(self) -> list[tuple[str, str]]:
        """Hidden fields of the page's forms."""
        pairs = ((name, value) for name, values in self.address.lists() for value in values)
        return [(name, str(value)) for name, value in pairs if name not in ("q", "page")]

    @property
    def kept_but_columns(self) -> list[tuple[str, str]]:
        data = [("q", self.q)] if self.q else []
        return data + [pair for pair in self.kept if pair[0] not in ("columns", "size")]

    def _with(self, name: str, key: str, on: list[str]) -> str:
        address = self.address.copy()
        others = [one for one in on if one != key]
        address.setlist(name, others if key in on else [*others, key])
        address.pop("page", None)
        return f"?{address.urlencode()}"

    def _without(self, name: str) -> str:
        address = self.address.copy()
        address.pop(name, None)
        address.pop("page", None)
        return f"?{address.urlencode()}"


class _NamedFirst:
    """Guests by last name, and after them those who have none: as two parts, because no index has
    them in this order.
    """

    def __init__(self, guests: CustomerQuerySet) -> None:
        self.guests = guests
        self.named = guests.filter(last_name_key__gt="")
        self.nameless = guests.filter(last_name_key="")

    def count(self) -> int:
        return self.guests.count()

    def __getitem__(self, part: slice) -> list[Customer]:
        found = list(self.named[part])
        missing = part.stop - part.start - len(found)
        if not missing:
            return found
        start = 0 if found else max(0, part.start - self.named.count())
        return found + list(self.nameless[start : start + missing])


class _Pages(Paginator):  # type: ignore[type-arg]  # generic for the type checker only
    """Pages of a list whose length may be known already."""

    known: int | None = None

    @cached_property
    def count(self) -> int:
        return super().count if self.known is None else self.known


def _birthdays(rows: CustomerQuerySet, where: ListContext) -> CustomerQuerySet:
    days = [where.day + timedelta(days=n) for n in range(BIRTHDAYS_AHEAD + 1)]
    keys = {day.month * 100 + day.day for day in days}
    # A birthday on 29 February is on the 28th in other years, as on the cards of boards.
    is_early = any((day.month, day.day) == (2, 28) and not isleap(day.year) for day in days)
    return rows.filter(birthday__in=keys | ({229} if is_early else set()))


def _duplicates(rows: CustomerQuerySet, where: ListContext) -> CustomerQuerySet:
    pairs = DuplicateScore.objects.filter(group__in=[group.pk for group in where.groups])
    return rows.filter(Q(pk__in=pairs.values("one")) | Q(pk__in=pairs.values("other")))


def _of_guest(name: str) -> Callable[[Sequence[Customer], ListContext], dict[UUID, Any]]:
    return lambda guests, _where: {guest.pk: getattr(guest, name) for guest in guests}


OWN_FILTERS = (
    ListFilter(
        "vip", label=_("VIP"), icon="vip", place=20, pick=lambda rows, _w: rows.filter(is_vip=True)
    ),
    ListFilter(
        "allergies",
        label=_("Allergies, tagged"),
        icon="allergy",
        place=30,
        pick=lambda rows, _w: rows.filter(has_allergies=True),
        right=HEALTH,
    ),
    ListFilter(
        "birthdays",
        label=_("Birthday in 14 days"),
        icon="birthday",
        place=40,
        pick=_birthdays,
    ),
    ListFilter(
        "caution",
        label=_("Caution"),
        icon="caution",
        place=60,
        pick=lambda rows, _w: rows.filter(needs_caution=True),
        right=HEALTH,
    ),
    ListFilter(
        "bad-phones",
        label=_("Bad phone number"),
        icon="calls",
        place=70,
        pick=lambda rows, _w: rows.badly_numbered(),
    ),
    ListFilter(
        "duplicates",
        label=_("Likely duplicates"),
        icon="people",
        place=80,
        pick=_duplicates,
    ),
)

OWN_COLUMNS = (
    ListColumn(
        "phone",
        label=_("Phone"),
        place=10,
        values=_of_guest("masked_phone"),
        css="nowrap only-wide",
    ),
    ListColumn(
        "email",
        label=_("E-mail"),
        place=15,
        values=_of_guest("masked_email"),
        css="only-wide",
        is_usual=False,
    ),
    ListColumn(
        "language",
        label=_("Language"),
        place=80,
        values=_of_guest("language_label"),
        css="guest-rows__extra",
    ),
)
