"""Static files as the live server answers them: each is read once in a process.

A page loads forty files, and every test begins with an empty cache. What app.css imports is in its
answer, as `collectstatic` puts it there.
"""

import mimetypes
from functools import cache
from pathlib import Path
from typing import Any

from django.contrib.staticfiles import finders
from django.contrib.staticfiles.handlers import StaticFilesHandler
from django.core.handlers.wsgi import get_path_info

from lib.web.style_sheets import joined

LONGER_THAN_A_TEST = "max-age=3600"


class ReadOnce(StaticFilesHandler):
    """What is not there, and every other method, is left to Django."""

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Any:
        path = get_path_info(environ)
        if environ["REQUEST_METHOD"] == "GET" and self._should_handle(path):
            name = self.file_path(path)
            if body := content_of(name):
                start_response("200 OK", headers_of(name, body))
                return [body]
        return super().__call__(environ, start_response)


@cache
def content_of(name: str) -> bytes | None:
    path = Path(finders.find(name) or "")
    if not path.is_file():
        return None
    if path.suffix != ".css":
        return path.read_bytes()
    return joined(path.read_text(), lambda name: (path.parent / name).read_text()).encode()


def headers_of(name: str, body: bytes) -> list[tuple[str, str]]:
    return [
        ("Content-Type", mimetypes.guess_type(name)[0] or "application/octet-stream"),
        ("Content-Length", str(len(body))),
        ("Cache-Control", LONGER_THAN_A_TEST),
    ]
