"""The table of files that the form and the server are checked by, at the sandbox."""

import urllib.error
import urllib.request

import pytest

from pos.testing import FILES

EDGE = "a-line-that-no-picture-holds"


def put(sandbox, data):
    """Return the status. Past our own client, which lets no bad file leave."""
    pos = sandbox.world["pos"]
    head = f'--{EDGE}\r\nContent-Disposition: form-data; name="logo"; filename="logo.png"\r\n'
    body = f"{head}Content-Type: image/png\r\n\r\n".encode() + data + f"\r\n--{EDGE}--\r\n".encode()
    request = urllib.request.Request(  # noqa: S310 - our own process
        f"{sandbox.world['pos_base_url']}/v1/{pos['uuid']}/logo", data=body, method="PUT"
    )
    request.add_header("X-Api-Key", pos["api_key"])
    request.add_header("Content-Type", f"multipart/form-data; boundary={EDGE}")
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:  # noqa: S310 - our own process
            return answer.status
    except urllib.error.HTTPError as error:
        with error:
            return error.code


@pytest.mark.parametrize("file", FILES.values(), ids=FILES)
def test_it_works(running_sandbox, file):
    assert put(running_sandbox, file.data) == (200 if file.fits else 400)
