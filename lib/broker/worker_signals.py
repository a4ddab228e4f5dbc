"""Notify workers of new work. The rows hold it too, so a lost notification only costs time."""

import logging
from typing import Any

from django.db import transaction

logger = logging.getLogger(__name__)


def notify_workers(task: Any) -> None:
    """Notify after the commit. A broker that is away only costs a delay."""

    def publish() -> None:
        try:
            task.delay()
        except Exception:  # every broker has its own errors, and none of them matters here
            logger.warning("notify_workers.failed", extra={"task": task.name})

    transaction.on_commit(publish)
