"""The kinds that are mirrored. The mirror knows no domain: each app adds its own kind."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any, NamedTuple, cast
from uuid import UUID

from django.db.models import Q, QuerySet
from django.utils.functional import Promise
from django.utils.translation import gettext as _

from lib.labels import readable
from lib.registration import ExtensionPoint
from mirror.models import Mirrored, Priority, SyncRequest
from restaurants.directory import find_restaurant
from restaurants.models import Restaurant


class EntityLocation(NamedTuple):
    """Group and restaurant of an entity by the event, the list or the referring entity."""

    group_uuid: UUID | None = None
    restaurant_uuid: UUID | None = None


class EntityPlace(NamedTuple):
    """Group and restaurant of an entity by our own keys: decides which screens are notified."""

    group_id: int
    restaurant_id: int | None = None


class EntityRef(NamedTuple):
    """Another entity that a read has shown to exist."""

    kind: str
    uuid: UUID
    location: EntityLocation

    def unlink(self, row: Any) -> None:
        """Empty the columns of the row that name this entity."""
        for column in row._meta.concrete_fields:
            if column.is_relation and getattr(row, column.attname) == self.uuid:
                setattr(row, column.name, None)


class Link(NamedTuple):
    """A row that is being stored, another entity that it names, and the read that brought it."""

    row: Any
    ref: EntityRef
    priority: Priority
    account: int | None  # the one that was read


class Stored(NamedTuple):
    """A difference that is being stored: the row from before, if there was one, and the new one.

    For an entity that is gone both are the same row.
    """

    before: Any
    after: Any


class Unplaceable(Exception):
    """The entity belongs to no restaurant or group that is set up here; carries the sentence."""

    def __init__(self, sentence: str, *, elsewhere: UUID | None = None) -> None:
        super().__init__(sentence)
        self.elsewhere = elsewhere  # the restaurant that the answer itself names


def never(_row: Any, _now: datetime) -> None:
    """No second read: events announce every change of this kind."""


@dataclass(frozen=True, kw_only=True)
class Kind:
    """How one kind of entity is fetched, stored and listed.

    Its rows belong to a restaurant, or to a group alone (`is_of_group`).
    `fetch(client, uuid)` reads it; the answer carries `.raw`, `.payload`, `.entity`, `.drift`,
    `.started_at`. `build(answer, location, existing)` returns an unsaved instance with every typed
    column filled, or raises `Unplaceable`. `related(row)` names what else should be read if it
    is not known yet. `change_labels` maps the columns whose changes are listed to their words.
    `reread(row, now)` returns when to read again without an event (a reply in moderation).
    `stored(rows, now)` is called with the rows that a batch has created or changed, in the same
    transaction: what a domain derives from its copy is never behind it.
    `is_of_erased(row)`: whether it is about a guest who was erased here. `essential` names fields
    of the answer without which nobody can work: health says so where most answers lack one.
    """

    name: str
    model: type[Mirrored]
    fetch: Callable[[Any, UUID], Any]
    build: Callable[[Any, EntityLocation, Any], Any]
    # list(client, location, start, end, by) walks the uuids of a window of whole UTC days.
    list: Callable[[Any, EntityLocation, date, date, str], Iterator[UUID]]
    label: str | Promise = ""  # what people call one of them
    is_of_group: bool = False
    # known(location, start, end) names what the mirror holds of a window, for kinds whose listing
    # leaves out what became invalid.
    known: Callable[[EntityLocation, date, date], Iterator[UUID]] | None = None
    # held(location, start, end, by): the rows that a listing of a window must name.
    held: Callable[[EntityLocation, date, date, str], QuerySet[Any]] | None = None
    related: Callable[[Any], Iterable[EntityRef]] = lambda _row: ()
    change_labels: Mapping[str, Any] = field(default_factory=dict)
    essential: Collection[str] = ()
    reread: Callable[[Any, datetime], datetime | None] = never
    stored: Callable[[Sequence[Any], datetime], None] = lambda _rows, _now: None
    is_of_erased: Callable[[Any], bool] = lambda row: row.presence == Mirrored.Presence.ERASED

    @property
    def joins(self) -> str:
        """What has to be loaded with a row to know its place."""
        return "group" if self.is_of_group else "restaurant__group"

    def place(self, row: Any) -> EntityPlace:
        if self.is_of_group:
            return EntityPlace(row.group_id)
        return EntityPlace(row.restaurant.group_id, row.restaurant_id)

    def account(self, row: Any) -> int | None:
        """The connection of the row's group."""
        group = row.group if self.is_of_group else row.restaurant.group
        return cast("int | None", group.connection_id)

    def owner(self, row: Any) -> EntityLocation:
        if self.is_of_group:
            return EntityLocation(row.group.uuid)
        return EntityLocation(row.restaurant.group.uuid, row.restaurant.uuid)


class Watcher(NamedTuple):
    """Called with the differences of a kind as they are stored, in the same transaction.

    It writes a line of its own and no more: a person waits for the transaction.
    """

    kind: str
    notify: Callable[[Sequence[Stored]], None]


KINDS: ExtensionPoint[Kind] = ExtensionPoint("Mirrored kinds")
WATCHERS: ExtensionPoint[Watcher] = ExtensionPoint("Notified of what changed, as it is stored")


def get(name: str) -> Kind:
    return KINDS.named(name)


def label_of(name: str) -> str:
    """Return what people call an entity of this kind."""
    return next((str(one.label) for one in KINDS if one.name == name), "") or readable(name)


def names() -> list[str]:
    return [kind.name for kind in KINDS]


def with_second_looks() -> list[str]:
    """The kinds that change without an event."""
    return [kind.name for kind in KINDS if kind.reread is not never]


def restaurant_of(
    entity: Any, location: EntityLocation, existing: Any, *, refusal: str | Promise
) -> Restaurant:
    """The restaurant of the answer, else the one of the event or the list, else of the stored row.

    Raises `Unplaceable` with the sentence `refusal` for one that is not set up here.
    """
    uuid = entity.restaurant_uuid or location.restaurant_uuid
    restaurant = find_restaurant(uuid)
    if restaurant is None and uuid is None and existing is not None:
        restaurant = existing.restaurant
    if restaurant is None:
        sentence = str(refusal) % {"uuid": uuid or _("(not named)")}
        raise Unplaceable(sentence, elsewhere=entity.restaurant_uuid)
    return restaurant


def notify_watchers(name: str, stored: Sequence[Stored]) -> None:
    for watcher in WATCHERS:
        if watcher.kind == name:
            watcher.notify(stored)


def without_foreign(links: Sequence[Link]) -> dict[Priority, list[EntityRef]]:
    """What rows name, by priority; what belongs to another account is taken out of the row.

    An account's address may be anybody's, and its answer may name another's guest, whom the page
    of a booking would show. One query.
    """
    named = Q(pk__in=())
    for kind in {link.ref.kind for link in links}:
        named |= Q(kind=kind, uuid__in=[link.ref.uuid for link in links if link.ref.kind == kind])
    rows = SyncRequest.objects.filter(named).values_list("kind", "uuid", "connection")
    owners = {(kind, uuid): owner for kind, uuid, owner in rows}
    kept: dict[Priority, list[EntityRef]] = {}
    for row, ref, priority, account in links:
        owner = owners.get((ref.kind, ref.uuid))
        if None in (owner, account) or owner == account:
            kept.setdefault(priority, []).append(ref)
        else:
            ref.unlink(row)
    return kept
