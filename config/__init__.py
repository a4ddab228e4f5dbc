"""Wiring: settings, URLs, Celery, WSGI. No rules live here."""

from lib.processes.gc_tuning import load_quickly

load_quickly()  # every program imports this package before the rest

from config.celery import app as celery_app  # noqa: E402 - it is what loads quickly

__all__ = ["celery_app"]
