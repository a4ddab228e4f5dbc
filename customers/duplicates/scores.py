"""Finds profiles that may be of one person, with a score and the reasons.

Profiles cannot be merged, here or through the API, so a suggestion is a line for a person to read;
"not the same person" is stored.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import combinations
from uuid import UUID

from django.db import transaction
from django.db.models import Count, Q
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from customers.models import Customer, CustomerQuerySet, DuplicateScore, NotSame
from customers.search import queries
from customers.search.queries import GuestQuery
from lib.text import fold

# An address shared by more guests is a company's or invented: it identifies nobody.
MOST_SHARING = 5
LIKELY = 50
PAIRS = 50  # of one page
NAMESAKES = 50
AT_A_TIME = 200  # shared values that one query looks into

WEIGHTS: dict[str, tuple[int, str | Promise]] = {
    "email": (55, _("same e-mail")),
    "phone": (50, _("same phone")),
    "name": (30, _("same name")),
    "swapped": (25, _("first and last name swapped")),
    "birthday": (20, _("same birth date")),
    "last_name": (10, _("same last name")),
    "other_name": (-35, _("other name")),
    "other_birthday": (-40, _("other birth date")),
}
COLUMNS = (
    "uuid",
    "group_id",
    "first_name",
    "last_name",
    "first_name_key",
    "last_name_key",
    "email",
    "phone",
    "phone_e164",
    "secondary_phone_e164",
    "birth_date",
    "is_vip",
)


@dataclass(frozen=True)
class Suggestion:
    """Two profiles, how likely they are of one person (0 to 100), and why."""

    one: Customer
    other: Customer
    score: int
    signs: list[str]

    @property
    def reasons(self) -> list[str | Promise]:
        return [WEIGHTS[sign][1] for sign in self.signs if sign in WEIGHTS]

    @property
    def likelihood(self) -> str | Promise:
        return _("very likely") if self.score >= 80 else _("likely")


def of_guest(guest: Customer) -> list[Suggestion]:
    """Other profiles that may be of this guest, found live. A few queries."""
    near = {row.pk for query in _questions(guest) for row in _find(query, guest)}
    near |= set(_namesakes(guest).values_list("pk", flat=True)[:NAMESAKES])
    rows = Customer.objects.filter(pk__in=near - {guest.pk}).only(*COLUMNS)
    apart = not_same([guest.pk])
    found = [compare(guest, other) for other in rows if pair_of(guest.pk, other.pk) not in apart]
    return sorted((s for s in found if s.score >= LIKELY), key=lambda s: -s.score)


def _questions(guest: Customer) -> list[GuestQuery]:
    known = (guest.phone_e164, guest.secondary_phone_e164, guest.email)
    return [GuestQuery(text) for text in known if text]


def _find(query: GuestQuery, guest: Customer) -> list[Customer]:
    return queries.best(query, groups=[guest.group_id])


def _namesakes(guest: Customer) -> CustomerQuerySet:
    """Same first and last name, also in the other order."""
    names = (guest.first_name_key, guest.last_name_key)
    same = Q(first_name_key=names[0], last_name_key=names[1])
    swapped = Q(first_name_key=names[1], last_name_key=names[0])
    rows = Customer.objects.present().filter(group=guest.group_id)
    return rows.filter(same | swapped) if all(names) else rows.none()


def measure(*, now: datetime) -> int:
    """Recompute the pairs of all groups.

    Hourly: it counts all numbers and addresses, and reads only the guests who share one.
    """
    keys = _sharing("phone_e164") | _sharing("email")
    found = [s for chunk in _chunks(sorted(keys)) for s in _compare_all(chunk)]
    with transaction.atomic():
        DuplicateScore.objects.filter(found_at__lt=now).delete()
        DuplicateScore.objects.bulk_create([_row(s, now=now) for s in found], ignore_conflicts=True)
    return len(found)


def _row(suggestion: Suggestion, *, now: datetime) -> DuplicateScore:
    one, other = pair_of(suggestion.one.pk, suggestion.other.pk)
    return DuplicateScore(
        one=one,
        other=other,
        group_id=suggestion.one.group_id,
        score=suggestion.score,
        signs=suggestion.signs,
        found_at=now,
    )


def likely(groups: Sequence[int]) -> list[Suggestion]:
    """The likeliest pairs that were found, with their guests. Two queries."""
    found = list(DuplicateScore.objects.filter(group__in=groups).order_by("-score", "pk")[:PAIRS])
    keys = {uuid for row in found for uuid in (row.one, row.other)}
    guests = Customer.objects.present().only(*COLUMNS).in_bulk(list(keys))
    return [
        Suggestion(guests[row.one], guests[row.other], row.score, row.signs)
        for row in found
        if row.one in guests and row.other in guests
    ]


def mark_not_same(one: UUID, other: UUID, *, user: User, now: datetime) -> None:
    """Record that two profiles are of two people."""
    first, second = pair_of(one, other)
    NotSame.objects.get_or_create(
        one=first, other=second, defaults={"decided_by": user, "decided_at": now}
    )
    DuplicateScore.objects.filter(one=first, other=second).delete()


def _sharing(column: str) -> set[tuple[str, int]]:
    """The numbers or addresses that two to five guests of a group have."""
    rows = Customer.objects.present().exclude(**{column: ""})
    shared = rows.order_by().values_list(column, "group_id").annotate(n=Count("pk"))
    return {(v, group) for v, group, _n in shared.filter(n__gte=2, n__lte=MOST_SHARING).iterator()}


def _chunks(keys: list[tuple[str, int]]) -> Iterator[list[tuple[str, int]]]:
    return (keys[start : start + AT_A_TIME] for start in range(0, len(keys), AT_A_TIME))


def _compare_all(keys: list[tuple[str, int]]) -> list[Suggestion]:
    values = [value for value, _group in keys]
    rows = Customer.objects.present().filter(Q(phone_e164__in=values) | Q(email__in=values))
    guests = list(rows.only(*COLUMNS))
    apart = not_same([guest.pk for guest in guests])
    pairs = {pair_of(a.pk, b.pk): (a, b) for some in _by_value(guests) for a, b in some}
    found = [compare(a, b) for key, (a, b) in pairs.items() if key not in apart]
    return [suggestion for suggestion in found if suggestion.score >= LIKELY]


def _by_value(rows: Iterable[Customer]) -> list[list[tuple[Customer, Customer]]]:
    shared: dict[tuple[str, str, int], list[Customer]] = defaultdict(list)
    for row in rows:
        for name, value in (("phone", row.phone_e164), ("email", fold(row.email))):
            if value:
                shared[name, value, row.group_id].append(row)
    return [list(combinations(some, 2)) for some in shared.values() if len(some) <= MOST_SHARING]


def compare(one: Customer, other: Customer) -> Suggestion:
    """Add up the signs for and against one person."""
    signs = _signs(one, other)
    score = sum(WEIGHTS[sign][0] for sign in signs)
    return Suggestion(one, other, max(0, min(100, score)), signs)


def _signs(one: Customer, other: Customer) -> list[str]:
    signs = []
    if one.email and fold(one.email) == fold(other.email):
        signs.append("email")
    if _numbers(one) & _numbers(other):
        signs.append("phone")
    signs += _name_signs(one, other)
    if one.birth_date and other.birth_date:
        signs.append("birthday" if one.birth_date == other.birth_date else "other_birthday")
    return signs


def _name_signs(one: Customer, other: Customer) -> list[str]:
    names = [(row.first_name_key, row.last_name_key) for row in (one, other)]
    if not all(any(pair) for pair in names):
        return []
    if names[0] == names[1]:
        return ["name"]
    if names[0] == names[1][::-1]:
        return ["swapped"]
    same_last = one.last_name_key == other.last_name_key
    initials = one.first_name_key[:1] == other.first_name_key[:1]
    return ["last_name"] if same_last and initials else ["other_name"]


def _numbers(row: Customer) -> set[str]:
    return {row.phone_e164, row.secondary_phone_e164} - {""}


def pair_of(one: UUID, other: UUID) -> tuple[UUID, UUID]:
    return (one, other) if one < other else (other, one)


def not_same(uuids: Iterable[UUID]) -> set[tuple[UUID, UUID]]:
    keys = list(uuids)
    decided = NotSame.objects.filter(Q(one__in=keys) | Q(other__in=keys))
    return set(decided.values_list("one", "other"))
