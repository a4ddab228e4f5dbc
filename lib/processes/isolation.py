"""A row that fails is logged and holds up no other."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from django.db import InterfaceError, OperationalError


@contextmanager
def isolated(logger: logging.Logger, line: str, /, **facts: object) -> Iterator[None]:
    """Log what is raised within and go on. A database that is away ends the run all the same."""
    try:
        yield
    except (OperationalError, InterfaceError):
        raise
    except Exception:
        logger.exception(line, extra=facts)
