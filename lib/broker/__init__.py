"""Celery's transports, and notifications of its workers."""
