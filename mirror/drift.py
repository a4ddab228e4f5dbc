"""Drift: what answers have and the contract does not, counted by kind."""

from collections import Counter
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from django.db.models import F, Q

from mirror.models import Drift

KEPT = timedelta(days=90)
# A service may name fields after records: each would be a finding of its own, for ever.
MOST = 1000


def count_findings(findings: Iterable[tuple[str, Any]], *, now: datetime) -> None:
    """Count what the contract does not know, by kind. No query when all is known."""
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
        row = Drift.objects.filter(kind=kind, finding=finding)
        row.update(count=F("count") + number, last_seen_at=now)


def delete_old(*, now: datetime, most: int = MOST) -> int:
    """Delete what was not found for months, and all but the newest findings. Returns how many."""
    newest = Drift.objects.order_by("-last_seen_at", "-pk").values_list("pk", flat=True)[:most]
    is_old = Q(last_seen_at__lt=now - KEPT) | ~Q(pk__in=list(newest))
    return Drift.objects.filter(is_old).delete()[0]
