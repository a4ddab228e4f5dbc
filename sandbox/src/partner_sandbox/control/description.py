"""The OpenAPI document of the API, with the address of the sandbox that serves it."""

from functools import cache
from pathlib import Path

FILE = Path(__file__).parent.parent / "openapi.yaml"
ADDRESS_IN_FILE = "http://127.0.0.1:8100"


@cache
def _text() -> str:
    return FILE.read_text()


def openapi_document(origin: str) -> bytes:
    """Return the YAML whose paths are relative to `origin`, so that tools call this sandbox."""
    return _text().replace(f"- url: {ADDRESS_IN_FILE} ", f"- url: {origin} ", 1).encode()
