"""dj-stripe's receiver as people run it who only store and defer: our server, our database.

It gets a virtual environment in a scratch folder, because it is no dependency of the product.
Its events must be signed; one signature is good for five minutes.
"""

import hashlib
import hmac
import os
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg

from bin.servers import free_port
from tests.processes import wait_until_open

PACKAGES = ["dj-stripe==2.11.0", "django==5.2.19", "granian==2.8.7", "psycopg[binary,pool]==3.3.9",
            "django-environ==0.14.0"]  # fmt: skip
SECRET = "whsec_of_the_benchmark"  # noqa: S105 - opens a scratch database
UUID = "0a8c1f52-52f6-4b7e-9a4b-6b4d3b1f0c11"
SITE = """
    import environ

    SECRET_KEY = STRIPE_TEST_SECRET_KEY = "sk_test_of_the_benchmark"
    STRIPE_LIVE_MODE = False
    DATABASES = {"default": environ.Env().db("DATABASE_URL")}
    if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
        DATABASES["default"]["OPTIONS"] = {
            "timeout": 20, "transaction_mode": "IMMEDIATE",
            "init_command": "PRAGMA journal_mode=WAL;PRAGMA synchronous=FULL",
        }
        DATABASES["default"]["CONN_MAX_AGE"] = 60
    else:
        DATABASES["default"]["OPTIONS"] = {"pool": {"min_size": 2, "max_size": 16}}
    INSTALLED_APPS = ["django.contrib.auth", "django.contrib.contenttypes", "djstripe"]
    MIDDLEWARE = ["django.middleware.common.CommonMiddleware"]
    ROOT_URLCONF = "peer_urls"
    ALLOWED_HOSTS = ["127.0.0.1"]
    USE_TZ = True
    DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
    DJSTRIPE_FOREIGN_KEY_TO_FIELD = "id"

    def defer(event, api_key=None):
        return None

    DJSTRIPE_WEBHOOK_EVENT_CALLBACK = defer
"""
URLS = """
    from django.urls import include, path

    urlpatterns = [path("stripe/", include("djstripe.urls", namespace="djstripe"))]
"""
SET_UP = f"""
    from djstripe.models import WebhookEndpoint
    WebhookEndpoint.objects.create(
        id="we_1", djstripe_uuid="{UUID}", secret="{SECRET}", livemode=False, stripe_data={{}},
        enabled_events=["*"], url="https://example.com", status="enabled",
        djstripe_validation_method="verify_signature",
    )
"""
WSGI = """
    from django.core.wsgi import get_wsgi_application

    application = get_wsgi_application()
"""


@contextmanager
def running(folder: Path, *, body: str) -> Iterator[tuple[str, dict[str, str]]]:
    """Install and start it; yield its address and the headers of an event with that body."""
    python = _install(folder)
    port = free_port()
    environment = {"PATH": os.environ["PATH"], "DJANGO_SETTINGS_MODULE": "peer_site",
                   "DATABASE_URL": _database_url(folder)}  # fmt: skip
    for arguments in (["migrate", "--verbosity", "0"], ["shell", "-v0", "-c", _text(SET_UP)]):
        command = [python, "-m", "django", *arguments]
        subprocess.run(command, cwd=folder, env=environment, check=True)
    # The options of our own `web` line.
    command = [python, "-m", "granian", "--interface", "wsgi", "--port", str(port), "--workers",
               "2", "--blocking-threads", "128", "--no-ws", "--no-access-log",
               "peer_wsgi:application"]  # fmt: skip
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(
            command, cwd=folder, env=environment, stdout=log, stderr=subprocess.STDOUT
        )
    try:
        wait_until_open(port, what="the peer")
        yield f"http://127.0.0.1:{port}/stripe/webhook/{UUID}/", _signed(body)
    finally:
        process.terminate()
        process.wait()


def _install(folder: Path) -> str:
    subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
    python = str(folder / "bin" / "python")
    subprocess.run([python, "-m", "pip", "install", "--quiet", *PACKAGES], check=True)
    for name, text in {"peer_site": SITE, "peer_urls": URLS, "peer_wsgi": WSGI}.items():
        (folder / f"{name}.py").write_text(_text(text))
    return python


def _database_url(folder: Path) -> str:
    """A database of its own beside ours."""
    ours = os.environ.get("DATABASE_URL", "")
    if not ours.startswith("postgres"):
        return f"sqlite:///{folder}/peer.sqlite3"
    with psycopg.connect(ours, autocommit=True) as connection:
        connection.execute("DROP DATABASE IF EXISTS couvert_bench_peer")
        connection.execute("CREATE DATABASE couvert_bench_peer")
    return ours.rpartition("/")[0] + "/couvert_bench_peer"


def _signed(body: str) -> dict[str, str]:
    at = int(time.time())
    signature = hmac.new(SECRET.encode(), f"{at}.{body}".encode(), hashlib.sha256).hexdigest()
    return {"Stripe-Signature": f"t={at},v1={signature}", "Content-Type": "application/json"}


def _text(code: str) -> str:
    return textwrap.dedent(code)
