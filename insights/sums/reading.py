"""Read sums: of a range, by day, week or month, by restaurant or channel. Counts nothing."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from django.db.models import QuerySet, Sum

from insights.forms import InsightParams
from insights.models import BookingCount, CountRow, Rating, first_of_month, next_month
from lib.dates import date_format

DAYS_UP_TO, WEEKS_UP_TO = 35, 200  # days of a range that are shown one by one, and by week

Sums = dict[str, int]


@dataclass(frozen=True)
class Bucket:
    """One column of a picture: a day, a week or a month, as far as it lies in the range."""

    first: date
    label: str
    sums: Sums


def cut_of(params: InsightParams) -> str:
    if params.channel:
        return CountRow.BY_BOTH if params.service else CountRow.BY_CHANNEL
    return CountRow.BY_SERVICE if params.service else CountRow.WHOLE


def rows(model: type[CountRow], params: InsightParams, *, daily: bool = False) -> QuerySet[Any]:
    """The rows of the cut that the question is about. Reviews have no channel."""
    held: Any = model._default_manager
    reach = (params.ids, params.first, params.last)
    found: QuerySet[Any] = held.daily(*reach) if daily else held.of(*reach)
    if model is Rating:
        by_service = {"cut": CountRow.BY_SERVICE, "service": params.service}
        return found.filter(**by_service if params.service else {"cut": CountRow.WHOLE})
    return found.filter(cut=cut_of(params), service=params.service, channel=params.channel)


def by_channel(params: InsightParams) -> dict[str, Sums]:
    """The bookings of each channel, of one service if `params` names one. One query."""
    names = ("bookings", "covers", "no_shows", "cancelled")
    return summed(channel_rows(params), "channel", names)


def channel_rows(params: InsightParams, *, daily: bool = False) -> QuerySet[BookingCount]:
    held = BookingCount.objects
    reach = (params.ids, params.first, params.last)
    found = held.daily(*reach) if daily else held.of(*reach)
    cut = CountRow.BY_BOTH if params.service else CountRow.BY_CHANNEL
    found = found.filter(cut=cut, service=params.service)
    return found.filter(channel=params.channel) if params.channel else found


def finest(model: type[CountRow], params: InsightParams, *, daily: bool = False) -> QuerySet[Any]:
    """The rows of a table that is kept in one cut only."""
    held: Any = model._default_manager
    reach = (params.ids, params.first, params.last)
    found: QuerySet[Any] = held.daily(*reach) if daily else held.of(*reach)
    found = found.filter(cut=CountRow.BY_BOTH)
    chosen = {"service": params.service, "channel": params.channel}
    return found.filter(**{name: value for name, value in chosen.items() if value})


def summed(found: QuerySet[Any], by: str, names: Sequence[str]) -> dict[Any, Sums]:
    """The sums of each value of a column. One query."""
    groups = found.order_by().values_list(by).annotate(*[Sum(name) for name in names])
    return {key: dict(zip(names, sums, strict=True)) for key, *sums in groups}


def summed_by(
    found: QuerySet[Any], by: Sequence[str], names: Sequence[str]
) -> dict[tuple[Any, ...], Sums]:
    """The sums of each group of values of several columns. One query."""
    groups = found.order_by().values_list(*by).annotate(*[Sum(name) for name in names])
    return {tuple(row[: len(by)]): dict(zip(names, row[len(by) :], strict=True)) for row in groups}


def series(
    model: type[CountRow], params: InsightParams, names: Sequence[str], **more: Any
) -> list[Bucket]:
    """The sums of each day, week or month of the range, empty ones too. One query."""
    by_month = params.days > WEEKS_UP_TO
    found = rows(model, params, daily=not by_month).filter(**more)
    buckets = _buckets(params, names)
    starts = [bucket.first for bucket in buckets]
    for day, sums in summed(found, "start", names).items():
        held = buckets[bisect_right(starts, max(day, starts[0])) - 1].sums
        for name, number in sums.items():
            held[name] += number
    return buckets


def total(buckets: Sequence[Bucket]) -> Sums:
    names = buckets[0].sums
    return {name: sum(bucket.sums[name] for bucket in buckets) for name in names}


def _buckets(params: InsightParams, names: Sequence[str]) -> list[Bucket]:
    if params.days <= DAYS_UP_TO:
        return [_bucket(params.first + timedelta(days=n), "D j", names) for n in range(params.days)]
    if params.days <= WEEKS_UP_TO:
        weeks = range(0, params.days, 7)
        return [_bucket(params.first + timedelta(days=n), "j M", names) for n in weeks]
    found, month = [], first_of_month(params.first)
    while month <= params.last:
        found.append(_bucket(month, "M y", names))
        month = next_month(month)
    return found


def _bucket(first: date, spelling: str, names: Sequence[str]) -> Bucket:
    return Bucket(first, date_format(first, spelling), dict.fromkeys(names, 0))
