"""Raises the limit of open files: each connection is one, and the default is often 1,024."""

import logging
import resource

logger = logging.getLogger(__name__)

# What the server accepts at once in each process (--backpressure in the Procfile), and our own.
NEEDED = 4096 + 512


def allow_open_files() -> None:
    """Raise this process's own limit as far as it is needed and allowed."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < NEEDED:
        allowed = NEEDED if hard == resource.RLIM_INFINITY else min(NEEDED, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, hard))
        soft = allowed
    if soft != resource.RLIM_INFINITY and soft < NEEDED:
        logger.warning(
            "Only %s files may be open (ulimit -Hn) and %s are needed: few idle connections are "
            "enough to keep others out.",
            soft,
            NEEDED,
        )
