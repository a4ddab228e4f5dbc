"""Probes are answered to anybody, under any Host, and tell the truth."""

import pytest
from django.contrib.sessions.models import Session
from django.contrib.staticfiles.finders import FileSystemFinder
from django.db import DatabaseError, InterfaceError, OperationalError, connection
from kombu.connection import Connection
from kombu.exceptions import OperationalError as BrokerError

from config.monitoring import health
from lib.web.style_sheets import JoinedStaticFilesStorage


@pytest.fixture(autouse=True)
def _migrations_not_looked_at_yet():
    health.migrations_seen.clear()
    health.static_files_seen.clear()


@pytest.fixture
def collected(tmp_path, settings, monkeypatch):
    """The storage of a real installation, into which nothing is collected yet."""
    settings.STATIC_ROOT, settings.STATICFILES_DIRS = tmp_path / "static", [tmp_path / "ours"]
    (tmp_path / "ours").mkdir()
    (tmp_path / "ours" / "first.txt").touch()

    def restart():
        storage = JoinedStaticFilesStorage()
        monkeypatch.setattr("config.monitoring.health.staticfiles_storage", storage)
        monkeypatch.setattr("config.monitoring.health.get_finders", lambda: [FileSystemFinder()])
        return storage

    def collect():
        storage, finder = restart(), FileSystemFinder()
        found = {name: (where, name) for name, where in finder.list(None)}
        for name, (where, path) in found.items():
            storage.delete(name)
            with where.open(path) as file:
                storage.save(name, file)
        assert [name for name, _path, _is_done in storage.post_process(found)]
        restart()

    restart()
    return collect


@pytest.mark.django_db
class TestReady:
    def test_it_works(self, client):
        response = client.get("/health/ready")

        assert (response.status_code, response.json()) == (200, {"status": "ready"})

    def test_a_node_that_is_about_to_stop_answers_404(self, client, settings, tmp_path):
        settings.VAR_DIR = tmp_path
        (tmp_path / health.DRAINING).touch()
        response = client.get("/health/ready")

        assert (response.status_code, response.json()) == (404, {"status": "draining"})

    def test_it_leaves_no_row_behind(self, client):
        client.get("/health/ready")

        assert Session.objects.count() == 0

    @pytest.mark.parametrize("error", [DatabaseError, BrokerError, OSError])
    def test_it_names_what_failed(self, client, monkeypatch, error):
        def fail():
            raise error

        monkeypatch.setitem(health.CHECKS, "broker", fail)
        response = client.get("/health/ready")

        assert response.status_code == 503
        assert response.json() == {"status": "unready", "failed": ["broker"]}

    def test_it_misses_a_migration(self, client):
        with connection.cursor() as cursor:
            cursor.execute("DELETE FROM django_migrations WHERE app = 'sessions'")

        assert client.get("/health/ready").json()["failed"] == ["migrations"]

        advice = client.get("/health/ready").json()["advice"]
        assert advice == [health.ADVICE["migrations"]]

    def test_it_is_not_ready_before_the_static_files_are_collected(self, client, collected):
        response = client.get("/health/ready")

        assert (response.status_code, response.json()["failed"]) == (503, ["static files"])
        assert "collectstatic" in response.json()["advice"][0]

        collected()
        assert client.get("/health/ready").json() == {"status": "ready"}

    def test_it_is_not_ready_with_the_static_files_of_an_older_version(
        self, client, collected, tmp_path
    ):
        collected()
        (tmp_path / "ours" / "second.txt").touch()
        assert client.get("/health/ready").json()["failed"] == ["static files"]

        collected()
        assert client.get("/health/ready").status_code == 200

    def test_it_notices_a_broker_that_is_away(self, tmp_path):
        (tmp_path / "broker").touch()
        options = {"folder": str(tmp_path / "broker")}
        broker = Connection("durablefiles://", transport_options=options)

        with pytest.raises(OSError, match="broker"):
            health.check_broker(broker)


class TestLive:
    def test_it_works(self, client):
        assert client.get("/health/live").json() == {"status": "live"}

    @pytest.mark.parametrize("host", ["10.1.2.3:8000", "anything.example", "[fe80::1]"])
    def test_it_answers_for_any_host(self, client, host):
        assert client.get("/health/live", headers={"host": host}).status_code == 200

    def test_it_is_not_sent_to_https(self, client, settings):
        settings.SECURE_SSL_REDIRECT = True

        assert client.get("/health/live").status_code == 200


@pytest.mark.django_db
class TestMetrics:
    def test_it_works(self, client):
        client.get("/no-such-page")
        response = client.get("/metrics")

        assert response.status_code == 200
        assert 'couvert_request_seconds_count{method="GET"' in response.text

    @pytest.mark.parametrize("error", [OperationalError("down"), InterfaceError("closed")])
    def test_it_shows_what_needs_no_database(self, client, error):
        def fail(*_args):
            raise error

        with connection.execute_wrapper(fail):
            response = client.get("/metrics")

        assert "couvert_request_seconds_count" in response.text
        assert "couvert_waiting" not in response.text

    def test_it_hides_from_other_machines(self, client):
        assert client.get("/metrics", REMOTE_ADDR="10.0.0.9").status_code == 404

    def test_it_hides_from_a_proxy_on_this_machine(self, client):
        response = client.get("/metrics", headers={"x-forwarded-for": "10.0.0.9"})

        assert response.status_code == 404

    def test_it_hides_behind_a_declared_proxy(self, client, settings):
        settings.BEHIND_PROXY = True

        assert client.get("/metrics").status_code == 404

    def test_a_token_opens_it_from_anywhere(self, client, settings):
        settings.METRICS_TOKEN = "figures"
        response = client.get(
            "/metrics", headers={"authorization": "Bearer figures"}, REMOTE_ADDR="10.0.0.9"
        )

        assert response.status_code == 200

    @pytest.mark.parametrize("given", ["", "Bearer wrong", "Bearer figurés", "figures"])
    def test_a_wrong_token_closes_it_even_here(self, client, settings, given):
        settings.METRICS_TOKEN = "figures"

        assert client.get("/metrics", headers={"authorization": given}).status_code == 404
