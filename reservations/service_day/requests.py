"""The service day of a request: the scope and the day of its address."""

from django.utils import timezone

from accounts.requests import SignedInRequest
from reservations.service_day.day import ServiceDay
from restaurants.access import can
from restaurants.models import Restaurant
from restaurants.shell import shell_of

HEALTH = "customers.view_health"


def evening_of(request: SignedInRequest, restaurants: list[Restaurant] | None = None) -> ServiceDay:
    """The service day of the address; with fewer restaurants for an export."""
    shell = shell_of(request)
    restaurants = shell.scope_restaurants if restaurants is None else restaurants
    health = [one.pk for one in restaurants if can(request.user, HEALTH, one)]
    return ServiceDay(restaurants, shell.day, now=timezone.now(), health=health)
