"""Trains the forecasts of every restaurant once its service day is over, and stores them.

A row per restaurant is the queue. A worker claims it for some minutes, trains, and stores all
numbers in one short transaction; one that is killed leaves a claim that runs out, and the next
goes on with the restaurants that are left.
"""

import time
from collections.abc import Iterator, Mapping
from datetime import date, datetime, timedelta

import numpy as np
from django.db import transaction
from django.db.models import Max, QuerySet

from insights.expected.models import ExpectedService, ForecastRun, PastForecast
from insights.expected.reading import bookings_by_service
from insights.forecast import HORIZONS
from insights.forecast.backtest import DAYS
from insights.forecast.engine import Expected, ServiceForecast, train
from mirror.models import Job
from reservations.service_day.bookings import marking_restaurants
from restaurants.models import Restaurant

BUDGET_SECONDS = 20
LEASE = timedelta(minutes=10)
KEPT = timedelta(days=400)  # past forecasts


def train_due(*, now: datetime) -> int:
    """Train for as long as the budget lasts. Returns how many restaurants."""
    ends_at, trained = time.monotonic() + BUDGET_SECONDS, 0
    for restaurant in _due(now):
        if time.monotonic() > ends_at:
            break
        trained += _claim_and_train(restaurant, now=now)
    return trained


def _due(now: datetime) -> Iterator[Restaurant]:
    """Those whose service day has changed since, or whose older days were read since."""
    runs = ForecastRun.objects.in_bulk()
    read_at = _last_backfills()
    for restaurant in Restaurant.objects.select_related("group").order_by("pk"):
        run = runs.get(restaurant.pk)
        made_at = run and run.made_at
        is_current = run is not None and run.morning == restaurant.service_day(now)
        read = read_at.get(restaurant.group.connection_id)
        if not is_current or not made_at or (read and read > made_at):
            yield restaurant


def _last_backfills() -> dict[int | None, datetime]:
    """When the last one of each account ended: it says nothing about the others' restaurants."""
    ended = Job.objects.filter(purpose=Job.Purpose.BACKFILL).exclude(ended_at=None).order_by()
    return dict(ended.values_list("connection").annotate(Max("ended_at")))


def _claim_and_train(restaurant: Restaurant, *, now: datetime) -> bool:
    ForecastRun.objects.get_or_create(restaurant=restaurant)
    own = ForecastRun.objects.filter(restaurant=restaurant)
    if not own.free(now=now).update(lease_until=now + LEASE):
        return False
    train_restaurant(restaurant, now=now)
    return True


def train_restaurant(restaurant: Restaurant, *, now: datetime) -> None:
    """Read, train and store. It releases the claim."""
    morning = restaurant.service_day(now)
    forecasts = train(bookings_by_service(restaurant, today=morning), today=morning)
    early = {name: one.too_early.weeks for name, one in forecasts.items() if one.too_early}
    ready = {name: one for name, one in forecasts.items() if name not in early}
    with transaction.atomic():
        _store_coming(restaurant, ready, now=now)
        _store_kept(restaurant, ready, morning=morning)
        ForecastRun.objects.filter(restaurant=restaurant).update(
            morning=morning, made_at=now, lease_until=None, too_early=early
        )


def _store_coming(
    restaurant: Restaurant, forecasts: Mapping[str, ServiceForecast], *, now: datetime
) -> None:
    """No-shows are a number only where arrivals are marked; elsewhere nobody notices them."""
    ExpectedService.objects.filter(restaurant=restaurant).delete()
    rows = [
        _expected(restaurant, service, forecast, lag, one)
        for service, forecast in forecasts.items()
        for lag, one in enumerate(forecast.coming())
    ]
    if not marking_restaurants([restaurant.pk], now=now).get(restaurant.pk):
        for row in rows:
            row.no_shows = row.missed_before = row.came_before = None
    ExpectedService.objects.bulk_create(rows, batch_size=500)


def _expected(
    restaurant: Restaurant, service: str, forecast: ServiceForecast, lag: int, one: Expected
) -> ExpectedService:
    column = forecast.history.days + lag
    last_four, ratio = (round(float(rule[lag, column])) for rule in forecast.rules)
    return ExpectedService(
        restaurant=restaurant,
        day=one.day,
        service=service,
        covers=round(one.covers),
        lower=one.lower,
        upper=one.upper,
        rule=one.rule,
        last_four=last_four,
        ratio=ratio,
        booked=one.booked,
        usually_booked=one.usually_booked,
        usually_next=float(forecast.usual_booked[max(lag - 1, 0), column]),
        no_shows=round(one.no_shows, 2),
        missed_before=one.missed_before,
        came_before=one.came_before,
    )


def _store_kept(
    restaurant: Restaurant, forecasts: Mapping[str, ServiceForecast], *, morning: date
) -> None:
    """Keep today's forecasts for the errors, and fill days that have none by the walk."""
    kept = PastForecast.objects.filter(restaurant=restaurant)
    kept.filter(day__lt=morning - KEPT).delete()
    kept.filter(is_walk=True).delete()
    today = [horizon - 1 for horizon in HORIZONS]
    for service, forecast in forecasts.items():
        days = forecast.history.days
        made = [_past(restaurant, service, forecast, lag, days + lag) for lag in today]
        _replace(made)
        walked = list(_walked(restaurant, service, forecast))
        PastForecast.objects.bulk_create(walked, ignore_conflicts=True, batch_size=500)
        _follow_outcomes(kept.filter(service=service, is_walk=False), forecast)


def _follow_outcomes(kept: "QuerySet[PastForecast]", forecast: ServiceForecast) -> None:
    """What came of the services of the last eight weeks, as it is known by now."""
    last = forecast.history.today - timedelta(days=1)
    changed = []
    for row in kept.filter(day__range=(last - timedelta(days=DAYS - 1), last)):
        came = _came(forecast, row.day.toordinal() - forecast.history.first)
        if row.came != came:
            row.came = came
            changed.append(row)
    PastForecast.objects.bulk_update(changed, ["came"], batch_size=500)


def _came(forecast: ServiceForecast, column: int) -> int | None:
    history = forecast.history
    if not 0 <= column < history.days or not history.held[column]:
        return None
    return int(history.came[column])


def _replace(rows: list[PastForecast]) -> None:
    PastForecast.objects.bulk_create(
        rows,
        update_conflicts=True,
        unique_fields=["restaurant", "horizon", "day", "service"],
        update_fields=["covers", "lower", "upper", "rule", "last_four", "ratio", "is_walk"],
    )


def _walked(
    restaurant: Restaurant, service: str, forecast: ServiceForecast
) -> Iterator[PastForecast]:
    """What would have been forecast of the last eight weeks, on a morning with history enough."""
    first = max(forecast.history.days - DAYS, 0)
    for horizon in HORIZONS:
        lag = horizon - 1
        for column in np.arange(max(first, forecast.ready + lag), forecast.history.days).tolist():
            yield _past(restaurant, service, forecast, lag, column, is_walk=True)


def _past(
    restaurant: Restaurant,
    service: str,
    forecast: ServiceForecast,
    lag: int,
    column: int,
    *,
    is_walk: bool = False,
) -> PastForecast:
    last_four, ratio = (round(float(rule[lag, column])) for rule in forecast.rules)
    return PastForecast(
        restaurant=restaurant,
        day=date.fromordinal(forecast.history.first + column),
        service=service,
        horizon=lag + 1,
        covers=round(float(forecast.expected[lag, column])),
        lower=int(forecast.interval.lower[lag, column]),
        upper=int(forecast.interval.upper[lag, column]),
        rule=int(forecast.rule[lag, column]),
        last_four=last_four,
        ratio=ratio,
        came=_came(forecast, column),
        is_walk=is_walk,
    )
