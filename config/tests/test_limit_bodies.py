"""Bodies of requests have a size, whatever page they are sent to."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from config.requests.refusals import LARGEST_BYTES


def send(client, path, *, length, accept="text/html"):
    body, headers = b"x" * 100, {"Content-Length": str(length), "Accept": accept}
    return client.generic("POST", path, body, "multipart/form-data", headers=headers)


@pytest.mark.parametrize("path", ["/accounts/login/", "/setup/pos/", "/nothing-here/"])
def test_a_large_one_is_refused_before_it_is_read(client, db, path):
    answer = send(client, path, length=LARGEST_BYTES + 1)

    assert answer.status_code == 413
    assert "At most 10 MB" in answer.text
    assert send(client, path, length=LARGEST_BYTES + 1, accept="*/*").content == b""


@pytest.mark.parametrize("length", ["-1", "1e9", "9" * 5000, "x"], ids=range(4))
def test_an_odd_length_breaks_nothing(client, db, length):
    assert send(client, "/accounts/login/", length=length).status_code == 413


def test_others_are_taken(client, db):
    logo = SimpleUploadedFile("logo.png", b"x" * 300_000)

    assert client.post("/accounts/login/", {"login": "a", "logo": logo}).status_code == 200
