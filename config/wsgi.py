"""The web program's entry: the receiver of events beside Django."""

import os
from collections.abc import Callable, Iterable
from io import BytesIO
from typing import Any

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

django = get_wsgi_application()

from config.monitoring.health import PROBES  # noqa: E402 - models and settings need Django to be set up
from config.open_files import allow_open_files  # noqa: E402 - the same
from config.requests.page_threads import PageThreads  # noqa: E402 - the same
from config.warm import warm  # noqa: E402 - the same
from mirror.processes import watch  # noqa: E402 - the same
from webhooks import receiver  # noqa: E402 - the same

# Warm before the first event: the sender's patience is not known.
receiver.inbox_of_process()
allow_open_files()
warm()
watch.start(is_worker=False)
pages = PageThreads(django)


def application(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
    """Route deliveries and probes around Django's middleware and the thread limit of pages."""
    if environ["PATH_INFO"] in receiver.PATHS:
        return receiver.receive(environ, start_response)
    if environ["PATH_INFO"] in PROBES:
        environ["wsgi.input"] = BytesIO()
        return django(environ, start_response)
    return pages(environ, start_response)
