"""Drift: what answers have and the contract does not, by kind, and what most of them lack."""

from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any

from django.db.models import F, Q

from lib.processes.short_cache import ShortCache
from mirror.models import Drift
from partner.payloads.answers import MISSING_FIELD

# Of some ten answers, an older one counts for so much less.
FADES = 0.9
FADED = 0.01
KEPT = timedelta(days=90)
# A service may name fields after records: each would be a finding of its own, for ever.
MOST = 1000


def _lacking() -> frozenset[tuple[str, str]]:
    return frozenset(Drift.objects.filter(share__gt=FADED).values_list("kind", "finding"))


# The missing fields whose share changes also with answers that have them.
LACKING: ShortCache[frozenset[tuple[str, str]]] = ShortCache(_lacking, usual=frozenset())


def count_findings(
    findings: Iterable[tuple[str, Any]], *, answers: Mapping[str, int], now: datetime
) -> None:
    """Count what the contract does not know, by kind, in so many answers of each. No query when all
    is known.
    """
    totals = Counter((kind, str(finding)[:200]) for kind, finding in findings)
    lacking = {one for one in LACKING.value() if one[0] in answers} - totals.keys()
    if totals:
        Drift.objects.bulk_create(
            (
                Drift(kind=kind, finding=finding, first_seen_at=now, last_seen_at=now)
                for kind, finding in sorted(totals)
            ),
            ignore_conflicts=True,
        )
    for kind, finding in sorted({*totals, *lacking}):
        row, number = Drift.objects.filter(kind=kind, finding=finding), totals[kind, finding]
        if finding.startswith(MISSING_FIELD) and (of := answers.get(kind)):
            fades = FADES**of
            row.update(share=F("share") * fades + (1 - fades) * number / of)
        if number:
            row.update(count=F("count") + number, last_seen_at=now)


def delete_old(*, now: datetime, most: int = MOST) -> int:
    """Delete what was not found for months, and all but the newest findings. Returns how many."""
    newest = Drift.objects.order_by("-last_seen_at", "-pk").values_list("pk", flat=True)[:most]
    is_old = Q(last_seen_at__lt=now - KEPT) | ~Q(pk__in=list(newest))
    return Drift.objects.filter(is_old).delete()[0]
