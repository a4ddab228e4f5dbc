"""Guest search by fragments of names in any order, phone number in any form, e-mail or uuid.

Case and accents do not matter (`lib.text.fold`). Every search is a few index look-ups with a limit,
so that a common name costs what a rare one does: the first `CANDIDATES` are sorted by relevance.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple
from uuid import UUID

from django.db import connection
from django.db.models import F, Q, Value
from django.db.models.expressions import RawSQL
from django.db.models.functions import StrIndex
from django.db.models.lookups import GreaterThan

from customers import phones
from customers.models import NAME_KEY_LENGTH, Customer, CustomerQuerySet, digits
from lib.text import fold, storable

LONGEST = 80  # characters of a query that are looked at
MOST_WORDS = 6
CANDIDATES = 60
TRIGRAM = 3
# Only the end of a long piece is looked up in the index; the rest is compared in the few rows that
# match. Every number begins with its country code, and scanning all of those is six times slower.
TAIL = 7
FEWEST_DIGITS = 4
HIGHEST = "\U0010ffff"
NUMBER = set("+-./() ")


class GuestText(NamedTuple):
    """What a guest is found by."""

    uuid: UUID
    search_text: str
    last_name_key: str
    first_name_key: str


@dataclass(frozen=True)
class GuestQuery:
    """A typed text with every way to interpret it.

    A number without its country is one of the `countries`: those of the restaurants.
    """

    text: str
    countries: tuple[str, ...] = ()

    @cached_property
    def words(self) -> list[str]:
        return fold(storable(self.text[:LONGEST])).split()[:MOST_WORDS]

    @cached_property
    def uuid(self) -> UUID | None:
        try:
            return UUID(self.text.strip())
        except ValueError:
            return None

    @cached_property
    def number(self) -> str:
        """The digits of a telephone number, or nothing when it is none."""
        typed = self.text[:LONGEST].strip()
        found = digits(typed.replace("(0)", ""))
        is_number = all(c.isdecimal() or c in NUMBER for c in typed)
        return found if is_number and len(found) >= FEWEST_DIGITS else ""

    @property
    def numbers(self) -> list[str]:
        """Pieces to search a number by: in full, then the part that all its forms share, the digits
        without leading zeros (0033 6…, 06…), once there are enough of them to be looked up."""
        full = [number.lstrip("+") for number in self.full_numbers]
        shared = self.number.lstrip("0")
        return [*dict.fromkeys([*full, shared if len(shared) >= TRIGRAM else self.number])]

    @cached_property
    def full_numbers(self) -> list[str]:
        """The full numbers that it may stand for."""
        countries = self.countries or (phones.NO_COUNTRY,)
        found = (phones.normalise(self.text, countries=[country]) for country in countries)
        return [*dict.fromkeys(filter(None, found))] if self.number else []

    def fits(self, guest: GuestText) -> bool:
        """Two letters are in every e-mail address, so they have to begin a name."""
        if self.number:
            return any(piece in guest.search_text for piece in self.numbers)
        names = guest[2:]
        return all(
            word in guest.search_text
            if len(word) >= TRIGRAM
            else any(name.startswith(word) for name in names)
            for word in self.words
        )


def best(query: GuestQuery, *, groups: Sequence[int]) -> list[Customer]:
    """The matching guests, the likeliest first, as lines. At most four small queries."""
    found = candidates(query, groups=groups)
    return sorted(found, key=lambda guest: relevance(guest, query))[:CANDIDATES]


def candidates(
    query: GuestQuery, *, groups: Sequence[int], when_cut: Callable[[], Iterable[UUID]] = tuple
) -> list[Customer]:
    """Matching guests in no order. `when_cut` names those that are added if a look-up found more
    than it may return."""
    groups = list(groups)
    if query.uuid:
        return list(_lines().filter(pk=query.uuid, group__in=groups))
    if not query.words or not groups:
        return []
    found: dict[UUID, Customer] = {}
    is_cut = False
    for some in _lookups(query, groups):
        found |= {guest.pk: guest for guest in some if guest.pk not in found}
        is_cut = is_cut or len(some) >= CANDIDATES // 2
        if len(found) >= CANDIDATES:
            break
    added = set(when_cut()) - found.keys() if is_cut else None
    return [*found.values(), *(_lines().filter(pk__in=added, group__in=groups) if added else ())]


def matching(query: GuestQuery, rows: CustomerQuerySet) -> CustomerQuerySet:
    """All matching guests, for lists that count and for exports."""
    if query.uuid:
        return rows.filter(pk=query.uuid)
    if query.number:
        wanted = Q()
        for piece in query.numbers:
            wanted |= _containing([piece])
        return rows.filter(wanted)
    if not query.words:
        return rows.none()
    return rows.filter(_containing(query.words))


def _lookups(query: GuestQuery, groups: list[int]) -> Iterator[list[Customer]]:
    """The look-ups, from the most specific to the widest.

    A whole number that somebody has is looked up nowhere else: that would take longer than the rest
    of the page among millions of guests.
    """
    if query.number:
        have_it = _with_number(query, groups)
        yield from [have_it] if have_it else _pieces_of_number(query, groups)
    else:
        yield from _pieces_of_name(query, groups)


def _pieces_of_number(query: GuestQuery, groups: list[int]) -> Iterator[list[Customer]]:
    if len(query.number) < TAIL:  # a space ends every number but the last one
        ends = _with_pieces([f"{query.numbers[-1]} "], groups)
        yield ends[: CANDIDATES // 2]
    for piece in query.numbers:
        yield _with_pieces([piece], groups)


def _pieces_of_name(query: GuestQuery, groups: list[int]) -> Iterator[list[Customer]]:
    if len(query.words) == 1:
        for names in (_last_names, _first_names):
            yield list(names(query.words[0], groups))
    if any(len(word) >= TRIGRAM for word in query.words):
        pieces = [_name_of_address(word) for word in query.words]
        yield [g for g in _with_pieces(pieces, groups) if _has_address(g, query.words)]
    elif len(query.words) > 1:
        found = _two_names(query.words[0], query.words[-1], groups)
        yield [g for g in found if _fits(g, query.words)]


def _with_number(query: GuestQuery, groups: list[int]) -> list[Customer]:
    """The guests of a number that was typed in full."""
    numbers = query.full_numbers
    either = Q(phone_e164__in=numbers) | Q(secondary_phone_e164__in=numbers)
    # The sum keeps SQLite from reading all guests of the group instead.
    rows = _lines().alias(place=F("group_id") + 0).filter(either, place__in=groups)
    return list(rows[:CANDIDATES]) if numbers else []


def _with_pieces(pieces: list[str], groups: list[int]) -> list[Customer]:
    """The first guests whose text holds every piece."""
    ends = [piece[-TAIL:] for piece in pieces]
    wholes = [piece for piece in pieces if len(piece) > TAIL]
    if connection.vendor == "postgresql":
        return list(_with_ends(ends, wholes, groups))
    short = [end for end in ends if len(end) < TRIGRAM]
    phrase = _phrase(end for end in ends if len(end) >= TRIGRAM)
    return list(_with_phrase(phrase, wholes, groups).filter(_has_pieces(short)))


# --- Queries, each with other words each time ---------------------------------------------------


def _lines() -> CustomerQuerySet:
    return Customer.objects.present().for_lines()


def _last_names(word: str, groups: list[int]) -> CustomerQuerySet:
    """Guests whose name begins so, in the order of the index."""
    return _lines().filter(_begins("last_name_key", word), group__in=groups)[: CANDIDATES // 2]


def _first_names(word: str, groups: list[int]) -> CustomerQuerySet:
    return _lines().filter(_begins("first_name_key", word), group__in=groups)[: CANDIDATES // 2]


def _two_names(one: str, other: str, groups: list[int]) -> CustomerQuerySet:
    """Short words: the beginnings of first and last name, in either order."""
    either = _begins("last_name_key", one) & _begins("first_name_key", other)
    either |= _begins("last_name_key", other) & _begins("first_name_key", one)
    return _lines().filter(either, group__in=groups)[:CANDIDATES]


def _with_ends(ends: list[str], wholes: list[str], groups: list[int]) -> CustomerQuerySet:
    """Of the `wholes` too the index looks up the ends only."""
    rows = _lines().filter(_has_pieces(ends), group__in=groups)
    for whole in wholes:
        rows = rows.filter(GreaterThan(StrIndex("search_text", Value(whole)), 0))
    return rows[:CANDIDATES]


def _with_phrase(phrase: str, wholes: list[str], groups: list[int]) -> CustomerQuerySet:
    """The guests whose text holds the phrase, and each of the `wholes` that it has the ends of.

    Without a condition on groups outside: SQLite would scan one instead of looking up keys.
    """
    marks = ", ".join(["%s"] * len(groups))
    row = " CROSS JOIN customers_customer c ON c.uuid = f.uuid" if wholes else ""
    provider = " AND instr(c.search_text, %s) > 0" * len(wholes)
    sql = (
        f"SELECT f.uuid FROM customers_trigram t JOIN customers_found f ON f.id = t.rowid{row} "  # noqa: S608  # marks only
        f"WHERE customers_trigram MATCH %s{provider} AND f.group_id IN ({marks}) LIMIT %s"
    )
    values = [phrase, *wholes, *groups, CANDIDATES]
    return _lines().filter(pk__in=RawSQL(sql, values))  # noqa: S611  # the same


def _begins(column: str, word: str) -> Q:
    """SQLite's LIKE uses no index, and PostgreSQL compares by language, not by bytes."""
    word = word[:NAME_KEY_LENGTH]
    if connection.vendor == "postgresql":
        return Q(**{f"{column}__startswith": word})
    return Q(**{f"{column}__gte": word, f"{column}__lt": word + HIGHEST})


# --- Pieces of them -----------------------------------------------------------------------------


def _containing(pieces: list[str]) -> Q:
    if connection.vendor == "postgresql":
        return _has_pieces(pieces)
    long = [piece for piece in pieces if len(piece) >= TRIGRAM]
    if not long:
        return _has_pieces(pieces)
    sql = (
        "SELECT f.uuid FROM customers_trigram t JOIN customers_found f ON f.id = t.rowid "
        "WHERE customers_trigram MATCH %s"
    )
    return Q(pk__in=RawSQL(sql, [_phrase(long)])) & _has_pieces(  # noqa: S611  # a constant
        [piece for piece in pieces if len(piece) < TRIGRAM]
    )


def _name_of_address(word: str) -> str:
    """The part before the @, which distinguishes guests; the hosts after it are few."""
    name = word.partition("@")[0]
    return name if len(name) >= TRIGRAM else word


def _has_address(guest: Customer, words: list[str]) -> bool:
    email = fold(guest.email)
    return all(word in email for word in words if "@" in word)


def _has_pieces(pieces: Iterable[str]) -> Q:
    wanted = Q()
    for piece in pieces:
        wanted &= Q(search_text__contains=piece)
    return wanted


def _phrase(pieces: Iterable[str]) -> str:
    """Each piece as a quoted string of FTS5's language, in which a quote is written twice."""
    return " AND ".join('"' + piece.replace('"', '""') + '"' for piece in pieces)


def _fits(guest: Customer, words: list[str]) -> bool:
    names = f"{guest.first_name_key} {guest.last_name_key}"
    return all(word in names for word in words)


def relevance(guest: Customer, query: GuestQuery) -> tuple[int, str, str]:
    """Names that begin with what was typed stand before those that only hold it, and numbers that
    end with it before those that hold it elsewhere: digit by digit before without its zeros."""
    if query.number:
        ends = _ends_so(guest, query.number) + _ends_so(guest, *query.numbers)
        return (-ends, guest.last_name_key, guest.first_name_key)
    names = [*guest.last_name_key.split(), *guest.first_name_key.split()]
    starts = sum(any(name.startswith(word) for name in names) for word in query.words)
    exact = sum(word in names for word in query.words)
    last = any(guest.last_name_key.startswith(word) for word in query.words)
    return (-(4 * exact + 2 * starts + last), guest.last_name_key, guest.first_name_key)


def _ends_so(guest: Customer, *ends: str) -> bool:
    stored = (guest.phone, guest.phone_e164, guest.secondary_phone, guest.secondary_phone_e164)
    return any(digits(number).endswith(ends) for number in stored)
