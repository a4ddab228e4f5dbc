"""Finds records that hold an answer about another entity, and requests them again.

Versions before this search existed stored whatever came with status 200. The search runs once over
each kind, a few seconds at a time; its place is kept in a row, so a restart costs nothing.
"""

import logging
import time
from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from lib.text import as_data
from mirror import kinds
from mirror.health.sections import GOOD, NEW, Section
from mirror.kinds import EntityLocation, EntityRef, Kind
from mirror.models import CopyCheck, Mirrored, Priority
from mirror.queue import sync_requests
from partner.payloads.answers import is_copy_of

logger = logging.getLogger(__name__)

CHUNK = 500
BUDGET = 5.0  # seconds in one go, every half minute: some ten thousand records


def search(*, now: datetime) -> int:
    """Continue the search. Returns how many records were requested again."""
    if CopyCheck.objects.exclude(done_at=None).count() == len(kinds.names()):
        return 0
    ends_at = time.monotonic() + BUDGET
    found = 0
    for kind in map(kinds.get, kinds.names()):
        CopyCheck.objects.get_or_create(kind=kind.name)
        while time.monotonic() < ends_at and (number := _search_chunk(kind, now=now)) is not None:
            found += number
    return found


def _search_chunk(kind: Kind, *, now: datetime) -> int | None:
    """Search the next few hundred rows; None if all are searched, or another process searches."""
    with transaction.atomic():
        open_checks = CopyCheck.objects.filter(kind=kind.name, done_at=None)
        place = open_checks.select_for_update(skip_locked=True).first()
        if place is None:
            return None
        rows = _rows(kind, after=place.last_uuid)
        foreign = [uuid for uuid, raw in rows if _is_foreign(kind, uuid, raw)]
        sync_requests.request(
            [EntityRef(kind.name, uuid, EntityLocation()) for uuid in foreign],
            priority=Priority.SWEEP,
            now=now,
        )
        place.checked += len(rows)
        place.found += len(foreign)
        place.last_uuid = rows[-1][0] if rows else place.last_uuid
        place.done_at = now if len(rows) < CHUNK else None
        place.save()
    if foreign:
        logger.error("mirror.foreign_copies", extra={"kind": kind.name, "count": len(foreign)})
    return len(foreign)


def _rows(kind: Kind, *, after: UUID) -> list[tuple[UUID, str]]:
    present = kind.model._default_manager.filter(presence=Mirrored.Presence.PRESENT)
    after_place = present.filter(uuid__gt=after).order_by("uuid")
    return list(after_place.values_list("uuid", "raw")[:CHUNK])


def _is_foreign(kind: Kind, uuid: UUID, raw: str) -> bool:
    """Return whether a stored body is about another entity. An erased guest's body is empty."""
    return bool(raw) and not is_copy_of(f"get_{kind.name}", uuid, as_data(raw))


def section(_now: datetime) -> Section:
    checks = list(CopyCheck.objects.all())
    checked, found = sum(row.checked for row in checks), sum(row.found for row in checks)
    is_done = bool(checks) and all(row.done_at for row in checks)
    says = ngettext(
        "%(count)d record held an answer about something else and was read again.",
        "%(count)d records held an answer about something else and were read again.",
        found,
    ) % {"count": found}
    return Section(
        name="copy",
        title=_("Stored records"),
        state=GOOD if is_done else NEW,
        sentence=says if found else _("Every record holds the answer about itself."),
        facts={"checked": checked, "found": found, "is_done": is_done},
        rows=[(_("Records checked"), checked), (_("Records refreshed"), found)],
    )
