"""New fields and new words of the service: counted, never an error."""

from collections import Counter
from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.db.models import F

from mirror.models import Drift


def count(findings: Iterable[tuple[str, Any]], *, now: datetime) -> None:
    """Count what the contract does not know. No query when all is known."""
    totals = Counter((kind, str(finding)[:200]) for kind, finding in findings)
    if not totals:
        return
    Drift.objects.bulk_create(
        (
            Drift(kind=kind, finding=finding, first_seen_at=now, last_seen_at=now)
            for kind, finding in sorted(totals)
        ),
        ignore_conflicts=True,
    )
    for (kind, finding), number in sorted(totals.items()):
        Drift.objects.filter(kind=kind, finding=finding).update(
            count=F("count") + number, last_seen_at=now
        )
