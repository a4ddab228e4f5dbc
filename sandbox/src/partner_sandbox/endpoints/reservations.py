"""Reading reservations: the list and the detail."""

import math
from typing import Any

from partner_sandbox.clock import DAY, utc_midnight
from partner_sandbox.endpoints.paths import path_uuid
from partner_sandbox.entities import reservations
from partner_sandbox.entities.directory import SandboxRestaurant
from partner_sandbox.http.errors import invalid, not_ours, refuse
from partner_sandbox.http.fields import Query
from partner_sandbox.service import SandboxCall, SandboxEndpoint

SCOPES = frozenset(
    {"svc-restaurant", "svc-restaurant:reservations", "svc-restaurant:unrestricted-reservations"}
)
MOST_PER_PAGE = 10_000
COLUMNS = {"updatedDate": "updated", "mealDate": "meal"}


def list_reservations(call: SandboxCall) -> dict[str, Any]:
    query = call.query()
    group, restaurant = query.uuid("groupUuid"), query.uuid("restaurantUuid")
    if group is None and restaurant is None:
        raise invalid("groupUuid")
    first, last = query.date("startDate"), query.date("endDate")
    column = COLUMNS[query.choice("filterBy", COLUMNS, "updatedDate")]
    page, limit = paging(query)
    places = _places(call, group, restaurant)
    # Whole UTC days, whatever the restaurant's clock says (contract: Timezone rules).
    window = (utc_midnight(first), utc_midnight(last) + DAY)
    total, rows = _listed(call, places, column, (*window, *rows_of(page, limit)))
    call.beyond_end = not rows and page > 1
    data = [reservations.uuid_text(row["uuid"]) for row in rows]
    return {"data": data, "totalCount": total, "page": page, "limit": limit}


def _places(
    call: SandboxCall, group: bytes | None, restaurant: bytes | None
) -> list[SandboxRestaurant]:
    directory = call.service.directory
    chosen = directory.own_group(call.client, group) if group is not None else None
    if restaurant is None:
        return chosen.restaurants if chosen else []
    place = directory.filtered_restaurant(call.client, restaurant)
    if chosen is not None and place.group_id != chosen.id:
        return []
    return [place]


def _listed(
    call: SandboxCall, places: list[SandboxRestaurant], column: str, cut: tuple[int, int, int, int]
) -> tuple[int, list[Any]]:
    """Count and cut: (from, to, rows to take, rows to skip)."""
    marks = ",".join("?" * len(places))
    where = f"restaurant_id IN ({marks}) AND {column}>=? AND {column}<?"
    values = [*(place.id for place in places), *cut]
    with call.service.store.reading() as db:
        total = db.execute(
            f"SELECT COUNT(*) FROM reservation WHERE {where}",  # noqa: S608  a fixed column
            values[:-2],
        ).fetchone()[0]
        rows = db.execute(
            f"SELECT uuid FROM reservation WHERE {where}"  # noqa: S608  a fixed column
            f" ORDER BY {column}, id LIMIT ? OFFSET ?",
            values,
        ).fetchall()
    return total, rows


def paging(query: Query) -> tuple[float, float]:
    return query.number("page", 1), query.number("limit", 100, MOST_PER_PAGE)


def rows_of(page: float, limit: float) -> tuple[int, int]:
    """How many rows to take and to skip; the contract calls both numbers, not whole numbers."""
    return math.ceil(limit), min(max(0, math.floor((page - 1) * limit)), 2**62)


def find_own(call: SandboxCall, db: Any) -> tuple[Any, SandboxRestaurant]:
    """The reservation of the path and its restaurant, if the client may see them."""
    row = reservations.find(db, path_uuid(call))
    if row is None:
        raise refuse(404, "RESERVATION_NOT_FOUND")
    place = call.service.directory.restaurants[row["restaurant_id"]]
    if not call.service.directory.may_see(call.client, place):
        raise not_ours()
    if place.closed_down:
        raise refuse(404, "RESTAURANT_NOT_FOUND")
    return row, place


def get_reservation(call: SandboxCall) -> dict[str, Any]:
    call.query()
    with call.service.store.reading() as db:
        return reservations.payload(*find_own(call, db))


ENDPOINTS = [
    SandboxEndpoint(
        "list_reservations",
        "GET",
        "/v1/reservations",
        list_reservations,
        SCOPES,
        frozenset({"groupUuid", "restaurantUuid", "startDate", "endDate", "filterBy"})
        | {"limit", "page"},
    ),
    SandboxEndpoint("get_reservation", "GET", "/v1/reservations/{id}", get_reservation, SCOPES),
]
