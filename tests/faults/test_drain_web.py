"""A web process that is to stop serves on until the proxy has noticed."""

import os
import signal

import pytest

from tests.faults.installation import open_installation
from tests.faults.test_fill_the_disk import becomes, is_running, probe

pytestmark = pytest.mark.faults


def test_it_serves_until_the_proxy_has_noticed(monkeypatch):
    monkeypatch.setenv("DRAIN_SECONDS", "3")
    with open_installation(seed=12, processes=(), web_workers=2) as installation:
        installation.collect_static()
        installation.begin(("web",))
        process = installation.processes()["web"]
        assert becomes(lambda: probe(installation, "ready")[0] == 200)

        os.kill(process, signal.SIGTERM)
        assert becomes(lambda: probe(installation, "ready")[0] == 404)
        assert probe(installation, "live")[0] == 200
        assert becomes(lambda: not is_running(process))
