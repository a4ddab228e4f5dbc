"""Groups, restaurants and who may see them, kept in memory: there are at most a few hundred."""

import json
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

from partner_sandbox.http.errors import not_ours, refuse
from partner_sandbox.store import Store


@dataclass(frozen=True)
class MealService:
    """A lunch or a dinner: when tables are given out, in minutes of the local day.

    An end past 24:00 means that the last tables are given after midnight.
    """

    name: str
    weekdays: tuple[int, ...]
    start: int
    end: int
    covers: int  # guests that may arrive per slot
    offer_only: bool = False  # no table without an offer
    is_steady: bool = False  # full from its first hour on, without a peak of its own


@dataclass(frozen=True)
class SandboxGuarantee:
    kind: str  # imprint, prepayment
    amount: int
    hours: int
    from_party: int
    weekdays: tuple[int, ...]
    service: str
    offer: str | None = None


@dataclass(frozen=True)
class Offer:
    uuid: str
    kind: str  # promotion, presetMenu
    names: dict[str, str]
    descriptions: dict[str, str]
    weekdays: tuple[int, ...]
    services: tuple[str, ...]
    sizes: tuple[int, int]
    per_day: int
    price: float | None = None
    discount: float | None = None
    preset_type: str | None = None


@dataclass
class SandboxRestaurant:
    id: int
    uuid: str
    group_id: int
    group_uuid: str
    name: str
    timezone: str
    currency: str
    country: str
    phone: str
    locale: str
    spacing: int
    sizes: tuple[int, ...]
    request_from: int  # parties this large are answered REQUESTED
    services: tuple[MealService, ...]
    guarantees: tuple[SandboxGuarantee, ...]
    offers: tuple[Offer, ...]
    bill_per_guest: float
    busyness: float = 1.0
    closed_down: bool = False

    @cached_property
    def zone(self) -> ZoneInfo:
        return ZoneInfo(self.timezone)

    @cached_property
    def raw_uuid(self) -> bytes:
        return UUID(self.uuid).bytes

    def offer(self, raw: bytes | None) -> Offer | None:
        if raw is None:
            return None
        wanted = str(UUID(bytes=raw))
        return next((offer for offer in self.offers if offer.uuid == wanted), None)


@dataclass
class SandboxGroup:
    id: int
    uuid: str
    name: str
    owner: str
    restaurants: list[SandboxRestaurant] = field(default_factory=list)


def restaurant_from(plan: dict[str, Any]) -> SandboxRestaurant:
    plan = dict(plan)
    plan["services"] = tuple(MealService(**_tuples(row)) for row in plan["services"])
    plan["guarantees"] = tuple(SandboxGuarantee(**_tuples(row)) for row in plan["guarantees"])
    plan["offers"] = tuple(Offer(**_tuples(row)) for row in plan["offers"])
    return SandboxRestaurant(**_tuples(plan))


def _tuples(row: dict[str, Any]) -> dict[str, Any]:
    return {key: tuple(v) if isinstance(v, list) else v for key, v in row.items()}


class Directory:
    def __init__(self, store: Store) -> None:
        self.store = store
        self.groups: dict[int, SandboxGroup] = {}
        self.restaurants: dict[int, SandboxRestaurant] = {}
        self.reach: dict[str, tuple[frozenset[int], frozenset[int]]] = {}
        self.load()

    def load(self) -> None:
        with self.store.reading() as db:
            groups = {
                row["id"]: SandboxGroup(
                    row["id"], str(UUID(bytes=row["uuid"])), row["name"], row["owner"]
                )
                for row in db.execute("SELECT * FROM party ORDER BY id")
            }
            restaurants = {}
            for row in db.execute("SELECT * FROM restaurant ORDER BY id"):
                place = restaurant_from(json.loads(row["plan"]))
                place.closed_down = bool(row["closed_down"])
                restaurants[place.id] = place
                groups[place.group_id].restaurants.append(place)
        self.groups, self.restaurants = groups, restaurants
        self._by_uuid = {place.raw_uuid: place for place in restaurants.values()}
        self._group_by_uuid = {UUID(group.uuid).bytes: group for group in groups.values()}
        self.load_reach()

    def load_reach(self) -> None:
        groups: dict[str, set[int]] = {}
        single: dict[str, set[int]] = {}
        with self.store.reading() as db:
            for client, group, restaurant in db.execute("SELECT * FROM reach"):
                if restaurant:
                    single.setdefault(client, set()).add(restaurant)
                else:
                    groups.setdefault(client, set()).add(group)
        self.reach = {
            client: (frozenset(groups.get(client, ())), frozenset(single.get(client, ())))
            for client in groups.keys() | single.keys()
        }

    def may_see(self, client: str, restaurant: SandboxRestaurant) -> bool:
        groups, single = self.reach.get(client, (frozenset(), frozenset()))
        return restaurant.group_id in groups or restaurant.id in single

    def may_see_group(self, client: str, group_id: int) -> bool:
        return group_id in self.reach.get(client, (frozenset(), frozenset()))[0]

    def restaurant(self, raw: bytes) -> SandboxRestaurant | None:
        return self._by_uuid.get(raw)

    def own_restaurant(self, client: str, raw: bytes) -> SandboxRestaurant:
        """The restaurant of a path: unknown is 404, somebody else's is 401."""
        place = self._by_uuid.get(raw)
        if place is None or place.closed_down:
            raise refuse(404, "RESTAURANT_NOT_FOUND")
        if not self.may_see(client, place):
            raise not_ours()
        return place

    def filtered_restaurant(self, client: str, raw: bytes) -> SandboxRestaurant:
        """The restaurant of a list filter: lists know no 404, so unknown is not ours."""
        place = self._by_uuid.get(raw)
        if place is None or not self.may_see(client, place):
            raise not_ours()
        return place

    def own_group(self, client: str, raw: bytes) -> SandboxGroup:
        group = self._group_by_uuid.get(raw)
        if group is None or not self.may_see_group(client, group.id):
            raise not_ours()
        return group
