"""What every test process has in its environment. Imported before the product's settings."""

import os
from pathlib import Path
from typing import Any

VAR_DIR = Path(__file__).resolve().parent.parent / "var" / "test"

os.environ.update(
    ENV_FILE=os.devnull,
    VAR_DIR=str(VAR_DIR),
    SECRET_KEY="only-for-tests-0123456789-abcdefghijklmnopqrstuvwxyz",
    ENCRYPTION_KEYS="dGVzdC1rZXktZm9yLWNvdXZlcnQtMDEyMzQ1Njc4OTA=",
    DEBUG="false",
    HTTPS_ONLY="false",
    ALLOWED_HOSTS="testserver,localhost,127.0.0.1",
    EMAIL_URL="memorymail://",
    LOG_LEVEL="WARNING",
    PUSH_HOSTS="127.0.0.1,example.org",
    # Playwright's loop runs in the test's own thread; Django would take it for async code.
    DJANGO_ALLOW_ASYNC_UNSAFE="1",
)


def give_each_process_its_own_redis() -> None:
    """Two numbers per process of the run: what one test leaves there is not another's.

    Celery reads CELERY_BROKER_URL from the environment itself, past every other configuration.
    """
    number = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
    if server := os.environ.get("TEST_REDIS_URL"):
        os.environ["CELERY_BROKER_URL"] = f"{server}/{2 * number}"
        os.environ["CACHE_URL"] = f"{server}/{2 * number + 1}"


give_each_process_its_own_redis()


def apply_fast_defaults(settings: dict[str, Any]) -> None:
    """Change what only costs time: hashing passwords and hashing file names."""
    settings["PASSWORD_HASHERS"] = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    settings["STORAGES"]["staticfiles"] = {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
    }
    # Static files straight from their sources: nothing was collected.
    settings["WHITENOISE_AUTOREFRESH"] = settings["WHITENOISE_USE_FINDERS"] = True
    database = settings["DATABASES"]["default"]
    if database["ENGINE"] == "django.db.backends.sqlite3":
        # A file as in real life: the in-memory database knows no WAL and no second connection.
        database["TEST"] = {"NAME": str(VAR_DIR / "test.sqlite3")}
        # No test of this process pulls the plug, so nothing waits for the disk.
        options = database["OPTIONS"]
        options["init_command"] = options["init_command"].replace("=FULL", "=OFF")
