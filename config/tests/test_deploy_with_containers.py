"""compose.yaml gives nobody more than needed, and asks for each password by name."""

import os
import re
import subprocess
from pathlib import Path

import pytest
import yaml
from django.db import connection

from bin import servers
from config.requests.refusals import LARGEST_BYTES

ROOT = Path(__file__).resolve().parents[2]
ROLES = ROOT / "deploy" / "postgres-roles.sh"


@pytest.fixture(scope="module")
def services():
    return yaml.safe_load((ROOT / "compose.yaml").read_text())["services"]


def test_the_superuser_is_not_the_application(services):
    environment = services["postgres"]["environment"]

    assert environment["POSTGRES_USER"] != "couvert"
    assert environment["POSTGRES_PASSWORD"] != environment["COUVERT_PASSWORD"]
    assert "//couvert:${POSTGRES_PASSWORD:" in services["web"]["environment"]["DATABASE_URL"]


@pytest.mark.parametrize("name", ["CELERY_BROKER_URL", "CACHE_URL"])
def test_redis_is_reached_with_a_password(services, name):
    assert "//:${REDIS_PASSWORD:?" in services["worker"]["environment"][name]
    assert "requirepass" in services["redis"]["command"][-1]


def test_only_the_proxy_is_published(services):
    assert [name for name, service in services.items() if service.get("ports")] == ["proxy"]


def test_a_new_container_of_web_restarts_the_proxy(services):
    """An upgrade makes one, and nginx would answer 502 until somebody restarted it."""
    host = services["proxy"]["environment"]["COUVERT_WEB"].partition(":")[0]

    assert services["proxy"]["depends_on"][host]["restart"] is True


def test_the_proxy_gets_all_that_its_configuration_needs(services):
    template = (ROOT / "deploy" / "nginx.conf.template").read_text()
    names = set(re.findall(r"\$\{(\w+)\}", template))

    assert names <= set(services["proxy"]["environment"])


def test_the_proxy_takes_what_the_product_takes():
    template = (ROOT / "deploy" / "nginx.conf.template").read_text()
    megabytes = [int(size) for size in re.findall(r"client_max_body_size (\d+)m;", template)]

    assert max(megabytes) * 1024 * 1024 == LARGEST_BYTES


@pytest.mark.skipif(connection.vendor != "postgresql", reason="asks a PostgreSQL of its own")
def test_the_role_of_the_application_owns_its_database_and_nothing_else(tmp_path):
    with servers.private_postgres() as url:
        run = {**os.environ, "POSTGRES_USER": "couvert", "COUVERT_PASSWORD": "it's a 'secret'"}
        # The private server's superuser is named couvert: there, the role takes another name.
        script = tmp_path / "roles.sh"
        script.write_text(ROLES.read_text().replace("ROLE couvert", "ROLE app").replace(
            "DATABASE couvert OWNER couvert", "DATABASE couvert OWNER app"
        ))  # fmt: skip
        port = url.rsplit(":", 1)[1].split("/")[0]
        address = {"PGHOST": "127.0.0.1", "PGPORT": port}
        subprocess.run(["sh", str(script)], env=run | address, check=True)

        rights = "select rolsuper, rolcreaterole, rolcreatedb from pg_roles where rolname = 'app'"
        query = ["psql", "-At", "-U", "couvert", "postgres", "-c", rights]
        found = subprocess.run(query, env=run | address, check=True, capture_output=True, text=True)
        assert found.stdout.strip() == "f|f|f"
