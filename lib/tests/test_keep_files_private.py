"""Files with data or secrets stay away from other users of the machine, commits and images."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings

from lib.private_files import check_private_files

ROOT = Path(__file__).resolve().parents[2]
START = """
import os
from config import settings
from pathlib import Path
Path(settings.VAR_DIR, "made.sqlite3").touch()
"""


@pytest.fixture
def folder(tmp_path, settings, monkeypatch):
    """The three places, in a folder of the test's own."""
    settings.ENV_PATH, settings.VAR_DIR = tmp_path / ".env", tmp_path / "var"
    database = {"ENGINE": "django.db.backends.sqlite3", "NAME": str(tmp_path / "db.sqlite3")}
    monkeypatch.setitem(settings.DATABASES, "default", database)
    return tmp_path


class TestCheck:
    def test_closed_files_are_fine(self, folder):
        (folder / ".env").touch(0o600)
        (folder / "var").mkdir(0o700)

        assert check_private_files() == []

    @pytest.mark.parametrize("name", [".env", "db.sqlite3"])
    @pytest.mark.parametrize("mode", [0o640, 0o604, 0o660])
    def test_an_open_file_is_named(self, folder, name, mode):
        (folder / name).touch()
        (folder / name).chmod(mode)

        (warning,) = check_private_files()

        assert str(folder / name) in warning.msg
        assert warning.hint == f"chmod go= {folder / name}"

    def test_an_open_folder_is_named(self, folder):
        (folder / "var").mkdir()
        (folder / "var").chmod(0o750)

        assert [str(folder / "var") in found.msg for found in check_private_files()] == [True]


def test_what_the_program_writes_is_its_users_alone(tmp_path):
    environment = {
        **os.environ,
        "ENV_FILE": str(tmp_path / "none"),
        "SECRET_KEY": settings.SECRET_KEY,
        "VAR_DIR": str(tmp_path / "var"),
    }
    subprocess.run(
        [sys.executable, "-c", START], cwd=ROOT, env=environment, check=True, umask=0o022
    )

    written = [tmp_path / "var", *(tmp_path / "var").rglob("*")]
    assert len(written) > 1
    assert [path for path in written if path.stat().st_mode & 0o077] == []


def copies_named_in_docs():
    text = "".join(page.read_text() for page in ROOT.glob("docs/*.md"))
    return set(re.findall(r"[\w-]+\.(?:sqlite3|dump)\b", text)) | {
        "backup.sqlite3-wal", "restaurants.toml", ".env", ".env.production", "couvert.sql.gz",
    }  # fmt: skip


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="an archive without its history")
@pytest.mark.parametrize("name", sorted(copies_named_in_docs()))
def test_copies_of_data_and_secrets_are_never_committed(name):
    ignored = subprocess.run(["git", "check-ignore", "--quiet", name], cwd=ROOT)

    assert ignored.returncode == 0


@pytest.mark.parametrize(
    "pattern", [".env", ".env.*", "**/*.sqlite3", "**/*.dump", "*.toml", "var"]
)
def test_images_hold_no_copy_of_data(pattern):
    assert pattern in (ROOT / ".dockerignore").read_text().splitlines()
