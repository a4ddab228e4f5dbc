"""Figures for Prometheus, summed up over all web processes of this machine.

Every figure has labels: one without would make a file for each `manage.py` command that ever ran.
"""

from collections.abc import Iterator

from django.db import Error
from django.utils import timezone
from prometheus_client import CollectorRegistry, Histogram, generate_latest, multiprocess
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from mirror.health import alerts
from mirror.processes import heartbeat
from outbox import overdue
from webhooks.models import Delivery

REQUEST_SECONDS = Histogram(
    "couvert_request_seconds",
    "Time to answer, by route",
    ["method", "route", "status"],
    buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10),
)


def render() -> bytes:
    registry = CollectorRegistry()
    multiprocess.MultiProcessCollector(registry)  # type: ignore[no-untyped-call]  # it has no types
    registry.register(Standstills())
    return generate_latest(registry)


class Standstills(Collector):
    """Whether others work, read from the database at each scrape. Five small queries."""

    def collect(self) -> Iterator[GaugeMetricFamily]:
        try:
            yield from figures()
        except Error:
            return  # /health/ready says so; the other figures are worth having


def figures() -> Iterator[GaugeMetricFamily]:
    now = timezone.now()
    ages = GaugeMetricFamily(
        "couvert_heartbeat_age_seconds", "Since a process was last seen", labels=["process"]
    )
    for process in ("worker", "beat"):
        if (age := heartbeat.age(process, now=now)) is not None:
            ages.add_metric([process], age.total_seconds())
    yield ages
    waiting = GaugeMetricFamily("couvert_waiting", "What nobody has taken up yet", labels=["what"])
    waiting.add_metric(["unrouted deliveries"], Delivery.objects.waiting().count())
    waiting.add_metric(["overdue changes"], overdue.figures(now)["overdue"])
    yield waiting
    open_ = GaugeMetricFamily(
        "couvert_standstill", "1 while it lasts", labels=["cause", "connection"]
    )
    for cause, connection in alerts.open_standstills():
        open_.add_metric([cause, str(connection or "")], 1)
    yield open_
