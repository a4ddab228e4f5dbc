"""The body of a request, or an error: never the part that came before a connection was lost.

The server ends such a body as if that had been all, and Django takes what there is: half a note
would be saved, and sent to the service.
"""

from typing import Any

from django.core.exceptions import BadRequest


class WholeBody:
    """A WSGI input that raises `BadRequest` where it ends before it was read in full."""

    def __init__(self, stream: Any) -> None:
        self._read = stream.read
        self.readline = stream.readline

    def read(self, size: int) -> bytes:
        """Return exactly `size` bytes. Django never asks for more than the request announced."""
        data = bytes(self._read(size))
        if len(data) < size:
            raise BadRequest("the body is incomplete")
        return data
