"""The proxy of deploy/, as it is, in front of the web process of an installation."""

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from bin.servers import find_program
from tests.processes import ROOT, free_port, wait_until_open

TEMPLATE = ROOT / "deploy" / "nginx.conf.template"
# Folders of nginx, which otherwise belong to the system.
FOLDERS = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]


def program(name: str) -> str:
    """Return the program. On a machine without it the test is left out, but never in CI."""
    if found := find_program(name):
        return found
    if os.environ.get("CI") == "true":
        raise RuntimeError(f"The program {name} is not installed.")
    pytest.skip(f"{name} is not installed")


class Proxy:
    def __init__(self, folder: Path, *, web_port: int) -> None:
        self.folder = folder
        self.port, self.plain_port = free_port(), free_port()
        self.log = folder / "log"
        self.file = folder / "nginx.conf"
        key, certificate = folder / "key.pem", folder / "certificate.pem"
        make_certificate(key, certificate)
        values = {
            "COUVERT_WEB": f"127.0.0.1:{web_port}",
            "HTTP_PORT": f"127.0.0.1:{self.plain_port}",
            "HTTPS_PORT": f"127.0.0.1:{self.port}",
            "TLS_CERTIFICATE": str(certificate),
            "TLS_KEY": str(key),
        }
        text = re.sub(r"\$\{(\w+)\}", lambda match: values[match[1]], TEMPLATE.read_text())
        own = "".join(f"    {name}_temp_path {folder / name};\n" for name in FOLDERS)
        self.file.write_text(text.replace("http {\n", "http {\n" + own, 1))

    def check(self) -> str:
        """Return what nginx has to say against the configuration."""
        done = subprocess.run([*self._command(), "-t", "-q"], capture_output=True, text=True)
        return done.stderr

    @contextmanager
    def running(self) -> Iterator[None]:
        with self.log.open("wb") as log:
            process = subprocess.Popen(self._command(), stdout=log, stderr=log)
        try:
            wait_until_open(self.port, what="nginx")
            yield
        finally:
            process.terminate()
            process.wait(timeout=10)

    def _command(self) -> list[str]:
        own = f"daemon off; pid {self.folder / 'pid'};"
        return [program("nginx"), "-e", "stderr", "-c", str(self.file), "-g", own]


def make_certificate(key: Path, certificate: Path) -> None:
    openssl = shutil.which("openssl")
    assert openssl, "The program openssl is not installed."
    subject = ["-subj", "/CN=localhost", "-days", "2"]
    kind = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    files = ["-keyout", str(key), "-out", str(certificate)]
    subprocess.run(
        [openssl, "req", "-x509", *kind, *subject, *files], check=True, capture_output=True
    )
