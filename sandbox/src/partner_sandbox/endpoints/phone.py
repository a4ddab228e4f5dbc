"""Phone: look-up, call records, onboarding milestones."""

import uuid
from typing import Any

from partner_sandbox.endpoints.paths import path_restaurant
from partner_sandbox.entities.customers import compact
from partner_sandbox.entities.directory import SandboxRestaurant
from partner_sandbox.entities.reservations import local_text, uuid_text
from partner_sandbox.http import fields
from partner_sandbox.http.errors import invalid, refuse
from partner_sandbox.http.fields import MISSING
from partner_sandbox.service import SandboxCall, SandboxEndpoint
from partner_sandbox.vocabulary import CALL_STATUSES, MILESTONES

LOOK_UP = frozenset({"svc-restaurant", "svc-restaurant:customers"})
CALL_CENTER = frozenset({"svc-restaurant", "svc-restaurant:callCenter"})


def find_by_phone(call: SandboxCall) -> dict[str, Any]:
    call.query()
    number = call.path["phone"]
    if not fields.PHONE.fullmatch(number):
        raise invalid("phoneNumber")
    place = path_restaurant(call)
    with call.service.store.reading() as db:
        # Equal character for character: "06 12 …" is another text than "+336 12 …".
        guest = db.execute(
            "SELECT * FROM customer WHERE group_id=? AND phone=? ORDER BY id LIMIT 1",
            (place.group_id, number),
        ).fetchone()
        if guest is None:
            raise refuse(404, "PHONE_NUMBER_NOT_FOUND")
        coming = _next_reservations(db, place, guest["id"], call.service.clock.now())
    profile = {"firstName": None, "lastName": None, **_names(guest["body"])}
    return {
        "customerUuid": uuid_text(guest["uuid"]),
        **profile,
        "phone": guest["phone"],
        "email": guest["email"],
        "nextReservationsList": coming,
    }


def _names(body: str) -> dict[str, Any]:
    stored = fields.read_object(body.encode())
    return {name: stored[name] for name in ("firstName", "lastName") if name in stored}


def _next_reservations(db: Any, place: SandboxRestaurant, customer_id: int, now: int) -> list[Any]:
    rows = db.execute(
        "SELECT uuid, meal, status FROM reservation WHERE customer_id=? AND meal>=?"
        " AND restaurant_id=? ORDER BY meal",
        (customer_id, now, place.id),
    )
    return [
        {
            "reservationUuid": uuid_text(row["uuid"]),
            "mealDate": local_text(place, row["meal"]),
            "status": row["status"],
        }
        for row in rows
    ]


def record_call(call: SandboxCall) -> dict[str, int]:
    body = call.body(
        "callCallerId",
        "callCallerIdValidPhone",
        "callCurrentStatus",
        "callDateMillis",
        "marketplaceID",
        "callPhoneNumber",
        "callId",
        "sendAllEvents",
    )
    record = {
        "callCallerId": body.text("callCallerId"),
        "callCallerIdValidPhone": body.boolean("callCallerIdValidPhone"),
        "callCurrentStatus": body.choice("callCurrentStatus", CALL_STATUSES),
        "callDateMillis": body.text("callDateMillis", fields.MILLIS),
        "callPhoneNumber": body.text("callPhoneNumber", fields.PHONE, required=False),
        "sendAllEvents": body.boolean("sendAllEvents", required=False),
    }
    place_uuid, call_id = body.uuid("marketplaceID"), body.uuid("callId", required=False)
    place = call.service.directory.filtered_restaurant(call.client, place_uuid)
    kept = {name: value for name, value in record.items() if value is not MISSING}
    key = str(uuid.uuid4()) if call_id is MISSING else str(uuid.UUID(bytes=call_id))
    with call.service.store.writing() as db:
        db.execute(
            "REPLACE INTO call_record VALUES (?,?,?,?,?,?)",
            (
                key,
                place.id,
                call.client,
                record["callCurrentStatus"],
                call.service.clock.now(),
                compact(kept),
            ),
        )
    return {"status": 200}


def report_milestone(call: SandboxCall) -> dict[str, int]:
    body = call.body("restaurantUuid", "status")
    raw, status = body.uuid("restaurantUuid"), body.choice("status", MILESTONES)
    place = call.service.directory.filtered_restaurant(call.client, raw)
    with call.service.store.writing() as db:
        db.execute(
            "INSERT INTO milestone (client_id, restaurant_id, status, at) VALUES (?,?,?,?)",
            (call.client, place.id, status, call.service.clock.now()),
        )
        if status == "InstallationCompleted":
            db.execute("INSERT OR IGNORE INTO reach VALUES (?,?,0)", (call.client, place.group_id))
    call.service.directory.load_reach()
    return {"statusCode": 200}


ENDPOINTS = [
    SandboxEndpoint(
        "find_by_phone",
        "GET",
        "/v1/restaurants/{id}/customers/phone/{phone}",
        find_by_phone,
        LOOK_UP,
    ),
    SandboxEndpoint(
        "record_call", "POST", "/v1/callCenter/callRecognitions", record_call, CALL_CENTER
    ),
    SandboxEndpoint(
        "report_milestone", "PATCH", "/v1/integrationStatus", report_milestone, CALL_CENTER
    ),
]
