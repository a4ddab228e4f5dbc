"""An installation with one connection becomes one with a list of one, with every row kept."""

from datetime import UTC, datetime
from uuid import uuid4

import pytest
from django.db import connection as database
from django.db.migrations.executor import MigrationExecutor

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

pytestmark = [pytest.mark.once, pytest.mark.walk, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def before():
    """The models of the version before, whose tables stand in the database; the newest after."""
    executor = MigrationExecutor(database)
    newest = executor.loader.graph.leaf_nodes()
    executor.migrate(BEFORE)
    yield MigrationExecutor(database).loader.project_state(BEFORE).apps
    migrate(newest)


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


def test_every_row_is_kept_and_belongs_to_the_connection_in_use(before):
    fill(before)

    after = migrate(MigrationExecutor(database).loader.graph.leaf_nodes())

    connections = after.get_model("partner", "Connection").objects
    assert dict(connections.values_list("name", "state")) == {"Old": "paused", "Main": "active"}
    main = connections.get(name="Main")
    assert [(row.email, row.is_owner) for row in main.owners.all()] == [("owner@example.org", True)]
    for app, model in [
        *(("partner", "PosIdentity"), ("restaurants", "Group"), ("mirror", "SyncRequest")),
        *(("mirror", "Job"), ("webhooks", "Delivery"), ("pos", "Logo")),
    ]:
        rows = after.get_model(app, model).objects
        assert list(rows.values_list("connection", flat=True)) == [main.pk], model
    assert after.get_model("accounts", "User").objects.count() == 2
    heartbeats = after.get_model("mirror", "Heartbeat").objects
    assert heartbeats.get(name=f"event {main.pk}").at == NOW
    alerts = after.get_model("mirror", "Alert").objects.filter(closed_at=None)
    # What the machine lacks is of no account.
    assert dict(alerts.values_list("cause", "connection")) == {"queue": main.pk, "worker": None}
