"""Old databases, upgraded step by step, end with their rows and with what a new one has at once."""

import io
import re
import threading
from datetime import UTC, datetime
from pathlib import Path
from uuid import uuid4

import pytest
from django.apps import apps
from django.core.management import call_command
from django.core.management.commands.migrate import Command as MigrateStepByStep
from django.db import connection as database
from django.db import transaction
from django.db.migrations.executor import MigrationExecutor

from lib.management.commands.migrate import LOCK
from tests.migrated import seed

BEFORE = [
    ("partner", "0004_host_app_name"),
    ("accounts", "0011_second_factor_rules"),
    ("restaurants", "0012_host_app_words"),
    ("mirror", "0012_scheduled_tasks"),
    ("webhooks", "0003_plain_words"),
    ("pos", "0001_logos"),
]
NOW = datetime(2026, 11, 20, 19, 0, tzinfo=UTC)
ADDRESSES = {"base_url": "https://api.example.com", "auth_url": "https://auth.example.com"}

pytestmark = [pytest.mark.walk, pytest.mark.django_db(transaction=True)]
# Databases derive these names from those that tables and columns had when they were made.
AUTOMATIC = re.compile(r"_[0-9a-f]{8}(?=_|$)|^__unnamed|^fk_\d+$|_(pkey|key|check)$")
# Django's steps give it eight bytes, Django's model four.
BY_DJANGO = "auth_group_permissions"


@pytest.fixture
def tables():
    """Those that a new database gets at once, and which of them with rows; now there are none."""
    newest = described_tables(), tables_with_rows()
    begin_with_nothing()
    yield newest
    begin_with_nothing()
    call_command("migrate", verbosity=0)


def begin_with_nothing():
    if database.vendor == "sqlite":
        database.close()
        file = Path(database.settings_dict["NAME"])
        for end in ("", "-wal", "-shm"):
            file.with_name(file.name + end).unlink(missing_ok=True)
        return
    with database.cursor() as cursor:
        cursor.execute("DROP SCHEMA public CASCADE")
        cursor.execute("CREATE SCHEMA public")


def described_tables():
    look = database.introspection
    with database.cursor() as cursor:
        return {
            table: (
                sorted(map(str, look.get_table_description(cursor, table))),
                sorted(map(described, look.get_constraints(cursor, table).items())),
            )
            for table in look.table_names(cursor)
            if table != BY_DJANGO
        }


def tables_with_rows():
    return {table for table, rows in seed().items() if rows}


def described(constraint):
    name, facts = constraint
    return f"{'' if AUTOMATIC.search(name) else name} {facts}"


def migrate(targets):
    executor = MigrationExecutor(database)
    executor.migrate(targets)
    return MigrationExecutor(database).loader.project_state(targets).apps


def fill(apps):
    """One row of each table that the upgrade changes, and two connections of which one is used."""
    connections = apps.get_model("partner", "Connection").objects
    facts = {"audience": "a", "client_id": "c", "client_secret": "s", "webhook_token": "t"}
    connections.create(name="Old", is_active=False, **ADDRESSES, **facts)
    connections.create(name="Main", is_active=True, **ADDRESSES, **facts)
    identity = {"base_url": "https://pos.example.com", "api_key": "k", "uuid": uuid4()}
    apps.get_model("partner", "PosIdentity").objects.create(**identity)
    group = apps.get_model("restaurants", "Group").objects.create(name="Harbour", uuid=uuid4())
    people = apps.get_model("accounts", "User").objects
    people.create(email="owner@example.org", is_owner=True)
    people.create(email="staff@example.org")
    times = {"requested_at": NOW, "not_before": NOW}
    apps.get_model("mirror", "SyncRequest").objects.create(
        kind="reservation", uuid=uuid4(), group_uuid=group.uuid, **times
    )
    apps.get_model("mirror", "Job").objects.create(
        purpose="sweep", since=NOW.date(), until=NOW.date(), started_at=NOW
    )
    apps.get_model("mirror", "Heartbeat").objects.update_or_create(
        name="event", defaults={"at": NOW}
    )
    apps.get_model("webhooks", "Delivery").objects.create(
        received_at=NOW, raw=b"{}", size=2, slot="current"
    )
    fault = {"opened_at": NOW, "notified_at": NOW, "sentence": "It is late."}
    for cause in ("queue", "worker"):
        apps.get_model("mirror", "Alert").objects.create(cause=cause, **fault)
    picture = {"png": b"p", "width": 1, "height": 1, "size": 1, "created_at": NOW}
    apps.get_model("pos", "Logo").objects.create(**picture)


def test_each_step_keeps_every_row_and_the_last_leaves_what_a_new_database_has(tables):
    call_command("migrate", *BEFORE[1], verbosity=0)  # no guests yet
    fill(migrate(BEFORE))
    filled = tables_with_rows() | {"accounts_user_owned_connections"}  # from the rows that are

    call_command(MigrateStepByStep(), verbosity=0)

    newest, with_rows = tables
    assert described_tables() == newest
    assert tables_with_rows() - filled <= with_rows
    assert_rows_belong_to_the_connection_in_use()


def assert_rows_belong_to_the_connection_in_use():
    connections = apps.get_model("partner", "Connection").objects
    assert dict(connections.values_list("name", "state")) == {"Old": "paused", "Main": "active"}
    main = connections.get(name="Main")
    assert [(row.email, row.is_owner) for row in main.owners.all()] == [("owner@example.org", True)]
    for app, model in [
        *(("partner", "PosIdentity"), ("restaurants", "Group"), ("mirror", "SyncRequest")),
        *(("mirror", "Job"), ("webhooks", "Delivery"), ("pos", "Logo")),
    ]:
        rows = apps.get_model(app, model).objects
        assert list(rows.values_list("connection", flat=True)) == [main.pk], model
    assert apps.get_model("accounts", "User").objects.count() == 2
    heartbeats = apps.get_model("mirror", "Heartbeat").objects
    assert heartbeats.get(name=f"event {main.pk}").at == NOW
    alerts = apps.get_model("mirror", "Alert").objects.filter(closed_at=None)
    # What the machine lacks is of no account.
    assert dict(alerts.values_list("cause", "connection")) == {"queue": main.pk, "worker": None}


class Notes(io.StringIO):
    """What a command says, and a flag for who waits until it waits."""

    def __init__(self):
        super().__init__()
        self.is_waiting = threading.Event()

    def write(self, text):
        if "Waiting for another" in text:
            self.is_waiting.set()
        return super().write(text)


@pytest.mark.skipif(database.vendor != "postgresql", reason="SQLite has one writer at a time")
def test_a_second_one_waits_for_the_first(tables):
    output, ended = Notes(), []

    def second():
        call_command("migrate", verbosity=1, stdout=output)
        ended.append(True)
        database.close()

    waiting = threading.Thread(target=second)
    with transaction.atomic():
        with database.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [LOCK])
        waiting.start()
        assert output.is_waiting.wait(timeout=30)
        assert not ended
    waiting.join(timeout=60)

    assert ended
    assert "Making the newest tables" in output.getvalue()
