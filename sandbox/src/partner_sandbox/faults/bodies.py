"""Faults with status 200: foreign or broken bodies, and falsely empty lists."""

import json
from typing import Any
from uuid import NAMESPACE_OID, uuid5

from partner_sandbox.http.message import SandboxResponse, encode

SENTENCE = "Service temporarily unavailable"
# What stands in the answer's place; "other" is the true answer under another identifier.
FORMS: dict[str, Any] = {
    "message": {"message": SENTENCE},
    "empty": {},
    "errors": {"errors": [{"message": SENTENCE}]},
    "list": [],
    "text": SENTENCE,
    "other": None,
}
IDENTIFIERS = ("reviewUuid", "reservationUuid", "customerUuid")


def replaces(effect: dict[str, Any]) -> bool:
    """Say whether the true answer is not needed for what is sent."""
    return str(effect.get("foreign", "other")) != "other"


def falsify(effect: dict[str, Any], answer: SandboxResponse) -> None:
    """Change a good answer as the fault says; others stay as they are."""
    if answer.status != 200:
        return
    if replaces(effect):
        answer.body = encode(FORMS[effect["foreign"]])
        return
    payload = json.loads(answer.body or b"null")
    if isinstance(payload, dict):
        answer.body = encode(_changed(effect, payload))


def _changed(effect: dict[str, Any], payload: dict[str, Any]) -> dict[str, Any]:
    if effect.get("foreign"):
        payload = _renamed(payload)
    if effect.get("empty_list") and isinstance(payload.get("data"), list):
        totals = {"totalCount": 0, "hasNext": False}
        payload |= {"data": []} | {key: totals[key] for key in totals if key in payload}
    dropped = effect.get("without", "").split(",")
    return {key: value for key, value in payload.items() if key not in dropped}


def _renamed(payload: dict[str, Any]) -> dict[str, Any]:
    key = next((key for key in IDENTIFIERS if payload.get(key)), None)
    return payload | {key: str(uuid5(NAMESPACE_OID, payload[key]))} if key else payload
