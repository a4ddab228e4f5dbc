"""The suite's own promises: its database, its cache, its limits, its private servers."""

import socket

import pytest
from django.conf import settings
from django.contrib.auth.models import Permission
from django.core.cache import cache
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.test import Client

from accounts.models import User
from bin import servers
from restaurants.testing import just_confirmed, make_user, sign_in
from tests import migrated


@pytest.mark.django_db
def test_it_works():
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
        assert cursor.fetchone() == (1,)


@pytest.mark.django_db
def test_its_copied_database_is_migrated_whole():
    plan = MigrationExecutor(connection)

    assert plan.migration_plan(plan.loader.graph.leaf_nodes()) == []


@pytest.mark.django_db(transaction=True)
def test_what_a_test_has_committed_is_gone_and_rights_are_as_django_makes_them():
    begun = migrated.seed()
    call_command("flush", verbosity=0, interactive=False)
    as_django_makes_them = rights_of_roles()
    make_user("fay@example.org")
    Permission.objects.all().delete()

    migrated.begin_again(begun)

    assert not User.objects.exists()
    assert rights_of_roles() == as_django_makes_them
    assert len(as_django_makes_them) > 100


def rights_of_roles() -> set[tuple[str, ...]]:
    rights = "content_type__app_label", "content_type__model", "codename", "group__name"
    return set(Permission.objects.values_list(*rights))


@pytest.mark.django_db
def test_a_session_is_the_one_that_django_makes(cast):
    django = Client()
    django.force_login(cast.bob, settings.AUTHENTICATION_BACKENDS[0])

    quick = sign_in(cast.alice)

    assert quick.get("/").status_code == 200
    known = just_confirmed(cast.alice).keys()  # of a person who cannot type a password
    assert quick.session.keys() - known == django.session.keys()
    assert User.objects.get(pk=cast.alice.pk).last_login


@pytest.mark.django_db
def test_it_shares_a_cache():
    cache.set("word", "seen")

    assert cache.get("word") == "seen"


def test_it_reaches_no_other_machine():
    with socket.socket() as probe, pytest.raises(AssertionError, match="this machine only"):
        probe.connect(("192.0.2.1", 80))


def test_it_finds_free_ports():
    assert servers.free_port() > 1023


def test_it_names_a_program_that_is_missing():
    assert servers.find_program("no-such-program-here") is None


@pytest.mark.slow
@pytest.mark.once
def test_it_starts_and_stops_a_private_redis():
    if servers.missing_programs():
        pytest.skip("needs the redis-server program")
    with servers.private_redis() as url:
        port = int(url.rsplit(":", 1)[1])
        with socket.create_connection(("127.0.0.1", port)) as client:
            client.sendall(b"PING\r\n")
            assert client.recv(7) == b"+PONG\r\n"

    with socket.socket() as probe:
        assert probe.connect_ex(("127.0.0.1", port)) != 0


@pytest.mark.once
def test_a_server_that_cannot_be_copied_is_named_with_the_reason():
    if not servers.find_program("pg_basebackup"):
        pytest.skip("needs PostgreSQL")
    port = servers.free_port()

    with (
        pytest.raises(RuntimeError, match=rf"pg_basebackup failed:\n.*port {port} failed"),
        servers.private_replica(port=port, user="couvert"),
    ):
        pass
