"""Filters, columns and search results that bookings add to the guest list: arriving guests, absent
returning guests, number and date of visits."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from decimal import Decimal
from itertools import islice
from typing import Any
from uuid import UUID

from django.db.models import Avg, Count, Max, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from customers.guest_list import pages as lists
from customers.guest_list.pages import ListContext
from customers.models import Customer, CustomerQuerySet
from customers.search import quick_search
from customers.search.quick_search import Hit, Search
from lib.dates import date_format
from lib.money import mean_money
from reservations.guest_panels.came import visited
from reservations.models import STANDING, Reservation, ReturningGuest
from restaurants.models import Restaurant

FEWEST_VISITS = 3  # visits after which a guest's absence is worth noticing
AWAY = timedelta(days=182)
AT_A_TIME = 2000


def arriving(rows: CustomerQuerySet, where: ListContext) -> CustomerQuerySet:
    """Guests with a booking on the day in scope."""
    expected = Reservation.objects.present().for_day(where.day).filter(status__in=STANDING)
    here = expected.for_restaurants(one.pk for one in where.restaurants)
    return rows.filter(pk__in=here.exclude(customer=None).values("customer"))


def lapsed(rows: CustomerQuerySet, where: ListContext) -> CustomerQuerySet:
    """Returning guests without a visit for half a year. See `measure_returning_guests`."""
    gone = ReturningGuest.objects.filter(group__in=[group.pk for group in where.groups])
    away = gone.filter(last_visit_at__lt=timezone.now() - AWAY)
    return rows.filter(pk__in=away.values("customer_uuid"))


def measure_returning_guests(*, now: datetime) -> int:
    """Store who came often and when last. Nightly, because it reads the whole history.

    The last one may be a coming booking, which counts as no absence.
    """
    came = Reservation.objects.present().filter(status="RECORDED", customer__isnull=False)
    counted = (
        came.order_by()
        .values("customer_id", "restaurant__group_id")
        .annotate(visits=Count("pk", filter=visited(now)), last=Max("meal_at"))
        .filter(visits__gte=FEWEST_VISITS)
    )
    written: set[UUID] = set()
    rows = counted.iterator(chunk_size=AT_A_TIME)
    while batch := [_returning_guest(row) for row in islice(rows, AT_A_TIME)]:
        ReturningGuest.objects.bulk_create(
            batch,
            update_conflicts=True,
            unique_fields=["customer_uuid"],
            update_fields=["group", "visits", "last_visit_at"],
        )
        written.update(guest.pk for guest in batch)
    # Whose visits turned out to be no-shows, or have gone. Found outside of any transaction.
    known = ReturningGuest.objects.values_list("pk", flat=True)
    stale = (pk for pk in known.iterator(chunk_size=AT_A_TIME) if pk not in written)
    for pks in iter(lambda: list(islice(stale, AT_A_TIME)), []):
        ReturningGuest.objects.filter(pk__in=pks).delete()
    return len(written)


def _returning_guest(row: Any) -> ReturningGuest:
    return ReturningGuest(
        customer_uuid=row["customer_id"],
        group_id=row["restaurant__group_id"],
        visits=row["visits"],
        last_visit_at=row["last"],
    )


def _facts(guests: Sequence[Customer], where: ListContext) -> dict[UUID, dict[str, Any]]:
    """The figures of a page of guests. Two queries, shared by its columns."""
    kept: dict[tuple[UUID, ...], dict[UUID, dict[str, Any]]] = where.kept
    key = tuple(guest.pk for guest in guests)
    if key not in kept:
        reach = Restaurant.objects.visible_to(where.user).values_list("pk", flat=True)
        kept[key] = _count(key, billed_at=list(reach))
    return kept[key]


def _count(keys: Sequence[UUID], *, billed_at: Sequence[int]) -> dict[UUID, dict[str, Any]]:
    """Visits count anywhere in the group; bills only where the person may see them."""
    now = timezone.now()
    past = Reservation.objects.present().filter(customer__in=keys, meal_at__lte=now)
    came = visited(now)
    billed = came & Q(restaurant__in=billed_at) & ~Q(bill_currency="")
    counted = (
        past.order_by()
        .values("customer_id")
        .annotate(
            visits=Count("pk", filter=came),
            no_shows=Count("pk", filter=Q(status="NO_SHOW")),
            last=Max("service_day", filter=came),
            spend=Avg("bill_amount", filter=billed),
            currencies=Count("bill_currency", filter=billed, distinct=True),
            currency=Max("bill_currency", filter=billed),
        )
    )
    return {row["customer_id"]: {**row} for row in counted}


def _visits(guests: Sequence[Customer], where: ListContext) -> dict[UUID, Any]:
    return {pk: row["visits"] for pk, row in _facts(guests, where).items()}


def _no_shows(guests: Sequence[Customer], where: ListContext) -> dict[UUID, Any]:
    return {pk: row["no_shows"] or "" for pk, row in _facts(guests, where).items()}


def _last(guests: Sequence[Customer], where: ListContext) -> dict[UUID, Any]:
    facts = _facts(guests, where)
    return {pk: date_format(row["last"], "j M Y") for pk, row in facts.items() if row["last"]}


def _spend(guests: Sequence[Customer], where: ListContext) -> dict[UUID, Any]:
    """The mean of the known bills; none for two currencies."""
    facts = _facts(guests, where).items()
    return {pk: _money(row) for pk, row in facts if row["spend"] and row["currencies"] == 1}


def _money(row: dict[str, Any]) -> str:
    return mean_money(Decimal(row["spend"]), row["currency"])


def find(search: Search) -> list[Hit]:
    """The booking with the typed uuid. Those of the guests found stand beside their names."""
    if not search.query.uuid:
        return []
    rows = Reservation.objects.visible_to(search.user).present().filter(pk=search.query.uuid)
    rows = rows.select_related("restaurant").defer("raw")
    return [_hit(booking) for booking in rows]


def _hit(booking: Reservation) -> Hit:
    local = booking.meal_local
    at = date_format(local, "j M, H:i") if local else booking.why_undated
    detail = f"{at} · {booking.restaurant} · {booking.party_size or '?'}"
    return Hit(booking.get_absolute_url(), str(_("Booking")), detail, "today")


RIGHT = "reservations.view_reservation"
SEARCH_PROVIDER = quick_search.SearchProvider(
    "bookings", title=_("Bookings"), place=20, find=find, right=RIGHT
)
GUEST_LIST_FILTERS = (
    lists.ListFilter(
        "arriving", label=_("Arriving"), icon="today", place=10, pick=arriving, right=RIGHT
    ),
    lists.ListFilter(
        "lapsed", label=_("Away for 6 months"), icon="clock", place=50, pick=lapsed, right=RIGHT
    ),
)
GUEST_LIST_COLUMNS = (
    lists.ListColumn(
        "last", label=_("Last visit"), place=20, values=_last, css="nowrap", right=RIGHT
    ),
    lists.ListColumn(
        "visits", label=_("Visits"), place=30, values=_visits, css="number", right=RIGHT
    ),
    lists.ListColumn(
        "no-shows",
        label=_("No-shows"),
        place=40,
        values=_no_shows,
        css="number only-wide",
        right=RIGHT,
    ),
    lists.ListColumn(
        "spend",
        label=_("Average spend per visit"),
        place=50,
        values=_spend,
        css="number nowrap guest-rows__extra",
        right=RIGHT,
    ),
)
