"""What is booked of a service: big parties, menus and offers, languages, diets. Numbers first."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from customers.allergies.labels import name_of
from customers.allergies.needs import CERTAINTIES, OTHER
from insights.models import CountRow, DietaryCount
from insights.questions.diets import CERTAINTY_NAMES
from lib.labels import language_label
from reservations.models import Reservation
from reservations.service_day.bookings import WALK_IN
from reservations.service_day.services import service_of
from restaurants.models import Restaurant

COLUMNS = (
    "party_size",
    "local_minutes",
    "offer_uuid",
    "offer_type",
    "offer_name",
    "reservation_channel",
    "customer__locale",
)


class Counted(NamedTuple):
    """A line of a list: a menu, a language, a diet."""

    label: str
    parties: int
    covers: int
    about: str = ""


@dataclass
class Extras:
    """Of one service. A walk-in has no offer and no language that anybody knows."""

    offers: Sequence[Counted]
    languages: Sequence[Counted]


def extras_of(restaurant: Restaurant, day: date) -> dict[str, Extras]:
    """By service. One query."""
    held = Reservation.objects.present().for_day(day).for_restaurants([restaurant.pk])
    confirmed = held.filter(status="RECORDED", local_minutes__isnull=False).order_by()
    rows: dict[str, list[Any]] = defaultdict(list)
    for row in confirmed.exclude(reservation_channel=WALK_IN).values_list(*COLUMNS, named=True):
        rows[service_of(row.local_minutes // 60)].append(row)
    return {service: Extras(_offers(found), _languages(found)) for service, found in rows.items()}


def _offers(rows: Iterable[Any]) -> list[Counted]:
    return _counted((_offer(row), row) for row in rows if row.offer_uuid or row.offer_type)


def _offer(row: Any) -> str:
    return Reservation(offer_type=row.offer_type, offer_name=row.offer_name).offer_label


def _languages(rows: Iterable[Any]) -> list[Counted]:
    return _counted((language_label(row.customer__locale or ""), row) for row in rows)


def _counted(named: Iterable[tuple[str, Any]]) -> list[Counted]:
    """The most covers first; what has no name is left out."""
    sums: dict[str, list[int]] = defaultdict(list)
    for name, row in named:
        if name:
            sums[name].append(row.party_size or 0)
    found = [Counted(name, len(sizes), sum(sizes)) for name, sizes in sums.items()]
    return sorted(found, key=lambda one: (-one.covers, one.label))


def diets_of(restaurant: Restaurant, day: date) -> dict[str, list[Counted]]:
    """Allergies and diets by service, each certainty by itself. For people who may see them.

    One query of counts that are kept by day.
    """
    held = DietaryCount.objects.daily([restaurant.pk], day, day).filter(cut=CountRow.BY_SERVICE)
    columns = ("service", "code", "certainty", "parties", "people")
    rows = held.exclude(code="").exclude(parties=0).order_by().values_list(*columns)
    found: dict[str, list[Counted]] = defaultdict(list)
    for service, code, certainty, parties, people in sorted(rows, key=_rank):
        name = _("Another tag") if code == OTHER else name_of(code)
        words = str(CERTAINTY_NAMES[certainty])
        found[service].append(Counted(name, parties, people, words))
    return found


def _rank(row: tuple[str, str, str, int, int]) -> tuple[str, int, int, str]:
    service, code, certainty, parties, _people = row
    return service, CERTAINTIES.index(certainty), -parties, code
