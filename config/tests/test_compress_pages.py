"""Pages travel compressed to whoever understands it."""

import gzip

import pytest
from django.http import HttpResponse, StreamingHttpResponse
from django.test import RequestFactory

from config.requests.compress import BLUR, compress_pages
from restaurants.testing import sign_in

LONG = "A table for four. " * 100


def ask(response, *, accepts="gzip, br"):
    headers = {"Accept-Encoding": accepts} if accepts else {}
    return compress_pages(lambda _request: response)(RequestFactory().get("/", headers=headers))


def test_it_works():
    answer = ask(HttpResponse(LONG))

    assert answer.headers["Content-Encoding"] == "gzip"
    assert answer.headers["Vary"] == "Accept-Encoding"
    assert answer.headers["Content-Length"] == str(len(answer.content))
    assert gzip.decompress(answer.content).decode() == LONG


def test_the_product_does_so(bob):
    plain = sign_in(bob).get("/")
    packed = sign_in(bob).get("/", headers={"Accept-Encoding": "gzip"})

    assert "Content-Encoding" not in plain.headers
    assert b"<title>" in gzip.decompress(packed.content)
    assert len(packed.content) < len(plain.content) / 3


@pytest.mark.parametrize("accepts", ["", "br", "identity"])
def test_others_get_it_as_it_is(accepts):
    answer = ask(HttpResponse(LONG), accepts=accepts)

    assert answer.content.decode() == LONG
    assert answer.headers["Vary"] == "Accept-Encoding"


@pytest.mark.parametrize(
    "response",
    [
        HttpResponse("short"),
        HttpResponse(LONG, content_type="image/png"),
        HttpResponse(LONG, headers={"Content-Encoding": "br"}),
    ],
)
def test_what_would_not_shrink_is_left_alone(response):
    before = response.content

    assert ask(response).content == before


def test_what_streams_is_left_alone():
    answer = ask(StreamingHttpResponse([LONG], content_type="text/event-stream"))

    assert "Content-Encoding" not in answer.headers


def test_the_length_tells_nothing():
    lengths = {len(ask(HttpResponse(LONG)).content) for _time in range(50)}

    assert 5 < len(lengths) <= BLUR
