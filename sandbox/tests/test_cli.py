"""The program as it is started: flags, mistakes, signals."""

import os
import signal
import socket
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterator, Sequence
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest

from partner_sandbox.store import Store

MODULE = (sys.executable, "-m", "partner_sandbox")
TINY = ("--world", "tiny")  # built in a third of the time
# What pip puts beside the Python that it installs for.
COMMAND = (str(Path(sys.executable).with_name("partner-sandbox")),)


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*MODULE, *arguments],
        capture_output=True,
        text=True,
        timeout=20,
        check=False,
    )


@pytest.fixture
def busy_port() -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield listener.getsockname()[1]


def start(
    *arguments: str, program: Sequence[str] = MODULE
) -> tuple[subprocess.Popen[str], str, float]:
    began = time.monotonic()
    process = subprocess.Popen([*program, *arguments], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    with process.stdout as words:
        return process, words.readline(), time.monotonic() - began


@pytest.mark.parametrize(
    "arguments",
    [
        ["--port", "many"],
        ["--port", "70000"],
        ["--world", "galaxy"],
        ["--seed", "-1"],
        ["--speed", "0"],
        ["--webhook", "ftp://example.com"],
        ["--colour"],
        ["--owners", "0"],
        ["--owners", "17"],
        ["--owners", "2", "--webhook", "http://127.0.0.1:9/"],
        ["world"],
    ],
)
def test_wrong_flags_are_one_sentence_and_exit_code_2(arguments: list[str]) -> None:
    result = run(*arguments)

    assert result.returncode == 2
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1
    assert "Traceback" not in result.stderr


def test_a_taken_port_is_one_sentence(busy_port: int, tmp_path: Path) -> None:
    result = run("--port", str(busy_port), "--data", str(tmp_path))

    assert result.returncode == 2
    assert result.stderr.startswith(f"Port {busy_port} on 127.0.0.1 cannot be used")
    assert result.stderr.count("\n") == 1


def test_a_folder_that_cannot_be_made_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")

    result = run("--data", str(tmp_path / "file" / "folder"))

    assert result.returncode == 2
    assert result.stderr.count("\n") == 1


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_an_unwritable_folder_is_one_sentence(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)

    result = run("--data", str(tmp_path))

    assert result.returncode == 2
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_prints_when_it_is_ready_and_stops_on_a_signal(tmp_path: Path, number: Any) -> None:
    arguments = (
        "--port",
        "0",
        "--data",
        str(tmp_path),
        *TINY,
        "--live",
        "--webhook",
        "http://127.0.0.1:9/",
    )
    process, line, _first = start(*arguments)
    process.send_signal(number)
    code = process.wait(timeout=60)

    process, again, _second = start(*arguments)
    process.terminate()
    process.wait(timeout=60)

    assert line.startswith("sandbox ready on http://127.0.0.1:")
    assert line.endswith("(tiny, seed 1)\n")
    assert again.startswith("sandbox ready on")
    assert code == 0


def test_state_survives_and_reset_forgets(tmp_path: Path) -> None:
    arguments = ("--port", "0", "--data", str(tmp_path), *TINY)
    kept = []
    for extra in ((), (), ("--reset",)):
        process, _, _ = start(*arguments, *extra)
        process.terminate()
        process.wait(timeout=5)
        store = Store(tmp_path / "tiny-1.sqlite3")
        kept.append(store.setting("mark"))
        store.remember("mark", "kept")
        store.close()

    assert kept == [None, "kept", None]


def test_one_word_starts_it_and_state_stands_in_the_users_own_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))

    process, line, _ = start("--port", "0", program=COMMAND)
    process.terminate()
    process.wait(timeout=5)

    assert line.startswith("sandbox ready")
    assert (tmp_path / "data" / "partner-sandbox" / "small-1.sqlite3").exists()
    assert list(elsewhere.iterdir()) == []


def test_several_owners_have_a_file_each_and_reset_forgets_all(tmp_path: Path) -> None:
    arguments = ("--port", "0", "--data", str(tmp_path), *TINY, "--owners", "2")
    kept = []
    for extra in ((), (), ("--reset",)):
        process, line, _ = start(*arguments, *extra)
        process.terminate()
        process.wait(timeout=5)
        store = Store(tmp_path / "tiny-1-owner-2.sqlite3")
        kept.append(store.setting("mark"))
        store.remember("mark", "kept")
        store.close()

    assert line.endswith("(tiny, seed 1, 2 owners)\n")
    assert kept == [None, "kept", None]
    assert (tmp_path / "tiny-1.sqlite3").exists()


def test_worlds_can_be_built_before_it_is_started(tmp_path: Path) -> None:
    arguments = ("--data", str(tmp_path), *TINY, "--owners", "2")
    built = run(*arguments, "--build-only")
    files = sorted(tmp_path.glob("*.sqlite3"))
    stores = [Store(file) for file in files]
    marks = [store.setting("anchor") for store in stores]
    for store in stores:
        store.remember("mark", "kept")
        store.close()

    again = run(*arguments, "--build-only")
    process, line, _ = start("--port", "0", *arguments)
    process.terminate()
    process.wait(timeout=5)

    assert (built.returncode, built.stdout, built.stderr) == (0, "", "")
    assert again.returncode == 0
    assert [file.name for file in files] == ["tiny-1-owner-2.sqlite3", "tiny-1.sqlite3"]
    assert all(marks)
    assert line.startswith("sandbox ready")
    for file in files:
        store = Store(file)
        assert store.setting("mark") == "kept"
        store.close()


def test_it_names_its_version() -> None:
    result = run("--version")

    assert result.stdout.startswith("partner-sandbox ")
    assert result.stdout.split()[1] == metadata.version("reservation-partner-sandbox")


def test_a_half_built_world_is_built_again(tmp_path: Path) -> None:
    store = Store(tmp_path / "small-1.sqlite3")
    store.create()
    store.close()

    process, line, _ = start("--port", "0", "--data", str(tmp_path))
    process.terminate()
    process.wait(timeout=5)

    assert line.startswith("sandbox ready")


def test_it_prints_the_set_up_of_a_dashboard() -> None:
    result = run("world", "--provision", "--port", "8123", "--seed", "5", "--world", "group")

    data = tomllib.loads(result.stdout)
    assert data["connection"]["base_url"] == "http://127.0.0.1:8123/api"
    assert set(data["connection"]) == {
        "name", "base_url", "auth_url", "audience", "client_id", "client_secret",
    }  # fmt: skip
    assert set(data["pos"]) == {"base_url", "api_key", "uuid"}
    restaurants = data["group"][0]["restaurant"]
    assert len(restaurants) == 12
    assert set(restaurants[0]) == {"uuid", "name", "timezone", "currency", "country"}


def test_it_prints_the_set_up_of_each_owner() -> None:
    first, second = (
        tomllib.loads(run("world", "--provision", "--owner", number).stdout) for number in "12"
    )

    assert [data["connection"]["name"] for data in (first, second)] == ["Sandbox", "Sandbox 2"]
    assert first["connection"]["base_url"] == second["connection"]["base_url"]
    assert first["connection"]["client_id"] != second["connection"]["client_id"]
    assert first["group"][0]["name"] != second["group"][0]["name"]


def test_whoever_reads_on_no_more_gets_no_traceback(tmp_path: Path) -> None:
    """`partner-sandbox history … | head`, whose end comes before the last line."""
    command = [*MODULE, "history", "--world", "tiny", "--until", "2026-11-01"]
    with (tmp_path / "errors").open("w+") as errors:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors)
        assert process.stdout is not None
        process.stdout.close()
        process.wait(timeout=20)
        errors.seek(0)

        assert errors.read() == ""
