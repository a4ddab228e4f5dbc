"""The review flow: list, detail, reply."""

from typing import Any

from partner_sandbox.clock import utc_midnight
from partner_sandbox.endpoints.paths import path_uuid
from partner_sandbox.entities import reviews
from partner_sandbox.entities.directory import SandboxRestaurant
from partner_sandbox.entities.reservations import uuid_text
from partner_sandbox.http import fields
from partner_sandbox.http.errors import invalid, not_ours, refuse
from partner_sandbox.life import future
from partner_sandbox.service import SandboxCall, SandboxEndpoint

SCOPES = frozenset({"svc-restaurant", "svc-restaurant:reviews"})
MOST_PER_PAGE = 100


def list_reviews(call: SandboxCall) -> dict[str, Any]:
    query = call.query()
    restaurant = query.uuid("restaurantUuid", required=True)
    first, last = query.date("startDate"), query.date("endDate")
    if last <= first:
        raise invalid("endDate")
    commented = query.choice("withCommentOnly", ("true", "false"), "false") == "true"
    limit, page = query.integer("limit", 50, MOST_PER_PAGE), query.integer("page", 1)
    place = call.service.directory.filtered_restaurant(call.client, restaurant or b"")
    with call.service.store.reading() as db:
        # Both dates are 00:00 UTC (contract: Timezone rules), so the last day itself is outside.
        rows = db.execute(
            "SELECT uuid FROM review WHERE restaurant_id=? AND meal>=? AND meal<? AND is_valid=1"
            " AND (comment_status='PUBLISHED' OR (comment_status IS NULL AND NOT ?))"
            " ORDER BY meal, id LIMIT ? OFFSET ?",
            (
                place.id,
                utc_midnight(first),
                utc_midnight(last),
                commented,
                limit + 1,
                min((page - 1) * limit, 2**62),
            ),
        ).fetchall()
    call.beyond_end = not rows and page > 1
    data = [uuid_text(row["uuid"]) for row in rows[:limit]]
    return {"data": data, "hasNext": len(rows) > limit}


def _find_own(call: SandboxCall, db: Any) -> tuple[Any, SandboxRestaurant]:
    row = reviews.find(db, path_uuid(call))
    if row is None:
        raise refuse(404, "REVIEW_NOT_FOUND")
    place = call.service.directory.restaurants[row["restaurant_id"]]
    if not call.service.directory.may_see(call.client, place):
        raise not_ours()
    return row, place


def get_review(call: SandboxCall) -> dict[str, Any]:
    call.query()
    with call.service.store.reading() as db:
        return reviews.payload(*_find_own(call, db))


def reply(call: SandboxCall) -> dict[str, Any]:
    body = call.body("content", "language")
    content = body.text("content", length=(1, 1_000_000))
    language = body.text("language", fields.LANGUAGE, nullable=True)
    now = call.service.clock.now()
    with call.service.store.writing() as db:
        row, _ = _find_own(call, db)
        if row["comment_status"] != "PUBLISHED":
            raise refuse(400, "REVIEW_HAS_NO_PUBLISHED_COMMENT")
        first = reviews.stored(row, "reply").get("created", now)
        text = {"content": content, "language": language, "created": first, "updated": now}
        row = reviews.change(db, row, now, reply_status="NOT_REVIEWED", body={"reply": text})
        future.plan(call.service, db, "moderate_reply", row["id"])
    return {"reviewUuid": uuid_text(row["uuid"]), "restaurantReply": reviews.reply_payload(row)}


ENDPOINTS = [
    SandboxEndpoint(
        "list_reviews",
        "GET",
        "/v1/reviews",
        list_reviews,
        SCOPES,
        frozenset({"restaurantUuid", "startDate", "endDate", "withCommentOnly", "limit", "page"}),
    ),
    SandboxEndpoint("get_review", "GET", "/v1/reviews/{id}", get_review, SCOPES),
    SandboxEndpoint("reply_to_review", "PUT", "/v1/reviews/{id}/reply", reply, SCOPES),
]
