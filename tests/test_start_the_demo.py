"""`make run`, as a newcomer meets it: all starts, the printed sign-in opens, Ctrl-C ends it."""

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO

import pytest
import requests

from bin.servers import free_port
from tests.migrated import copy_file
from tests.processes import ROOT, scratch_environment

pytestmark = [pytest.mark.slow, pytest.mark.once]


@contextmanager
def demo(environment: dict[str, str], *options: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    web, sandbox = str(free_port()), str(free_port())
    ports = {"WEB_PORT": web, "SANDBOX_PORT": sandbox, "WEB_WORKERS": "1"}
    with subprocess.Popen(
        [sys.executable, "-m", "bin.run", *options],
        cwd=ROOT,
        env=environment | ports,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    ) as running:
        try:
            yield running, f"http://127.0.0.1:{web}"
        finally:
            if running.poll() is None:
                os.killpg(running.pid, signal.SIGTERM)
                running.communicate()  # it does not end while nobody reads its output


def read_until(words: str, stream: IO[str] | None) -> str:
    assert stream
    output = ""
    for line in stream:
        output += line
        if words in line:
            return output
    raise AssertionError(f"It ended before it printed {words!r}:\n{output}")


def sign_in(address: str, email: str, password: str) -> str:
    return open_session(address, email, password)[1]


def open_session(address: str, email: str, password: str) -> tuple[requests.Session, str]:
    """Sign in; return the session and the address that it was led to."""
    session = requests.Session()
    page = session.get(f"{address}/accounts/login/").text
    token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page)
    assert token
    form = {"login": email, "password": password, "csrfmiddlewaretoken": token[1]}
    return session, session.post(f"{address}/accounts/login/", data=form).url


def refusal(environment: dict[str, str]) -> str:
    """The output when nothing may start."""
    with demo(environment) as (running, _address):
        output, _nothing = running.communicate()
    assert running.returncode == 1
    assert "web started" not in output
    assert "Traceback" not in output
    return output


def test_it_starts_twice_with_the_same_sign_ins_and_ends_on_ctrl_c(tmp_path):
    environment = scratch_environment(tmp_path)
    for start in ("first", "second"):
        with demo(environment) as (running, address):
            output = read_until("Ctrl-C stops everything", running.stdout)
            assert "Couvert is ready" in output, start
            assert "dinner is on" in output, start
            people = json.loads((tmp_path / "demo.json").read_text())
            for email, password in people.items():
                assert password in output
                assert sign_in(address, email, password) == f"{address}/", start

            # When bookings were read, the worker has printed all that it prints at its start. The
            # first start has read the evening by now; the line would take ten seconds of work.
            if start == "second":
                output += read_until("Reading the weeks around today", running.stdout)
            assert "superuser privileges" not in output
            assert "Warning" not in output

            running.send_signal(signal.SIGINT)
            rest, _nothing = running.communicate()

        assert running.returncode == 0, rest
        assert "Traceback" not in rest

    other_keys = scratch_environment(tmp_path)
    assert "Put the ENCRYPTION_KEYS back" in refusal(other_keys)


def test_two_accounts_have_people_of_their_own_who_see_nothing_of_the_other(tmp_path):
    copy_file(tmp_path / "couvert.sqlite3")  # to migrate is what the test above begins with
    with demo(scratch_environment(tmp_path), "--owners", "2") as (running, address):
        output = read_until("Ctrl-C stops everything", running.stdout)
        people = json.loads((tmp_path / "demo.json").read_text())
        boards = {}
        for email in ("manager@demo.example", "manager2@demo.example"):
            assert people[email] in output
            session, _start = open_session(address, email, people[email])
            boards[email] = session.get(f"{address}/?zoom=pulse").text
            session.close()

    own, others = boards.values()
    assert "Chez Mirabeau Station" in others
    assert "Chez Mirabeau" in own
    assert "Station" not in own
    assert "Chez Mirabeau" not in others.replace("Chez Mirabeau Station", "")


def test_a_production_environment_is_refused_before_anything_is_written(tmp_path):
    output = refusal(scratch_environment(tmp_path) | {"HTTPS_ONLY": "true"})

    assert "meant for production" in output
    assert not (tmp_path / "couvert.sqlite3").exists()
