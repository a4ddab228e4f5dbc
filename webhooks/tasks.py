"""Celery tasks of the app."""

from celery import shared_task
from django.utils import timezone

from lib.single_flight import SingleFlight
from mirror import tasks as mirror
from webhooks import routing
from webhooks.models import Delivery

# Threads that route the same hail wait for each other's rows, and do it in crumbs.
_route = SingleFlight(lambda: routing.route_new(now=timezone.now()))


@shared_task
def route() -> None:
    """Turn what was delivered into requests, and read at once. Beat sends it too: the sweep.

    Read whoever routed: a thread that is kept at routing by a hail never comes to reading.
    """
    _route()
    mirror.work()


@shared_task
def forget() -> None:
    Delivery.objects.forget_old(now=timezone.now())
