"""The compose file of the cluster gives nobody more than needed, and names files that exist."""

import re
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
FILE = ROOT / "deploy" / "compose.cluster.yaml"


@pytest.fixture(scope="module")
def services():
    return yaml.safe_load(FILE.read_text())["services"]


def test_only_the_proxy_is_published(services):
    assert [name for name, service in services.items() if service.get("ports")] == ["haproxy"]


def test_the_proxy_leads_to_the_web_nodes(services):
    text = (ROOT / "deploy" / "haproxy.cfg").read_text()
    named = set(re.findall(r"server (\w+) (\w+):8000", text))

    assert {host for _name, host in named} == {name for name in services if "web" in name}


def test_the_files_that_it_mounts_exist(services):
    mounted = [volume for service in services.values() for volume in service.get("volumes", [])]
    files = [one.split(":")[0] for one in mounted if one.startswith("./deploy/")]

    assert files
    assert all((ROOT / file).is_file() for file in files)


def test_each_password_is_required_by_name():
    text = FILE.read_text()
    names = {name for name in re.findall(r"\$\{(\w+)", text) if name.endswith("PASSWORD")}

    assert len(names) == 4
    assert all(f"${{{name}:?set it in .env}}" in text for name in names)


def test_the_processes_are_those_of_the_procfile(services):
    processes = set(re.findall(r"^(\w+):", (ROOT / "Procfile").read_text(), re.M)) - {"sandbox"}
    started = {one["command"][0] for one in services.values() if one.get("image") == "couvert"}

    assert started - {"migrate"} == processes
