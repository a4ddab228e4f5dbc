"""The web program's entry: the receiver of events beside Django."""

import os
from collections.abc import Callable, Iterable
from typing import Any

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

django = get_wsgi_application()

from config.warm import warm  # noqa: E402 - addresses and models need Django to be set up
from webhooks import receiver  # noqa: E402 - the same

# Warm before the first event: the sender's patience is not known.
receiver.threads()
warm()


def application(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
    """Send deliveries past all middleware: none of it may stand between them and the disk."""
    answer = receiver.receive if environ["PATH_INFO"] in receiver.PATHS else django
    return answer(environ, start_response)
