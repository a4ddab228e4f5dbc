"""Celery tasks of the app."""

from celery import shared_task
from django.utils import timezone

from insights import digest
from insights.expected import training
from insights.sums import recount, rereading


@shared_task
def count_marked() -> None:
    recount.count_marked(now=timezone.now())


@shared_task
def read_notes_again() -> None:
    rereading.read_outdated(now=timezone.now())


@shared_task
def count_recent() -> None:
    recount.count_recent(now=timezone.now())


@shared_task
def train_forecasts() -> None:
    training.train_due(now=timezone.now())


@shared_task
def send_digests() -> None:
    digest.send_due(now=timezone.now())
