"""Wiring: settings, URLs, Celery, WSGI. No rules live here."""

from config.celery import app as celery_app

__all__ = ["celery_app"]
