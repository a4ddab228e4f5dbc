"""Answers of calls: the partner's text, the typed entity read from it, and the checks of it.

A cache, a gateway or a maintenance page may answer 200 with an object of its own. Only an answer
that names the entity of the request is one. A required field that it lacks is reported.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Generic, NamedTuple, TypeVar

from pydantic.alias_generators import to_camel

from lib.text import as_data
from partner.http.protocol import Decoded, DriftItem, Request, foreign
from partner.payloads.reading import Entity, read, read_list, readable
from partner.schemas import PhoneMatch

MISSING_FIELD = "missing field"


class Required(NamedTuple):
    """A field that the contract promises in every answer of an operation."""

    name: str
    key: str
    is_nullable: bool


class Contract(NamedTuple):
    """What identifies the answer of one operation, and what it must carry."""

    # The field that repeats the identifier of the request's path, if there is one.
    subject: str
    required: tuple[Required, ...] = ()
    # Without its identifier the answer is recognised by the keys of all its required fields.
    may_be_unnamed: bool = False
    # A further field without which the answer says nothing.
    result: str = ""


def _required(names: str, *, nullable: str = "") -> tuple[Required, ...]:
    may_be_null = nullable.split()
    return tuple(
        Required(name, to_camel(name), name in may_be_null) for name in names.split() + may_be_null
    )


CONTRACTS: Mapping[str, Contract] = {
    "get_reservation": Contract(
        "reservation_uuid",
        _required(
            "reservation_uuid restaurant_uuid party_size status reservation_channel",
            nullable="meal_date created_at",
        ),
    ),
    # The contract does not list `customerUuid` among the fields that are always there.
    "get_customer": Contract(
        "customer_uuid",
        _required(
            "",
            nullable="email first_name last_name locale notes creation_date last_update_date",
        ),
        may_be_unnamed=True,
    ),
    "get_review": Contract(
        "review_uuid",
        _required(
            "review_uuid restaurant_uuid is_valid created_ts updated_ts reservation customer"
            " diner_rating",
            nullable="comment experience_detail restaurant_reply",
        ),
    ),
    "create_reservation": Contract("restaurant_uuid", result="reservation_uuid"),
    "update_reservation": Contract("reservation_uuid"),
    "cancel_reservation": Contract("reservation_uuid"),
    "override_availability": Contract("restaurant_uuid"),
    "reply_to_review": Contract("review_uuid"),
    "find_customer_by_phone": Contract("", result="next_reservations"),
    "upload_logo": Contract("uuid"),
}


def is_requested(request: Request, entity: Entity, payload: Mapping[str, Any]) -> bool:
    """Say whether the answer is about what the request named."""
    contract = CONTRACTS.get(request.operation)
    if contract is None:
        return True
    if contract.result and getattr(entity, contract.result) is None:
        return False
    if not contract.subject:
        return True
    subject = getattr(entity, contract.subject)
    if subject is not None:
        return bool(subject == request.target)
    # Something else than an identifier stands in its place, or nothing does.
    is_unnamed = payload.get(to_camel(contract.subject)) is None
    is_whole = all(field.key in payload for field in contract.required)
    return is_unnamed and contract.may_be_unnamed and is_whole


def missing(request: Request, entity: Entity, payload: Mapping[str, Any]) -> tuple[DriftItem, ...]:
    """Return a drift item for every required field that is absent, unreadable or wrongly null."""
    contract = CONTRACTS.get(request.operation)
    return tuple(
        DriftItem(MISSING_FIELD, field.key)
        for field in (contract.required if contract else ())
        if getattr(entity, field.name) is None and not _is_null(field, payload)
    )


def missing_fields(drift: Iterable[Any]) -> tuple[str, ...]:
    """Name the required fields that an answer lacks, from what was odd about it."""
    return tuple(found.path for found in drift if getattr(found, "kind", "") == MISSING_FIELD)


def lost_fields(stored: str, answer: Any) -> list[str]:
    """Name the required fields that the stored answer has a value of and this one lacks.

    Of what could not be read before either, nothing is lost: its entity never stops changing.
    """
    absent = missing_fields(answer.drift)
    before = as_data(stored) if absent else None
    return readable(type(answer.entity), before, fields=absent) if isinstance(before, dict) else []


def _is_null(field: Required, payload: Mapping[str, Any]) -> bool:
    return field.is_nullable and field.key in payload and payload[field.key] is None


T = TypeVar("T")
E = TypeVar("E", bound=Entity)


@dataclass(frozen=True, slots=True)
class PartnerAnswer(Generic[T]):
    """A good answer. `raw` is its text, character for character; "" where there is none (204)."""

    raw: str = field(repr=False)
    payload: Any = field(repr=False)
    entity: T = field(repr=False)
    # What the contract does not announce: unknown fields and words, wrong types.
    drift: tuple[DriftItem, ...]
    # Taken before the request left: the answer is at least as new as this.
    started_at: datetime


def entity_answer(model: type[E], request: Request, decoded: Decoded) -> PartnerAnswer[E]:
    if not isinstance(decoded.payload, dict):
        raise foreign(request, body=decoded.text)
    entity, drift = read(model, decoded.payload)
    if not decoded.text:
        return answer(decoded, entity, drift)
    if not is_requested(request, entity, decoded.payload):
        raise foreign(request, body=_evidence(decoded))
    return answer(decoded, entity, drift + missing(request, entity, decoded.payload))


def phone_answer(number: str, request: Request, decoded: Decoded) -> PartnerAnswer[PhoneMatch]:
    """Return the guest with exactly this number: the service compares text with text."""
    found = entity_answer(PhoneMatch, request, decoded)
    if found.entity.phone and _digits(found.entity.phone) != _digits(number):
        raise foreign(request, body=_evidence(decoded))
    return found


def _digits(number: str) -> str:
    return "".join(filter(str.isdigit, number))


def _evidence(decoded: Decoded) -> str:
    """Return what came instead; only field names if it may be another person's record."""
    is_record = any(key.endswith("Uuid") for key in decoded.payload)
    return ", ".join(decoded.payload) if is_record else decoded.text


def list_answer(model: type[E], request: Request, decoded: Decoded) -> PartnerAnswer[tuple[E, ...]]:
    entities, drift = read_list(model, array(request, decoded))
    return answer(decoded, entities, drift)


def sizes_answer(request: Request, decoded: Decoded) -> PartnerAnswer[tuple[int, ...]]:
    items = array(request, decoded)
    # The contract says "numbers": 4.0 is a party of four, true is none.
    numbers = [item for item in items if type(item) in (int, float)]
    sizes = tuple(int(item) for item in numbers if 0 < item == item // 1)
    drift = () if len(sizes) == len(items) else (DriftItem("wrong type", "[]"),)
    return answer(decoded, sizes, drift)


def array(request: Request, decoded: Decoded) -> list[Any]:
    if not isinstance(decoded.payload, list):
        raise foreign(request, body=decoded.text)
    return decoded.payload


def answer(decoded: Decoded, entity: T, drift: tuple[DriftItem, ...]) -> PartnerAnswer[T]:
    return PartnerAnswer(
        raw=decoded.text,
        payload=decoded.payload,
        entity=entity,
        drift=decoded.drift + drift,
        started_at=decoded.started_at,
    )
