"""Figures for Prometheus, summed up over all web processes of this machine.

Every figure has labels: one without would make a file for each `manage.py` command that ever ran.
"""

from prometheus_client import CollectorRegistry, Histogram, generate_latest, multiprocess

REQUEST_SECONDS = Histogram(
    "couvert_request_seconds",
    "Time to answer, by route",
    ["method", "route", "status"],
    buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10),
)


def render() -> bytes:
    registry = CollectorRegistry()
    multiprocess.MultiProcessCollector(registry)  # type: ignore[no-untyped-call]  # it has no types
    return generate_latest(registry)
