"""Turns deliveries into sync requests. Equal events are never dropped: they may be two changes.

Many deliveries of one entity in a batch become one request. The requests and the marks on the
deliveries are committed together, so that a kill in between repeats both or neither.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import Count, QuerySet

from lib.database import bulk
from mirror import kinds
from mirror.kinds import EntityLocation, EntityRef
from mirror.models import Mirrored, SyncRequest
from mirror.queue import handover, sync_requests
from restaurants.models import Group, Restaurant
from webhooks.events import OddDelivery, WebhookEvent, parse
from webhooks.models import CountKey, Delivery, HourlyCount, hour_of

BATCH = 200  # deliveries in one transaction: some 20 ms, for which other writers of SQLite wait
MOST_PLACED = 1000  # what is more follows with the next turn, when these are routed
# Which account, and which of its two addresses.
Token = tuple[int | None, str]
A_MINUTE = timedelta(minutes=1)
MARKED = (
    *("state", "reason", "entity_type", "event_type", "uuid", "restaurant_uuid"),
    *("group_uuid", "is_first_sight", "routed_at"),
)
NEW, HELD, ROUTED = Delivery.State.NEW, Delivery.State.HELD, Delivery.State.ROUTED
IGNORED, ODD = Delivery.State.IGNORED, Delivery.State.ODD
PRESENT = Mirrored.Presence.PRESENT


def route_new(*, now: datetime) -> int:
    """Route new deliveries to sync requests. Returns how many deliveries were processed.

    The ones held back come last, and only as many as the minute still allows.
    """
    routed = 0
    while count := _route(Delivery.objects.filter(state=NEW), limit=BATCH, now=now):
        routed += count
    held_back = Delivery.objects.filter(state=HELD)
    allowance = _allowance(now=now)
    for connection, slot in held_back.order_by().values_list("connection", "slot").distinct():
        held = held_back.filter(connection=connection, slot=slot)
        allowed = allowance[connection, slot]
        routed += _route(held, limit=min(allowed, BATCH), now=now)
    return routed


def route_placed(*, now: datetime) -> int:
    """Route what came before its restaurant or group was set up. Returns how many there were.

    No list names a review that was not published, and no later one an old change of it.
    """
    with_place = list(Delivery.objects.perhaps_placed()[:MOST_PLACED])
    wanted = _placed(_parsed(with_place))
    # Both of its places are set up by now, and belong to two groups: it is not looked at again.
    misplaced = [row.pk for row in with_place if row.reason == Delivery.Reason.TWO_GROUPS]
    if misplaced:
        Delivery.objects.odd().filter(pk__in=misplaced).update(reason=Delivery.Reason.TWO_GROUPS)
    _known(wanted)
    if not wanted:
        return 0
    Delivery.objects.odd().filter(pk__in=[row.pk for row in wanted]).route_again()
    return route_new(now=now)


def _route(due: QuerySet[Delivery], *, limit: int, now: datetime) -> int:
    """Route up to `limit` deliveries in one short transaction. Returns how many there were."""
    # Looked for outside of the transaction: on SQLite even an empty one takes the only write lock.
    if limit <= 0 or not due.exists():
        return 0
    with transaction.atomic():
        rows = list(due.order_by("pk").select_for_update(skip_locked=True)[:limit])
        wanted = _read(rows)
        _hold_back(wanted, now=now)
        _request(wanted, now=now)
        _mark(rows, now=now)
    return len(rows)


def _request(wanted: dict[Delivery, EntityRef], *, now: datetime) -> None:
    """Request what each account announced."""
    announced: dict[int | None, dict[Delivery, EntityRef]] = {}
    for row, ref in wanted.items():
        announced.setdefault(row.connection_id, {})[row] = ref
    if announced:
        sync_requests.request_events(
            {
                connection: (_merged(refs.values()), min(row.received_at for row in refs))
                for connection, refs in announced.items()
            },
            now=now,
        )


class _Places:
    """The named groups and restaurants that are set up here, by the account that owns them.

    No others: with hundreds of accounts reading all of them took longer than all else. Two queries.
    """

    def __init__(self, events: Collection[WebhookEvent]) -> None:
        restaurants = {uuid for event in events if (uuid := event.restaurant_uuid)}
        named = Restaurant.objects.filter(uuid__in=restaurants)
        self.group_of = dict(named.values_list("uuid", "group__uuid"))
        groups = {uuid for event in events if (uuid := event.group_uuid)}
        owned = Group.objects.filter(uuid__in=groups.union(self.group_of.values()))
        self.account_of = dict(owned.values_list("uuid", "connection"))

    def locate(self, event: WebhookEvent, connection: int | None) -> EntityLocation:
        """Return where the entity should belong; raise `OddDelivery` for a misdirected event."""
        group, restaurant = event.group_uuid, event.restaurant_uuid
        if group and not self._is_of(group, connection):
            raise OddDelivery(Delivery.Reason.NOT_OURS)
        if not restaurant:
            return EntityLocation(group_uuid=group)
        own = self.group_of.get(restaurant)
        if own is None or not self._is_of(own, connection):
            raise OddDelivery(Delivery.Reason.NOT_OURS)
        if group and own != group:
            raise OddDelivery(Delivery.Reason.TWO_GROUPS)
        return EntityLocation(group_uuid=own, restaurant_uuid=restaurant)

    def _is_of(self, group: UUID, connection: int | None) -> bool:
        """Whether the group is one of this account; another's is as unknown as one of nobody."""
        if group not in self.account_of:
            return False
        owner = self.account_of[group]
        return owner is None or connection is None or owner == connection


def _read(rows: Iterable[Delivery]) -> dict[Delivery, EntityRef]:
    """Store on each delivery what it contains, and return the requests of the valid ones."""
    events = _parsed(rows)
    wanted = _placed(events)
    moved = _moved_away({row: event for row, event in events.items() if row.state == ODD})
    for row, ref in moved.items():
        # Its place is that of the copy: the one that it names may be another account's.
        row.state, row.reason, row.restaurant_uuid = ROUTED, "", None
        wanted[row] = ref
    return wanted


def _parsed(rows: Iterable[Delivery]) -> dict[Delivery, WebhookEvent]:
    events = {}
    for row in rows:
        with _noted_as_odd(row):
            if event := _read_one(row):
                events[row] = event
    return events


def _placed(events: dict[Delivery, WebhookEvent]) -> dict[Delivery, EntityRef]:
    """The requests of events about places that are set up here for their account. Two queries."""
    wanted, places = {}, _Places(events.values())
    for row, event in events.items():
        with _noted_as_odd(row):
            location = places.locate(event, row.connection_id)
            row.state, row.reason = ROUTED, ""
            wanted[row] = EntityRef(event.entity_type, event.uuid, location)
    return wanted


def _moved_away(odd: dict[Delivery, WebhookEvent]) -> dict[Delivery, EntityRef]:
    """Request what the account has a copy of, whatever place the event names.

    It may have moved to a restaurant that is not set up here, and must not stay on our boards.
    """
    refs = {
        row: EntityRef(event.entity_type, event.uuid, EntityLocation())
        for row, event in odd.items()
    }
    owner_of: dict[tuple[str, UUID], int | None] = {}
    for name in {ref.kind for ref in refs.values()}:
        kind = kinds.get(name)
        uuids = {ref.uuid for ref in refs.values() if ref.kind == name}
        copies = kind.model._default_manager.filter(uuid__in=uuids, presence=PRESENT)
        owners = copies.values_list("uuid", f"{kind.joins}__connection")
        owner_of |= {(name, uuid): owner for uuid, owner in owners}
    return {
        row: ref
        for row, ref in refs.items()
        if (ref.kind, ref.uuid) in owner_of
        and owner_of[ref.kind, ref.uuid] in (None, row.connection_id)
    }


@contextmanager
def _noted_as_odd(row: Delivery) -> Iterator[None]:
    try:
        yield
    except OddDelivery as odd:
        row.state, row.reason = ODD, odd.reason


def _read_one(row: Delivery) -> WebhookEvent | None:
    event = parse(bytes(row.raw))
    row.entity_type = event.entity_type[:32]
    row.event_type = event.event_type[:48]
    if not isinstance(event, WebhookEvent):
        row.state, row.reason = IGNORED, Delivery.Reason.UNKNOWN_WORD
        return None
    row.uuid, row.restaurant_uuid = event.uuid, event.restaurant_uuid
    row.group_uuid = event.group_uuid
    return event


def _known(wanted: dict[Delivery, EntityRef]) -> set[tuple[str, UUID]]:
    """The entities that were requested before; takes out events about those of other accounts."""
    rows = SyncRequest.objects.filter(uuid__in={ref.uuid for ref in wanted.values()})
    owner_of = {
        (kind, uuid): owner for kind, uuid, owner in rows.values_list("kind", "uuid", "connection")
    }
    others = {}
    for row, ref in wanted.items():
        owner = owner_of.get((ref.kind, ref.uuid))
        if owner and row.connection_id and owner != row.connection_id:
            others[row] = ref.kind, ref.uuid
    free = handover.in_vain(rows) if others else set()
    for row, key in others.items():
        if key not in free:
            row.state, row.reason = ODD, Delivery.Reason.NOT_OURS
            del wanted[row]
    return set(owner_of)


def _hold_back(wanted: dict[Delivery, EntityRef], *, now: datetime) -> None:
    """Let only so many unknown entities in per minute.

    A leaked address could otherwise spend the whole budget of requests on invented ids. Nothing
    is dropped: what is over the limit waits, and what is known already does not wait behind it.
    """
    known = _known(wanted)
    if all((ref.kind, ref.uuid) in known for ref in wanted.values()):
        return
    allowed = _allowance(now=now)
    for row, (kind, uuid, _location) in list(wanted.items()):
        if (kind, uuid) in known:
            continue
        if allowed[row.connection_id, row.slot] > 0:
            row.is_first_sight = True
            allowed[row.connection_id, row.slot] -= 1
            known.add((kind, uuid))
        else:
            row.state, row.reason = HELD, Delivery.Reason.TOO_MANY
            del wanted[row]


def _allowance(*, now: datetime) -> "defaultdict[Token, int]":
    """How many unknown entities each token may still name in this minute. One query."""
    recent = Delivery.objects.filter(is_first_sight=True, routed_at__gt=now - A_MINUTE)
    left: defaultdict[Token, int] = defaultdict(lambda: settings.WEBHOOK_UNKNOWN_PER_MINUTE)
    for connection, slot, spent in recent.values_list("connection", "slot").annotate(Count("pk")):
        left[connection, slot] -= spent
    return left


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
