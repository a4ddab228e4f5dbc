"""The control interface of the demo's sandbox: what a tour makes happen there."""

import json
import urllib.error
import urllib.request
from typing import Any

from django.conf import settings

SECONDS = 5.0


class SandboxAway(Exception):
    """The sandbox did not answer, or has nothing to which this could happen."""


def happen(what: str, **options: Any) -> dict[str, Any]:
    """Make something happen in the service, and return what was done."""
    done: list[dict[str, Any]] = _call("happen", {"what": what, **options})["happened"]
    if not done:
        raise SandboxAway(what)
    return done[0]


def fail(*, seconds: int) -> None:
    """Let every call of the service fail for some time."""
    _call("faults", {"status": 503, "until": seconds, "match": {"path": "/v1/"}})


def at_dinner() -> list[str]:
    """The restaurants in the middle of dinner, the fullest first."""
    found: list[str] = _call("world")["at_dinner"]
    return found


def _call(path: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
    request = urllib.request.Request(  # noqa: S310  # the address is a setting of `make run`
        f"{settings.DEMO_SANDBOX}/_sandbox/{path}",
        data=json.dumps(body).encode() if body is not None else None,
        headers={"Content-Type": "application/json"},
    )
    try:
        with urllib.request.urlopen(request, timeout=SECONDS) as answer:  # noqa: S310  # as above
            found: dict[str, Any] = json.load(answer)
    except (OSError, ValueError) as error:
        raise SandboxAway(path) from error
    return found
