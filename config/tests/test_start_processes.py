"""`bin/process` starts a process with the settings of the environment and of `.env`."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROCFILE = "show: echo ${WEB_HOST:-127.0.0.1} ${WEB_PORT:-8000} ${WORKER_THREADS:-16}\n"


@pytest.fixture
def shown(tmp_path):
    """Start a process that shows its settings, of a copy of the program with this `.env`."""
    (tmp_path / "bin").mkdir()
    shutil.copy(ROOT / "bin" / "process", tmp_path / "bin" / "process")
    (tmp_path / "Procfile").write_text(PROCFILE)

    def show(settings, *, name=".env", **environment):
        (tmp_path / name).write_text(settings)
        command = [str(tmp_path / "bin" / "process"), "show"]
        environment = {"PATH": os.environ["PATH"]} | environment
        return subprocess.check_output(command, env=environment, text=True).split()

    return show


class TestSettings:
    def test_it_works(self, shown):
        assert shown("DEBUG=false\n") == ["127.0.0.1", "8000", "16"]

    def test_the_file_of_settings_counts(self, shown):
        """docs/configuration.md promises so of every variable."""
        assert shown("WEB_PORT=8300\nWORKER_THREADS=4\n") == ["127.0.0.1", "8300", "4"]

    def test_the_environment_wins(self, shown):
        assert shown("WEB_PORT=8300\n", WEB_PORT="8400")[1] == "8400"

    def test_another_file_is_read_where_one_is_named(self, shown, tmp_path):
        file = tmp_path / "settings"

        assert shown("WEB_PORT=8500\n", name="settings", ENV_FILE=str(file))[1] == "8500"

    @pytest.mark.parametrize("line", ['WEB_PORT="8300"', "WEB_PORT='8300'", "export WEB_PORT=8300"])
    def test_quotes_and_exports_are_read_as_usual(self, shown, line):
        assert shown(f"#WEB_PORT=9000\nMY_WEB_PORT=9001\n{line}\n")[1] == "8300"

    def test_no_value_runs_as_a_command(self, shown, tmp_path):
        shown(f"WEB_HOST=$(touch {tmp_path}/harm)\n")

        assert not (tmp_path / "harm").exists()
