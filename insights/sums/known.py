"""Which days are known and open, and which are known on both sides of a comparison.

A day of a restaurant is known and open if it was read and a booking was kept or missed on it. A
closed day holds none, and one that is being read not all: neither can be compared or divided by.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from django.db.models import Q, QuerySet

from insights.forms import InsightParams
from insights.models import BookingCount, CountRow
from insights.sums.reading import Sums, summed, summed_by
from mirror.health.first_reading import Missing, missing_in, words_of

ENOUGH = 14  # days on both sides before a change is shown; half of the days of a shorter range
RestaurantDay = tuple[int, date]
ByPlace = dict[int, Sums]
Find = Callable[[InsightParams, bool], QuerySet[Any]]  # the second: day by day


@dataclass(frozen=True)
class KnownDays:
    """Open days by restaurant: of the range, and of the days that it is compared with."""

    params: InsightParams
    now: frozenset[RestaurantDay]
    before: frozenset[RestaurantDay]  # as the days of the range that they stand beside
    # In neither of the above: days of which bookings may be missing.
    unread: frozenset[RestaurantDay] = frozenset()
    unread_before: frozenset[RestaurantDay] = frozenset()

    @property
    def days(self) -> int:
        """Days of the range on which at least one restaurant is known to have been open."""
        return len({day for _restaurant, day in self.now})

    @property
    def whole(self) -> set[date]:
        """Open days of which no restaurant is unread: what is divided by them counts them only."""
        return {day for _pk, day in self.now} - {day for _pk, day in self.unread}

    @property
    def compared(self) -> int:
        """Days of the range on which the same restaurant is known on both sides."""
        return len({day for _restaurant, day in self.now & self.before})

    @property
    def unpaired(self) -> set[RestaurantDay]:
        """All days of the range that are not known on both sides."""
        days = [self.params.first + timedelta(days=n) for n in range(self.params.days)]
        every = {(pk, day) for pk in self.params.ids for day in days}
        return every - (self.now & self.before)

    @property
    def is_whole(self) -> bool:
        """Whether both sides hold the same days, so that their plain counts can be compared."""
        return self.now == self.before

    @property
    def needed(self) -> int:
        return min(ENOUGH, -(-self.params.days // 2))

    @property
    def is_enough(self) -> bool:
        return self.compared >= self.needed

    @property
    def newcomers(self) -> list[str]:
        """Restaurants with open days now and none beside them: no change is of theirs."""
        both = {pk for pk, _day in self.now & self.before}
        seen = {pk for pk, _day in self.now} - both
        return [one.name for one in self.params.restaurants if one.pk in seen]


def known_days(params: InsightParams) -> KnownDays:
    """The open days of both sides, by the service; a channel does not open or close a day."""
    before, back = params.before, timedelta(days=params.shift)
    places = set(params.ids)
    found = [(pk, day) for pk, day in _open_days(params) if pk in places]
    now = frozenset((pk, day) for pk, day in found if day >= params.first)
    then = frozenset((pk, day + back) for pk, day in found if day <= before.last)
    unread = frozenset(_unread(params))
    unread_then = frozenset((pk, day + back) for pk, day in _unread(before))
    return KnownDays(params, now - unread, then - unread_then, unread, unread_then)


def _open_days(params: InsightParams) -> list[RestaurantDay]:
    """One query for all questions of a page: some of them are about fewer restaurants."""
    key = (params.first, params.last, params.shift, params.service)
    places, found = params.memo.get(key, (set(), []))
    if places >= set(params.ids):
        return list(found)
    found = list(_query(params).order_by().values_list("restaurant_id", "start"))
    params.memo[key] = (set(params.ids), found)
    return found


def missing_words(params: InsightParams) -> list[str]:
    """Which days of the range are not known to be whole; none where all are."""
    return words_of(_missing(params).values())


def _unread(params: InsightParams) -> Iterator[RestaurantDay]:
    """Days of which bookings may be missing: their sums are no more than a part."""
    for day, missing in _missing(params).items():
        yield from ((pk, day) for pk in missing.keys)


def _missing(params: InsightParams) -> dict[date, Missing]:
    """Found once for all questions of a page."""
    key = ("missing", params.first, params.last, frozenset(params.ids))
    if key not in params.memo:
        params.memo[key] = missing_in(params.first, params.last, params.restaurants)
    found: dict[date, Missing] = params.memo[key]
    return found


def _query(params: InsightParams) -> QuerySet[BookingCount]:
    before = params.before
    cut = CountRow.BY_SERVICE if params.service else CountRow.WHOLE
    return BookingCount.objects.filter(
        Q(start__range=(params.first, params.last)) | Q(start__range=(before.first, before.last)),
        # No index is looked up by two ranges: without their hull all years would be read.
        Q(start__range=(before.first, params.last)),
        Q(bookings__gt=0) | Q(no_shows__gt=0),
        span=CountRow.DAY,
        cut=cut,
        restaurant__in=params.ids,
        service=params.service,
    )


def like_for_like(
    params: InsightParams, find: Find, names: Sequence[str]
) -> tuple[Sums, Sums] | None:
    """The sums of the days known on both sides; None where these are too few for a change."""
    known = known_days(params)
    if not known.is_enough:
        return None
    now, before = _both_sides(known, find, names)
    return _added(now, names), _added(before, names)


def like_for_like_of_reviews(
    params: InsightParams, find: Find, names: Sequence[str]
) -> tuple[Sums, Sums] | None:
    """The same of reviews, which may stand on a day of which no booking is known."""
    known = known_days(params)
    if not known.is_enough:
        return None
    now, before = _both_sides(known, find, names, more=known.unpaired)
    return _added(now, names), _added(before, names)


def like_for_like_by_restaurant(
    params: InsightParams, find: Find, names: Sequence[str]
) -> dict[int, tuple[Sums, Sums]]:
    """The same for each restaurant by itself; those with too few days are left out."""
    known = known_days(params)
    now, before = _both_sides(known, find, names)
    days = Counter(pk for pk, _day in known.now & known.before)
    none = dict.fromkeys(names, 0)
    return {
        pk: (now.get(pk, none), before.get(pk, none))
        for pk, number in days.items()
        if number >= known.needed
    }


def _both_sides(
    known: KnownDays,
    find: Find,
    names: Sequence[str],
    *,
    more: Set[RestaurantDay] = frozenset(),
) -> tuple[ByPlace, ByPlace]:
    back = timedelta(days=known.params.shift)
    more |= known.unread | known.unread_before
    alone = (known.now - known.before) | more
    alone_then = {(pk, day - back) for pk, day in (known.before - known.now) | more}
    return (
        _without(known.params, find, names, alone),
        _without(known.params.before, find, names, alone_then),
    )


def _without(
    params: InsightParams, find: Find, names: Sequence[str], alone: Set[RestaurantDay]
) -> ByPlace:
    """The sums of all days less those of days that have nothing beside them, by restaurant."""
    sums = summed(find(params, False), "restaurant", names)
    if not alone:
        return sums
    days = find(params, True).filter(start__in={day for _restaurant, day in alone})
    for (pk, day), numbers in summed_by(days, ("restaurant", "start"), names).items():
        if (pk, day) in alone:
            sums[pk] = {name: sums[pk][name] - numbers[name] for name in names}
    return sums


def _added(places: ByPlace, names: Sequence[str]) -> Sums:
    return {name: sum(sums[name] for sums in places.values()) for name in names}
