"""Compression of pages: a board of 300 cards is 317 kB of markup, and 33 kB compressed.

At the lowest level, because each page is made for one reader: the higher ones save another
tenth and take three times as long. What streams is left alone: a screen waits for each event.
"""

import gzip
import re
import secrets
from collections.abc import Callable
from io import BytesIO

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import patch_vary_headers

Handler = Callable[[HttpRequest], HttpResponseBase]

SMALL = 1_000  # bytes: these fit into one packet anyway
LEVEL = 1
BLUR = 100  # bytes
KINDS = ("text/", "application/json")
ACCEPTS = re.compile(r"\bgzip\b")


def compress_pages(get_response: Handler) -> Handler:
    def middleware(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        if isinstance(response, HttpResponse) and _is_worth_it(response):
            patch_vary_headers(response, ["Accept-Encoding"])
            if ACCEPTS.search(request.headers.get("Accept-Encoding", "")):
                response.content = pack(response.content)
                response.headers["Content-Length"] = str(len(response.content))
                response.headers["Content-Encoding"] = "gzip"
        return response

    return middleware


def _is_worth_it(response: HttpResponse) -> bool:
    kind = response.headers.get("Content-Type", "")
    return (
        kind.startswith(KINDS)
        and len(response.content) >= SMALL
        and "Content-Encoding" not in response.headers
    )


def pack(content: bytes) -> bytes:
    """Compress; the length is blurred by a file name of any length.

    Otherwise the length could tell whoever can put words into the address (a search) whether the
    page says the same words elsewhere.
    """
    packed = BytesIO()
    name = "x" * secrets.randbelow(BLUR)
    with gzip.GzipFile(name, "wb", LEVEL, packed, mtime=0) as file:
        file.write(content)
    return packed.getvalue()
