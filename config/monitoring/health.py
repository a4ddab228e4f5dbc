"""Answers for load balancers, container runtimes and Prometheus.

They are given before any other middleware but that of security headers: a probe names an IP address
as its Host, follows no redirect to https, has no session, and must be quick when everything else is
not. Nothing of the request is repeated in an answer, so any Host is as good as another.
"""

import ipaddress
import logging
import os
import secrets
import tempfile
import threading
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.contrib.sessions.models import Session
from django.contrib.staticfiles.finders import get_finders
from django.contrib.staticfiles.storage import ManifestFilesMixin, staticfiles_storage
from django.db import Error, connection, transaction
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse, HttpResponseNotFound, JsonResponse
from django.utils import timezone
from prometheus_client import CONTENT_TYPE_LATEST

from config.celery import app
from config.monitoring import metrics
from mirror.health import alerts
from mirror.processes import clock_agreement

logger = logging.getLogger(__name__)

Handler = Callable[[HttpRequest], HttpResponse]
Check = Callable[[], None]

DEADLINE = 1.5  # seconds; a probe gives up after two
LEAST_FREE = 256 * 1024  # bytes
DRAINING = "draining"  # a file that bin/process makes


class Unready(Exception):
    """This process cannot do its work yet."""


def answer_probes(get_response: Handler) -> Handler:
    def middleware(request: HttpRequest) -> HttpResponse:
        return PROBES.get(request.path_info, get_response)(request)

    return middleware


def live(request: HttpRequest) -> HttpResponse:
    """The process answers; nothing else is checked."""
    return JsonResponse({"status": "live"})


def ready(request: HttpRequest) -> HttpResponse:
    """Work can be taken on: the database takes a write, the broker answers, the tables are ours,
    and the files that pages name are there.

    404 while bin/process lets this node run dry: to HAProxy that is no failure, but the end of new
    requests.
    """
    if (settings.VAR_DIR / DRAINING).exists():
        return JsonResponse({"status": "draining"}, status=404)
    failed = []
    for name, check in CHECKS.items():
        # What reads the database need not wait for one that has just not answered.
        if name in ("clock", "migrations") and "database" in failed:
            continue
        if not _passes(name, check):
            failed.append(name)
    if failed:
        unready: dict[str, Any] = {"status": "unready", "failed": failed}
        if advice := [ADVICE[name] for name in failed if name in ADVICE]:
            unready["advice"] = advice
        return JsonResponse(unready, status=503)
    if reasons := _reasons():
        return JsonResponse({"status": "degraded", "reasons": reasons})
    return JsonResponse({"status": "ready"})


def _reasons() -> list[str]:
    """What keeps others from working. Traffic may come all the same: pages say so themselves."""
    try:
        return alerts.standstills()
    except Error:
        return ["alerts"]


def show_metrics(request: HttpRequest) -> HttpResponse:
    if not _may_read_metrics(request):
        return HttpResponseNotFound()
    return HttpResponse(metrics.render(), content_type=CONTENT_TYPE_LATEST)


def _passes(name: str, check: Check) -> bool:
    try:
        in_time(name, check)
    except Exception as error:  # noqa: BLE001 - whatever it is, the answer is "not ready"
        logger.warning("Not ready: %s: %s", name, type(error).__name__)
        return False
    return True


def in_time(name: str, check: Check) -> None:
    """Run a check, but wait no longer than a probe waits. A frozen server never answers.

    SQLite has no server; there a second connection would only wait for the first.
    """
    if name != "database" or connection.vendor != "postgresql":
        check()
        return
    if (earlier := hanging.get(name)) and earlier.is_alive():
        raise Unready
    outcome: list[Exception | None] = []
    hanging[name] = threading.Thread(target=_run, args=(check, outcome), daemon=True)
    hanging[name].start()
    hanging[name].join(DEADLINE)
    if not outcome:
        raise Unready
    if outcome[0] is not None:
        raise outcome[0]


def _run(check: Check, outcome: list[Exception | None]) -> None:
    try:
        check()
        outcome.append(None)
    except Exception as error:  # noqa: BLE001 - handed on to whoever waits
        outcome.append(error)
    finally:
        connection.close()


def check_disk() -> None:
    """Write as much as a transaction would, and wait for the disk."""
    with tempfile.TemporaryFile(dir=settings.VAR_DIR) as file:
        file.write(bytes(LEAST_FREE))
        file.flush()
        os.fsync(file.fileno())


def check_database() -> None:
    """Insert a row and take it back: a full disk and a read-only replica both refuse."""
    with transaction.atomic():
        Session.objects.create(
            session_key=f"probe-{secrets.token_hex(8)}",
            session_data="",
            expire_date=timezone.now() - timedelta(days=1),
        )
        transaction.set_rollback(True)


def check_clock() -> None:
    """A wrong clock would take what other machines are doing for abandoned."""
    if clock_agreement.is_clock_wrong():
        raise Unready


def check_broker(broker: Any = None) -> None:
    with broker or app.connection_for_write() as broker:
        broker.connect()


def check_migrations() -> None:
    """Compare with the database until all is applied; from then on it stays so."""
    if migrations_seen:
        return
    executor = MigrationExecutor(connection)
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        raise Unready
    migrations_seen.add(True)


def check_static_files() -> None:
    """Each file of the code was collected: a page that names another one answers 500.

    It is compared until that holds. A process that is older than the collected files needs a
    restart: it keeps the list that it read.
    """
    storage: Any = staticfiles_storage
    if static_files_seen or not isinstance(storage, ManifestFilesMixin):
        return
    ours = (name for finder in get_finders() for name, _storage in finder.list(None))
    if any(storage.hash_key(name) not in storage.hashed_files for name in ours):
        raise Unready
    static_files_seen.add(True)


migrations_seen: set[bool] = set()
static_files_seen: set[bool] = set()

# Checks that did not come back: one thread of each kind hangs, not one for every probe.
hanging: dict[str, threading.Thread] = {}

CHECKS: dict[str, Check] = {
    "disk": check_disk,
    "database": check_database,
    "clock": check_clock,
    "broker": check_broker,
    "migrations": check_migrations,
    "static files": check_static_files,
}
# What to do, where the name of what failed does not show it.
ADVICE = {
    "migrations": "The database is older than the code: run `manage.py migrate`.",
    "static files": (
        "The static files of this version were not collected, so that pages answer 500: "
        "run `manage.py collectstatic --noinput`, then restart web."
    ),
}


def _may_read_metrics(request: HttpRequest) -> bool:
    """With a token, its bearer; without one, this machine. A proxy on this machine is not it."""
    if settings.METRICS_TOKEN:
        given = request.headers.get("Authorization", "")
        return secrets.compare_digest(given.encode(), f"Bearer {settings.METRICS_TOKEN}".encode())
    forwarded = settings.BEHIND_PROXY or "X-Forwarded-For" in request.headers
    return not forwarded and _is_loopback(request.META.get("REMOTE_ADDR", ""))


def _is_loopback(address: str) -> bool:
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False


PROBES: dict[str, Handler] = {
    "/health/live": live,
    "/health/ready": ready,
    "/metrics": show_metrics,
}
