"""Celery settings. The queues are database tables; a task carries only the id of a row.

Every setting names the failure it prevents (trials: docs/architecture.md, "The broker").
"""

import logging.config
import os
from typing import Any

import structlog
from celery import Celery
from celery.signals import celeryd_init, setup_logging, worker_init, worker_ready
from django.conf import settings
from django_structlog.celery.signals import bind_extra_task_metadata
from django_structlog.celery.steps import DjangoStructLogInitStep
from kombu.transport import TRANSPORT_ALIASES

from lib.processes.gc_tuning import keep_what_is_loaded

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

TRANSPORT_ALIASES["durablefiles"] = "lib.broker.durable_files:FileTransport"
TRANSPORT_ALIASES["redis"] = TRANSPORT_ALIASES["rediss"] = (
    "lib.broker.redis_transport:RedisTransport"
)

# A person or the sender of an event waits while we publish: connect, then one answer, and give up.
# Together they stay below half a second.
CONNECT_SECONDS = 0.15
ANSWER_SECONDS = 0.25
POOL_SECONDS = 0.05
# A worker can wait longer: a busy broker must not count as dead.
WORKER_ANSWER_SECONDS = 5


def transport_options(url: str, *, answer: float = ANSWER_SECONDS) -> dict[str, Any]:
    """Return the transport options of each kind of broker, by the scheme of its URL."""
    scheme = url.split(":", 1)[0]
    if scheme == "durablefiles":
        return {"folder": str(settings.VAR_DIR / "broker")}
    if scheme in ("redis", "rediss"):
        return {
            # A message that nobody acknowledged comes back after this: longer than the longest
            # task (60 s), or it would run twice. Nothing uses countdown or eta for the same reason.
            "visibility_timeout": 120,
            # The look for such messages: every 2 s instead of every 100 s.
            "unacked_restore_interval": 2,
            "unacked_restore_throttle": 1,
            # Without these a half-open connection stops a worker for ever, without a log line.
            "socket_connect_timeout": CONNECT_SECONDS,
            "socket_timeout": answer,
            "health_check_interval": 5,
            # No retry here: the sweep retries, and a retry would make a person wait twice.
            "retry_on_timeout": False,
            "max_retries": 0,
        }
    return {
        "read_timeout": answer,
        "write_timeout": answer,
        # The broker confirms each message (publisher confirms).
        "confirm_publish": True,
        "max_retries": 0,
    }


def broker_settings(url: str) -> dict[str, Any]:
    return {
        "broker_url": url,
        "broker_transport_options": transport_options(url),
        # Publishing fails at once when the broker is away; the sweep finds the row.
        "task_publish_retry": False,
        "broker_connection_timeout": CONNECT_SECONDS,
        # More web threads than connections may publish at once; none may queue for one for ever.
        "broker_pool_limit": 32,
        "broker_pool_acquire_timeout": POOL_SECONDS,
        # A worker or beat started before its broker waits for it, and for as long as it takes.
        "broker_connection_retry_on_startup": True,
        "broker_connection_max_retries": None,
        # A busy worker must not hold messages that others could run.
        "worker_prefetch_multiplier": 1,
    }


app = Celery("couvert")
# Lazily, because Django reads its settings through this package.
app.add_defaults(lambda: broker_settings(settings.CELERY_BROKER_URL))
app.conf.update(
    # A task is acknowledged when it is done: a killed worker's task comes back.
    task_acks_late=True,
    # Without it the first is not true for a killed child process: its task counts as done.
    task_reject_on_worker_lost=True,
    # After a lost connection the broker gives our tasks to others; ours must not go on beside them.
    worker_cancel_long_running_tasks_on_connection_loss=True,
    # A worker that gets a second stop signal still has this long to finish what it is doing.
    worker_soft_shutdown_timeout=20,
    # Nothing reads results; storing them would be the only unbounded table.
    task_ignore_result=True,
    # JSON only: a pickled message would be code.
    accept_content=["json"],
    task_serializer="json",
    result_serializer="json",
    # Rows claimed by a task that is stopped here are free again when the lease (25 s) ends. These
    # limits work in process pools only; threads end by the network time limits (25 s in all).
    task_soft_time_limit=45,
    task_time_limit=60,
    # Remote control speaks through queues of its own, which outlive killed workers and have to be
    # polled too. Health is read from the database (`mirror_status`), not from a worker.
    worker_enable_remote_control=False,
    # Beat in UTC: local time has hours that happen twice or never.
    enable_utc=True,
    timezone="UTC",
)
app.config_from_object("django.conf:settings", namespace="CELERY")
# One request id from the web to the worker's lines.
app.steps["worker"].add(DjangoStructLogInitStep)
app.autodiscover_tasks(lambda: settings.INSTALLED_APPS)


def raise_broker_timeouts(conf: Any, **_: Any) -> None:
    """Give a worker's connections more time than a web request has."""
    conf.broker_transport_options = transport_options(conf.broker_url, answer=WORKER_ANSWER_SECONDS)
    conf.broker_connection_timeout = WORKER_ANSWER_SECONDS


def configure_worker_logging(**_: Any) -> None:
    """Keep Celery from installing its own log handlers, which do not redact."""
    logging.config.dictConfig(settings.LOGGING)


def bind_task_name(task: Any, **_: Any) -> None:
    """Put the task's name beside the request id on each of its lines."""
    structlog.contextvars.bind_contextvars(task=task.name)


def tune_gc(**_: Any) -> None:
    """Tune the garbage collector once the program is loaded, when the worker is ready."""
    keep_what_is_loaded()


def wait_for_the_clock(**_: Any) -> None:
    """Before the first task is taken. Models cannot be imported before Django is set up."""
    import django

    django.setup()
    from mirror.processes.clock_agreement import wait_until_clock_is_right

    wait_until_clock_is_right()


def load_word_lists(**_: Any) -> None:
    """Before the first task: within its transaction they hold SQLite's one lock for a second."""
    from customers.allergies.lexicon import lexicon

    lexicon()


def watch_the_others(**_: Any) -> None:
    # Models cannot be imported before Django is set up.
    from mirror.processes import watch

    watch.start(is_worker=True)


celeryd_init.connect(raise_broker_timeouts)
worker_init.connect(wait_for_the_clock)
worker_init.connect(load_word_lists)
worker_ready.connect(tune_gc)
worker_ready.connect(watch_the_others)
setup_logging.connect(configure_worker_logging)
bind_extra_task_metadata.connect(bind_task_name)
