"""HAProxy, with the file of deploy/, asks the other node where that does no harm."""

import http.client
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import ClassVar

import pytest

from tests.faults.proxy import program
from tests.processes import ROOT, free_port, wait_until_open

pytestmark = [pytest.mark.faults, pytest.mark.once]

TIMES = 6  # each node is the first one of some of them
NEW = "/static/new.css"


class UpgradedNode(BaseHTTPRequestHandler):
    """Has all files, and answers."""

    protocol_version = "HTTP/1.1"
    posts: ClassVar[list[str]] = []

    def do_GET(self) -> None:
        self.answer(200)

    def do_POST(self) -> None:
        self.posts.append(self.path)
        self.answer(200)

    def answer(self, status: int) -> None:
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *words: object) -> None:
        """Nothing."""


class EarlierNode(UpgradedNode):
    """Lacks the new file, and ends every connection that asks for something else."""

    def do_GET(self) -> None:
        if self.path == "/health/ready":
            self.answer(200)
        elif self.path == NEW:
            self.answer(404)
        self.close_connection = True

    def do_POST(self) -> None:
        self.posts.append(self.path)
        self.close_connection = True


class Node(ThreadingHTTPServer):
    def handle_error(self, *words: object) -> None:
        """A connection that the proxy has ended is none."""


@contextmanager
def serving(handler: type[BaseHTTPRequestHandler]) -> Iterator[int]:
    with Node(("127.0.0.1", 0), handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_port
        server.shutdown()


@pytest.fixture
def port(tmp_path) -> Iterator[int]:
    haproxy = program("haproxy")
    UpgradedNode.posts.clear()
    port = free_port()
    with ExitStack() as stack:
        nodes = [stack.enter_context(serving(node)) for node in (EarlierNode, UpgradedNode)]
        file = tmp_path / "haproxy.cfg"
        file.write_text(adapted(tmp_path, port, nodes))
        process = subprocess.Popen([haproxy, "-db", "-f", file], stdout=subprocess.DEVNULL)
        stack.callback(process.wait)
        stack.callback(process.terminate)
        wait_until_open(port, what="haproxy")
        yield port


def adapted(folder: Path, port: int, nodes: list[int]) -> str:
    """Without TLS, for this machine. Its failures would take the earlier node out."""
    text = (ROOT / "deploy" / "haproxy.cfg").read_text()
    for theirs, ours in {
        "bind :443 ssl crt /etc/haproxy/couvert.pem alpn h2,http/1.1": f"bind 127.0.0.1:{port}",
        "bind :80\n": f"bind 127.0.0.1:{free_port()}\n",
        "/run/haproxy/admin.sock": str(folder / "admin.sock"),
        "maxconn 20000": "maxconn 500",
        "observe layer4 error-limit 3 on-error mark-down ": "",
        "web1:8000": f"127.0.0.1:{nodes[0]}",
        "web2:8000": f"127.0.0.1:{nodes[1]}",
    }.items():
        assert theirs in text, theirs
        text = text.replace(theirs, ours)
    return text


def statuses(port: int, method: str, path: str) -> set[int]:
    return {status(port, method, path) for _time in range(TIMES)}


def status(port: int, method: str, path: str) -> int:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    connection.request(method, path)
    found = connection.getresponse().status
    connection.close()
    return found


def test_a_file_that_one_node_lacks_comes_from_the_other(port):
    assert statuses(port, "GET", NEW) == {200}


def test_a_page_whose_node_ends_comes_from_the_other(port):
    assert statuses(port, "GET", "/") == {200}


def test_what_may_have_been_written_is_not_repeated(port):
    assert statuses(port, "POST", "/reservations/") == {200, 502}
    assert len(UpgradedNode.posts) == TIMES
