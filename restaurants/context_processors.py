"""What every template may ask."""

from typing import Any

from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from restaurants.offline_devices import devices
from restaurants.shell import shell_of


def shell(request: HttpRequest) -> dict[str, Any]:
    return {
        "shell": shell_of(request),
        "offline_owner": SimpleLazyObject(lambda: devices.owner_of(request)),
    }
