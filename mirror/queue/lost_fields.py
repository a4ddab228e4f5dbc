"""Required fields that an answer lacks although the copy has a value of them."""

from datetime import datetime
from typing import Any

from lib.text import as_data
from mirror.models import SyncRequest
from mirror.queue import retry_schedule
from mirror.queue.sync_requests import Claim
from partner.payloads.answers import missing_fields
from partner.payloads.reading import readable


def of(existing: Any, answer: Any) -> list[str]:
    """Name the required fields that the copy has a value of and the answer lacks.

    Of what could not be read before either, nothing is lost: its entity never stops changing.
    """
    absent = missing_fields(answer.drift)
    stored = as_data(existing.raw) if absent and existing is not None else None
    if not isinstance(stored, dict):
        return []
    return readable(type(answer.entity), stored, fields=absent)


def lacking_since(claim: Claim, lost: list[str]) -> datetime | None:
    """One query, for the few answers that lack something."""
    row = SyncRequest.objects.filter(pk=claim.pk).values_list("problem", "evidence").first()
    return retry_schedule.lacking_since(*row, lost) if row else None
