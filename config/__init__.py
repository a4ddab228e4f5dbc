"""Wiring: settings, URLs, Celery, WSGI. No rules live here."""

from lib.processes.gc_tuning import collect_rarely

collect_rarely()  # every program imports this package before the rest

from config.celery import app as celery_app  # noqa: E402 - the line above comes first

__all__ = ["celery_app"]
