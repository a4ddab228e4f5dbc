"""Reading customers: the list and the profile."""

from typing import Any

from partner_sandbox.clock import DAY, utc_midnight
from partner_sandbox.endpoints.paths import path_uuid
from partner_sandbox.endpoints.reservations import paging, rows_of
from partner_sandbox.entities import customers
from partner_sandbox.entities.reservations import uuid_text
from partner_sandbox.http.errors import not_ours, refuse
from partner_sandbox.service import SandboxCall, SandboxEndpoint

SCOPES = frozenset({"svc-restaurant", "svc-restaurant:customers"})
WITHIN = (
    " FROM customer WHERE group_id=:group"
    " AND (created>=:first AND created<:end OR updated>=:first AND updated<:end)"
)


def list_customers(call: SandboxCall) -> dict[str, Any]:
    query = call.query()
    wanted = query.uuid("groupUuid", required=True)
    first, last = query.date("startDate"), query.date("endDate")
    page, limit = paging(query)
    group = call.service.directory.own_group(call.client, wanted or b"")
    take, skip = rows_of(page, limit)
    # Plain calendar dates: the day that the profile's own time stamps show, never converted.
    values = {"group": group.id, "first": utc_midnight(first), "end": utc_midnight(last) + DAY}
    with call.service.store.reading() as db:
        total = db.execute("SELECT COUNT(*)" + WITHIN, values).fetchone()[0]
        rows = db.execute(
            "SELECT uuid" + WITHIN + " ORDER BY updated, id LIMIT :take OFFSET :skip",
            {**values, "take": take, "skip": skip},
        ).fetchall()
    call.beyond_end = not rows and page > 1
    data = [uuid_text(row["uuid"]) for row in rows]
    return {"data": data, "totalCount": total, "page": page, "limit": limit}


def get_customer(call: SandboxCall) -> dict[str, Any]:
    call.query()
    raw = path_uuid(call)
    with call.service.store.reading() as db:
        row = customers.find(db, raw)
    if row is None:
        raise refuse(404, "CUSTOMER_NOT_FOUND")
    if not call.service.directory.may_see_group(call.client, row["group_id"]):
        raise not_ours()
    return customers.payload(row)


ENDPOINTS = [
    SandboxEndpoint(
        "list_customers",
        "GET",
        "/v1/customers",
        list_customers,
        SCOPES,
        frozenset({"groupUuid", "startDate", "endDate", "limit", "page"}),
    ),
    SandboxEndpoint("get_customer", "GET", "/v1/customers/{id}", get_customer, SCOPES),
]
