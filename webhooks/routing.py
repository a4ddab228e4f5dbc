"""Turns deliveries into sync requests. Equal events are never dropped: they may be two changes.

Many deliveries of one entity in a batch become one request. The requests and the marks on the
deliveries are committed together, so that a kill in between repeats both or neither.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import Count, QuerySet

from lib.database import bulk
from mirror.kinds import EntityLocation, EntityRef
from mirror.models import Priority, SyncRequest
from mirror.queue import sync_requests
from partner.models import Slot
from restaurants.models import Group, Restaurant
from webhooks.events import OddDelivery, WebhookEvent, parse
from webhooks.models import CountKey, Delivery, HourlyCount, hour_of

BATCH = 200  # deliveries in one transaction: some 20 ms, for which other writers of SQLite wait
A_MINUTE = timedelta(minutes=1)
MARKED = (
    *("state", "reason", "entity_type", "event_type", "uuid", "restaurant_uuid"),
    *("is_first_sight", "routed_at"),
)
NEW, HELD, ROUTED = Delivery.State.NEW, Delivery.State.HELD, Delivery.State.ROUTED
IGNORED, ODD = Delivery.State.IGNORED, Delivery.State.ODD


def route_new(*, now: datetime) -> int:
    """Route new deliveries to sync requests. Returns how many deliveries were processed.

    The ones held back come last, and only as many as the minute still allows.
    """
    routed = 0
    while count := _route(Delivery.objects.filter(state=NEW), limit=BATCH, now=now):
        routed += count
    for slot, allowed in _allowance(now=now).items():
        held = Delivery.objects.filter(state=HELD, slot=slot)
        routed += _route(held, limit=min(allowed, BATCH), now=now)
    return routed


def _route(due: QuerySet[Delivery], *, limit: int, now: datetime) -> int:
    """Route up to `limit` deliveries in one short transaction. Returns how many there were."""
    # Looked for outside of the transaction: on SQLite even an empty one takes the only write lock.
    if limit <= 0 or not due.exists():
        return 0
    with transaction.atomic():
        rows = list(due.order_by("pk").select_for_update(skip_locked=True)[:limit])
        wanted = _read(rows, map_=_Map.load())
        _hold_back(wanted, now=now)
        first = min((row.received_at for row in wanted), default=now)
        sync_requests.request(
            _merged(wanted.values()), priority=Priority.EVENT, now=now, requested_at=first
        )
        _mark(rows, now=now)
    return len(rows)


@dataclass(frozen=True)
class _Map:
    """The groups and restaurants that are set up here."""

    groups: frozenset[UUID]
    group_of: dict[UUID, UUID]

    @classmethod
    def load(cls) -> "_Map":
        groups = Group.objects.values_list("uuid", flat=True)
        pairs = Restaurant.objects.values_list("uuid", "group__uuid")
        return cls(frozenset(groups), dict(pairs))

    def place(self, event: WebhookEvent) -> EntityLocation:
        """Return where the entity should belong; raise `OddDelivery` for a misdirected event."""
        group, restaurant = event.group_uuid, event.restaurant_uuid
        if group and group not in self.groups:
            raise OddDelivery(Delivery.Reason.NOT_OURS)
        if not restaurant:
            return EntityLocation(group_uuid=group)
        if restaurant not in self.group_of:
            raise OddDelivery(Delivery.Reason.NOT_OURS)
        if group and self.group_of[restaurant] != group:
            raise OddDelivery(Delivery.Reason.TWO_GROUPS)
        return EntityLocation(group_uuid=self.group_of[restaurant], restaurant_uuid=restaurant)


def _read(rows: Iterable[Delivery], *, map_: _Map) -> dict[Delivery, EntityRef]:
    """Store on each delivery what it contains, and return the requests of the valid ones."""
    wanted = {}
    for row in rows:
        try:
            if ref := _read_one(row, map_=map_):
                wanted[row] = ref
        except OddDelivery as odd:
            row.state, row.reason = ODD, odd.reason
    return wanted


def _read_one(row: Delivery, *, map_: _Map) -> EntityRef | None:
    event = parse(bytes(row.raw))
    row.entity_type = event.entity_type[:32]
    row.event_type = event.event_type[:48]
    if not isinstance(event, WebhookEvent):
        row.state, row.reason = IGNORED, Delivery.Reason.UNKNOWN_WORD
        return None
    row.uuid, row.restaurant_uuid = event.uuid, event.restaurant_uuid
    location = map_.place(event)
    row.state, row.reason = ROUTED, ""
    return EntityRef(event.entity_type, event.uuid, location)


def _hold_back(wanted: dict[Delivery, EntityRef], *, now: datetime) -> None:
    """Let only so many unknown entities in per minute.

    A leaked address could otherwise spend the whole budget of requests on invented ids. Nothing
    is dropped: what is over the limit waits, and what is known already does not wait behind it.
    """
    known = set(
        SyncRequest.objects.filter(uuid__in={ref.uuid for ref in wanted.values()}).values_list(
            "kind", "uuid"
        )
    )
    if all((ref.kind, ref.uuid) in known for ref in wanted.values()):
        return
    allowed = _allowance(now=now)
    for row, (kind, uuid, _location) in list(wanted.items()):
        if (kind, uuid) in known:
            continue
        if allowed[row.slot] > 0:
            row.is_first_sight = True
            allowed[row.slot] -= 1
            known.add((kind, uuid))
        else:
            row.state, row.reason = HELD, Delivery.Reason.TOO_MANY
            del wanted[row]


def _allowance(*, now: datetime) -> dict[str, int]:
    """How many unknown entities each token may still name in this minute. One query."""
    recent = Delivery.objects.filter(is_first_sight=True, routed_at__gt=now - A_MINUTE)
    spent = dict(recent.values_list("slot").annotate(Count("pk")))
    return {slot.value: settings.WEBHOOK_UNKNOWN_PER_MINUTE - spent.get(slot, 0) for slot in Slot}


def _merged(wanted: Iterable[EntityRef]) -> list[EntityRef]:
    """One reference per entity; a later event adds to what an earlier one knew of its location."""
    refs: dict[tuple[str, UUID], EntityRef] = {}
    for ref in wanted:
        known = refs.get((ref.kind, ref.uuid), ref).location
        location = EntityLocation(
            *(new or old for new, old in zip(ref.location, known, strict=True))
        )
        refs[ref.kind, ref.uuid] = ref._replace(location=location)
    return list(refs.values())


def _mark(rows: Iterable[Delivery], *, now: datetime) -> None:
    """Store the results and count them by hour and restaurant."""
    for row in rows:
        row.routed_at = None if row.state == HELD else now
    bulk.update(rows, MARKED)
    HourlyCount.objects.add(Counter(_counted(row) for row in rows if row.state != HELD).items())


def _counted(row: Delivery) -> CountKey:
    restaurant = str(row.restaurant_uuid or "") if row.state == ROUTED else ""
    return CountKey(row.state, hour_of(row.received_at), restaurant)
