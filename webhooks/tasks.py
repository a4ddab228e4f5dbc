"""Celery tasks of the app."""

from celery import shared_task
from django.utils import timezone

from lib.processes.single_flight import SingleFlight
from mirror import tasks as mirror
from webhooks import routing
from webhooks.models import Delivery

# Threads that route the same burst would wait for each other and take small batches.
_route = SingleFlight(lambda: routing.route_new(now=timezone.now()))


@shared_task
def route() -> None:
    """Route new deliveries and process the queue at once. Beat starts it periodically too.

    It processes the queue even while another thread routes, which a burst may keep busy.
    """
    _route()
    mirror.work()


@shared_task
def route_placed() -> None:
    if routing.route_placed(now=timezone.now()):
        mirror.work()


@shared_task
def delete_old() -> None:
    Delivery.objects.delete_old(now=timezone.now())
