"""Requests that an account has made in vain: another may take them over.

One row per entity has one account. Where the service has refused its read for good as another's, or
does not know the entity, and there is no copy of it, another account whose own list or event names
it reads it with its own key, and finds nothing of the first on the row.
"""

from collections.abc import Iterable
from datetime import UTC, datetime
from uuid import UUID

from django.db.models import Q, QuerySet

from mirror import kinds
from mirror.models import SyncRequest

State = SyncRequest.State
NOT_OURS, GONE, INCOMPLETE = "not-ours", "gone", "incomplete"
# The service answered, and the answer is doubted for a while: after an event it may be another.
DOUBTED = (NOT_OURS, GONE, INCOMPLETE)
NEVER = datetime(2200, 1, 1, tzinfo=UTC)  # when a read that was refused for good is due again
IN_VAIN = Q(state=State.PARKED, problem=NOT_OURS, not_before__gte=NEVER) | Q(
    state=State.SETTLED, problem=GONE
)


def in_vain(rows: QuerySet[SyncRequest]) -> set[tuple[str, UUID]]:
    """Those of these requests that brought no copy and will not. A query, and one a kind."""
    refused: dict[str, set[UUID]] = {}
    for kind, uuid in rows.filter(IN_VAIN).order_by().values_list("kind", "uuid"):
        refused.setdefault(kind, set()).add(uuid)
    found = set()
    for name, uuids in refused.items():
        held = kinds.get(name).model._default_manager.filter(pk__in=uuids)
        found |= {(name, uuid) for uuid in uuids - set(held.values_list("pk", flat=True))}
    return found


def release(rows: Iterable[SyncRequest]) -> None:
    """Take locked rows from their account, with all that its reads have left there."""
    chosen = list(rows)
    free = in_vain(SyncRequest.objects.filter(pk__in=[row.pk for row in chosen]))
    released = [row for row in chosen if (row.kind, row.uuid) in free]
    for row in released:
        row.connection_id = row.group_uuid = row.restaurant_uuid = None
        row.actor_id = row.slice_id = None
    nothing = {"problem": "", "sentence": "", "evidence": "", "settled_at": None}
    SyncRequest.objects.filter(pk__in=[row.pk for row in released]).update(**nothing)
