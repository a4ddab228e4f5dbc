"""Plans what the service does by itself later: decide a request, moderate a reply."""

import sqlite3
from typing import TYPE_CHECKING

from partner_sandbox.clock import DAY, SECOND

if TYPE_CHECKING:
    from partner_sandbox.service import SandboxService

# Shortest and longest wait in seconds at pace 1.
WAITS = {
    "answer_request": (60, 240),
    "moderate_reply": (30, 120),
    "moderate_comment": (30, 120),
}
REFORMULATION_PERIOD = 14 * DAY


def plan(
    service: "SandboxService",
    db: sqlite3.Connection,
    what: str,
    target: int,
    wait: int | None = None,
) -> None:
    """Note what shall happen; an older plan of the same kind for the same thing is dropped."""
    if wait is None:
        shortest, longest = WAITS[what]
        wait = int(service.luck.uniform(shortest, longest) * SECOND / service.pace)
    db.execute("DELETE FROM pending WHERE what=? AND target=?", (what, target))
    db.execute(
        "INSERT INTO pending (due, what, target) VALUES (?,?,?)",
        (service.clock.now() + wait, what, target),
    )
