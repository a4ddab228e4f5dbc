"""The files in deploy/ for several machines name programs, settings and figures that exist."""

import configparser
import json
import re
from pathlib import Path

import pytest
import yaml
from django.utils import timezone

from config.monitoring import metrics
from mirror.processes import heartbeat

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"
UNITS = sorted((DEPLOY / "systemd").iterdir())
ALERTS = DEPLOY / "monitoring" / "alerts.yml"
DASHBOARD = DEPLOY / "monitoring" / "grafana.json"
REQUEST_FIGURES = {f"couvert_request_seconds_{part}" for part in ("bucket", "count", "sum")}


def unit(path):
    parser = configparser.ConfigParser(strict=False, interpolation=None)
    parser.read_string(path.read_text())
    return parser


class TestUnits:
    @pytest.mark.parametrize("path", UNITS, ids=lambda path: path.name)
    def test_they_start_a_program_of_ours_as_a_user_of_its_own(self, path):
        service = unit(path)["Service"]

        program = service["ExecStart"].split()[0].removeprefix("/srv/couvert/")
        assert (ROOT / program).exists()
        assert service["User"] == "couvert"
        assert service["UMask"] == "0077"

    def test_the_instances_named_are_processes(self):
        text = (DEPLOY / "systemd" / "couvert@.service").read_text()
        processes = set(re.findall(r"^(\w+):", (ROOT / "Procfile").read_text(), re.M))

        assert set(re.findall(r"couvert@(\w+)", text)) == processes - {"sandbox"}

    def test_what_is_set_for_them_is_documented(self):
        documented = (ROOT / "docs" / "configuration.md").read_text()
        text = "".join(path.read_text() for path in UNITS)
        found = set(re.findall(r"^Environment=(\w+)=", text, re.M))

        assert found
        assert all(f"| `{name}` |" in documented for name in found)


class TestPage:
    """docs/deploy.md, "Two machines", makes everything that the files of deploy/ expect."""

    text = (ROOT / "docs" / "deploy.md").read_text().split("## Two machines")[1].split("\n## ")[0]
    before_start = text.split("systemctl enable")[0]

    @pytest.mark.parametrize("path", UNITS, ids=lambda path: path.name)
    def test_user_and_folders_exist_before_the_units_start(self, path):
        service = unit(path)["Service"]
        values = re.findall(r"^Environment=(?:ENV_FILE|VAR_DIR)=(.+)", path.read_text(), re.M)

        assert len(values) == 2
        for made in [*values, service["WorkingDirectory"], f"nologin {service['User']}"]:
            making = rf"^    (useradd|git clone|install) .*{made}\b"
            assert re.search(making, self.before_start, re.M)

    def test_names_and_certificate_of_the_proxy_are_explained(self):
        proxy = (DEPLOY / "haproxy.cfg").read_text()
        hosts = set(re.findall(r"server \w\S* (\w+):8000", proxy))
        certificates = re.findall(r" crt (\S+)", proxy)

        assert len(hosts) == 2
        assert all(f"`{name}`" in self.text for name in [*hosts, *certificates])


class TestProxy:
    text = (DEPLOY / "haproxy.cfg").read_text()

    def test_it_asks_the_address_that_says_whether_a_node_can_work(self):
        assert "uri /health/ready" in self.text

    def test_it_replaces_what_a_client_says_of_itself(self):
        assert "set-header X-Forwarded-Proto https" in self.text
        assert "set-header X-Forwarded-For %[src]" in self.text

    def test_it_logs_no_query_string(self):
        [form] = re.findall(r'log-format "(.+)"', self.text)
        assert not {"%r", "%HQ", "%HU"} & set(form.split())


@pytest.mark.django_db
class TestMonitoring:
    def figures(self):
        """What /metrics shows, by name, with the labels' values."""
        for process in ("worker", "beat"):
            heartbeat.beat(process, now=timezone.now())
        return {one.name: one for one in metrics.figures()}

    @pytest.mark.parametrize("path", [ALERTS, DASHBOARD], ids=lambda path: path.name)
    def test_they_name_figures_that_exist(self, path):
        named = set(re.findall(r"couvert_\w+", path.read_text()))

        assert named <= set(self.figures()) | REQUEST_FIGURES
        assert len(named) >= 4

    def test_each_alert_says_what_is_wrong(self):
        [group] = yaml.safe_load(ALERTS.read_text())["groups"]

        assert len(group["rules"]) >= 8
        assert all(rule["annotations"]["summary"] and rule["expr"] for rule in group["rules"])

    def test_the_queues_named_exist(self):
        waiting = {s.labels["what"] for s in self.figures()["couvert_waiting"].samples}

        assert set(re.findall(r'what="([^"]+)"', ALERTS.read_text())) <= waiting

    def test_every_panel_shows_something(self):
        panels = json.loads(DASHBOARD.read_text())["panels"]

        assert len({panel["title"] for panel in panels}) == len(panels) >= 8
        assert all(target["expr"] for panel in panels for target in panel["targets"])
