"""The web program's entry: the receiver of events beside Django."""

import os
from collections.abc import Callable, Iterable
from typing import Any

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

django = get_wsgi_application()

from config.warm import warm  # noqa: E402 - addresses and models need Django to be set up
from config.whole_body import WholeBody  # noqa: E402 - the same
from mirror import watch  # noqa: E402 - the same
from webhooks import receiver  # noqa: E402 - the same

# Warm before the first event: the sender's patience is not known.
receiver.threads()
warm()
watch.start(is_worker=False)


def application(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
    """Send deliveries past all middleware: none of it may stand between them and the disk."""
    if environ["PATH_INFO"] in receiver.PATHS:
        return receiver.receive(environ, start_response)
    environ["wsgi.input"] = WholeBody(environ["wsgi.input"])
    return django(environ, start_response)
